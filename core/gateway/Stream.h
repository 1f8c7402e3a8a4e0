// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/TlsClient.h"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <string_view>
#include <utility>

namespace weir::gateway {

using Tcp = boost::asio::ip::tcp;
using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<Tcp, Executor>;
using ErrorCode = boost::system::error_code;

/// How one attempt to read or write went. `Again`: nothing now; wait for the socket to be ready.
struct Io {
    enum class Status : unsigned char { Ok, Again, End, Failed };
    Status status = Status::Ok;
    std::size_t count = 0;
};

/// A connected TCP socket without buffers of its own: reading and writing never block, and whoever owns it waits for readiness first,
/// so that an idle connection costs no buffer.
class Stream {
public:
    explicit Stream(const Executor& executor)
        : m_socket(executor)
    {
    }
    explicit Stream(Socket socket)
        : m_socket(std::move(socket))
    {
    }

    /// From here on everything goes through `session`; handshake() comes first. Null: in the clear again, for a peer that knows no TLS.
    void useTls(TlsSession session) { m_tls = std::move(session); }
    [[nodiscard]] bool isSecure() const { return m_tls != nullptr; }
    /// `Again`: wait for the socket to be readable, or writable where wantsToWrite() says so.
    [[nodiscard]] Io::Status handshake();
    /// Right after a handshake that failed: what came was HTTP in the clear.
    [[nodiscard]] static bool sawPlainHttp();
    /// The name that a client asked for; empty without one. Once the handshake is done.
    [[nodiscard]] std::string_view serverName() const;
    [[nodiscard]] bool wantsToWrite() const;
    /// TLS has bytes, or the end, that were received already, so that waiting for the socket would miss them.
    [[nodiscard]] bool hasPending() const;

    [[nodiscard]] Socket& socket() { return m_socket; }
    [[nodiscard]] bool isOpen() const { return m_socket.is_open(); }

    [[nodiscard]] Io read(char* into, std::size_t size);
    /// Both parts in one packet where they fit; either may be empty.
    [[nodiscard]] Io write(std::string_view first, std::string_view second = {});
    /// What the next read in the clear will give; it stays where it is.
    [[nodiscard]] Io lookAhead(char* into, std::size_t size);
    /// Whether the peer has ended its side; what it sent before stays to be read.
    [[nodiscard]] Io::Status peek();
    /// Tells the peer that no more comes. `Again`: TLS could not say so yet; call it again when the socket is writable.
    Io::Status endSending();
    void close();
    /// Closes so that the peer sees a reset: an answer that ends with the connection must not look complete.
    void abort();

    /// At most one wait of each kind is under way; `handler` is called with an error when the socket is closed, or without one where TLS
    /// holds something to read.
    template <typename Handler>
    void waitReadable(Handler&& handler)
    {
        if (std::exchange(m_waitsToRead, true)) {
            return;
        }
        if (m_tls && hasPending()) { // the socket has nothing to say of what TLS holds
            boost::asio::post(m_socket.get_executor(), [handler = std::forward<Handler>(handler)]() mutable { handler(ErrorCode()); });
        } else {
            m_socket.async_wait(m_readsByWriting ? Socket::wait_write : Socket::wait_read, std::forward<Handler>(handler));
        }
    }
    template <typename Handler>
    void waitWritable(Handler&& handler)
    {
        if (!std::exchange(m_waitsToWrite, true)) {
            m_socket.async_wait(Socket::wait_write, std::forward<Handler>(handler));
        }
    }
    // The first thing that the handlers do.
    void readWaitEnded() { m_waitsToRead = false; }
    void writeWaitEnded() { m_waitsToWrite = false; }

private:
    [[nodiscard]] Io readTls(char* into, std::size_t size);
    [[nodiscard]] Io::Status peekTls();
    [[nodiscard]] Io writeTls(std::string_view first, std::string_view second);

    Socket m_socket;
    TlsSession m_tls;              ///< null: in the clear
    bool m_endIsDue = false;       ///< TLS met the end, or an error, behind bytes that it gave out
    bool m_readsByWriting = false; ///< TLS has something of its own to send before it reads on
    bool m_waitsToRead = false;
    bool m_waitsToWrite = false;
};

} // namespace weir::gateway
