// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace weir::http::test {

/// An answer as it came over the wire.
struct Answer {
    int status = 0;                             ///< 0: none came, or it was cut short
    std::map<std::string, std::string> headers; ///< names in lower case
    std::string body;

    [[nodiscard]] std::string header(const std::string& name) const
    {
        const auto found = headers.find(name);
        return found == headers.end() ? std::string() : found->second;
    }
};

/// A blocking socket that sends exactly the bytes it is given. No wait is longer than five seconds.
class RawClient {
public:
    explicit RawClient(std::uint16_t port);
    ~RawClient();
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    [[nodiscard]] bool isConnected() const { return m_isConnected; }
    /// False when the peer has gone before all was sent.
    bool send(std::string_view bytes);
    /// One answer; `headOnly` for HEAD requests. What follows it is kept for the next call.
    Answer read(bool headOnly = false);
    /// What came up to `end` and with it; empty when the stream ends before that.
    std::string readTo(std::string_view end);
    /// Whether something has come, or the stream has ended, within `limit`.
    bool hasInput(std::chrono::milliseconds limit);
    /// Everything to the end of the stream.
    std::string readAll();
    /// True when the peer ends the stream, without another byte, within `limit`.
    bool endsWithin(std::chrono::milliseconds limit);
    void shutdownSending();
    /// Closes so that the peer gets a reset.
    void abort();

private:
    bool fill(std::chrono::milliseconds limit);

    int m_socket = -1;
    bool m_isConnected = false;
    bool m_isEnded = false;
    std::string m_buffer;
};

} // namespace weir::http::test
