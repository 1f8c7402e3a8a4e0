// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/base/Result.h"
#include "core/http/Message.h"
#include "core/http/Tls.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace boost::asio {
class io_context;
}

namespace weir::http {

class Listener;

/// Limits are per connection; times are real time.
struct ServerOptions {
    std::string host = "127.0.0.1";                    ///< a numeric address, or "localhost"
    std::uint16_t port = 0;                            ///< 0 takes a free one
    std::size_t maxBody = 1U << 20U;                   ///< bytes; more is 413
    std::size_t maxHeader = 16U << 10U;                ///< bytes of request line and headers; more is 431
    Duration headerTimeout = std::chrono::seconds(10); ///< from the first byte of a request to the end of its head; then 408
    Duration bodyTimeout = std::chrono::seconds(30);   ///< from there to the end of its body; then 408
    Duration idleTimeout = std::chrono::seconds(60);   ///< between requests, and for a client that takes nothing of its answer
    Duration lingerTimeout = std::chrono::seconds(2);  ///< for what a client still sends after an answer that ends the connection
    std::size_t maxLinger = 2U << 20U;                 ///< bytes of that
    std::size_t maxConnections = 8192;                 ///< beyond them 503 and close
    std::shared_ptr<const TlsContext> tls{};           ///< null: in the clear
    Log* log = nullptr;                                ///< told when a handler throws; outlives the server
};

/// HTTP/1.1 and 1.0 on one port. All its work happens on the one thread that runs the io_context; a connection has one request
/// under way at a time, so pipelined requests are answered in order.
class Server {
public:
    Server(boost::asio::io_context& context, ServerOptions options, Handler root);
    /// On the io thread, or while nothing runs the io_context, which must outlive this. Connections are cut; replies still held do nothing
    /// from then on.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Binds and accepts. Errors: `address_in_use`, `invalid_value` (host), `listen_failed`. From any thread, once.
    [[nodiscard]] Result<void> listen();

    /// The port bound, also after close(); 0 before listen().
    [[nodiscard]] std::uint16_t port() const;
    /// `http://127.0.0.1:8700` (`https` with TLS), without a slash at the end.
    [[nodiscard]] std::string url() const;

    /// Another certificate for connections from now on; for a server that has one already. From any thread.
    void setTls(std::shared_ptr<const TlsContext> tls);

    /// Stops accepting and ends idle connections at once; requests under way, and answers on their way out, get `grace`.
    /// `done` is called once on the io thread when no connection is left. From any thread.
    void close(Duration grace, std::function<void()> done);

private:
    std::shared_ptr<Listener> m_listener;
};

} // namespace weir::http
