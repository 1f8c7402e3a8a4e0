// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Listener.h"

#include <boost/asio/post.hpp>
#include <unistd.h>

namespace weir::http {
namespace {

namespace asio = boost::asio;

// Connections beyond the limit that may linger over their 503; further ones are closed without a word.
constexpr std::size_t kMaxSurplus = 64;

} // namespace

Listener::Listener(asio::io_context& context, ServerOptions options, Handler root)
    : m_context(context)
    , m_options(std::move(options))
    , m_root(std::move(root))
    , m_gate(std::make_shared<ReplyGate>(context.get_executor()))
    , m_poll(std::make_shared<EdgePoll>(context))
    , m_acceptor(std::make_shared<Acceptor>(context, m_poll))
    , m_graceTimer(context.get_executor())
{
}

Result<void> Listener::listen()
{
    return m_acceptor->listen(m_options.host, m_options.port, [this](int descriptor, const asio::ip::address& peer) { admit(descriptor, peer); });
}

std::string Listener::url() const
{
    const std::string host = m_options.host.find(':') == std::string::npos ? m_options.host : "[" + m_options.host + "]";
    return (m_options.tls ? "https://" : "http://") + host + ":" + std::to_string(port());
}

void Listener::admit(int descriptor, const asio::ip::address& peer)
{
    const bool isSurplus = m_connections.size() - m_surplus >= m_options.maxConnections;
    // Beyond the limit a handshake would cost more than the answer is worth.
    if (isSurplus && (m_surplus >= kMaxSurplus || m_options.tls)) {
        ::close(descriptor);
        return;
    }
    auto connection = std::make_shared<Connection>(shared_from_this(), peer.to_string(), isSurplus);
    m_connections.insert(connection);
    m_surplus += isSurplus ? 1 : 0;
    connection->start(descriptor, m_options.tls.get());
}

void Listener::forget(const std::shared_ptr<Connection>& connection)
{
    if (m_connections.erase(connection) > 0) {
        m_surplus -= connection->isSurplus() ? 1 : 0;
    }
    if (m_isClosing && m_connections.empty()) {
        finishClose();
    }
}

void Listener::setTls(std::shared_ptr<const TlsContext> tls)
{
    asio::post(m_context, [self = shared_from_this(), tls = std::move(tls)]() mutable { self->m_options.tls = std::move(tls); });
}

void Listener::close(Duration grace, std::function<void()> done)
{
    asio::post(m_context, [self = shared_from_this(), grace, done = std::move(done)]() mutable {
        if (done) {
            self->m_done.push_back(std::move(done));
        }
        self->beginClose(grace);
    });
}

void Listener::beginClose(Duration grace)
{
    m_isClosing = true;
    m_acceptor->close();
    const std::vector<std::shared_ptr<Connection>> connections(m_connections.begin(), m_connections.end());
    for (const auto& connection : connections) {
        connection->closeIfIdle();
    }
    if (m_connections.empty()) {
        finishClose();
        return;
    }
    m_graceTimer.expires_after(grace);
    m_graceTimer.async_wait([self = shared_from_this()](const boost::system::error_code& code) {
        if (!code) {
            self->closeConnections();
        }
    });
}

void Listener::closeConnections()
{
    const std::vector<std::shared_ptr<Connection>> connections(m_connections.begin(), m_connections.end());
    for (const auto& connection : connections) {
        connection->close();
    }
}

void Listener::finishClose()
{
    m_graceTimer.cancel();
    // Posted, so that the last connection's own call is over when its owner hears of it.
    for (auto& done : std::exchange(m_done, {})) {
        asio::post(m_context, std::move(done));
    }
}

void Listener::cut()
{
    m_gate->shut();
    m_isClosing = true;
    m_done.clear();
    m_acceptor->close();
    closeConnections();
    m_graceTimer.cancel();
}

std::string Listener::makeRequestId()
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string id(16, '0');
    std::uint64_t bits = m_random();
    for (char& c : id) {
        c = kDigits[bits & 0xFU];
        bits >>= 4U;
    }
    return id;
}

} // namespace weir::http
