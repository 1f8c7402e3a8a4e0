// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace weir::http {

class Connection;
class ReplyGate;

/// The body of an answer that is written while it is being made, for as long as its maker likes. The maker keeps a shared
/// pointer and so does the connection: once the maker's is the only one, nobody reads any more. What the client has not taken
/// waits here up to a limit; a client that is further behind is dropped, so that it neither slows its maker nor holds memory.
class ResponseStream {
public:
    using Bytes = std::shared_ptr<const std::string>;

    explicit ResponseStream(std::size_t mostBuffered)
        : m_mostBuffered(mostBuffered)
    {
    }
    ResponseStream(const ResponseStream&) = delete;
    ResponseStream& operator=(const ResponseStream&) = delete;

    /// Any thread. Many streams may share the bytes. False: the reader is dropped, or the stream has ended.
    bool write(Bytes bytes);
    /// Any thread. What was written still goes out, then the connection ends.
    void end();

    // For the connection, on the io thread:
    enum class State : unsigned char { Open, Ended, Dropped };

    /// From now on what is written wakes `connection`.
    void attach(std::shared_ptr<ReplyGate> gate, std::weak_ptr<Connection> connection);
    /// Appends at most about `most` bytes of what waits to `into`, as chunks where `chunked`. Ended: and nothing comes after
    /// them.
    [[nodiscard]] State take(std::string& into, std::size_t most, bool chunked);

private:
    void wake(std::unique_lock<std::mutex> lock);

    const std::size_t m_mostBuffered;
    std::mutex m_mutex;
    std::deque<Bytes> m_waiting;
    std::size_t m_buffered = 0;
    bool m_hasEnded = false;
    bool m_isDropped = false;
    bool m_isWoken = false;
    std::shared_ptr<ReplyGate> m_gate;
    std::weak_ptr<Connection> m_connection;
};

} // namespace weir::http
