// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace weir::fuzz {

/// Each takes any bytes as what a peer sent, and aborts with a line on standard error when a rule does not hold. The fuzzers
/// and the test of the corpus share them.

/// Requests: cut into pieces they mean the same as whole.
void checkHttpRequest(std::string_view bytes);
/// Answers to probes: the same, and a body within its bound.
void checkProbeAnswer(std::string_view bytes);
/// Bodies of health answers: what is kept is bounded, well-formed UTF-8 without control characters.
void checkHealthBody(std::string_view bytes);

} // namespace weir::fuzz
