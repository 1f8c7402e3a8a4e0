// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace weir::fuzz {

/// The gateway's own parsers, fed with any bytes of a peer; each aborts with a line on standard error when a rule does not hold. The
/// fuzzers and the test of the corpus share them.

/// The head of a request: in pieces it is what it is as a whole, and what is sent on to a node is one head that says the same.
void checkGatewayRequest(std::string_view bytes);
/// The head of a node's answer: the same, towards the client.
void checkGatewayAnswer(std::string_view bytes);
/// A body. The first byte says how it is framed (`c` chunked, `l` length, `u` until the end, `n` none), the second where it is cut, and how
/// long it says it is; the rest is the body. In pieces it is what it is as a whole, and framed again it is read as the same.
void checkGatewayBody(std::string_view bytes);

} // namespace weir::fuzz
