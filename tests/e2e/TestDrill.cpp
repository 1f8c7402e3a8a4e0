// SPDX-License-Identifier: GPL-3.0-or-later
// The drill of docs/operations.md with real programs: a worker is broken on purpose, and what the log and /gateway-health
// must show is there, in time. Intervals are shorter than in operation; everything else is the same.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"
#include "tests/support/WorkerProcess.h"

#include <QElapsedTimer>
#include <QtTest>

#include <csignal>
#include <memory>

using namespace weir::test;

namespace {

constexpr int kSoon = 10'000;
constexpr double kInterval = 0.5;
// interval x unhealthy_threshold + timeout, and room for a busy machine: the bound itself is proven on simulated time.
constexpr qint64 kOutWithinMs = 1'500 + 6'000;

QByteArray settings(double cooldownSeconds)
{
    return "\"health_check\": {\"interval_seconds\": 0.5, \"timeout_seconds\": 0.5, \"unhealthy_threshold\": 2, \"healthy_threshold\": 1, \"cooldown_seconds\": "
        + QByteArray::number(cooldownSeconds) + "}, \"log\": {\"level\": \"debug\"}";
}

// gpu-1 is asked at the program beside it, gpu-2 at itself.
QByteArray configOf(const FakeWorker& first, const WorkerProcess& beside, const FakeWorker& second, double cooldownSeconds = 60)
{
    return "{" + settings(cooldownSeconds) + ", \"nodes\": [{\"node\": \"gpu-1\", \"role\": \"worker\", \"url\": \"" + first.url().toUtf8() + "\", \"health_url\": \"" + beside.url().toUtf8()
        + "\"}, {\"node\": \"gpu-2\", \"role\": \"worker\", \"url\": \"" + second.url().toUtf8() + "\"}]}";
}

QJsonObject entryOf(const HttpAnswer& health, const QString& url)
{
    for (const QJsonValue& entry : health.items("workers")) {
        if (entry.toObject().value(QStringLiteral("url")).toString() == url) {
            return entry.toObject();
        }
    }
    return {};
}

// The last line of that event about gpu-1.
QByteArray lineOf(ServerProcess& server, const QByteArray& event)
{
    QByteArray found;
    for (const QByteArray& line : server.err().split('\n')) {
        if (line.contains(' ' + event + ' ') && line.contains("node=gpu-1")) {
            found = line;
        }
    }
    return found;
}

} // namespace

class TestDrill : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void fullDisk();
    void stoppedWorker();
    void brokenInUse();
    void emergencySwitchByRequest();
    void emergencySwitchByFile();
    void rollBack();

private:
    [[nodiscard]] HttpAnswer health() const { return m_server->traffic().get("/gateway-health"); }
    [[nodiscard]] bool waitForHealthy(int count) const
    {
        return QTest::qWaitFor([&] { return health().number("workers_healthy") == count; }, kSoon);
    }
    [[nodiscard]] bool waitUntilOut(const QString& reason);
    [[nodiscard]] HttpAnswer fail() const { return m_server->client().post("/v1/outcomes", "{\"nodeId\": \"gpu-1\", \"error\": \"reset\"}"); }

    std::unique_ptr<FakeWorker> m_first;
    std::unique_ptr<FakeWorker> m_second;
    std::unique_ptr<WorkerProcess> m_beside;
    std::unique_ptr<ServerProcess> m_server;
};

// What is deployed before a drill, and what it must look like: one line of the log, and "ok".
void TestDrill::init()
{
    m_first = std::make_unique<FakeWorker>();
    m_second = std::make_unique<FakeWorker>();
    m_beside = std::make_unique<WorkerProcess>(
        "{\"health\": {\"min_free_gb\": 0.01, \"deps_cache_seconds\": 0, \"ready_url\": \"" + m_first->url().toUtf8() + "/health\"}}");
    QVERIFY2(m_beside->start(), m_beside->err().constData());
    m_server = std::make_unique<ServerProcess>(configOf(*m_first, *m_beside, *m_second));
    QVERIFY2(m_server->start(), m_server->err().constData());
    QVERIFY2(waitForHealthy(2), health().body.constData());
    QCOMPARE(health().text("status"), QStringLiteral("ok"));
    QVERIFY2(m_server->waitForLog(" info health_loop_started Probing 2 nodes every 0.5 s, out after 2 failures, back after 1 successes, quarantine 60 s."), m_server->err().constData());
    QVERIFY2(m_server->waitForLog(" info node_online "), m_server->err().constData());
}

