// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Acceptor.h"

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <cerrno>
#include <sys/socket.h>
#include <utility>

namespace weir::http {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr int kBacklog = 4096;
// Connections taken in one go; other work has its turn between.
constexpr int kMostAtOnce = 32;
constexpr auto kPause = std::chrono::milliseconds(100);

tl::unexpected<Error> listenFailed(const Tcp::endpoint& endpoint, const ErrorCode& code)
{
    const std::string where = endpoint.address().to_string() + ", port " + std::to_string(endpoint.port());
    if (code == asio::error::address_in_use) {
        return fail("address_in_use", "Another program listens on " + where + ".");
    }
    return fail("listen_failed", "Cannot listen on " + where + ": " + code.message() + ".");
}

} // namespace

Acceptor::Acceptor(asio::io_context& context, std::shared_ptr<EdgePoll> poll)
    : m_socket(context.get_executor())
    , m_poll(std::move(poll))
    , m_timer(context.get_executor())
{
}

Result<void> Acceptor::listen(const std::string& host, std::uint16_t port, Take take)
{
    ErrorCode code;
    const auto address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, code);
    if (code) {
        return fail("invalid_value", "'" + host + "' is not an address to listen on.", "host");
    }
    const Tcp::endpoint endpoint(address, port);
    m_socket.open(endpoint.protocol(), code);
    if (!code && !m_poll->isOpen()) {
        code = asio::error::no_descriptors;
    }
    if (!code) {
        m_socket.set_option(asio::socket_base::reuse_address(true), code);
    }
    if (!code) {
        m_socket.set_option(Tcp::no_delay(true), code); // accepted sockets inherit it: one call for all of them
    }
    if (!code) {
        m_socket.bind(endpoint, code);
    }
    if (!code) {
        m_socket.listen(kBacklog, code);
    }
    if (!code) {
        m_socket.native_non_blocking(true, code);
    }
    if (code) {
        ErrorCode ignored;
        m_socket.close(ignored);
        return listenFailed(endpoint, code);
    }
    m_port = m_socket.local_endpoint(code).port();
    m_take = std::move(take);
    wait();
    return {};
}

void Acceptor::wait()
{
    m_socket.async_wait(Tcp::socket::wait_read, [self = shared_from_this()](const ErrorCode& code) {
        if (!code) {
            self->accept();
        }
    });
}

void Acceptor::accept()
{
    for (int i = 0; i < kMostAtOnce && m_socket.is_open(); ++i) {
        Tcp::endpoint peer;
        auto size = static_cast<socklen_t>(peer.capacity());
        const int descriptor = ::accept4(m_socket.native_handle(), peer.data(), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor >= 0) {
            peer.resize(size);
            m_take(descriptor, peer.address());
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            pause();
            return;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            break;
        }
        // Anything else is about one connection that has failed already (accept(2)).
    }
    if (m_socket.is_open()) {
        wait();
    }
}

// Out of descriptors: trying again at once would only burn the thread that could free some.
void Acceptor::pause()
{
    m_timer.expires_after(kPause);
    m_timer.async_wait([self = shared_from_this()](const ErrorCode& code) {
        if (!code && self->m_socket.is_open()) {
            self->accept();
        }
    });
}

void Acceptor::close()
{
    ErrorCode ignored;
    m_socket.close(ignored);
    m_timer.cancel();
}

} // namespace weir::http
