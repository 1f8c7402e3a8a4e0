// SPDX-License-Identifier: GPL-3.0-or-later
#include "ScriptedServer.h"
#include "core/probe/ProbeTransport.h"
#include "core/probe/Prober.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

using namespace std::chrono_literals;

namespace weir::probe::test {
namespace {

class RecordingSink final : public ProbeSink {
public:
    void probeEnded(const ProbeResult& result) override
    {
        const std::scoped_lock lock(m_mutex);
        m_results.push_back(result);
    }
    void probeStalled(NodeHandle, bool stalled) override { m_stalls += stalled ? 1 : 0; }

    std::vector<ProbeResult> of(std::uint32_t node) const
    {
        const std::scoped_lock lock(m_mutex);
        std::vector<ProbeResult> found;
        std::copy_if(m_results.begin(), m_results.end(), std::back_inserter(found), [&](const ProbeResult& r) { return r.node == NodeHandle(node); });
        return found;
    }
    std::size_t count() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_results.size();
    }
    int stalls() const { return m_stalls; }

private:
    mutable std::mutex m_mutex;
    std::vector<ProbeResult> m_results;
    std::atomic<int> m_stalls = 0;
};

/// A transport that never calls back.
class DeafTransport final : public ProbeTransport {
public:
    using ProbeTransport::start;
    std::uint64_t start(const std::string&, Duration, Callback, const ProbeTls&) override { return ++m_started; }
    void cancel(std::uint64_t) override {}
    std::size_t underWay() const override { return m_started; }

private:
    std::uint64_t m_started = 0;
};

QByteArray answerBytes(const char* statusLine, const QByteArray& body)
{
    return QByteArray("HTTP/1.1 ") + statusLine + "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

} // namespace

class TestProber : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void probesAtOnceThenByInterval();
    void judgesAnswers();
    void takesOtherExpectedStatuses();
    void neverHasTwoUnderWay();
    void slowNodesDelayNoOther();
    void removedTargetsAreLeftAlone();
    void newGenerationDropsWhatIsUnderWay();
    void probesNow();
    void stopsWhileFiftyHang();
    void startsAgainAfterStop();
    void shortensTheInterval();
    void probesBeforeJudgingAfterASuspension();
    void tellsAStall();

private:
    std::unique_ptr<Prober> make(ProberOptions options = {});
    ProbeTarget target(std::uint32_t node, const std::string& path, std::uint64_t generation = 1) const
    {
        return {NodeHandle(node), generation, m_server->url(path), {200}, {}};
    }

    SystemClock m_clock;
    NullLog m_log;
    std::unique_ptr<RecordingSink> m_sink;
    std::unique_ptr<ScriptedServer> m_server;
};

void TestProber::init()
{
    const QByteArray degraded = R"({"status":"degraded","reason":"disk_free_below_5.0g","disk_free_gb":1.2})";
    m_sink = std::make_unique<RecordingSink>();
    m_server = std::make_unique<ScriptedServer>(std::map<std::string, ScriptedServer::Script>{
        {"/health", ScriptedServer::answer(answerBytes("200 OK", "fine"))},
        {"/302", ScriptedServer::answer("HTTP/1.1 302 Found\r\nLocation: /health\r\nContent-Length: 0\r\n\r\n")},
        {"/204", ScriptedServer::answer("HTTP/1.1 204 No Content\r\n\r\n")},
        {"/503", ScriptedServer::answer(answerBytes("503 Service Unavailable", degraded))},
    });
    QVERIFY(m_server->port() != 0);
}

void TestProber::cleanup()
{
    m_server.reset();
}

std::unique_ptr<Prober> TestProber::make(ProberOptions options)
{
    auto prober = std::make_unique<Prober>(m_clock, m_log, *m_sink, std::move(options));
    prober->setTimings({400ms, 200ms});
    return prober;
}

void TestProber::probesAtOnceThenByInterval()
{
    const auto prober = make();
    prober->start();
    const Instant known = m_clock.now();
    prober->setTarget(target(1, "/health"));
    QVERIFY(!prober->firstRoundOver());
    QTRY_VERIFY(m_sink->of(1).size() >= 6);
    prober->stop();
    const auto results = m_sink->of(1);
    QVERIFY(prober->firstRoundOver());
    QVERIFY2(results[0].started - known < 100ms, "the first probe at once");
    QVERIFY(results[1].started - results[0].started <= 450ms);
    for (std::size_t i = 2; i < results.size(); ++i) {
        const Duration late = results[i].started - results[1].started - static_cast<int>(i - 1) * Duration(400ms);
        QVERIFY2(late > -60ms && late < 60ms, "on the raster, whatever the delays before");
        QVERIFY(results[i].success);
        QCOMPARE(results[i].generation, std::uint64_t(1));
    }
    QCOMPARE(m_sink->stalls(), 0);
}

