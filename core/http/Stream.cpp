// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Stream.h"

#include <array>
#include <cerrno>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace weir::http {
namespace {

constexpr std::size_t kRecord = 16U << 10U; // the most that one record of TLS holds

// A socket that does not block is hardly ever interrupted; but when it is, nothing was learned of it.
template <typename Call>
ssize_t uninterrupted(Call call)
{
    ssize_t count = call();
    while (count < 0 && errno == EINTR) {
        count = call();
    }
    return count;
}

} // namespace

void TlsSessionFree::operator()(SSL* session) const noexcept
{
    SSL_free(session);
}

Stream::Stream(std::shared_ptr<EdgePoll> poll, StreamOwner& owner)
    : m_poll(std::move(poll))
    , m_owner(owner)
{
}

Stream::~Stream()
{
    close();
}

bool Stream::adopt(int descriptor)
{
    close();
    if (!m_poll->add(descriptor, *this)) {
        ::close(descriptor);
        return false;
    }
    m_descriptor = descriptor;
    return true;
}

void Stream::close()
{
    m_tls.reset(); // its socket's number may soon be another's
    if (m_descriptor < 0) {
        return;
    }
    m_poll->remove(m_descriptor, *this);
    ::close(std::exchange(m_descriptor, -1));
    m_isReadable = false;
    m_isWritable = false;
    m_sawEnd = false;
    m_endIsDue = false;
    m_readsByWriting = false;
    m_waitsToRead = false;
    m_waitsToWrite = false;
    m_isDeferred = false;
}

void Stream::abort()
{
    const linger now{1, 0};
    ::setsockopt(m_descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
}

void Stream::useTls(TlsSession session)
{
    m_tls = std::move(session);
    m_endIsDue = false;
    m_readsByWriting = false;
}

void Stream::waitReadable()
{
    m_waitsToRead = isOpen();
    if (m_waitsToRead && isReadReady() && !std::exchange(m_isDeferred, true)) {
        m_poll->defer(*this);
    }
}

void Stream::waitWritable()
{
    m_waitsToWrite = isOpen();
    if (m_waitsToWrite && m_isWritable && !std::exchange(m_isDeferred, true)) {
        m_poll->defer(*this);
    }
}

void Stream::edgeCame(std::uint32_t events)
{
    const bool isOver = (events & (EPOLLERR | EPOLLHUP)) != 0;
    m_sawEnd = m_sawEnd || isOver || (events & EPOLLRDHUP) != 0;
    m_isReadable = m_isReadable || m_sawEnd || (events & EPOLLIN) != 0;
    m_isWritable = m_isWritable || isOver || (events & EPOLLOUT) != 0;
    tell();
}

void Stream::deferredCame()
{
    m_isDeferred = false;
    tell();
}

void Stream::tell()
{
    if (!(m_waitsToRead && isReadReady()) && !(m_waitsToWrite && m_isWritable)) {
        return;
    }
    const std::shared_ptr<void> held = m_owner.hold(); // it may close, and go, in the first of the calls
    if (m_waitsToRead && isReadReady()) {
        m_waitsToRead = false;
        m_owner.streamReadable();
    }
    if (m_waitsToWrite && m_isWritable) {
        m_waitsToWrite = false;
        m_owner.streamWritable();
    }
}

Io::Status Stream::statusOfErrno(bool& isReady)
{
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
        return Io::Status::Failed;
    }
    isReady = false;
    return Io::Status::Again;
}

// The library asks for readiness only after the socket has refused it.
Io::Status Stream::statusOfTls(int result)
{
    switch (SSL_get_error(m_tls.get(), result)) {
    case SSL_ERROR_WANT_READ:
        m_isReadable = false;
        return Io::Status::Again;
    case SSL_ERROR_WANT_WRITE:
        m_isWritable = false;
        return Io::Status::Again;
    case SSL_ERROR_ZERO_RETURN:
        return Io::Status::End;
    default:
        return Io::Status::Failed; // an end without a farewell included: it may be somebody else's
    }
}

Io::Status Stream::handshake()
{
    ERR_clear_error();
    const int result = SSL_do_handshake(m_tls.get());
    return result == 1 ? Io::Status::Ok : statusOfTls(result);
}

bool Stream::wantsToWrite() const
{
    return m_tls && SSL_want_write(m_tls.get());
}

bool Stream::hasPending() const
{
    return m_tls && (m_endIsDue || SSL_pending(m_tls.get()) > 0);
}

bool Stream::sawPlainHttp()
{
    const unsigned long number = ERR_peek_error();
    return ERR_GET_LIB(number) == ERR_LIB_SSL
        && (ERR_GET_REASON(number) == SSL_R_HTTP_REQUEST || ERR_GET_REASON(number) == SSL_R_HTTPS_PROXY_REQUEST);
}

