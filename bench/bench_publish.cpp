// SPDX-License-Identifier: GPL-3.0-or-later
// POST /v1/publish/requests on a real weir-server, a real decision each, while nodes heartbeat beside it; against HAProxy answering a
// constant (`http-request return`) to the same requests of the same load generator, in turn. CPU is the server process's own time; with
// heartbeats it is divided by all requests answered, heartbeats included.
//
// bench_publish [nodes] [seconds] [rounds]      default 10000 nodes, 6 s, 3 rounds
#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Steady = std::chrono::steady_clock;

constexpr int kConnections = 64;
constexpr int kServerCore = 0;
constexpr int kLoadCore = 1;
constexpr int kHeartbeatThreads = 16;
constexpr int kMakers = 64;
constexpr double kHeartbeatSeconds = 10;

void pinTo(int core)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    ::sched_setaffinity(0, sizeof cores, &cores); // on a machine with one core this fails, and both share it
}

/// A child that ends with this program; what it writes to standard output comes back through `out`.
pid_t start(const std::vector<std::string>& command, int core, int& out)
{
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) {
        return -1;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        pinTo(core);
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        std::vector<char*> arguments;
        for (const std::string& argument : command) {
            arguments.push_back(const_cast<char*>(argument.c_str()));
        }
        arguments.push_back(nullptr);
        ::execvp(arguments[0], arguments.data());
        std::_Exit(127);
    }
    ::close(ends[1]);
    out = ends[0];
    return child;
}

std::string readAll(int from)
{
    std::string text;
    std::array<char, 4096> block{};
    for (ssize_t got = 0; (got = ::read(from, block.data(), block.size())) > 0;) {
        text.append(block.data(), static_cast<std::size_t>(got));
    }
    ::close(from);
    return text;
}

std::string readLine(int from)
{
    std::string line;
    for (char c = 0; ::read(from, &c, 1) == 1 && c != '\n';) {
        line += c;
    }
    return line;
}

