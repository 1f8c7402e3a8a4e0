// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace weir::fuzz {

/// Any text: compiled in both dialects and, where it is a condition, evaluated and traced on a request and an answer, the texts
/// of which are taken from the input too. Aborts where something does not hold that must.
void fuzzCondition(std::string_view input);

} // namespace weir::fuzz
