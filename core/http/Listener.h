// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/Acceptor.h"
#include "core/http/Connection.h"
#include "core/http/EdgePoll.h"
#include "core/http/PendingReply.h"
#include "core/http/Server.h"

#include <array>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

namespace weir::http {

/// The inside of Server: the accepting socket, the connections, and what they share. Lives as long as any of them.
class Listener : public std::enable_shared_from_this<Listener> {
public:
    Listener(boost::asio::io_context& context, ServerOptions options, Handler root);

    [[nodiscard]] Result<void> listen();
    [[nodiscard]] std::uint16_t port() const { return m_acceptor->port(); }
    [[nodiscard]] std::string url() const;
    void setTls(std::shared_ptr<const TlsContext> tls);
    void close(Duration grace, std::function<void()> done);
    void cut();

    // For connections, on the io thread.
    [[nodiscard]] const ServerOptions& options() const { return m_options; }
    [[nodiscard]] boost::asio::io_context& context() { return m_context; }
    [[nodiscard]] const std::shared_ptr<EdgePoll>& poll() const { return m_poll; }
    [[nodiscard]] const Handler& root() const { return m_root; }
    [[nodiscard]] const std::shared_ptr<ReplyGate>& gate() const { return m_gate; }
    [[nodiscard]] bool isClosing() const { return m_isClosing; }
    /// Shared: used only between a socket's readiness and the end of that call, so that idle connections hold no buffer.
    [[nodiscard]] std::array<char, 64U << 10U>& readBuffer() { return m_readBuffer; }
    [[nodiscard]] std::string& writeBuffer() { return m_writeBuffer; }
    /// 16 random hexadecimal digits.
    [[nodiscard]] std::string makeRequestId();
    void forget(const std::shared_ptr<Connection>& connection);

private:
    void admit(int descriptor, const boost::asio::ip::address& peer);
    void beginClose(Duration grace);
    void finishClose();
    void closeConnections();

    boost::asio::io_context& m_context;
    ServerOptions m_options;
    Handler m_root;
    std::shared_ptr<ReplyGate> m_gate;
    std::shared_ptr<EdgePoll> m_poll;
    std::shared_ptr<Acceptor> m_acceptor;
    Timer m_graceTimer;
    std::unordered_set<std::shared_ptr<Connection>> m_connections;
    std::size_t m_surplus = 0; // of them, those that are only told 503
    bool m_isClosing = false;
    std::vector<std::function<void()>> m_done;
    std::mt19937_64 m_random{std::random_device{}()};
    std::array<char, 64U << 10U> m_readBuffer{};
    std::string m_writeBuffer;
};

} // namespace weir::http
