// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/http/Message.h"
#include "core/http/Target.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::http {

/// The head of a request, and what it says about the body and the connection.
struct RequestHead {
    enum class Expectation : unsigned char { None, Continue, Unknown };

    std::string method;
    std::string rawTarget;
    Target target;
    NamedValues headers;
    bool isVersion11 = true;
    bool keepAlive = true;
    bool isChunked = false;
    std::uint64_t contentLength = 0;
    Expectation expectation = Expectation::None;

    [[nodiscard]] bool hasBody() const { return isChunked || contentLength > 0; }
};

/// Reads a whole head: every line with its CRLF, without the empty line at the end. RFC 9112 with nothing let pass that two
/// programs may read differently: no folded lines, no blank before a colon, one length, one Host, chunked as the only coding.
/// Errors: `malformed_request`, `malformed_target`, `headers_too_large` (more than 100 fields).
[[nodiscard]] Result<RequestHead> parseRequestHead(std::string_view text);

} // namespace weir::http