std::string_view Stream::serverName() const
{
    const char* name = m_tls ? SSL_get_servername(m_tls.get(), TLSEXT_NAMETYPE_host_name) : nullptr;
    return name != nullptr ? std::string_view(name) : std::string_view();
}

// Record after record, as far as there is room: each is at most 16 KiB.
Io Stream::readTls(char* into, std::size_t size)
{
    std::size_t total = 0;
    int result = 1;
    while (result == 1 && total < size) {
        ERR_clear_error();
        std::size_t count = 0;
        result = SSL_read_ex(m_tls.get(), into + total, size - total, &count);
        total += result == 1 ? count : 0;
    }
    m_readsByWriting = result != 1 && SSL_want_write(m_tls.get());
    const Io::Status status = result == 1 ? Io::Status::Ok : statusOfTls(result);
    if (total == 0) {
        m_endIsDue = false;
        return {status, 0};
    }
    m_endIsDue = status != Io::Status::Ok && status != Io::Status::Again; // the library says it again at the next call
    return {Io::Status::Ok, total};
}

// Small parts go in one record, and so in one packet.
Io Stream::writeTls(std::string_view first, std::string_view second)
{
    std::array<char, kRecord> both; // left as it is
    std::string_view bytes = first.empty() ? second : first;
    if (!first.empty() && !second.empty() && first.size() + second.size() <= both.size()) {
        first.copy(both.data(), first.size());
        second.copy(both.data() + first.size(), second.size());
        bytes = {both.data(), first.size() + second.size()};
    }
    ERR_clear_error();
    std::size_t count = 0;
    const int result = SSL_write_ex(m_tls.get(), bytes.data(), bytes.size(), &count);
    return result == 1 ? Io{Io::Status::Ok, count} : Io{statusOfTls(result), 0};
}

// One record is opened, where there is a whole one: on the socket alone the peer's farewell would look like bytes.
Io::Status Stream::peekTls()
{
    ERR_clear_error();
    char byte = 0;
    std::size_t count = 0;
    const int result = SSL_peek_ex(m_tls.get(), &byte, 1, &count);
    m_readsByWriting = result != 1 && SSL_want_write(m_tls.get());
    return result == 1 ? Io::Status::Ok : statusOfTls(result);
}

Io Stream::read(char* into, std::size_t size)
{
    return m_tls ? readTls(into, size) : readClear(into, size);
}

Io Stream::readClear(char* into, std::size_t size)
{
    const ssize_t count = uninterrupted([&] { return ::recv(m_descriptor, into, size, 0); });
    if (count > 0) {
        // Less than was asked for: there is no more, and more will come with an edge. Only the end may have come with the last one.
        m_isReadable = static_cast<std::size_t>(count) == size || m_sawEnd;
        return {Io::Status::Ok, static_cast<std::size_t>(count)};
    }
    return {count == 0 ? Io::Status::End : statusOfErrno(m_isReadable), 0};
}

Io Stream::lookAhead(char* into, std::size_t size)
{
    const ssize_t count = uninterrupted([&] { return ::recv(m_descriptor, into, size, MSG_PEEK); });
    if (count > 0) {
        return {Io::Status::Ok, static_cast<std::size_t>(count)};
    }
    return {count == 0 ? Io::Status::End : statusOfErrno(m_isReadable), 0};
}

Io Stream::write(std::string_view first, std::string_view second)
{
    if (m_tls) {
        return writeTls(first, second);
    }
    ssize_t count = 0;
    if (second.empty() || first.empty()) {
        const std::string_view one = first.empty() ? second : first;
        count = uninterrupted([&] { return ::send(m_descriptor, one.data(), one.size(), MSG_NOSIGNAL); });
    } else {
        std::array<iovec, 2> parts{
            iovec{const_cast<char*>(first.data()), first.size()}, iovec{const_cast<char*>(second.data()), second.size()}};
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = parts.size();
        count = uninterrupted([&] { return ::sendmsg(m_descriptor, &message, MSG_NOSIGNAL); });
    }
    if (count < 0) {
        return {statusOfErrno(m_isWritable), 0};
    }
    m_isWritable = static_cast<std::size_t>(count) == first.size() + second.size(); // else it is full, and an edge comes with new room
    return {Io::Status::Ok, static_cast<std::size_t>(count)};
}

Io::Status Stream::peek()
{
    if (m_tls) {
        return peekTls();
    }
    char byte = 0;
    return lookAhead(&byte, 1).status;
}

Io::Status Stream::endSending()
{
    if (m_tls && SSL_is_init_finished(m_tls.get()) != 0) {
        ERR_clear_error();
        const int result = SSL_shutdown(m_tls.get());
        if (result < 0 && statusOfTls(result) == Io::Status::Again) {
            return Io::Status::Again;
        }
    }
    ::shutdown(m_descriptor, SHUT_WR);
    return Io::Status::Ok;
}

} // namespace weir::http
