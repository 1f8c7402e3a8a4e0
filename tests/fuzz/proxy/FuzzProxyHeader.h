// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace weir::fuzz {

/// Any bytes as the beginning of a connection: read a byte at a time they mean the same as at once. Aborts where a rule does not hold.
void checkProxyHeader(std::string_view bytes);

} // namespace weir::fuzz
