// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/Stream.h"

#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>

namespace weir::gateway {
namespace {

Io::Status statusOfErrno()
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? Io::Status::Again : Io::Status::Failed;
}

} // namespace

Io Stream::read(char* into, std::size_t size)
{
    const ssize_t count = ::recv(m_socket.native_handle(), into, size, 0);
    if (count > 0) {
        return {Io::Status::Ok, static_cast<std::size_t>(count)};
    }
    return {count == 0 ? Io::Status::End : statusOfErrno(), 0};
}

Io Stream::write(std::string_view first, std::string_view second)
{
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
