// SPDX-License-Identifier: GPL-3.0-or-later
#include "ProbeWorkers.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <string_view>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weir::bench {
namespace {

constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\nConnection: close\r\n\r\n"
                                     "{\"status\":\"ok\",\"disk_free_gb\":24.60}";
constexpr std::uint32_t kNetwork = 0x7F010000; // 127.1.0.0
constexpr std::uint64_t kListener = std::uint64_t(1) << 32U;

std::uint32_t addressOf(int worker)
{
    return kNetwork + 1 + static_cast<std::uint32_t>(worker);
}

int listenOn(std::uint32_t address, std::uint16_t& port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(address);
    at.sin_port = htons(port);
    socklen_t size = sizeof at;
    if (fd < 0 || ::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 || ::listen(fd, 16) != 0 || ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
        return -1;
    }
    port = ntohs(at.sin_port);
    return fd;
}

void watch(int poll, int fd, std::uint64_t kind)
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = kind | static_cast<std::uint32_t>(fd);
    ::epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
}

} // namespace

void stayOnCore(int core)
{
    if (core < 0) {
        return;
    }
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<unsigned>(core), &cores);
    (void)::sched_setaffinity(0, sizeof cores, &cores);
}

ProbeWorkers::ProbeWorkers(int count, int core)
{
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return;
    }
    m_shared = new (memory) Shared{};
    m_child = ::fork();
    if (m_child == 0) {
        run(count, core);
    }
    while (m_shared->port == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    m_port = m_shared->port > 0 ? static_cast<std::uint16_t>(m_shared->port) : std::uint16_t(0);
}

ProbeWorkers::~ProbeWorkers()
{
    if (m_child > 0) {
        ::kill(m_child, SIGKILL);
        ::waitpid(m_child, nullptr, 0);
    }
    if (m_shared != nullptr) {
        ::munmap(m_shared, sizeof(Shared));
    }
}

std::string ProbeWorkers::host(int worker) const
{
    const std::uint32_t address = addressOf(worker);
    return std::to_string(address >> 24U) + "." + std::to_string((address >> 16U) & 255U) + "." + std::to_string((address >> 8U) & 255U) + "." + std::to_string(address & 255U);
}

std::uint64_t ProbeWorkers::answered() const
{
    return m_shared->answered;
}

void ProbeWorkers::setSilent(bool silent)
{
    m_shared->silent = silent;
}

void ProbeWorkers::run(int count, int core)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    stayOnCore(core);
    const int poll = ::epoll_create1(EPOLL_CLOEXEC);
    std::uint16_t port = 0;
    for (int worker = 0; worker < count; ++worker) {
        const int fd = listenOn(addressOf(worker), port);
        if (fd < 0) {
            m_shared->port = -1;
            std::_Exit(1);
        }
        watch(poll, fd, kListener);
    }
    m_shared->port = port;
    std::vector<epoll_event> events(512);
    std::array<char, 4096> buffer{};
    while (true) {
        const int ready = ::epoll_wait(poll, events.data(), static_cast<int>(events.size()), -1);
        for (int i = 0; i < ready; ++i) {
            const std::uint64_t data = events[static_cast<std::size_t>(i)].data.u64;
            const int fd = static_cast<int>(data & 0xFFFFFFFFU);
            if ((data & kListener) != 0) {
                const int client = ::accept4(fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
                if (client >= 0) {
                    watch(poll, client, 0);
                }
                continue;
            }
            const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
            if (got > 0 && m_shared->silent) {
                continue;
            }
            if (got > 0) {
                (void)::send(fd, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL);
                ++m_shared->answered;
            }
            ::close(fd);
        }
    }
}

} // namespace weir::bench
