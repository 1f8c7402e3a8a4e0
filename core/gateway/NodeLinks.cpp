// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/NodeLinks.h"

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <string>

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

NodeLink::NodeLink(const Executor& executor, TlsClient& tls, std::shared_ptr<GatewayNode> node)
    : m_tls(tls)
    , m_node(std::move(node))
    , m_stream(executor)
    , m_resolver(executor)
{
}

void NodeLink::connect(LinkOwner& owner)
{
    m_owner = &owner;
    if (!m_node->address) {
        asio::post(m_stream.socket().get_executor(), [self = shared_from_this()] { self->tell("local"); });
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
    ErrorCode code;
    Socket& socket = m_stream.socket();
    socket.close(code);
    socket.open(endpoint.protocol(), code);
    if (!code) {
        socket.non_blocking(true, code);
    }
    if (!code) {
        socket.set_option(Tcp::no_delay(true), code);
    }
    if (code) {
        asio::post(socket.get_executor(), [self = shared_from_this(), code] { self->connectEnded(code); });
        return;
    }
    socket.async_connect(endpoint, [self = shared_from_this()](const ErrorCode& error) { self->connectEnded(error); });
}

void NodeLink::connectEnded(const ErrorCode& code)
{
    if (m_owner == nullptr || code == asio::error::operation_aborted) {
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
    tell(code ? failureOf(code) : std::string_view());
}

void NodeLink::beginTls()
{
    TlsSession session = m_tls.open(m_stream.socket().native_handle(), m_address.host, m_node->tls);
    if (!session) {
        tell("local");
        return;
    }
    m_stream.useTls(std::move(session));
    continueTls();
}

void NodeLink::continueTls()
{
    const Io::Status status = m_stream.handshake();
    if (status != Io::Status::Again) {
        tell(status == Io::Status::Ok ? "" : "tls");
        return;
    }
    const auto go = [self = shared_from_this(), isWrite = m_stream.wantsToWrite()](const ErrorCode& code) {
        if (isWrite) {
            self->m_stream.writeWaitEnded();
        } else {
            self->m_stream.readWaitEnded();
        }
        if (!code && self->m_owner != nullptr) {
            self->continueTls();
        }
    };
    if (m_stream.wantsToWrite()) {
        m_stream.waitWritable(go);
    } else {
        m_stream.waitReadable(go);
    }
}

void NodeLink::tell(std::string_view failure)
{
    if (m_owner != nullptr) {
        m_owner->linkConnected(failure);
    }
}

void NodeLink::watch()
{
    m_stream.waitReadable([self = shared_from_this()](const ErrorCode& code) {
        self->m_stream.readWaitEnded();
        if (code || !self->m_stream.isOpen()) {
            return;
        }
        if (self->m_owner != nullptr) {
            self->m_owner->linkReadable();
        } else {
            self->idleEnded();
        }
    });
}

void NodeLink::waitWritable()
{
    m_stream.waitWritable([self = shared_from_this()](const ErrorCode& code) {
        self->m_stream.writeWaitEnded();
        if (!code && self->m_owner != nullptr) {
            self->m_owner->linkWritable();
        }
    });
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
