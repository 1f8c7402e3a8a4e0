// SPDX-License-Identifier: GPL-3.0-or-later
// Probing real HTTP workers: CPU, memory and lateness while all is well, then the time until every verdict is there when all of
// them fall silent. Each subject runs in a process of its own on one core, the workers on another, all in turn.
//
// bench_probe [nodes] [intervals] [subject…]     default: 1000 nodes, 5 intervals of 8 s, all subjects
#include "ProbePeers.h"
#include "core/base/Log.h"
#include "core/probe/Prober.h"
#include "core/runtime/OpenFiles.h"
#include "core/runtime/Runtime.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
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

struct Setting {
    int nodes = 1000;
    int intervals = 5;
    int core = -1; ///< for the subject
    bench::ProbeWorkers* workers = nullptr;
    std::string directory;
};

void sleepFor(double seconds)
{
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
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

void show(const char* subject, const bench::ProbeFigures& figures)
{
    std::printf("%-14s  %.3f CPU s per 1,000 probes, %.3f of a core, %.0f MB, %.0f probes/s\n", subject, figures.cpuPerThousand, figures.core, figures.megabytes, figures.perSecond);
}

// What this process spends while all is well; the first interval is for starting up and not measured.
bench::ProbeFigures measure(const Setting& setting)
{
    sleepFor(kInterval * 2);
    const std::uint64_t answeredBefore = setting.workers->answered();
    const double cpuBefore = bench::cpuSecondsOf(::getpid());
    const double seconds = kInterval * setting.intervals;
    sleepFor(seconds);
    const double cpu = bench::cpuSecondsOf(::getpid()) - cpuBefore;
    const auto answered = static_cast<double>(setting.workers->answered() - answeredBefore);
    return {cpu / std::max(answered, 1.0) * 1000, cpu / seconds, bench::residentMegabytesOf(::getpid()), answered / seconds};
}

// ---- the prober alone

class TimingSink final : public probe::ProbeSink {
public:
    TimingSink(Clock& clock, int nodes)
        : m_clock(clock)
        , m_starts(static_cast<std::size_t>(nodes))
    {
    }

    void probeEnded(const probe::ProbeResult& result) override
    {
        const std::scoped_lock lock(m_mutex);
        Starts& starts = m_starts[result.node.value()];
        if (starts.count > 1) { // from the first probe to the second is the node's own phase, which is meant to be shorter
            m_late.push_back(toSeconds(result.started - starts.last) * 1000 - kInterval * 1000);
        }
        starts.last = result.started;
        ++starts.count;
        if (result.reason == "timeout") {
            m_verdicts.push_back(toSeconds(m_clock.now() - result.started) * 1000 - kTimeout * 1000);
        } else if (!result.success) {
            ++m_failures;
        }
    }
    void probeStalled(NodeHandle, bool) override {}

    void tell(int nodes)
    {
        const std::scoped_lock lock(m_mutex);
        std::printf("  lateness      p50 %.0f ms, p99 %.0f ms, most %.0f ms; %zu other failures\n", percentile(m_late, 0.5), percentile(m_late, 0.99), percentile(m_late, 1), m_failures);
        std::printf("  all silent    %zu verdicts of %d nodes; after the time-out p50 %.0f ms, p99 %.0f ms, most %.0f ms\n", m_verdicts.size(), nodes, percentile(m_verdicts, 0.5),
            percentile(m_verdicts, 0.99), percentile(m_verdicts, 1));
    }

private:
    struct Starts {
        Instant last;
        int count = 0;
    };

    Clock& m_clock;
    std::mutex m_mutex;
    std::vector<Starts> m_starts;
    std::vector<double> m_late;
    std::vector<double> m_verdicts;
    std::size_t m_failures = 0;
};

int runProber(const Setting& setting, probe::TransportChoice transport, const char* subject)
{
    SystemClock clock;
    NullLog log;
    TimingSink sink(clock, setting.nodes);
    probe::ProberOptions options;
    options.transport = transport;
    probe::Prober prober(clock, log, sink, std::move(options));
    prober.setTimings({fromSeconds(kInterval), fromSeconds(kTimeout)});
    for (int i = 0; i < setting.nodes; ++i) {
        prober.setTarget({NodeHandle(static_cast<std::uint32_t>(i)), 1, "http://" + setting.workers->host(i) + ":" + std::to_string(setting.workers->port()) + "/health", {200}, {}});
    }
    prober.start();
    show(subject, measure(setting));
    setting.workers->setSilent(true);
    sleepFor(kInterval + kTimeout + 1);
    sink.tell(setting.nodes);
    std::printf("  memory        %.0f MB while all were silent\n", bench::residentMegabytesOf(::getpid()));
    prober.stop();
    return 0;
}

// ---- the whole plane

// How much later than one interval after the one before each probe began, in ms.
std::vector<double> latenesses(plane::ControlPlane& plane)
{
    std::vector<double> late;
    for (const NodeHandle node : plane.fleet().read([](const fleet::Fleet& fleet, Instant) { return fleet.nodesInOrder(); })) {
        const std::vector<plane::ProbeRecord> records = plane.history().probes(node, 100);
        // Newest first; the oldest pair is the first probe and the node's own phase.
        for (std::size_t i = 0; i + 2 < records.size(); ++i) {
            const auto begin = [](const plane::ProbeRecord& record) { return static_cast<double>(record.at.time_since_epoch().count() - record.durationMs); };
            late.push_back(begin(records[i]) - begin(records[i + 1]) - kInterval * 1000);
        }
    }
    return late;
}

std::string writeConfig(const Setting& setting, const char* transport)
{
    const std::string file = setting.directory + "/bench.json";
    json::array entries;
    for (int i = 0; i < setting.nodes; ++i) {
        entries.emplace_back(json::object{{"node", "node-" + std::to_string(i)}, {"role", "worker"}, {"url", "http://" + setting.workers->host(i) + ":" + std::to_string(setting.workers->port())}});
    }
    std::ofstream(file) << json::serialize(json::object{{"health_check", json::object{{"interval_seconds", kInterval}, {"timeout_seconds", kTimeout}}},
        {"probe", json::object{{"transport", transport}}}, {"nodes", std::move(entries)}});
    return file;
}

void watchAllGoOut(plane::ControlPlane& plane, const Setting& setting, const Clock& clock)
{
    std::mutex mutex;
    std::map<std::string, double> out;
    const Instant since = clock.now();
    const int subscription = plane.flow().subscribe([&](const plane::ChangeBatch& batch) {
        const std::scoped_lock lock(mutex);
        for (const plane::NodeFacts& node : batch.nodes) {
            if (!node.inRotation) {
                out.emplace(node.spec.id.text(), toSeconds(clock.now() - since));
            }
        }
    });
    setting.workers->setSilent(true);
    bool all = false;
    while (!all && toSeconds(clock.now() - since) < kWorstDetection + 5) {
        sleepFor(0.05);
        const std::scoped_lock lock(mutex);
        all = out.size() == static_cast<std::size_t>(setting.nodes);
    }
    plane.flow().unsubscribe(subscription);
    std::vector<double> seconds;
    for (const auto& [node, at] : out) {
        seconds.push_back(at);
    }
    std::printf("  all silent    %zu of %d out; p50 %.1f s, last %.1f s (bound %.0f s, and 0.1 s until a batch)\n", out.size(), setting.nodes, percentile(seconds, 0.5), percentile(seconds, 1), kWorstDetection);
}

int runPlane(const Setting& setting, const char* transport, const char* subject)
{
    SystemClock clock;
    NullLog log;
    runtime::RuntimeOptions options;
    options.dataDir = setting.directory + "/data-" + transport;
    options.configFile = writeConfig(setting, transport);
    options.listenByDefault = false;
    auto runtime = runtime::Runtime::start(clock, log, std::move(options));
    if (!runtime) {
        std::fprintf(stderr, "%s\n", runtime.error().lines.front().c_str());
        return 1;
    }
    plane::ControlPlane& plane = (*runtime)->plane();
    show(subject, measure(setting));
    const std::vector<double> late = latenesses(plane);
    std::printf("  lateness      p50 %.0f ms, p99 %.0f ms, most %.0f ms\n", percentile(late, 0.5), percentile(late, 0.99), percentile(late, 1));
    watchAllGoOut(plane, setting, clock);
    std::printf("  memory        %.0f MB while all were silent\n", bench::residentMegabytesOf(::getpid()));
    (*runtime)->stop();
    return 0;
}

// ---- in turn

// In a process of its own, so that no subject inherits another's memory.
bool inChild(const Setting& setting, int& argc, char** argv, const std::function<int()>& run)
{
    setting.workers->setSilent(false);
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
        bench::stayOnCore(setting.core);
        QCoreApplication application(argc, argv);
        runtime::raiseOpenFileLimit();
        const int code = run();
        std::fflush(stdout);
        std::_Exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool showPeer(const char* subject, const std::optional<bench::ProbeFigures>& figures)
{
    if (figures) {
        show(subject, *figures);
    } else {
        std::printf("%-14s  missing: not installed, or it does not run here\n", subject);
    }
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    Setting setting;
    setting.nodes = argc > 1 ? std::atoi(argv[1]) : setting.nodes;
    setting.intervals = argc > 2 ? std::atoi(argv[2]) : setting.intervals;
    const std::map<std::string, std::function<bool()>> subjects{
        {"1-haproxy", [&] {
             setting.workers->setSilent(false);
             return showPeer("haproxy", bench::runHaproxy(*setting.workers, setting.nodes, kInterval, kTimeout, setting.intervals, setting.directory, setting.core));
         }},
        {"2-prober-asio", [&] { return inChild(setting, argc, argv, [&] { return runProber(setting, probe::TransportChoice::Asio, "prober-asio"); }); }},
        {"3-plane-asio", [&] { return inChild(setting, argc, argv, [&] { return runPlane(setting, "asio", "plane-asio"); }); }},
        {"4-prober-qnam", [&] { return inChild(setting, argc, argv, [&] { return runProber(setting, probe::TransportChoice::Qnam, "prober-qnam"); }); }},
        {"5-plane-qnam", [&] { return inChild(setting, argc, argv, [&] { return runPlane(setting, "qnam", "plane-qnam"); }); }},
        {"6-blackbox", [&] {
             setting.workers->setSilent(false);
             return showPeer("blackbox", bench::runBlackbox(*setting.workers, setting.nodes, kInterval, setting.directory, setting.core));
         }},
    };
    std::vector<std::string> chosen(argv + std::min(argc, 3), argv + argc);
    const auto wants = [&](const std::string& name) { return chosen.empty() || std::find(chosen.begin(), chosen.end(), name.substr(2)) != chosen.end(); };
    const bool known = std::all_of(chosen.begin(), chosen.end(), [&](const std::string& name) {
        return std::any_of(subjects.begin(), subjects.end(), [&](const auto& subject) { return subject.first.substr(2) == name; });
    });
    if (setting.nodes < 1 || setting.nodes > 15000 || setting.intervals < 2 || setting.intervals > 100 || !known) {
        std::fprintf(stderr, "bench_probe [nodes 1..15000] [intervals 2..100] [haproxy | prober-asio | plane-asio | prober-qnam | plane-qnam | blackbox]...\n");
        return 2;
    }
    runtime::raiseOpenFileLimit();
    const bool hasTwoCores = std::thread::hardware_concurrency() > 1;
    setting.core = hasTwoCores ? 0 : -1;
    bench::ProbeWorkers workers(setting.nodes, hasTwoCores ? 1 : -1);
    if (!workers.isUp()) {
        std::fprintf(stderr, "the workers cannot listen; the limit of open files must be %d or more\n", setting.nodes * 3 / 2);
        return 1;
    }
    setting.workers = &workers;
    const QTemporaryDir directory;
    setting.directory = directory.path().toStdString();
    std::printf("%d nodes, every %.0f s, a fresh connection each\n", setting.nodes, kInterval);
    bool fine = true;
    for (const auto& [name, run] : subjects) {
        fine = (!wants(name) || run()) && fine;
    }
    return fine ? 0 : 1;
}
