// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/HeadView.h"

#include <cstddef>
#include <string_view>

namespace weir::gateway {

/// Why a head is refused: the answer's status and code, and a sentence. Default: nothing is wrong.
struct HeadError {
    unsigned status = 0;
    std::string_view code;
    std::string_view detail;

    explicit operator bool() const { return status != 0; }
};

/// Finds the end of a head that arrives in pieces, and refuses a bare LF when it arrives; every byte is looked at once.
class HeadScanner {
public:
    enum class Step : unsigned char { NeedMore, Found, Failed };

    /// Request line and fields, at most this many bytes (gateway.md "Strict parsing").
    static constexpr std::size_t kMaxHead = 64U << 10U;

    /// `text` is all of the head that has arrived, from its first byte on.
    Step scan(std::string_view text);
    /// Bytes of the head with the empty line; valid once Found.
    [[nodiscard]] std::size_t length() const { return m_scanned; }
    [[nodiscard]] const HeadError& error() const { return m_error; }
    void reset() { *this = HeadScanner(); }

private:
    std::size_t m_scanned = 0;
    std::size_t m_lineStart = 0;
    HeadError m_error;
};

/// Reads a whole head with the empty line at its end into `into`, whose views point into `text`. RFC 9112 with nothing let pass that two
/// programs may read differently. The error says 400, 405 (CONNECT), 417, 431, 501 or 505.
[[nodiscard]] HeadError parseRequest(std::string_view text, RequestView& into);

/// The same for what a node answers; any error is a `bad_response`.
[[nodiscard]] HeadError parseResponse(std::string_view text, ResponseView& into);

/// Whether a comma-separated list has the token, whatever its case.
[[nodiscard]] bool listHas(std::string_view list, std::string_view token);

/// Whether a trailer line with this name may be passed on: framing, routing and hop-by-hop fields may not.
[[nodiscard]] bool isForwardableTrailer(std::string_view name);

} // namespace weir::gateway
