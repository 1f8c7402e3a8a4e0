// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoCallers.h"

#include <algorithm>
#include <array>
#include <arpa/inet.h>
#include <charconv>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace weir::demo {
namespace {

constexpr unsigned kMostWaiting = 12;
constexpr int kThreads = 6;
constexpr std::size_t kMostAnswer = 64U << 10U;
constexpr int kLimitSeconds = 2;
constexpr int kStatusAt = 9; // behind "HTTP/1.1 "

std::uint16_t portOf(std::string_view url)
{
    std::uint16_t port = 0;
    const std::size_t colon = url.rfind(':');
    if (colon != std::string_view::npos) {
        std::from_chars(url.data() + colon + 1, url.data() + url.size(), port);
    }
    return port;
}

// The whole answer, or what came of it within the limit.
std::string exchange(std::uint16_t port)
{
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) {
        return {};
    }
    const timeval limit{kLimitSeconds, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    constexpr std::string_view kRequest = "POST /v1/images HTTP/1.1\r\nHost: images.example.test\r\nContent-Type: application/json\r\n"
                                          "Content-Length: 18\r\nConnection: close\r\n\r\n{\"prompt\": \"weir\"}";
    std::string answer;
    if (::connect(socket, static_cast<const sockaddr*>(static_cast<const void*>(&address)), sizeof address) == 0
        && ::send(socket, kRequest.data(), kRequest.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(kRequest.size())) {
        std::array<char, 4096> piece{};
        ssize_t count = 0;
        while (answer.size() < kMostAnswer && (count = ::recv(socket, piece.data(), piece.size(), 0)) > 0) {
            answer.append(piece.data(), static_cast<std::size_t>(count));
        }
    }
    ::close(socket);
    return answer;
}

} // namespace

DemoCallers::DemoCallers(const std::string& url)
    : m_port(portOf(url))
{
    for (int i = 0; m_port != 0 && i < kThreads; ++i) {
        m_threads.emplace_back([this] { run(); });
    }
}

DemoCallers::~DemoCallers()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    for (std::thread& thread : m_threads) {
        thread.join();
    }
}

void DemoCallers::call(unsigned requests)
{
    const std::scoped_lock lock(m_mutex);
    m_waiting = std::min(m_waiting + requests, kMostWaiting);
    m_wake.notify_all();
}

DemoCallers::Counts DemoCallers::counts() const
{
    const std::scoped_lock lock(m_mutex);
    return m_counts;
}

void DemoCallers::forget()
{
    const std::scoped_lock lock(m_mutex);
    m_counts = {};
    m_waiting = 0;
}

void DemoCallers::run()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_stopping || m_waiting > 0; });
        if (m_stopping) {
            return;
        }
        --m_waiting;
        lock.unlock();
        const std::string answer = exchange(m_port);
        int status = 0;
        if (answer.size() > kStatusAt + 3) {
            std::from_chars(answer.data() + kStatusAt, answer.data() + kStatusAt + 3, status);
        }
        const std::size_t body = answer.find("\r\n\r\n");
        lock.lock();
        note(status, body == std::string::npos ? std::string() : answer.substr(body + 4));
    }
}

void DemoCallers::note(int status, const std::string& body)
{
    ++m_counts.asked;
    if (status < 200 || status >= 400) {
        ++m_counts.failed;
        m_counts.lastError = status == 0 ? "no answer" : "HTTP " + std::to_string(status);
    } else if (body.find("\"code\":0") == std::string::npos) {
        ++m_counts.hidden;
        m_counts.lastError = "HTTP " + std::to_string(status) + " " + body.substr(0, 80);
    } else {
        ++m_counts.served;
    }
}

} // namespace weir::demo
