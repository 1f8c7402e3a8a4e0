// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/NodeLinks.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <netinet/tcp.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace weir::gateway {
namespace {

namespace asio = boost::asio;

// In the words of health.md; whatever keeps a connection from being made is the node's, but for want of our own resources.
std::string_view failureOf(const ErrorCode& code)
{
    if (code == asio::error::timed_out) {
        return "timeout";
    }
    if (code == asio::error::connection_reset) {
        return "reset";
    }
    const bool isOurs = code == asio::error::no_descriptors || code == asio::error::no_memory || code == asio::error::no_buffer_space
        || code == boost::system::errc::too_many_files_open_in_system || code == asio::error::address_in_use || code == boost::system::errc::address_not_available;
    return isOurs ? "local" : "refused";
}

} // namespace

NodeLink::NodeLink(const Executor& executor, const std::shared_ptr<http::EdgePoll>& poll, TlsClient& tls, std::shared_ptr<GatewayNode> node)
    : m_tls(tls)
    , m_node(std::move(node))
    , m_executor(executor)
    , m_stream(poll, *this)
    , m_resolver(executor)
{
}

void NodeLink::connect(LinkOwner& owner)
{
    m_owner = &owner;
    if (!m_node->address) {
        asio::post(m_executor, [self = shared_from_this()] { self->tell("local"); });
        return;
    }
    m_address = *m_node->address;
    m_addresses = m_node->addresses;
    ErrorCode code;
    const auto literal = asio::ip::make_address(m_address.host, code);
    if (!code) {
        m_endpoints.emplace_back(literal, m_address.port);
        connectNext();
        return;
    }
    m_resolver.async_resolve(m_address.host, std::to_string(m_address.port), Tcp::resolver::numeric_service,
        [self = shared_from_this()](const ErrorCode& error, const Tcp::resolver::results_type& results) {
            if (error || results.empty()) {
                self->tell("dns");
                return;
            }
            for (const auto& result : results) {
                self->m_endpoints.push_back(result.endpoint());
            }
            std::reverse(self->m_endpoints.begin(), self->m_endpoints.end());
            self->connectNext();
        });
}

void NodeLink::connectNext()
{
    if (m_owner == nullptr) {
        return; // given up meanwhile
    }
    const Tcp::endpoint endpoint = m_endpoints.back();
    m_endpoints.pop_back();
    m_phase = Phase::Connecting;
    if (const ErrorCode code = beginConnect(endpoint)) {
        asio::post(m_executor, [self = shared_from_this(), code] { self->connectEnded(code); });
        return;
    }
    m_stream.waitWritable(); // that is when it stands, or has failed
}

ErrorCode NodeLink::beginConnect(const Tcp::endpoint& endpoint)
{
    const auto lastError = [] { return ErrorCode(errno, boost::system::system_category()); };
    const int descriptor = ::socket(endpoint.protocol().family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
    if (descriptor < 0) {
        return lastError();
    }
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(descriptor, endpoint.data(), static_cast<socklen_t>(endpoint.size())) != 0 && errno != EINPROGRESS && errno != EINTR) {
        const ErrorCode code = lastError();
        ::close(descriptor);
        return code;
    }
    return m_stream.adopt(descriptor) ? ErrorCode() : ErrorCode(asio::error::no_memory);
}

void NodeLink::streamWritable()
{
    if (m_phase == Phase::Connecting) {
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(m_stream.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
        connectEnded(ErrorCode(error, boost::system::system_category()));
    } else if (m_phase == Phase::Greeting) {
        continueTls();
    } else if (m_owner != nullptr) {
        m_owner->linkWritable();
    }
}

void NodeLink::streamReadable()
{
    if (m_phase == Phase::Greeting) {
        continueTls();
    } else if (m_owner != nullptr) {
        m_owner->linkReadable();
    } else {
        idleEnded();
    }
}

void NodeLink::connectEnded(const ErrorCode& code)
{
    if (m_owner == nullptr) {
        return;
    }
    if (code && !m_endpoints.empty()) {
        connectNext();
        return;
    }
    if (!code && m_address.isSecure) {
        beginTls();
        return;
    }
    m_phase = code ? Phase::Connecting : Phase::Open;
    tell(code ? failureOf(code) : std::string_view());
}

void NodeLink::beginTls()
{
    TlsSession session = m_tls.open(m_stream.descriptor(), m_address.host, m_node->tls);
    if (!session) {
        tell("local");
        return;
    }
    m_phase = Phase::Greeting;
    m_stream.useTls(std::move(session));
    continueTls();
}

void NodeLink::continueTls()
{
    if (m_owner == nullptr) {
        return;
    }
    const Io::Status status = m_stream.handshake();
    if (status != Io::Status::Again) {
        m_phase = Phase::Open;
        tell(status == Io::Status::Ok ? "" : "tls");
    } else if (m_stream.wantsToWrite()) {
        m_stream.waitWritable();
    } else {
        m_stream.waitReadable();
    }
}

void NodeLink::tell(std::string_view failure)
{
    if (m_owner != nullptr) {
        m_owner->linkConnected(failure);
    }
}

void NodeLink::close()
{
    m_owner = nullptr;
    m_resolver.cancel();
    m_stream.close();
}

void NodeLink::keep(std::size_t most, Instant now)
{
    m_owner = nullptr;
    if (m_node->idle.size() >= most || m_addresses != m_node->addresses) {
        close();
        return;
    }
    m_isKept = true;
    m_idleSince = now;
    m_node->idle.push_back(shared_from_this());
    watch();
}

// The node has closed it, or has sent what nobody asked for.
void NodeLink::idleEnded()
{
    const auto self = shared_from_this();
    std::erase(m_node->idle, self);
    close();
}

std::shared_ptr<NodeLink> NodeLink::takeKept(GatewayNode& node, LinkOwner& owner)
{
    if (node.idle.empty()) {
        return nullptr;
    }
    std::shared_ptr<NodeLink> link = std::move(node.idle.back());
    node.idle.pop_back();
    link->m_owner = &owner;
    return link;
}

} // namespace weir::gateway
