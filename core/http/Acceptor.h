// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/http/EdgePoll.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace weir::http {

/// A listening TCP socket. What it accepts does not block and does not delay small packets. Io thread only but for listen(); made by
/// std::make_shared.
class Acceptor : public std::enable_shared_from_this<Acceptor> {
public:
    /// Takes the descriptor of a new connection, and who is at its other end. Not called once close() was.
    using Take = std::function<void(int descriptor, const boost::asio::ip::address& peer)>;

    /// What it accepts is for `poll`.
    Acceptor(boost::asio::io_context& context, std::shared_ptr<EdgePoll> poll);

    /// Binds to a numeric address or "localhost", port 0 for a free one, and accepts from then on. From any thread, once. Errors:
    /// `address_in_use`, `invalid_value` (host), `listen_failed`.
    [[nodiscard]] Result<void> listen(const std::string& host, std::uint16_t port, Take take);
    /// The port bound, also after close(); 0 before listen().
    [[nodiscard]] std::uint16_t port() const { return m_port; }
    void close();

private:
    using Executor = boost::asio::io_context::executor_type;
    using Timer = boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

    void wait();
    void accept();
    void pause();

    boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor> m_socket;
    std::shared_ptr<EdgePoll> m_poll;
    Timer m_timer;
    Take m_take;
    std::uint16_t m_port = 0;
};

} // namespace weir::http
