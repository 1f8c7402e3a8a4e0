// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gateway/ScriptedNode.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace weir::gateway::test {
namespace {

constexpr int kPatienceMs = 10'000;

std::string lowered(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

} // namespace

NodeSocket::~NodeSocket()
{
    if (m_fd >= 0) {
        ::shutdown(m_fd, SHUT_RDWR); // the descriptor itself is the node's to close
    }
}

bool NodeSocket::fill()
{
    pollfd waiting{m_fd, POLLIN, 0};
    if (m_fd < 0 || ::poll(&waiting, 1, kPatienceMs) != 1) {
        return false;
    }
    std::array<char, 65536> bytes;
    const ssize_t count = ::recv(m_fd, bytes.data(), bytes.size(), 0);
    if (count <= 0) {
        return false;
    }
    m_buffer.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
}

std::string NodeSocket::readTo(std::string_view end)
{
    std::size_t at = 0;
    while ((at = m_buffer.find(end)) == std::string::npos) {
        if (!fill()) {
            return {};
        }
    }
    std::string text = m_buffer.substr(0, at + end.size());
    m_buffer.erase(0, text.size());
    return text;
}

std::string NodeSocket::readHead()
{
    return readTo("\r\n\r\n");
}

std::string NodeSocket::read(std::size_t count)
{
    while (m_buffer.size() < count && fill()) {
    }
    std::string text = m_buffer.substr(0, count);
    m_buffer.erase(0, text.size());
    return text;
}

std::string NodeSocket::readBody(const std::string& head)
{
    const std::string length = headerOf(head, "content-length");
    return length.empty() ? std::string() : read(std::stoul(length));
}

bool NodeSocket::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        pollfd waiting{m_fd, POLLOUT, 0};
        if (m_fd < 0 || ::poll(&waiting, 1, kPatienceMs) != 1) {
            return false;
        }
        const ssize_t count = ::send(m_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    return true;
}

bool NodeSocket::isEnded()
{
    while (true) {
        pollfd waiting{m_fd, POLLIN, 0};
        if (::poll(&waiting, 1, kPatienceMs) != 1) {
            return false;
        }
        std::array<char, 65536> bytes;
        if (::recv(m_fd, bytes.data(), bytes.size(), 0) <= 0) {
            return true;
        }
    }
}

void NodeSocket::endSending()
{
    ::shutdown(m_fd, SHUT_WR);
}

void NodeSocket::abort()
{
    const linger now{1, 0};
    ::setsockopt(m_fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    m_fd = -1; // closed right after the script
}

ScriptedNode::ScriptedNode(Script script)
    : m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    , m_script(std::move(script))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(m_listener, reinterpret_cast<const sockaddr*>(&address), size);
    ::listen(m_listener, 128);
    ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size);
    m_port = ntohs(address.sin_port);
    m_acceptor = std::thread([this] {
        while (!m_isStopping) {
            const int fd = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (fd < 0) {
                continue;
            }
            ++m_connections;
            // Threads that are over keep their stacks until they are joined.
            m_served.remove_if([](Served& served) {
                if (!served.isOver) {
                    return false;
                }
                served.thread.join();
                return true;
            });
            const std::scoped_lock lock(m_mutex);
            m_open.push_back(fd);
            Served& served = m_served.emplace_back();
            served.thread = std::thread([this, fd, &served] {
                {
                    NodeSocket socket(fd);
                    m_script(socket);
                }
                {
                    const std::scoped_lock closing(m_mutex);
                    std::erase(m_open, fd);
                    ::close(fd);
                }
                served.isOver = true;
            });
        }
    });
}

ScriptedNode::~ScriptedNode()
{
    m_isStopping = true;
    ::shutdown(m_listener, SHUT_RDWR);
    m_acceptor.join();
    ::close(m_listener);
    {
        const std::scoped_lock lock(m_mutex);
        for (const int fd : m_open) {
            ::shutdown(fd, SHUT_RDWR);
        }
    }
    for (Served& served : m_served) {
        served.thread.join();
    }
}

ScriptedNode::Script ScriptedNode::answering(std::string response)
{
    return [response = std::move(response)](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            socket.readBody(head);
            if (!socket.send(response)) {
                return;
            }
        }
    };
}

std::uint16_t unusedPort()
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(fd, reinterpret_cast<const sockaddr*>(&address), size);
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(fd);
    return ntohs(address.sin_port);
}

std::string headerOf(const std::string& head, std::string name)
{
    const std::string folded = lowered(head);
    const std::string wanted = "\r\n" + lowered(std::move(name)) + ": ";
    const std::size_t at = folded.find(wanted);
    if (at == std::string::npos) {
        return {};
    }
    const std::size_t begin = at + wanted.size();
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

int countOf(const std::string& text, std::string_view part)
{
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}

} // namespace weir::gateway::test
