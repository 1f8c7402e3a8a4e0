// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/FullBacklog.h"

#include <arpa/inet.h>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace weir::test {
namespace {

constexpr int kMostConnections = 16;
constexpr int kNoAnswerMs = 200;

sockaddr* generic(sockaddr_in& address)
{
    return static_cast<sockaddr*>(static_cast<void*>(&address));
}

// True when the connection came about within the time.
bool connects(int socket, sockaddr_in address)
{
    if (::connect(socket, generic(address), sizeof address) == 0) {
        return true;
    }
    pollfd waiting{socket, POLLOUT, 0};
    return errno == EINPROGRESS && ::poll(&waiting, 1, kNoAnswerMs) == 1;
}

} // namespace

FullBacklog::FullBacklog()
{
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    m_sockets.push_back(listener);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener, generic(address), sizeof address) != 0 || ::listen(listener, 0) != 0 || ::getsockname(listener, generic(address), &size) != 0) {
        return;
    }
    for (int i = 0; i < kMostConnections; ++i) {
        const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        m_sockets.push_back(socket);
        if (!connects(socket, address)) {
            m_port = ntohs(address.sin_port);
            return;
        }
    }
}

FullBacklog::~FullBacklog()
{
    for (const int socket : m_sockets) {
        ::close(socket);
    }
}

} // namespace weir::test
