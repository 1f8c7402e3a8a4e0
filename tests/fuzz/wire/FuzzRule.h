// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <cstdlib>

namespace weir::fuzz {

/// Ends the program with the rule's name where it does not hold, which is what a fuzzer looks for.
inline void require(bool holds, const char* rule)
{
    if (!holds) {
        std::fprintf(stderr, "broken rule: %s\n", rule);
        std::abort();
    }
}

} // namespace weir::fuzz
