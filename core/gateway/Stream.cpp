// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/Stream.h"

#include <array>
#include <cerrno>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace weir::gateway {
namespace {

constexpr std::size_t kRecord = 16U << 10U; // the most that one record of TLS holds

Io::Status statusOfErrno()
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? Io::Status::Again : Io::Status::Failed;
}

Io::Status statusOf(SSL* session, int result)
{
    switch (SSL_get_error(session, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
        return Io::Status::Again;
    case SSL_ERROR_ZERO_RETURN:
        return Io::Status::End;
    default:
        return Io::Status::Failed; // an end without a farewell included: it may be somebody else's
    }
}

} // namespace

Io::Status Stream::handshake()
{
    ERR_clear_error();
    const int result = SSL_do_handshake(m_tls.get());
    return result == 1 ? Io::Status::Ok : statusOf(m_tls.get(), result);
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
    const Io::Status status = result == 1 ? Io::Status::Ok : statusOf(m_tls.get(), result);
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
    return result == 1 ? Io{Io::Status::Ok, count} : Io{statusOf(m_tls.get(), result), 0};
}

// One record is opened, where there is a whole one: on the socket alone the peer's farewell would look like bytes.
Io::Status Stream::peekTls()
{
    ERR_clear_error();
    char byte = 0;
    std::size_t count = 0;
    const int result = SSL_peek_ex(m_tls.get(), &byte, 1, &count);
    m_readsByWriting = result != 1 && SSL_want_write(m_tls.get());
    return result == 1 ? Io::Status::Ok : statusOf(m_tls.get(), result);
}

Io Stream::read(char* into, std::size_t size)
{
    if (m_tls) {
        return readTls(into, size);
    }
    const ssize_t count = ::recv(m_socket.native_handle(), into, size, 0);
    if (count > 0) {
        return {Io::Status::Ok, static_cast<std::size_t>(count)};
    }
    return {count == 0 ? Io::Status::End : statusOfErrno(), 0};
}

Io Stream::lookAhead(char* into, std::size_t size)
{
    const ssize_t count = ::recv(m_socket.native_handle(), into, size, MSG_PEEK);
    if (count > 0) {
        return {Io::Status::Ok, static_cast<std::size_t>(count)};
    }
    return {count == 0 ? Io::Status::End : statusOfErrno(), 0};
}

Io Stream::write(std::string_view first, std::string_view second)
{
    if (m_tls) {
        return writeTls(first, second);
    }
    ssize_t count = 0;
    if (second.empty() || first.empty()) {
        const std::string_view one = first.empty() ? second : first;
        count = ::send(m_socket.native_handle(), one.data(), one.size(), MSG_NOSIGNAL);
    } else {
        std::array<iovec, 2> parts{
            iovec{const_cast<char*>(first.data()), first.size()}, iovec{const_cast<char*>(second.data()), second.size()}};
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = parts.size();
        count = ::sendmsg(m_socket.native_handle(), &message, MSG_NOSIGNAL);
    }
    if (count >= 0) {
        return {Io::Status::Ok, static_cast<std::size_t>(count)};
    }
    return {statusOfErrno(), 0};
}

Io::Status Stream::peek()
{
    if (m_tls) {
        return peekTls();
    }
    char byte = 0;
    const ssize_t count = ::recv(m_socket.native_handle(), &byte, 1, MSG_PEEK);
    return count > 0 ? Io::Status::Ok : count == 0 ? Io::Status::End : statusOfErrno();
}

Io::Status Stream::endSending()
{
    if (m_tls && SSL_is_init_finished(m_tls.get()) != 0) {
        ERR_clear_error();
        const int result = SSL_shutdown(m_tls.get());
        if (result < 0 && statusOf(m_tls.get(), result) == Io::Status::Again) {
            return Io::Status::Again;
        }
    }
    ErrorCode ignored;
    m_socket.shutdown(Socket::shutdown_send, ignored);
    return Io::Status::Ok;
}

void Stream::close()
{
    m_tls.reset(); // its socket's number may soon be another's
    ErrorCode ignored;
    m_socket.close(ignored);
}

void Stream::abort()
{
    m_tls.reset();
    ErrorCode ignored;
    m_socket.set_option(boost::asio::socket_base::linger(true, 0), ignored);
    m_socket.close(ignored);
}

} // namespace weir::gateway
