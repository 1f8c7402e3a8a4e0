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
    return m_tls && SSL_pending(m_tls.get()) > 0;
}

Io Stream::readTls(char* into, std::size_t size)
{
    ERR_clear_error();
    std::size_t count = 0;
    const int result = SSL_read_ex(m_tls.get(), into, size, &count);
    return result == 1 ? Io{Io::Status::Ok, count} : Io{statusOf(m_tls.get(), result), 0};
}

Io Stream::writeTls(std::string_view bytes)
{
    ERR_clear_error();
    std::size_t count = 0;
    const int result = SSL_write_ex(m_tls.get(), bytes.data(), bytes.size(), &count);
    return result == 1 ? Io{Io::Status::Ok, count} : Io{statusOf(m_tls.get(), result), 0};
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

Io Stream::write(std::string_view first, std::string_view second)
{
    if (m_tls) {
        const Io io = first.empty() ? Io{} : writeTls(first);
        if (io.status != Io::Status::Ok || io.count < first.size() || second.empty()) {
            return io;
        }
        const Io rest = writeTls(second);
        return rest.status == Io::Status::Ok ? Io{Io::Status::Ok, io.count + rest.count} : io.count > 0 ? io : rest;
    }
    ssize_t count = 0;
    if (second.empty() || first.empty()) {
        const std::string_view one = first.empty() ? second : first;
        count = ::send(m_socket.native_handle(), one.data(), one.size(), MSG_NOSIGNAL);
    } else {
        std::array<iovec, 2> parts{iovec{const_cast<char*>(first.data()), first.size()}, iovec{const_cast<char*>(second.data()), second.size()}};
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
    char byte = 0;
    const ssize_t count = ::recv(m_socket.native_handle(), &byte, 1, MSG_PEEK);
    return count > 0 ? Io::Status::Ok : count == 0 ? Io::Status::End : statusOfErrno();
}

void Stream::endSending()
{
    if (m_tls) {
        ERR_clear_error();
        (void)SSL_shutdown(m_tls.get());
    }
    ErrorCode ignored;
    m_socket.shutdown(Socket::shutdown_send, ignored);
}

void Stream::close()
{
    ErrorCode ignored;
    m_socket.close(ignored);
}

void Stream::abort()
{
    ErrorCode ignored;
    m_socket.set_option(boost::asio::socket_base::linger(true, 0), ignored);
    m_socket.close(ignored);
}

} // namespace weir::gateway