void TestProber::judgesAnswers()
{
    const auto prober = make();
    prober->setTarget(target(1, "/health"));
    prober->setTarget(target(2, "/503"));
    prober->setTarget(target(3, "/302"));
    prober->setTarget(target(4, "/silent"));
    ProbeTarget nobody{NodeHandle(5), 1, "http://127.0.0.1:" + std::to_string(ScriptedServer::unusedPort()) + "/health", {200}, {}};
    prober->setTarget(nobody);
    prober->start();
    QTRY_VERIFY(prober->firstRoundOver());
    QTRY_COMPARE(m_sink->of(4).size() >= 1, true);
    const ProbeResult fine = m_sink->of(1).front();
    QVERIFY(fine.success && fine.status == 200 && fine.reason.empty());
    QCOMPARE(fine.body.text, std::string("fine"));
    QVERIFY(std::chrono::abs(fine.at - m_clock.wall()) < 5s);
    const ProbeResult degraded = m_sink->of(2).front();
    QVERIFY(!degraded.success && degraded.status == 503);
    QCOMPARE(degraded.reason, std::string("status:503"));
    QCOMPARE(degraded.body.reason, std::string("disk_free_below_5.0g"));
    QCOMPARE(degraded.body.diskFreeGb.value_or(0), 1.2);
    QCOMPARE(m_sink->of(3).front().reason, std::string("status:302"));
    QCOMPARE(m_sink->of(4).front().reason, std::string("timeout"));
    QVERIFY(!m_sink->of(4).front().success);
    QCOMPARE(m_sink->of(5).front().reason, std::string("refused"));
}

void TestProber::takesOtherExpectedStatuses()
{
    const auto prober = make();
    ProbeTarget changed = target(1, "/204");
    prober->setTarget(changed);
    prober->start();
    QTRY_VERIFY(!m_sink->of(1).empty());
    QCOMPARE(m_sink->of(1).front().reason, std::string("status:204"));
    changed.expectedStatuses = {200, 204};
    prober->setTarget(changed);
    QTRY_VERIFY(m_sink->of(1).back().success);
}

void TestProber::neverHasTwoUnderWay()
{
    const auto prober = make();
    prober->setTimings({100ms, 350ms}); // a timeout beyond the interval, which the configuration refuses
    prober->setTarget(target(1, "/silent"));
    prober->start();
    QTRY_VERIFY(m_sink->of(1).size() >= 4);
    prober->probeNow(NodeHandle(1));
    QTRY_VERIFY(m_sink->of(1).size() >= 6);
    prober->stop();
    const auto results = m_sink->of(1);
    for (std::size_t i = 1; i < results.size(); ++i) {
        QVERIFY(results[i].started >= results[i - 1].ended);
    }
}

void TestProber::slowNodesDelayNoOther()
{
    const auto prober = make();
    for (std::uint32_t i = 1; i <= 60; ++i) {
        prober->setTarget(target(i, "/silent"));
    }
    prober->setTarget(target(100, "/health"));
    prober->start();
    QTRY_VERIFY(m_sink->of(100).size() >= 5);
    prober->stop();
    const auto results = m_sink->of(100);
    for (const ProbeResult& result : results) {
        QVERIFY(result.success);
    }
    for (std::size_t i = 2; i < results.size(); ++i) {
        QVERIFY(std::chrono::abs(results[i].started - results[i - 1].started - 400ms) < 100ms);
    }
    for (const ProbeResult& result : m_sink->of(7)) {
        QVERIFY(result.ended - result.started <= 450ms); // verdict within 250 ms of the timeout
    }
}

void TestProber::removedTargetsAreLeftAlone()
{
    const auto prober = make();
    prober->setTarget(target(1, "/health"));
    prober->setTarget(target(2, "/health"));
    prober->start();
    QTRY_VERIFY(m_sink->of(1).size() >= 2);
    prober->removeTarget(NodeHandle(1));
    QVERIFY(!prober->nextProbe(NodeHandle(1)).has_value());
    QVERIFY(prober->nextProbe(NodeHandle(2)).has_value());
    const std::size_t others = m_sink->of(2).size();
    QTRY_VERIFY(m_sink->of(2).size() >= others + 1);
    const std::size_t seen = m_sink->of(1).size();
    QTRY_VERIFY(m_sink->of(2).size() >= others + 4); // three intervals later
    QCOMPARE(m_sink->of(1).size(), seen);
}

