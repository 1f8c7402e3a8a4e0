// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Listener.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>

namespace weir::http {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr int kBacklog = 4096;
constexpr auto kAcceptPause = std::chrono::milliseconds(100);
// Connections beyond the limit that may linger over their 503; further ones are closed without a word.
constexpr std::size_t kMaxSurplus = 64;

tl::unexpected<Error> listenFailed(const Tcp::endpoint& endpoint, const ErrorCode& code)
{
    const std::string where = endpoint.address().to_string() + ", port " + std::to_string(endpoint.port());
    if (code == asio::error::address_in_use) {
        return fail("address_in_use", "Another program listens on " + where + ".");
    }
    return fail("listen_failed", "Cannot listen on " + where + ": " + code.message() + ".");
}

} // namespace

Listener::Listener(asio::io_context& context, ServerOptions options, Handler root)
    : m_context(context)
    , m_options(std::move(options))
    , m_root(std::move(root))
    , m_gate(std::make_shared<ReplyGate>(context.get_executor()))
    , m_acceptor(context.get_executor())
    , m_incoming(context.get_executor())
    , m_acceptTimer(context.get_executor())
    , m_graceTimer(context.get_executor())
{
}

Result<void> Listener::listen()
{
    ErrorCode code;
    const auto address = asio::ip::make_address(m_options.host == "localhost" ? "127.0.0.1" : m_options.host, code);
    if (code) {
        return fail("invalid_value", "'" + m_options.host + "' is not an address to listen on.", "host");
    }
    const Tcp::endpoint endpoint(address, m_options.port);
    m_acceptor.open(endpoint.protocol(), code);
    if (!code) {
        m_acceptor.set_option(asio::socket_base::reuse_address(true), code);
    }
    if (!code) {
        // Accepted sockets inherit it: one call for all of them.
        m_acceptor.set_option(Tcp::no_delay(true), code);
    }
    if (!code) {
        m_acceptor.bind(endpoint, code);
    }
    if (!code) {
        m_acceptor.listen(kBacklog, code);
    }
    if (code) {
        ErrorCode ignored;
        m_acceptor.close(ignored);
        return listenFailed(endpoint, code);
    }
    m_port = m_acceptor.local_endpoint(code).port();
    accept();
    return {};
}

std::string Listener::url() const
{
    const std::string host = m_options.host.find(':') == std::string::npos ? m_options.host : "[" + m_options.host + "]";
    return (m_options.tls ? "https://" : "http://") + host + ":" + std::to_string(m_port);
}

void Listener::accept()
{
    m_acceptor.async_accept(m_incoming, m_incomingPeer, [self = shared_from_this()](const ErrorCode& code) {
        if (self->m_isClosing || code == asio::error::operation_aborted) {
            return;
        }
        if (code == asio::error::no_descriptors || code == asio::error::no_buffer_space || code == asio::error::no_memory
            || code == boost::system::errc::too_many_files_open_in_system) {
            self->acceptLater();
            return;
        }
        if (!code) {
            self->admit();
        }
        self->accept();
    });
}

void Listener::admit()
{
    Socket socket = std::move(m_incoming);
    m_incoming = Socket(m_context.get_executor());
    const bool isSurplus = m_connections.size() - m_surplus >= m_options.maxConnections;
    // Beyond the limit a handshake would cost more than the answer is worth.
    if (isSurplus && (m_surplus >= kMaxSurplus || m_options.tls)) {
        return;
    }
    ErrorCode code;
    socket.non_blocking(true, code);
    if (code) {
        return;
    }
    auto connection = std::make_shared<Connection>(shared_from_this(), std::move(socket), m_incomingPeer.address().to_string(), isSurplus, m_options.tls);
    m_connections.insert(connection);
    m_surplus += isSurplus ? 1 : 0;
    connection->start();
}

// Out of descriptors: trying again at once would only burn the thread that could free some.
void Listener::acceptLater()
{
    m_acceptTimer.expires_after(kAcceptPause);
    m_acceptTimer.async_wait([self = shared_from_this()](const ErrorCode& code) {
        if (!code && !self->m_isClosing) {
            self->accept();
        }
    });
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
    ErrorCode ignored;
    m_acceptor.close(ignored);
    m_acceptTimer.cancel();
    const std::vector<std::shared_ptr<Connection>> connections(m_connections.begin(), m_connections.end());
    for (const auto& connection : connections) {
        connection->closeIfIdle();
    }
    if (m_connections.empty()) {
        finishClose();
        return;
    }
    m_graceTimer.expires_after(grace);
    m_graceTimer.async_wait([self = shared_from_this()](const ErrorCode& code) {
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
    ErrorCode ignored;
    m_acceptor.close(ignored);
    m_acceptTimer.cancel();
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
