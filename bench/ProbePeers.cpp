// SPDX-License-Identifier: GPL-3.0-or-later
#include "ProbePeers.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weir::bench {
namespace {

constexpr int kConnections = 16;

void sleepFor(double seconds)
{
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

pid_t startProgram(std::vector<std::string> arguments, int core)
{
    const pid_t child = ::fork();
    if (child != 0) {
        return child;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    stayOnCore(core);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    ::execv(argv.front(), argv.data());
    std::_Exit(127);
}

void endProgram(pid_t child)
{
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

bool isRunning(pid_t child)
{
    return ::waitpid(child, nullptr, WNOHANG) == 0;
}

// One request and its whole answer; false when it failed.
bool fetch(std::uint16_t port, const std::string& target)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    peer.sin_port = htons(port);
    bool isFine = ::connect(fd, reinterpret_cast<const sockaddr*>(&peer), sizeof peer) == 0;
    const std::string request = "GET " + target + " HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n";
    isFine = isFine && ::send(fd, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size());
    std::array<char, 16384> buffer{};
    std::string answer;
    for (ssize_t got = 0; isFine && (got = ::recv(fd, buffer.data(), buffer.size(), 0)) > 0;) {
        answer.append(buffer.data(), static_cast<std::size_t>(got));
    }
    ::close(fd);
    return isFine && answer.find("probe_success 1") != std::string::npos;
}

std::uint16_t freePort()
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    const bool isFine = ::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 && ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) == 0;
    ::close(fd);
    return isFine ? ntohs(at.sin_port) : std::uint16_t(0);
}

} // namespace

double cpuSecondsOf(int process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::size_t after = text.rfind(')');
    if (after == std::string::npos) {
        return 0;
    }
    std::istringstream fields(text.substr(after + 2));
    std::string skipped;
    for (int i = 0; i < 11; ++i) {
        fields >> skipped;
    }
    double user = 0;
    double system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double residentMegabytesOf(int process)
{
    std::ifstream statm("/proc/" + std::to_string(process) + "/statm");
    double total = 0;
    double resident = 0;
    statm >> total >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

std::optional<std::string> findProgram(const std::string& name)
{
    const char* path = std::getenv("PATH");
    std::istringstream directories((path != nullptr ? std::string(path) : std::string()) + ":/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin");
    for (std::string directory; std::getline(directories, directory, ':');) {
        const std::string file = directory + "/" + name;
        if (!directory.empty() && ::access(file.c_str(), X_OK) == 0) {
            return file;
        }
    }
    return std::nullopt;
}

std::optional<ProbeFigures> runHaproxy(const ProbeWorkers& workers, int count, double interval, double timeout, int intervals, const std::string& directory, int core)
{
    const auto program = findProgram("haproxy");
    if (!program) {
        return std::nullopt;
    }
    const std::string file = directory + "/haproxy.cfg";
    {
        std::ofstream out(file);
        out << "global\n  nbthread 1\n  maxconn 100\ndefaults\n  mode http\n  timeout connect " << timeout << "s\n  timeout client 10s\n  timeout server 10s\n  timeout check " << timeout
            << "s\nfrontend none\n  bind unix@" << directory << "/haproxy.sock\n  default_backend workers\nbackend workers\n  option httpchk GET /health\n  http-check expect status 200\n"
            << "  default-server inter " << interval << "s fall 2 rise 1\n";
        for (int i = 0; i < count; ++i) {
            out << "  server w" << i << " " << workers.host(i) << ":" << workers.port() << " check\n";
        }
    }
    const pid_t child = startProgram({*program, "-db", "-q", "-f", file}, core);
    sleepFor(2 * interval); // reading the file, and a whole round
    const std::uint64_t answeredBefore = workers.answered();
    const double cpuBefore = cpuSecondsOf(child);
    const double seconds = interval * intervals;
    sleepFor(seconds);
    const double cpu = cpuSecondsOf(child) - cpuBefore;
    const double answered = static_cast<double>(workers.answered() - answeredBefore);
    ProbeFigures figures{cpu / answered * 1000, cpu / seconds, residentMegabytesOf(child), answered / seconds};
    const bool ran = isRunning(child) && answered > 0;
    endProgram(child);
    return ran ? std::optional(figures) : std::nullopt;
}

std::optional<ProbeFigures> runBlackbox(const ProbeWorkers& workers, int count, double seconds, const std::string& directory, int core)
{
    auto program = findProgram("prometheus-blackbox-exporter");
    program = program ? program : findProgram("blackbox_exporter");
    if (!program) {
        return std::nullopt;
    }
    const std::string file = directory + "/blackbox.yml";
    std::ofstream(file) << "modules:\n  health:\n    prober: http\n    timeout: 3s\n    http:\n      valid_status_codes: [200]\n      preferred_ip_protocol: ip4\n      follow_redirects: false\n";
    const std::uint16_t port = freePort();
    const pid_t child = startProgram({*program, "--config.file=" + file, "--web.listen-address=127.0.0.1:" + std::to_string(port), "--log.level=error"}, core);
    const auto target = [&](int worker) { return "/probe?module=health&target=http%3A%2F%2F" + workers.host(worker % count) + "%3A" + std::to_string(workers.port()) + "%2Fhealth"; };
    bool isUp = false;
    for (int i = 0; i < 100 && !isUp && isRunning(child); ++i) {
        sleepFor(0.1);
        isUp = fetch(port, target(0));
    }
    std::atomic<bool> ends = false;
    std::atomic<int> next = 0;
    std::atomic<int> probes = 0;
    const double cpuBefore = cpuSecondsOf(child);
    std::vector<std::thread> clients;
    for (int i = 0; isUp && i < kConnections; ++i) {
        clients.emplace_back([&] {
            while (!ends) {
                probes += fetch(port, target(next++)) ? 1 : 0;
            }
        });
    }
    sleepFor(isUp ? seconds : 0);
    ends = true;
    for (std::thread& client : clients) {
        client.join();
    }
    const double cpu = cpuSecondsOf(child) - cpuBefore;
    const double done = probes;
    ProbeFigures figures{cpu / std::max(done, 1.0) * 1000, cpu / seconds, residentMegabytesOf(child), done / seconds};
    endProgram(child);
    return isUp && probes > 0 ? std::optional(figures) : std::nullopt;
}

} // namespace weir::bench
