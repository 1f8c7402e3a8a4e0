// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/ChunkedBody.h"
#include "core/http/RequestHead.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weir::http {

/// Cuts a stream of bytes into requests. No I/O: whoever owns the socket feeds it.
class RequestParser {
public:
    enum class Step : unsigned char {
        NeedMore,    ///< of the head, nothing was taken: feed the same bytes again, with more behind them
        BodyFollows, ///< the head is read; said once, and only where a body is announced and acceptable
        Complete,    ///< take() gives the request
        Failed       ///< error() says why; the stream cannot go on
    };

    RequestParser(std::size_t maxBody, std::size_t maxHeader)
        : m_maxBody(maxBody)
        , m_maxHeader(maxHeader)
    {
    }

    /// Takes from the front of `input`, at most to the end of one request.
    Step feed(std::string_view& input);

    [[nodiscard]] const Error& error() const { return m_error; }
    /// Valid from BodyFollows, Complete, or a failure after the head, to take().
    [[nodiscard]] const std::optional<RequestHead>& head() const { return m_head; }

    /// The request, without peer and id; the parser is ready for the next one.
    [[nodiscard]] Request take();

private:
    enum class HeadEnd : unsigned char { NotYet, Found, Failed };

    HeadEnd findHeadEnd(std::string_view input);
    Step readHead(std::string_view& input);
    Step readBody(std::string_view& input);
    Step failWith(std::string code, std::string message);

    std::size_t m_maxBody;
    std::size_t m_maxHeader;
    std::size_t m_scanned = 0; // bytes of the head known to have no end
    std::size_t m_lineStart = 0;
    bool m_skippedEmptyLine = false;
    std::optional<RequestHead> m_head;
    std::optional<ChunkedBody> m_chunked;
    std::string m_body;
    Error m_error;
};

} // namespace weir::http
