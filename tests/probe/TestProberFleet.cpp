// SPDX-License-Identifier: GPL-3.0-or-later
#include "ScriptedServer.h"
#include "core/base/Log.h"
#include "core/probe/Prober.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <ctime>
#include <map>

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
    explicit FleetSink(std::size_t nodes = kNodes)
        : m_results(nodes)
    {
    }

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
    std::vector<std::vector<ProbeResult>> m_results;
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

/// Counts the changes from one transport to the other.
class TransportLog final : public Log {
public:
    void write(LogLevel, std::string_view event, std::string_view, std::initializer_list<LogField>) override { m_changes += event == "probe_transport" ? 1 : 0; }
    int changes() const { return m_changes; }

private:
    std::atomic<int> m_changes = 0;
};

} // namespace

/// A thousand nodes behind twenty ports of this process, at half the default interval and timeout.
class TestProberFleet : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void keepsTimeAndSeesAllDie_data();
    void keepsTimeAndSeesAllDie();
    void changesOverWhileItRuns();
    void bothTransportsSeeTheSame();

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

void TestProberFleet::keepsTimeAndSeesAllDie_data()
{
    QTest::addColumn<int>("transport");
    QTest::newRow("qnam") << static_cast<int>(TransportChoice::Qnam);
    QTest::newRow("asio") << static_cast<int>(TransportChoice::Asio);
}

void TestProberFleet::keepsTimeAndSeesAllDie()
{
    QFETCH(int, transport);
    std::vector<std::unique_ptr<ScriptedServer>> servers;
    for (std::uint32_t i = 0; i < kServers; ++i) {
        servers.push_back(std::make_unique<ScriptedServer>(std::map<std::string, ScriptedServer::Script>{
            {"/health", ScriptedServer::answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK")}}));
        QVERIFY(servers.back()->port() != 0);
    }
    FleetSink sink;
    ProberOptions options;
    options.transport = static_cast<TransportChoice>(transport);
    Prober prober(m_clock, m_log, sink, std::move(options));
    prober.setTimings({kInterval, kTimeout});
    const Instant begun = m_clock.now();
    for (std::uint32_t i = 0; i < kNodes; ++i) {
        prober.setTarget({NodeHandle(i), 1, servers[i % kServers]->url("/health?node=" + std::to_string(i)), {200}, {}});
    }
    const double cpuBefore = processCpu();
    prober.start();
    QTRY_VERIFY_WITH_TIMEOUT(prober.firstRoundOver(), 20'000);
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

// A fleet that grows past the limit and shrinks again: probes go on in time through the other transport, and none fails.
void TestProberFleet::changesOverWhileItRuns()
{
    ScriptedServer server({{"/health", ScriptedServer::answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK")}});
    TransportLog log;
    FleetSink sink(kNodes + 1);
    Prober prober(m_clock, log, sink, {});
    prober.setTimings({4s, 4s}); // nobody hangs here: no load makes a failure
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t i = from; i < to; ++i) {
            prober.setTarget({NodeHandle(i), 1, server.url("/health?node=" + std::to_string(i)), {200}, {}});
        }
    };
    add(0, 1000);
    prober.start();
    QTRY_VERIFY_WITH_TIMEOUT(prober.firstRoundOver(), 20'000);
    QCOMPARE(log.changes(), 0);
    add(1000, 1001);
    QTRY_COMPARE_WITH_TIMEOUT(log.changes(), 1, 5000);
    const auto probesOf = [&](std::uint32_t node) { return sink.results()[node].size(); };
    const std::size_t before = probesOf(0);
    QTRY_VERIFY_WITH_TIMEOUT(probesOf(0) >= before + 2, 20'000);
    for (std::uint32_t i = 900; i < 1001; ++i) {
        prober.removeTarget(NodeHandle(i));
    }
    QTRY_COMPARE_WITH_TIMEOUT(log.changes(), 2, 5000);
    const std::size_t after = probesOf(0);
    QTRY_VERIFY_WITH_TIMEOUT(probesOf(0) >= after + 2, 20'000);
    prober.stop();
    for (const auto& node : sink.results()) {
        for (const ProbeResult& result : node) {
            QVERIFY2(result.success, result.reason.c_str());
        }
    }
    QCOMPARE(sink.stalls(), 0);
}

// A thousand nodes of all kinds; each has the same result through both.
void TestProberFleet::bothTransportsSeeTheSame()
{
    const auto answer = [](QByteArray bytes) { return ScriptedServer::answer(std::move(bytes)); };
    ScriptedServer server({{"/0", answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK")}, {"/1", answer("HTTP/1.1 503 No\r\nContent-Length: 21\r\n\r\n{\"status\":\"degraded\"}")},
        {"/2", answer("HTTP/1.1 302 Found\r\nLocation: /0\r\nContent-Length: 0\r\n\r\n")}, {"/3", ScriptedServer::reset()}, {"/4", answer("")},
        {"/5", answer("SSH-2.0-x\r\n")}, {"/6", answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut")}, {"/7", answer("HTTP/1.1 204 No Content\r\n\r\n")},
        {"/8", answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n")}});
    constexpr std::uint32_t kKinds = 11; // and a silent one, and one where nobody listens
    const std::string nobody = "http://127.0.0.1:" + std::to_string(ScriptedServer::unusedPort()) + "/health";
    std::vector<std::map<std::string, int>> seen;
    for (const TransportChoice transport : {TransportChoice::Qnam, TransportChoice::Asio}) {
        FleetSink sink;
        ProberOptions options;
        options.transport = transport;
        Prober prober(m_clock, m_log, sink, std::move(options));
        prober.setTimings({20s, 2s});
        for (std::uint32_t i = 0; i < kNodes; ++i) {
            const std::uint32_t kind = i % kKinds;
            prober.setTarget({NodeHandle(i), 1, kind == kKinds - 1 ? nobody : server.url("/" + std::to_string(kind) + "?" + std::to_string(i)), {200}, {}});
        }
        prober.start();
        QTRY_VERIFY_WITH_TIMEOUT(prober.firstRoundOver(), 20'000);
        prober.stop();
        std::map<std::string, int> results;
        const auto all = sink.results();
        for (std::uint32_t i = 0; i < kNodes; ++i) {
            const ProbeResult& result = all[i].front();
            ++results[std::to_string(i % kKinds) + " " + (result.success ? "success" : result.reason) + " " + std::to_string(result.status) + " " + (result.reason == "reset" ? "" : result.body.text + result.body.status)];
        }
        QCOMPARE(results.size(), std::size_t(kKinds));
        seen.push_back(std::move(results));
    }
    QVERIFY(seen[0] == seen[1]);
}

} // namespace weir::probe::test

QTEST_GUILESS_MAIN(weir::probe::test::TestProberFleet)
#include "TestProberFleet.moc"