void TestDrill::cleanup()
{
    m_server.reset();
    m_beside.reset();
    m_first.reset();
    m_second.reset();
}

bool TestDrill::waitUntilOut(const QString& reason)
{
    return QTest::qWaitFor(
        [&] {
            const HttpAnswer answer = health();
            const QJsonObject entry = entryOf(answer, m_first->url());
            return answer.status == 200 && answer.text("status") == QStringLiteral("degraded") && answer.number("workers_healthy") == 1
                && !entry.value(QStringLiteral("online")).toBool(true) && entry.value(QStringLiteral("reason")).toString() == reason;
        },
        kSoon);
}

void TestDrill::fullDisk()
{
    // Restarted with the variable, as `systemctl edit` would: the worker itself goes on answering that it is fine.
    QCOMPARE(m_beside->terminate(), 0);
    m_beside->setEnvironment({{QStringLiteral("HEALTH_MIN_FREE_GB"), QStringLiteral("999999")}});
    QElapsedTimer timer;
    timer.start();
    QVERIFY2(m_beside->start(), m_beside->err().constData());
    QVERIFY2(waitUntilOut(QStringLiteral("status:503")), health().body.constData());
    QVERIFY2(timer.elapsed() < kOutWithinMs, qPrintable(QString::number(timer.elapsed())));
    const QJsonObject entry = entryOf(health(), m_first->url());
    QVERIFY(entry.value(QStringLiteral("consecutive_failures")).toInt() >= 2);
    QCOMPARE(entry.value(QStringLiteral("quarantine_remaining_seconds")).toDouble(), 0.0); // failed probes quarantine nobody
    QVERIFY2(m_server->waitForLog(" warning node_offline "), m_server->err().constData());
    const QByteArray line = lineOf(*m_server, "node_offline");
    QVERIFY2(line.contains("cause=probe") && line.contains("failures=2"), line.constData());
    // The whole reason is for those with a token.
    QTRY_VERIFY_WITH_TIMEOUT(
        m_server->client().get("/admin/mmx-nodes/gpu-1").text("reason").startsWith(QStringLiteral("degraded: disk_free_below_999999.0g")), kSoon);
    // Nothing is scheduled there meanwhile.
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(m_server->client().post("/v1/schedule", "{\"role\": \"worker\", \"appId\": \"demo\", \"dryRun\": true}").text("nodeId"), QStringLiteral("gpu-2"));
    }
    // Room again.
    QCOMPARE(m_beside->terminate(), 0);
    m_beside->setEnvironment({});
    QVERIFY(m_beside->start());
    QVERIFY(waitForHealthy(2));
    QTRY_VERIFY_WITH_TIMEOUT(m_server->err().lastIndexOf(" node_online ") > m_server->err().lastIndexOf(" node_offline "), kSoon);
    QVERIFY2(lineOf(*m_server, "node_online").contains(" info "), lineOf(*m_server, "node_online").constData());
}

