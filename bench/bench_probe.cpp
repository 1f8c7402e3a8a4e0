// SPDX-License-Identifier: GPL-3.0-or-later
// A whole control plane probing real HTTP workers: lateness, CPU and memory while all is well, then the time until every node is
// out when all of them fall silent. The workers run in a process of their own.
//
// bench_probe [nodes] [intervals]      default 1000 nodes, 6 intervals of 8 s
#include "core/base/Log.h"
#include "core/http/Problem.h"
#include "core/http/Server.h"
#include "core/runtime/Runtime.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/json.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

namespace json = boost::json;
using namespace weir;

constexpr double kInterval = 8;
constexpr double kTimeout = 3;
constexpr double kWorstDetection = kInterval * 2 + kTimeout;

// The child: answers /health on every port, until a byte on standard input tells it to fall silent.
[[noreturn]] void runWorkers(int nodes, int portsOut, int silenceIn)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    boost::asio::io_context context(1);
    bool silent = false;
    std::vector<http::Reply> unanswered;
    std::vector<std::unique_ptr<http::Server>> servers;
    std::string ports;
    for (int i = 0; i < nodes; ++i) {
        servers.push_back(std::make_unique<http::Server>(context, http::ServerOptions(), [&](const http::Request&, http::Reply reply) {
            if (silent) {
                unanswered.push_back(std::move(reply));
            } else {
                reply(http::json(200, json::object{{"status", "ok"}, {"disk_free_gb", 24.6}}));
            }
        }));
        if (!servers.back()->listen()) {
            std::fprintf(stderr, "worker %d cannot listen\n", i);
            std::_Exit(1);
        }
        ports += std::to_string(servers.back()->port()) + "\n";
    }
    ports += ".\n";
    [[maybe_unused]] const ssize_t written = ::write(portsOut, ports.data(), ports.size());
    boost::asio::posix::stream_descriptor input(context, silenceIn);
    input.async_wait(boost::asio::posix::stream_descriptor::wait_read, [&silent](const boost::system::error_code&) { silent = true; });
    context.run();
    std::_Exit(0);
}

std::vector<int> readPorts(int fd)
{
    std::string text;
    char buffer[4096];
    while (text.find('.') == std::string::npos) {
        const ssize_t count = ::read(fd, buffer, sizeof buffer);
        if (count <= 0) {
            return {};
        }
        text.append(buffer, static_cast<std::size_t>(count));
    }
    std::vector<int> ports;
    for (std::size_t at = 0; text[at] != '.'; at = text.find('\n', at) + 1) {
        ports.push_back(std::atoi(text.c_str() + at));
    }
    return ports;
}

double cpuSeconds()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

double residentMegabytes()
{
    std::ifstream statm("/proc/self/statm");
    long total = 0;
    long resident = 0;
    statm >> total >> resident;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

double percentile(std::vector<double> values, double share)
{
    if (values.empty()) {
        return 0;
    }
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
    return values[at];
}

// How much later than one interval after the one before each probe began, in ms.
std::vector<double> latenesses(plane::ControlPlane& plane, std::size_t& probes)
{
    std::vector<double> late;
    for (const NodeHandle node : plane.fleet().read([](const fleet::Fleet& fleet, Instant) { return fleet.nodesInOrder(); })) {
        const std::vector<plane::ProbeRecord> records = plane.history().probes(node, 100);
        probes += records.size();
        // Newest first; the oldest pair is the first probe and the node's own phase, which is meant to be shorter.
        for (std::size_t i = 0; i + 2 < records.size(); ++i) {
            const auto begin = [](const plane::ProbeRecord& record) { return static_cast<double>(record.at.time_since_epoch().count() - record.durationMs); };
            late.push_back(begin(records[i]) - begin(records[i + 1]) - kInterval * 1000);
        }
    }
    return late;
}

} // namespace