void TestProber::newGenerationDropsWhatIsUnderWay()
{
    const auto prober = make();
    prober->setTimings({60s, 30s});
    prober->setTarget(target(1, "/silent", 1));
    prober->start();
    QTRY_COMPARE(m_server->open(), 1);
    prober->setTarget(target(1, "/health", 2));
    QTRY_COMPARE(m_sink->of(1).size(), std::size_t(1));
    QCOMPARE(m_sink->of(1).front().generation, std::uint64_t(2));
    QVERIFY(m_sink->of(1).front().success);
    QTRY_COMPARE(m_server->open(), 0); // the old one's connection is gone
}

void TestProber::probesNow()
{
    const auto prober = make();
    prober->setTimings({3600s, 2s});
    prober->setTarget(target(1, "/health"));
    prober->start();
    QTRY_COMPARE(m_sink->of(1).size(), std::size_t(1));
    const Instant asked = m_clock.now();
    prober->probeNow(NodeHandle(1));
    QTRY_COMPARE(m_sink->of(1).size(), std::size_t(2));
    QVERIFY(m_sink->of(1).back().started >= asked);
    QVERIFY(m_sink->of(1).back().ended - asked < 500ms);
    QVERIFY(prober->nextProbe(NodeHandle(1)).value() > asked);
}

void TestProber::stopsWhileFiftyHang()
{
    const auto prober = make();
    prober->setTimings({60s, 30s});
    for (std::uint32_t i = 0; i < 50; ++i) {
        prober->setTarget(target(i, "/silent"));
    }
    prober->start();
    QTRY_COMPARE(m_server->open(), 50);
    QElapsedTimer real;
    real.start();
    prober->stop();
    QVERIFY(real.elapsed() < 2000);
    QTRY_COMPARE(m_server->open(), 0);
    QCOMPARE(m_sink->count(), std::size_t(0));
    prober->stop(); // harmless
}

void TestProber::startsAgainAfterStop()
{
    const auto prober = make();
    prober->setTarget(target(1, "/health"));
    prober->start();
    prober->start();
    QTRY_VERIFY(!m_sink->of(1).empty());
    prober->stop();
    const std::size_t before = m_sink->count();
    prober->probeNow(NodeHandle(1)); // remembered, not done
    prober->setTarget(target(2, "/health"));
    QVERIFY(!prober->firstRoundOver());
    prober->start();
    QTRY_VERIFY(!m_sink->of(2).empty());
    QTRY_VERIFY(m_sink->count() >= before + 3);
}

void TestProber::shortensTheInterval()
{
    const auto prober = make();
    prober->setTimings({3600s, 2s});
    for (std::uint32_t i = 0; i < 5; ++i) {
        prober->setTarget(target(i, "/health"));
    }
    prober->start();
    QTRY_COMPARE(m_sink->count(), std::size_t(5));
    const Instant changed = m_clock.now();
    prober->setTimings({400ms, 200ms});
    for (std::uint32_t i = 0; i < 5; ++i) {
        QTRY_VERIFY(m_sink->of(i).size() >= 2);
        QVERIFY(m_sink->of(i)[1].started - changed <= 500ms);
    }
}

void TestProber::probesBeforeJudgingAfterASuspension()
{
    std::atomic<int> hours = 0;
    ProberOptions options;
    options.suspendedTime = [&hours] { return Duration(std::chrono::hours(hours)); };
    const auto prober = make(options);
    prober->setTimings({600s, 300s});
    prober->setTarget(target(1, "/health"));
    prober->setTarget(target(2, "/silent"));
    prober->start();
    QTRY_COMPARE(m_sink->of(1).size(), std::size_t(1));
    QTRY_COMPARE(m_server->heads().size(), std::size_t(2));
    hours = 9;
    QTRY_COMPARE(m_sink->of(1).size(), std::size_t(2)); // due at once
    QTRY_COMPARE(m_server->heads().size(), std::size_t(4));
    QTRY_COMPARE(m_server->open(), 1); // what hung over the suspension was dropped, without a verdict
    QVERIFY(m_sink->of(2).empty());
    QCOMPARE(m_sink->stalls(), 0);
}

void TestProber::tellsAStall()
{
    ProberOptions options;
    options.makeTransport = [](Clock&, Log&) { return std::make_unique<DeafTransport>(); };
    const auto prober = make(options);
    prober->setTimings({100ms, 50ms});
    prober->setTarget(target(1, "/health"));
    const Instant begun = m_clock.now();
    prober->start();
    QTRY_COMPARE(m_sink->stalls(), 1);
    QVERIFY(m_clock.now() - begun >= 300ms);
    QCOMPARE(m_sink->count(), std::size_t(0));
}

} // namespace weir::probe::test

QTEST_GUILESS_MAIN(weir::probe::test::TestProber)
#include "TestProber.moc"