void TestDrill::stoppedWorker()
{
    QElapsedTimer timer;
    timer.start();
    m_first->setListening(false); // the program beside it says so
    QVERIFY2(waitUntilOut(QStringLiteral("status:503")), health().body.constData());
    QVERIFY2(timer.elapsed() < kOutWithinMs, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(m_beside->health().text("status"), QStringLiteral("starting"));
    QCOMPARE(m_beside->terminate(), 0); // the whole machine
    QTRY_COMPARE_WITH_TIMEOUT(entryOf(health(), m_first->url()).value(QStringLiteral("reason")).toString(), QStringLiteral("refused"), kSoon);
    m_first->setListening(true);
    QVERIFY(m_beside->start());
    QVERIFY(waitForHealthy(2));
    // Both gone: down, and 503 for a monitor that looks at the status alone.
    m_first->setListening(false);
    m_second->setListening(false);
    QTRY_COMPARE_WITH_TIMEOUT(health().status, 503, kSoon);
    QCOMPARE(health().text("status"), QStringLiteral("down"));
    QCOMPARE(health().number("workers_healthy"), 0.0);
}

void TestDrill::brokenInUse()
{
    const HttpAnswer answer = fail();
    QCOMPARE(answer.text("verdict"), QStringLiteral("ejected"));
    QVERIFY2(waitUntilOut(QStringLiteral("quarantined")), health().body.constData());
    const double remaining = entryOf(health(), m_first->url()).value(QStringLiteral("quarantine_remaining_seconds")).toDouble();
    QVERIFY2(remaining > 40 && remaining <= 60, qPrintable(QString::number(remaining)));
    QVERIFY2(m_server->waitForLog("cause=passive"), m_server->err().constData());
    const QByteArray line = lineOf(*m_server, "node_offline");
    QVERIFY2(line.contains(" warning ") && line.contains("outcome=reset") && line.contains("quarantine_seconds=60"), line.constData());
    // Probes go on and succeed, and do not bring it back; the log says so at debug.
    QVERIFY2(m_server->waitForLog(" debug probe_held "), m_server->err().constData());
    QVERIFY(lineOf(*m_server, "probe_held").contains("quarantine_remaining_seconds="));
    QCOMPARE(health().number("workers_healthy"), 1.0);
}

void TestDrill::emergencySwitchByRequest()
{
    QCOMPARE(fail().text("verdict"), QStringLiteral("ejected"));
    QVERIFY(waitUntilOut(QStringLiteral("quarantined")));
    QCOMPARE(m_server->client().put("/admin/settings/health-check", "{\"cooldownSeconds\": 0}").status, 200);
    QVERIFY2(waitForHealthy(2), health().body.constData());
    // From now on as before there was quarantine: out at once, back with the next good probe.
    QCOMPARE(fail().number("quarantineRemainingSeconds"), 0.0);
    QVERIFY(waitForHealthy(2));
}

void TestDrill::emergencySwitchByFile()
{
    QCOMPARE(fail().text("verdict"), QStringLiteral("ejected"));
    QVERIFY(waitUntilOut(QStringLiteral("quarantined")));
    // A file that is wrong changes nothing and says so.
    m_server->writeConfig("{\"health_check\": {\"cooldown_second\": 0}}");
    m_server->signal(SIGHUP);
    QVERIFY2(m_server->waitForLog("config_rejected"), m_server->err().constData());
    QVERIFY2(m_server->err().contains("did you mean \"cooldown_seconds\"?"), m_server->err().constData());
    QCOMPARE(health().number("workers_healthy"), 1.0);
    m_server->writeConfig(configOf(*m_first, *m_beside, *m_second, 0));
    m_server->signal(SIGHUP);
    QVERIFY2(m_server->waitForLog("config_loaded"), m_server->err().constData());
    QVERIFY2(waitForHealthy(2), health().body.constData());
}

// Back to the file from before: the nodes and their settings are those again, and nothing that was acknowledged is lost.
void TestDrill::rollBack()
{
    const QByteArray before = configOf(*m_first, *m_beside, *m_second);
    QCOMPARE(m_server->client().put("/admin/mmx-nodes/gpu-2/draining", "{\"draining\": true, \"reason\": \"drill\"}").status, 200);
    QByteArray after = before;
    after.replace("\"interval_seconds\": 0.5", "\"interval_seconds\": 0.6");
    m_server->writeConfig(after);
    QCOMPARE(m_server->terminate(), 0);
    QVERIFY2(m_server->start(), m_server->err().constData());
    QVERIFY(waitForHealthy(2));
    QCOMPARE(m_server->client().get("/admin/settings/health-check").number("intervalSeconds"), 0.6);
    m_server->writeConfig(before);
    QCOMPARE(m_server->terminate(), 0);
    QVERIFY2(m_server->start(), m_server->err().constData());
    QVERIFY(waitForHealthy(2));
    QCOMPARE(m_server->client().get("/admin/settings/health-check").number("intervalSeconds"), kInterval);
    QVERIFY(m_server->client().get("/admin/mmx-nodes/gpu-2").flag("draining"));
}

QTEST_GUILESS_MAIN(TestDrill)
#include "TestDrill.moc"