int main(int argc, char** argv)
{
    const int nodes = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int intervals = argc > 2 ? std::atoi(argv[2]) : 6;
    if (nodes < 1 || nodes > 5000 || intervals < 3 || intervals > 100) {
        std::fprintf(stderr, "bench_probe [nodes 1..5000] [intervals 3..100]\n");
        return 2;
    }
    int ports[2];
    int silence[2];
    if (::pipe(ports) != 0 || ::pipe(silence) != 0) {
        return 1;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        runWorkers(nodes, ports[1], silence[0]);
    }
    const std::vector<int> list = readPorts(ports[0]);
    if (list.size() != static_cast<std::size_t>(nodes)) {
        std::fprintf(stderr, "the workers did not start\n");
        return 1;
    }

    QCoreApplication application(argc, argv);
    QTemporaryDir directory;
    const std::string config = (directory.path() + QStringLiteral("/bench.json")).toStdString();
    {
        json::array entries;
        for (int i = 0; i < nodes; ++i) {
            entries.emplace_back(json::object{{"node", "node-" + std::to_string(i)}, {"role", "worker"}, {"url", "http://127.0.0.1:" + std::to_string(list[static_cast<std::size_t>(i)])}});
        }
        std::ofstream(config) << json::serialize(json::object{{"health_check", json::object{{"interval_seconds", kInterval}, {"timeout_seconds", kTimeout}}}, {"nodes", std::move(entries)}});
    }
    SystemClock clock;
    NullLog log;
    runtime::RuntimeOptions options;
    options.dataDir = (directory.path() + QStringLiteral("/data")).toStdString();
    options.configFile = config;
    options.listenByDefault = false;
    auto runtime = runtime::Runtime::start(clock, log, std::move(options));
    if (!runtime) {
        std::fprintf(stderr, "%s\n", runtime.error().lines.front().c_str());
        return 1;
    }
    plane::ControlPlane& plane = (*runtime)->plane();

    // While all is well; the first interval is for starting up and not measured.
    std::this_thread::sleep_for(std::chrono::duration<double>(kInterval));
    const double cpuBefore = cpuSeconds();
    const auto begin = clock.now();
    std::this_thread::sleep_for(std::chrono::duration<double>(kInterval * (intervals - 1)));
    const double cpu = cpuSeconds() - cpuBefore;
    const double wall = toSeconds(clock.now() - begin);
    std::size_t probes = 0;
    const std::vector<double> late = latenesses(plane, probes);
    const double measured = wall / kInterval * nodes;
    std::printf("%d nodes, every %.0f s, %zu probes\n", nodes, kInterval, probes);
    std::printf("lateness        p50 %.0f ms, p99 %.0f ms, most %.0f ms\n", percentile(late, 0.5), percentile(late, 0.99), percentile(late, 1));
    std::printf("CPU             %.3f s per 1,000 probes, %.3f of a core\n", cpu / measured * 1000, cpu / wall);
    std::printf("memory          %.0f MB resident\n", residentMegabytes());

    // All of them fall silent at once.
    std::mutex mutex;
    std::map<std::string, Instant> out;
    const int subscription = plane.flow().subscribe([&](const plane::ChangeBatch& batch) {
        const std::scoped_lock lock(mutex);
        for (const plane::NodeFacts& node : batch.nodes) {
            if (!node.inRotation) {
                out.emplace(node.spec.id.text(), clock.now());
            }
        }
    });
    const Instant silentSince = clock.now();
    [[maybe_unused]] const ssize_t told = ::write(silence[1], "x", 1);
    while (toSeconds(clock.now() - silentSince) < kWorstDetection + 5) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const std::scoped_lock lock(mutex);
        if (out.size() == static_cast<std::size_t>(nodes)) {
            break;
        }
    }
    plane.flow().unsubscribe(subscription);
    std::vector<double> seconds;
    for (const auto& [node, at] : out) {
        seconds.push_back(toSeconds(at - silentSince));
    }
    std::printf("all silent      %zu of %d out; p50 %.1f s, last %.1f s (bound %.0f s)\n", out.size(), nodes, percentile(seconds, 0.5), percentile(seconds, 1), kWorstDetection);
    std::printf("memory          %.0f MB resident\n", residentMegabytes());
    (*runtime)->stop();
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    return out.size() == static_cast<std::size_t>(nodes) ? 0 : 1;
}
