// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/AsioExchange.h"

#include "core/probe/AsioEngine.h"
#include "core/probe/RequestHeaders.h"

#include <algorithm>
#include <cerrno>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace weir::probe {
namespace {

namespace asio = boost::asio;

bool isPassing(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

int connectTo(int fd, const asio::ip::address& address, std::uint16_t port)
{
    if (address.is_v4()) {
        sockaddr_in peer{};
        peer.sin_family = AF_INET;
        peer.sin_port = htons(port);
        peer.sin_addr.s_addr = htonl(address.to_v4().to_uint());
        return ::connect(fd, reinterpret_cast<const sockaddr*>(&peer), sizeof peer);
    }
    sockaddr_in6 peer{};
    peer.sin6_family = AF_INET6;
    peer.sin6_port = htons(port);
    const auto bytes = address.to_v6().to_bytes();
    std::copy(bytes.begin(), bytes.end(), std::begin(peer.sin6_addr.s6_addr));
    peer.sin6_scope_id = static_cast<std::uint32_t>(address.to_v6().scope_id());
    return ::connect(fd, reinterpret_cast<const sockaddr*>(&peer), sizeof peer);
}

} // namespace

AsioExchange::AsioExchange(AsioEngine& engine)
    : m_engine(engine)
    , m_socket(engine.context().get_executor())
{
}

void AsioExchange::begin(std::uint64_t id, const std::string& url, Duration timeout, const ProbeTls& tls)
{
    m_id = id;
    m_attempt = 0;
    m_phase = Phase::Resolving;
    m_parser.reset();
    m_addresses.clear();
    m_nextAddress = 0;
    m_started = m_engine.clock().now();
    m_deadline = m_started + timeout;
    const std::optional<ProbeUrl> parts = splitProbeUrl(url);
    if (!parts) {
        end("unreachable", true); // joinHealthUrl lets no such address through
        return;
    }
    m_url = *parts;
    m_target.assign(parts->target);
    m_tls = m_url.isSecure ? tls : ProbeTls();
    m_engine.watch(m_id, m_deadline);
    if (const HostResolver::Addresses* known = m_engine.resolver().known(m_url.host)) {
        onAddresses(*known);
        return;
    }
    ++m_handlers;
    m_engine.resolver().resolve(m_url.host, [this, id](const HostResolver::Addresses& addresses) {
        --m_handlers;
        if (m_id == id) {
            onAddresses(addresses);
        }
    });
}

void AsioExchange::drop()
{
    closeSocket();
    m_id = 0;
}

void AsioExchange::closeSocket()
{
    if (m_socket.is_open()) {
        boost::system::error_code ignored;
        m_socket.close(ignored);
    }
    m_session.reset();
    m_unsent.clear();
    m_sent = 0;
}

// A peer that has closed already needs no more of the connection's end than a reset: it saves both sides packets, and the peer the
// minute of TIME_WAIT. One that is still writing is never reset.
void AsioExchange::skipFarewell()
{
    char byte = 0;
    if (::recv(m_socket.native_handle(), &byte, 1, 0) == 0) {
        const linger hard{1, 0};
        (void)::setsockopt(m_socket.native_handle(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
}

void AsioExchange::onAddresses(const HostResolver::Addresses& addresses)
{
    if (addresses.empty()) {
        end("dns");
        return;
    }
    m_addresses = addresses;
    connectNext();
}

int AsioExchange::openSocket(const asio::ip::address& address)
{
    const int fd = ::socket(address.is_v4() ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return fd;
    }
    const int off = 0; // the acknowledgement of the connection goes out with the request
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &off, sizeof off);
    boost::system::error_code code;
    m_socket.assign(fd, code);
    if (code) {
        ::close(fd);
        errno = code.value();
        return -1;
    }
    return fd;
}

void AsioExchange::connectNext()
{
    closeSocket();
    ++m_attempt;
    m_phase = Phase::Connecting;
    const asio::ip::address address = m_addresses[m_nextAddress++];
    const std::size_t after = m_addresses.size() - m_nextAddress;
    const Instant now = m_engine.clock().now();
    m_attemptDeadline = m_deadline;
    if (after > 0) { // an address that does not answer must leave time for the others
        m_attemptDeadline = now + (m_deadline - now) / static_cast<int>(after + 1);
        m_engine.watch(m_id, m_attemptDeadline);
    }
    const int fd = openSocket(address);
    if (fd < 0) {
        onSystemError(errno);
    } else if (connectTo(fd, address, m_url.port) == 0) {
        onConnected();
    } else if (errno == EINPROGRESS) {
        await(Descriptor::wait_write);
    } else {
        onSystemError(errno);
    }
}

void AsioExchange::await(Descriptor::wait_type what)
{
    ++m_handlers;
    m_socket.async_wait(what, [this, id = m_id, attempt = m_attempt](const boost::system::error_code& code) {
        --m_handlers;
        if (!code && m_id == id && m_attempt == attempt) {
            onReady();
        }
    });
}

void AsioExchange::onReady()
{
    if (m_phase == Phase::Connecting) {
        onConnected();
    } else if (m_sent < m_unsent.size()) {
        send();
    } else {
        receive();
    }
}

// Also when the connection failed: the first byte that is sent then fails with the reason.
void AsioExchange::onConnected()
{
    if (!m_url.isSecure) {
        m_unsent.clear(); // its room is used again
        m_sent = 0;
        appendRequest(m_unsent);
        send();
        return;
    }
    const TlsContexts::Context context = m_engine.tlsContexts().get(m_tls);
    if (!context) {
        end("tls");
        return;
    }
    m_session = std::make_unique<TlsSession>(context, m_tls, m_url.host);
    handshake();
}

void AsioExchange::appendRequest(std::string& bytes) const
{
    bytes.append("GET ").append(m_target).append(" HTTP/1.1\r\nHost: ").append(m_url.authority).append("\r\n");
    for (const auto& [name, value] : kRequestHeaders) {
        bytes.append(name).append(": ").append(value).append("\r\n");
    }
    bytes.append("\r\n");
}

void AsioExchange::handshake()
{
    switch (m_session->handshake()) {
    case TlsSession::Step::Done: {
        m_phase = Phase::Answer;
        std::string request;
        appendRequest(request);
        if (m_session->write(request) != TlsSession::Step::Done) {
            end("tls");
            return;
        }
        break;
    }
    case TlsSession::Step::NeedMore:
        break;
    case TlsSession::Step::Closed:
    case TlsSession::Step::Failed:
        end("tls");
        return;
    }
    goOn();
}

// Sends what the session has to say, then waits for the peer.
void AsioExchange::goOn()
{
    if (m_session) {
        m_unsent.erase(0, m_sent);
        m_unsent += m_session->takeOutgoing();
        m_sent = 0;
    }
    send();
}

void AsioExchange::send()
{
    while (m_sent < m_unsent.size()) {
        const ssize_t count = ::send(m_socket.native_handle(), m_unsent.data() + m_sent, m_unsent.size() - m_sent, MSG_NOSIGNAL);
        if (count < 0 && isPassing(errno)) {
            await(Descriptor::wait_write);
            return;
        }
        if (count < 0) {
            onSystemError(errno);
            return;
        }
        m_sent += static_cast<std::size_t>(count);
    }
    if (m_phase == Phase::Connecting) {
        m_phase = m_session ? Phase::Handshake : Phase::Answer;
    }
    await(Descriptor::wait_read);
}

void AsioExchange::receive()
{
    auto& buffer = m_engine.buffer();
    const ssize_t count = ::recv(m_socket.native_handle(), buffer.data(), buffer.size(), 0);
    if (count < 0 && isPassing(errno)) {
        await(Descriptor::wait_read);
        return;
    }
    if (count < 0) {
        onSystemError(errno);
        return;
    }
    if (count == 0) {
        onPeerClosed();
        return;
    }
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    if (!m_session) {
        m_parser.feed(bytes);
        onParsed();
        return;
    }
    m_session->received(bytes);
    if (m_phase == Phase::Handshake) {
        handshake();
    }
    if (m_id != 0 && m_phase == Phase::Answer && m_session) {
        decrypt();
    }
}

void AsioExchange::decrypt()
{
    auto& buffer = m_engine.buffer();
    while (m_parser.state() == AnswerParser::State::Head || m_parser.state() == AnswerParser::State::Body) {
        std::size_t count = 0;
        switch (m_session->read(buffer.data(), buffer.size(), count)) {
        case TlsSession::Step::Done:
            m_parser.feed({buffer.data(), count});
            break;
        case TlsSession::Step::NeedMore:
            goOn();
            return;
        case TlsSession::Step::Closed:
            onPeerClosed();
            return;
        case TlsSession::Step::Failed:
            end("tls");
            return;
        }
    }
    onParsed();
}

void AsioExchange::onParsed()
{
    switch (m_parser.state()) {
    case AnswerParser::State::Done:
        if (!m_session) {
            skipFarewell();
        }
        end("");
        return;
    case AnswerParser::State::Malformed:
        end("malformed");
        return;
    case AnswerParser::State::Head:
    case AnswerParser::State::Body:
        await(Descriptor::wait_read);
        return;
    }
}

void AsioExchange::onPeerClosed()
{
    if (m_phase == Phase::Handshake) {
        end("tls");
        return;
    }
    end(m_parser.end() == AnswerParser::State::Done ? "" : "reset");
}

void AsioExchange::expire(Instant now)
{
    if (now >= m_deadline) {
        end("timeout");
    } else if (m_phase == Phase::Connecting && now >= m_attemptDeadline && m_nextAddress < m_addresses.size()) {
        connectNext();
    }
}

void AsioExchange::onSystemError(int error)
{
    if (m_phase == Phase::Connecting && m_nextAddress < m_addresses.size()) {
        connectNext();
        return;
    }
    switch (error) {
    case ECONNREFUSED:
        end("refused");
        return;
    case ECONNRESET:
    case ECONNABORTED:
    case EPIPE:
        end(m_phase == Phase::Handshake ? "tls" : "reset");
        return;
    case ETIMEDOUT:
        end("timeout");
        return;
    default:
        end("unreachable", true);
    }
}

void AsioExchange::end(const char* failure, bool localError)
{
    ProbeAnswer answer;
    answer.started = m_started;
    answer.ended = m_engine.clock().now();
    answer.status = m_parser.status();
    answer.failure = failure;
    answer.localError = localError;
    answer.body = m_parser.takeBody();
    closeSocket();
    m_engine.finish(*this, std::move(answer));
    m_id = 0; // this is idle now, and may serve another exchange as soon as the caller returns
}

} // namespace weir::probe
