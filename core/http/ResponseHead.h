// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/Message.h"

#include <string>
#include <string_view>

namespace weir::http {

/// What the connection adds to an answer.
struct ResponseFrame {
    std::string_view requestId;
    bool closes = false;
    bool saysKeepAlive = false; ///< HTTP/1.0 clients have to be told
    bool isStreamed = false;    ///< no length is known
    bool isChunked = false;     ///< of a streamed body: not for HTTP/1.0
};

/// Appends status line and headers, with the empty line. Control characters in the response's own headers become spaces, so
/// that nothing a client sent can end a line.
void appendHead(std::string& out, const Response& response, const ResponseFrame& frame);

/// 204 and 304 have neither a body nor a length.
[[nodiscard]] bool mayHaveBody(unsigned status) noexcept;

} // namespace weir::http
