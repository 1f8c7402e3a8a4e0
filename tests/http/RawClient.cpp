// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/http/RawClient.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace weir::http::test {
namespace {

constexpr std::chrono::milliseconds kPatience(20'000); // a bound for what hangs, not for what is slow

} // namespace

RawClient::RawClient(std::uint16_t port)
    : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    m_isConnected = ::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

RawClient::~RawClient()
{
    if (m_socket >= 0) {
        ::close(m_socket);
    }
}

bool RawClient::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        pollfd waiting{m_socket, POLLOUT, 0};
        if (::poll(&waiting, 1, static_cast<int>(kPatience.count())) != 1) {
            return false;
        }
        const ssize_t count = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    return true;
}

bool RawClient::fill(std::chrono::milliseconds limit)
{
    pollfd waiting{m_socket, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(limit.count())) != 1) {
        return false;
    }
    std::array<char, 65536> bytes{};
    const ssize_t count = ::recv(m_socket, bytes.data(), bytes.size(), 0);
    if (count <= 0) {
        m_isEnded = true;
        return false;
    }
    m_buffer.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
}

Answer RawClient::read(bool headOnly)
{
    Answer answer;
    std::size_t end = std::string::npos;
    while ((end = m_buffer.find("\r\n\r\n")) == std::string::npos) {
        if (!fill(kPatience)) {
            return answer;
        }
    }
    std::string head = m_buffer.substr(0, end + 2);
    m_buffer.erase(0, end + 4);
    if (!head.starts_with("HTTP/1.1 ")) {
        return answer;
    }
    const int status = std::stoi(head.substr(9, 3));
    head.erase(0, head.find("\r\n") + 2);
    while (!head.empty()) {
        const std::string line = head.substr(0, head.find("\r\n"));
        head.erase(0, line.size() + 2);
        const std::size_t colon = line.find(": ");
        std::string name = line.substr(0, colon);
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        answer.headers[name] = line.substr(colon + 2);
    }
    const std::string length = answer.header("content-length");
    const std::size_t size = headOnly || length.empty() ? 0 : std::stoul(length);
    while (m_buffer.size() < size) {
        if (!fill(kPatience)) {
            return answer;
        }
    }
    answer.body = m_buffer.substr(0, size);
    m_buffer.erase(0, size);
    answer.status = status;
    return answer;
}

std::string RawClient::readTo(std::string_view end)
{
    std::size_t at = 0;
    while ((at = m_buffer.find(end)) == std::string::npos) {
        if (!fill(kPatience)) {
            return {};
        }
    }
    std::string text = m_buffer.substr(0, at + end.size());
    m_buffer.erase(0, text.size());
    return text;
}

bool RawClient::hasInput(std::chrono::milliseconds limit)
{
    pollfd waiting{m_socket, POLLIN, 0};
    return !m_buffer.empty() || ::poll(&waiting, 1, static_cast<int>(limit.count())) == 1;
}

std::string RawClient::readAll()
{
    while (fill(kPatience)) {
    }
    return std::exchange(m_buffer, std::string());
}

bool RawClient::endsWithin(std::chrono::milliseconds limit)
{
    return m_buffer.empty() && !fill(limit) && m_isEnded;
}

void RawClient::shutdownSending()
{
    ::shutdown(m_socket, SHUT_WR);
}

void RawClient::abort()
{
    const linger now{1, 0};
    ::setsockopt(m_socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(std::exchange(m_socket, -1));
}

} // namespace weir::http::test
