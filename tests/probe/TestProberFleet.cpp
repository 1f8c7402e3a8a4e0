// SPDX-License-Identifier: GPL-3.0-or-later
#include "ScriptedServer.h"
#include "core/probe/Prober.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <ctime>

#include <sys/resource.h>

using namespace std::chrono_literals;

namespace weir::probe::test {
namespace {

constexpr std::uint32_t kNodes = 1000;
constexpr std::uint32_t kServers = 20;
constexpr Duration kInterval = 4s;
constexpr Duration kTimeout = 1500ms; // 8 s and 3 s, halved

class FleetSink final : public ProbeSink {
public:
    void probeEnded(const ProbeResult& result) override
    {
        const std::scoped_lock lock(m_mutex);
        m_results[result.node.value()].push_back(result);
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        m_probeThreadCpu = static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    }
    void probeStalled(NodeHandle, bool) override { ++m_stalls; }

    std::vector<std::vector<ProbeResult>> results() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_results;
    }
    double probeThreadCpu() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_probeThreadCpu;
    }
    int stalls() const { return m_stalls; }

private:
    mutable std::mutex m_mutex;
    std::vector<std::vector<ProbeResult>> m_results = std::vector<std::vector<ProbeResult>>(kNodes);
    double m_probeThreadCpu = 0;
    std::atomic<int> m_stalls = 0;
};

double residentMegabytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toDouble() * 4096 / 1e6 : 0;
}

double processCpu()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double share(std::vector<double>& values, double part)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? -1 : values[std::min(values.size() - 1, static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

} // namespace

/// A thousand nodes behind twenty ports of this process, at half the default interval and timeout.
class TestProberFleet : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void keepsTimeAndSeesAllDie();

private:
    void checkPunctuality(const std::vector<std::vector<ProbeResult>>& results, Instant from);
    void checkVerdicts(const std::vector<std::vector<ProbeResult>>& results, Instant silentSince);

    SystemClock m_clock;
    NullLog m_log;
};

void TestProberFleet::initTestCase()
{
    rlimit limit{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 8192);
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    QVERIFY2(limit.rlim_cur >= 4096, "the open-file limit is too low for a thousand nodes and their servers");
}

void TestProberFleet::keepsTimeAndSeesAllDie()
{
    std::vector<std::unique_ptr<ScriptedServer>> servers;
    for (std::uint32_t i = 0; i < kServers; ++i) {
        servers.push_back(std::make_unique<ScriptedServer>(std::map<std::string, ScriptedServer::Script>{
            {"/health", ScriptedServer::answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK")}}));
        QVERIFY(servers.back()->port() != 0);
    }
    FleetSink sink;
    Prober prober(m_clock, m_log, sink, {});
    prober.setTimings({kInterval, kTimeout});
    const Instant begun = m_clock.now();
    for (std::uint32_t i = 0; i < kNodes; ++i) {
        prober.setTarget({NodeHandle(i), 1, servers[i % kServers]->url("/health?node=" + std::to_string(i)), {200}, {}});
    }
    const double cpuBefore = processCpu();
    prober.start();
    QTRY_VERIFY_WITH_TIMEOUT(prober.firstRoundOver(), 5000);
    qInfo("first round of %u: %.2f s", kNodes, toSeconds(m_clock.now() - begun));
    const Instant steady = begun + kInterval;
    QTRY_VERIFY_WITH_TIMEOUT(m_clock.now() >= steady + 2 * kInterval, 20'000);
    checkPunctuality(sink.results(), steady);
    const double elapsed = toSeconds(m_clock.now() - begun);
    qInfo("CPU of a core: process with its servers %.3f, probe thread %.3f; RSS %.1f MB", (processCpu() - cpuBefore) / elapsed,
        sink.probeThreadCpu() / elapsed, residentMegabytes());

    const Instant silentSince = m_clock.now();
    for (const auto& server : servers) {
        server->setSilent(true);
    }
    const Instant bound = silentSince + 2 * kInterval + kTimeout + Duration(500ms);
    QTRY_VERIFY_WITH_TIMEOUT(m_clock.now() >= bound, 20'000);
    const auto results = sink.results();
    prober.stop();
    checkVerdicts(results, silentSince);
    QCOMPARE(sink.stalls(), 0);
    qInfo("all silent: RSS %.1f MB", residentMegabytes());
    for (const auto& server : servers) {
        QTRY_COMPARE(server->open(), 0);
    }
}

void TestProberFleet::checkPunctuality(const std::vector<std::vector<ProbeResult>>& results, Instant from)
{
    std::vector<double> late;
    for (const auto& node : results) {
        for (std::size_t i = 1; i < node.size(); ++i) {
            QVERIFY2(node[i].success, node[i].reason.c_str());
            if (node[i - 1].started >= from) {
                late.push_back(std::abs(toSeconds(node[i].started - node[i - 1].started - kInterval)));
            }
        }
    }
    QVERIFY2(late.size() >= kNodes * 9 / 10, "each node was probed twice in two intervals");
    const double p99 = share(late, 0.99);
    qInfo("lateness over %zu probes: p50 %.1f ms, p99 %.1f ms, most %.1f ms", late.size(), share(late, 0.5) * 1e3, p99 * 1e3, late.back() * 1e3);
    QVERIFY2(p99 <= 0.1, "p99 of lateness");
    QVERIFY2(late.back() < toSeconds(kInterval) / 2, "no probe was skipped");
}

void TestProberFleet::checkVerdicts(const std::vector<std::vector<ProbeResult>>& results, Instant silentSince)
{
    std::vector<double> second;
    std::vector<double> beyond;
    for (const auto& node : results) {
        std::vector<ProbeResult> failures;
        std::copy_if(node.begin(), node.end(), std::back_inserter(failures), [](const ProbeResult& result) { return !result.success; });
        QVERIFY2(failures.size() >= 2, "a silent node has its second failure within two intervals and a timeout");
        for (const ProbeResult& failure : failures) {
            QCOMPARE(failure.reason, std::string("timeout"));
            beyond.push_back(toSeconds(failure.ended - failure.started - kTimeout));
        }
        second.push_back(toSeconds(failures[1].ended - silentSince));
    }
    const double latest = share(second, 1);
    const double worst = share(beyond, 1);
    qInfo("all silent: second failure p50 %.2f s, latest %.2f s; verdict beyond the timeout p99 %.1f ms, most %.1f ms", share(second, 0.5), latest,
        share(beyond, 0.99) * 1e3, worst * 1e3);
    QVERIFY2(beyond.front() >= 0, "no verdict before the timeout");
    QVERIFY2(worst <= 0.25, "verdict within 250 ms of the timeout");
    QVERIFY2(latest <= toSeconds(2 * kInterval + kTimeout) + 0.5, "the bound with all nodes dead");
}

} // namespace weir::probe::test

QTEST_GUILESS_MAIN(weir::probe::test::TestProberFleet)
#include "TestProberFleet.moc"