/// CPU seconds that a process has used.
double cpuOf(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    text.erase(0, text.rfind(')') + 2);
    std::vector<std::string> fields;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        fields.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return fields.size() < 13 ? 0 : (std::stod(fields[11]) + std::stod(fields[12])) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// One kept connection, blocking.
class Client {
public:
    Client(int port, std::string token) : m_port(port), m_token(std::move(token)) {}
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client() { close(); }

    /// The body of the answer; empty where there was none or the status was not 2xx.
    std::string post(const std::string& path, const std::string& body, const std::string& token = {})
    {
        const std::string& bearer = token.empty() ? m_token : token;
        const std::string request = "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size())
            + (bearer.empty() ? "" : "\r\nAuthorization: Bearer " + bearer) + "\r\n\r\n" + body;
        if ((m_socket < 0 && !open()) || ::send(m_socket, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size())) {
            close();
            return {};
        }
        return answer();
    }

private:
    bool open()
    {
        m_socket = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(m_port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return m_socket >= 0 && ::connect(m_socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }
    void close()
    {
        if (m_socket >= 0) {
            ::close(m_socket);
        }
        m_socket = -1;
    }
    std::string answer()
    {
        std::string text;
        std::array<char, 4096> block{};
        std::size_t need = std::string::npos;
        while (text.size() < need) {
            const ssize_t got = ::recv(m_socket, block.data(), block.size(), 0);
            if (got <= 0) {
                close();
                return {};
            }
            text.append(block.data(), static_cast<std::size_t>(got));
            const std::size_t head = text.find("\r\n\r\n");
            const std::size_t length = text.find("Content-Length: ");
            if (head != std::string::npos && need == std::string::npos) {
                need = head + 4 + (length < head ? std::strtoul(text.c_str() + length + 16, nullptr, 10) : 0);
            }
        }
        return text.size() > 9 && text[9] == '2' ? text.substr(text.find("\r\n\r\n") + 4) : std::string();
    }

    int m_port;
    std::string m_token;
    int m_socket = -1;
};

std::string member(const std::string& json, const std::string& key)
{
    const std::size_t at = json.find("\"" + key + "\":\"");
    return at == std::string::npos ? std::string() : json.substr(at + key.size() + 4, json.find('"', at + key.size() + 4) - at - key.size() - 4);
}

int portIn(const std::string& url)
{
    return std::atoi(url.c_str() + url.rfind(':') + 1);
}

int freePort()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const bool bound = ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    ::close(socket);
    return bound ? ntohs(address.sin_port) : 0;
}

struct Node {
    std::string id;
    std::string session;
    std::uint64_t seq = 0;
};

/// Makes and registers the nodes, many at once so that commits are shared.
std::vector<Node> makeNodes(int port, const std::string& token, int count)
{
    std::vector<Node> nodes(static_cast<std::size_t>(count));
    std::atomic<int> next{0};
    std::vector<std::thread> makers;
    for (int i = 0; i < kMakers; ++i) {
        makers.emplace_back([&] {
            Client client(port, token);
            for (int at = next++; at < count; at = next++) {
                Node& node = nodes[static_cast<std::size_t>(at)];
                node.id = "n" + std::to_string(at);
                const std::string made = client.post("/admin/mmx-nodes", R"({"nodeId": ")" + node.id + R"(", "role": "origin"})");
                const std::string registered = client.post("/v1/nodes/register",
                    R"({"nodeSecret": ")" + member(made, "nodeSecret") + R"(", "diskSerial": ")" + node.id + R"(", "webrtcBaseUrl": "https://)" + node.id + R"(.example.test"})");
                node.session = member(registered, "sessionToken");
            }
        });
    }
    for (std::thread& maker : makers) {
        maker.join();
    }
    return nodes;
}

/// Heartbeats of all nodes, each every ten seconds, from threads of its own.
class Heartbeats {
public:
    Heartbeats(int port, std::vector<Node>& nodes) : m_nodes(nodes)
    {
        for (int i = 0; i < kHeartbeatThreads; ++i) {
            m_threads.emplace_back([this, port, i] { run(port, static_cast<std::size_t>(i)); });
        }
    }
    Heartbeats(const Heartbeats&) = delete;
    Heartbeats& operator=(const Heartbeats&) = delete;
    ~Heartbeats()
    {
        m_stop = true;
        for (std::thread& thread : m_threads) {
            thread.join();
        }
    }

    [[nodiscard]] std::uint64_t sent() const { return m_sent; }
    [[nodiscard]] std::uint64_t failed() const { return m_failed; }
    /// The most that one was behind its time.
    [[nodiscard]] double mostLateSeconds() const { return m_late; }

private:
    void run(int port, std::size_t first)
    {
        pinTo(kLoadCore);
        Client client(port, {});
        const std::size_t mine = (m_nodes.size() + kHeartbeatThreads - 1 - first) / kHeartbeatThreads;
        const auto step = std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(kHeartbeatSeconds / static_cast<double>(std::max<std::size_t>(1, mine))));
        Steady::time_point due = Steady::now();
        for (std::size_t at = first; !m_stop && mine > 0; at = at + kHeartbeatThreads < m_nodes.size() ? at + kHeartbeatThreads : first) {
            std::this_thread::sleep_until(due);
            const double late = std::chrono::duration<double>(Steady::now() - due).count();
            double most = m_late;
            while (late > most && !m_late.compare_exchange_weak(most, late)) {
            }
            due += step;
            Node& node = m_nodes[at];
            const std::string body = R"({"bootId":"b1","seq":)" + std::to_string(++node.seq) + R"(,"capacity":1000000,"used":0})";
            (client.post("/v1/nodes/" + node.id + "/heartbeat", body, node.session).empty() ? m_failed : m_sent) += 1;
        }
    }

    std::vector<Node>& m_nodes;
    std::atomic<bool> m_stop{false};
    std::atomic<std::uint64_t> m_sent{0};
    std::atomic<std::uint64_t> m_failed{0};
    std::atomic<double> m_late{0};
    std::vector<std::thread> m_threads;
};

struct Sample {
    double cpuMicroseconds = 0; ///< of the server, a request of any kind that it answered
    double rate = 0;
    double p99Milliseconds = 0;
    double errors = 0;
};

// "1.23ms", "456.00us", "2.01s"
double milliseconds(const std::string& text)
{
    const double value = std::atof(text.c_str());
    return text.find("us") != std::string::npos ? value / 1000 : text.find("ms") != std::string::npos ? value : value * 1000;
}

// `others`: how many requests the server has answered for somebody else; they count as well.
std::optional<Sample> load(int port, pid_t server, int seconds, const std::string& script, const std::function<std::uint64_t()>& others = {})
{
    const std::uint64_t othersBefore = others ? others() : 0;
    const double before = cpuOf(server);
    int out = -1;
    const pid_t wrk = start({"wrk", "-t1", "-c" + std::to_string(kConnections), "-d" + std::to_string(seconds) + "s", "--latency", "-s", script, "http://127.0.0.1:" + std::to_string(port)}, kLoadCore, out);
    const std::string text = readAll(out);
    int status = 0;
    ::waitpid(wrk, &status, 0);
    const double used = cpuOf(server) - before;
    const auto ofOthers = static_cast<double>(others ? others() - othersBefore : 0);
    const std::size_t count = text.find(" requests in ");
    const std::size_t p99 = text.find("99%");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || count == std::string::npos || p99 == std::string::npos) {
        return std::nullopt;
    }
    const std::size_t line = text.rfind('\n', count) + 1;
    const double requests = std::atof(text.c_str() + line);
    Sample sample;
    sample.cpuMicroseconds = used * 1e6 / std::max(1.0, requests + ofOthers);
    sample.rate = requests / seconds;
    sample.p99Milliseconds = milliseconds(text.substr(text.find_first_not_of(' ', p99 + 3), 12));
    const std::size_t bad = text.find("Non-2xx or 3xx responses: ");
    sample.errors = bad == std::string::npos ? 0 : std::atof(text.c_str() + bad + 26);
    return sample;
}

Sample median(std::vector<Sample> samples)
{
    Sample result;
    const auto middle = [&](double Sample::*member) {
        std::sort(samples.begin(), samples.end(), [member](const Sample& a, const Sample& b) { return a.*member < b.*member; });
        return samples[samples.size() / 2].*member;
    };
    result.cpuMicroseconds = middle(&Sample::cpuMicroseconds);
    result.rate = middle(&Sample::rate);
    result.p99Milliseconds = middle(&Sample::p99Milliseconds);
    result.errors = middle(&Sample::errors);
    return result;
}

void print(const char* name, const std::vector<Sample>& samples)
{
    if (samples.empty()) {
        std::printf("%-28s missing\n", name);
        return;
    }
    const Sample sample = median(samples);
    std::printf("%-28s %7.1f us CPU a request   %8.0f requests/s   p99 %6.2f ms   errors %.0f\n", name, sample.cpuMicroseconds, sample.rate, sample.p99Milliseconds, sample.errors);
}

bool isInstalled(const char* program)
{
    const char* path = std::getenv("PATH");
    std::string rest = std::string(path == nullptr ? "" : path) + ":/usr/sbin";
    for (std::size_t at = 0; at < rest.size();) {
        const std::size_t end = std::min(rest.find(':', at), rest.size());
        if (::access((rest.substr(at, end - at) + "/" + program).c_str(), X_OK) == 0) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

void write(const fs::path& file, const std::string& text)
{
    std::ofstream(file) << text;
}

std::string scriptFor(const std::string& token)
{
    return "wrk.method = 'POST'\nwrk.headers['Content-Type'] = 'application/json'\nwrk.headers['Authorization'] = 'Bearer " + token
        + "'\nlocal n = 0\nfunction request()\n  n = (n + 1) % 1000\n"
          "  return wrk.format(nil, '/v1/publish/requests', nil, '{\"appId\":\"demo\",\"stream\":\"s' .. n .. '\",\"protocol\":\"whip\"}')\nend\n";
}

int run(int nodeCount, int seconds, int rounds, const fs::path& bin, const fs::path& dir)
{
    if (!isInstalled("wrk")) {
        std::printf("bench_publish: wrk is missing, nothing can be measured\n");
        return 1;
    }
    int out = -1;
    const pid_t weir = start({(bin / "weir-server").string(), "--data-dir", (dir / "data").string(), "--admin-listen", "127.0.0.1:0", "--gateway-listen", "127.0.0.1:0"}, kServerCore, out);
    const int port = portIn(member(readLine(out), "admin"));
    std::string token;
    std::ifstream(dir / "data" / "superadmin.token") >> token;
    if (port == 0 || token.empty()) {
        std::printf("bench_publish: weir-server did not start\n");
        return 1;
    }
    std::vector<Node> nodes = makeNodes(port, token, nodeCount);
    write(dir / "publish.lua", scriptFor(token));
    pid_t haproxy = -1;
    const int haproxyPort = freePort();
    if (isInstalled("haproxy")) {
        write(dir / "haproxy.cfg",
            "global\n  nbthread 1\n  maxconn 4000\ndefaults\n  mode http\n  timeout client 60s\n  timeout http-keep-alive 60s\n  timeout connect 1s\n  timeout server 60s\nfrontend f\n  bind 127.0.0.1:"
                + std::to_string(haproxyPort)
                + "\n  http-request return status 200 content-type application/json string '{\"nodeId\":\"n1234\",\"poolId\":\"default\",\"publishUrl\":\"https://n1234.example.test\","
                  "\"placement\":894784853574123,\"fallback\":false}'\n");
        int ignored = -1;
        haproxy = start({"/usr/sbin/haproxy", "-db", "-f", (dir / "haproxy.cfg").string()}, kServerCore, ignored);
    }
    std::vector<Sample> withBeats;
    std::vector<Sample> alone;
    std::vector<Sample> peer;
    const auto keep = [](std::vector<Sample>& into, const std::optional<Sample>& sample) {
        if (sample) {
            into.push_back(*sample);
        }
    };
    double late = 0;
    std::uint64_t sent = 0;
    std::uint64_t failed = 0;
    for (int round = 0; round <= rounds; ++round) {
        {
            Heartbeats beats(port, nodes);
            std::this_thread::sleep_for(std::chrono::seconds(round == 0 ? 11 : 1)); // once round, so that every node is connected
            const auto sample = load(port, weir, seconds, (dir / "publish.lua").string(), [&beats] { return beats.sent(); });
            keep(withBeats, round == 0 ? std::nullopt : sample);
            late = std::max(late, beats.mostLateSeconds());
            sent += beats.sent();
            failed += beats.failed();
        }
        const auto sample = load(port, weir, seconds, (dir / "publish.lua").string());
        const auto other = haproxy > 0 ? load(haproxyPort, haproxy, seconds, (dir / "publish.lua").string()) : std::nullopt;
        if (round > 0) { // the first round warms up
            keep(alone, sample);
            keep(peer, other);
        }
    }
    std::printf("POST /v1/publish/requests, %d connections, %d nodes, %d rounds of %d s, medians\n", kConnections, nodeCount, rounds, seconds);
    print("weir, nodes heartbeating", withBeats);
    print("weir, quiet", alone);
    print("haproxy http-request return", peer);
    if (!peer.empty() && !withBeats.empty()) {
        std::printf("CPU a request: %.2f x haproxy heartbeating, %.2f x quiet; p99 %.2f x\n", median(withBeats).cpuMicroseconds / median(peer).cpuMicroseconds,
            median(alone).cpuMicroseconds / median(peer).cpuMicroseconds, median(withBeats).p99Milliseconds / median(peer).p99Milliseconds);
    }
    std::printf("heartbeats: %llu taken, %llu failed, at most %.2f s late\n", static_cast<unsigned long long>(sent), static_cast<unsigned long long>(failed), late);
    for (const pid_t child : {weir, haproxy}) {
        if (child > 0) {
            ::kill(child, SIGTERM);
            ::waitpid(child, nullptr, 0);
        }
    }
    return withBeats.empty() ? 1 : 0;
}

} // namespace

int main(int argc, char** argv)
{
    const auto argument = [&](int at, int otherwise) { return argc > at ? std::max(1, std::atoi(argv[at])) : otherwise; };
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "weir-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        std::fprintf(stderr, "bench_publish: no temporary directory\n");
        return 1;
    }
    const int code = run(argument(1, 10'000), argument(2, 6), argument(3, 3), fs::read_symlink("/proc/self/exe", error).parent_path(), pattern);
    fs::remove_all(pattern, error);
    return code;
}
