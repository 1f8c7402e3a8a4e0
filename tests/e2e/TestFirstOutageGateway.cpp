// SPDX-License-Identifier: GPL-3.0-or-later
// The outage that began all this, through the embedded gateway: real requests go to two workers, and the one that is asked
// first has a full disk. tests/sim plays its sixteen hours.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"
#include "tests/support/WorkerProcess.h"

#include <QElapsedTimer>
#include <QtTest>

#include <memory>

using namespace weir::test;

namespace {

constexpr int kSoon = 10000;
constexpr auto kFine = "{\"code\": 0}";
constexpr auto kDiskFull = "{\"code\": 50007, \"message\": \"no space left on device\"}";

} // namespace

class TestFirstOutageGateway : public QObject {
    Q_OBJECT

private slots:
    void cleanup();
    void asItWas();
    void quarantineHoldsIt();
    void deepHealthKeepsItOut();
    void aRuleSeesWhatHidesInA200();
    void allTogether();

private:
    /// Workers, weir-worker beside the first, and the server; ready when both workers serve.
    void start(double cooldownSeconds, const QByteArray& more = {});
    void setDisk(bool full, bool deep);
    [[nodiscard]] HttpAnswer node() const { return m_server->client().get("/admin/mmx-nodes/gpu-1"); }
    [[nodiscard]] HttpAnswer request() const { return m_server->traffic().post("/v1/images", "{\"prompt\": \"weir\"}"); }
    /// Requests until one has taken the worker out; how many callers got its errors.
    [[nodiscard]] int requestsUntilOut(int most) const;

    std::unique_ptr<FakeWorker> m_broken;
    std::unique_ptr<FakeWorker> m_other;
    std::unique_ptr<WorkerProcess> m_beside;
    std::unique_ptr<ServerProcess> m_server;
};

void TestFirstOutageGateway::start(double cooldownSeconds, const QByteArray& more)
{
    m_broken = std::make_unique<FakeWorker>(200, kFine);
    m_other = std::make_unique<FakeWorker>(200, kFine);
    // Shallow: it asks whether the worker is there, and not for its disk.
    m_beside = std::make_unique<WorkerProcess>("{\"health\": {\"min_free_gb\": 0, \"deps_cache_seconds\": 0, \"ready_url\": \"" + m_broken->url().toUtf8() + "/health\"}}");
    QVERIFY2(m_beside->start(), m_beside->err().constData());
    m_server = std::make_unique<ServerProcess>("{\"health_check\": {\"interval_seconds\": 0.3, \"timeout_seconds\": 0.3, \"cooldown_seconds\": " + QByteArray::number(cooldownSeconds) + "}, " + more
        + "\"nodes\": [{\"node\": \"gpu-1\", \"role\": \"worker\", \"url\": \"" + m_broken->url().toUtf8() + "\", \"health_url\": \"" + m_beside->url().toUtf8()
        + "\"}, {\"node\": \"gpu-2\", \"role\": \"worker\", \"url\": \"" + m_other->url().toUtf8() + "\"}]}");
    QVERIFY2(m_server->start(), m_server->err().constData());
    QTRY_COMPARE_WITH_TIMEOUT(m_server->traffic().get("/gateway-health").number("workers_healthy"), 2.0, kSoon);
    QCOMPARE(request().body, QByteArray(kFine));
}

void TestFirstOutageGateway::cleanup()
{
    m_server.reset();
    m_beside.reset();
    m_broken.reset();
    m_other.reset();
}

void TestFirstOutageGateway::setDisk(bool full, bool deep)
{
    m_broken->answer(200, full ? kDiskFull : kFine);
    QCOMPARE(m_beside->terminate(), 0);
    m_beside->setEnvironment(full && deep ? WorkerProcess::Environment{{QStringLiteral("HEALTH_MIN_FREE_GB"), QStringLiteral("999999")}} : WorkerProcess::Environment());
    QVERIFY2(m_beside->start(), m_beside->err().constData());
}

int TestFirstOutageGateway::requestsUntilOut(int most) const
{
    int spoiled = 0;
    for (int i = 0; i < most && node().flag("inRotation"); ++i) {
        const HttpAnswer answer = request();
        spoiled += answer.status >= 500 || answer.body == kDiskFull ? 1 : 0;
    }
    return spoiled;
}

void TestFirstOutageGateway::asItWas()
{
    start(0);
    m_broken->answer(200, kDiskFull);
    // Errors inside a 200: the callers have them, nobody else.
    for (int i = 0; i < 20; ++i) {
        const HttpAnswer answer = request();
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.body, QByteArray(kDiskFull));
    }
    QVERIFY(node().flag("inRotation"));
    // Now and then one shows; out, and with the next green probe back again, time after time.
    for (int round = 0; round < 3; ++round) {
        m_broken->answer(500, kDiskFull);
        QVERIFY2(requestsUntilOut(50) >= 1, node().body.constData());
        QCOMPARE(node().number("quarantineRemainingSeconds"), 0.0);
        m_broken->answer(200, kDiskFull);
        QTRY_VERIFY_WITH_TIMEOUT(node().flag("inRotation"), kSoon);
        QCOMPARE(request().body, QByteArray(kDiskFull));
    }
}

void TestFirstOutageGateway::quarantineHoldsIt()
{
    start(2);
    for (int round = 0; round < 2; ++round) {
        m_broken->answer(500, kDiskFull);
        QElapsedTimer out;
        out.start();
        QVERIFY(requestsUntilOut(50) >= 1);
        m_broken->answer(200, kDiskFull);
        const int before = m_broken->requests();
        int served = 0;
        // Probes succeed meanwhile, and requests go to the other one.
        QTRY_VERIFY_WITH_TIMEOUT((served += request().body == kFine ? 1 : 0, node().flag("inRotation")), kSoon);
        QVERIFY2(out.elapsed() >= 1990, qPrintable(QString::number(out.elapsed())));
        QVERIFY(served > 0);
        QVERIFY2(m_broken->requests() > before, "it was probed in quarantine");
    }
}

void TestFirstOutageGateway::deepHealthKeepsItOut()
{
    start(0);
    setDisk(true, true);
    QTRY_VERIFY_WITH_TIMEOUT(!node().flag("inRotation"), kSoon);
    QTRY_VERIFY_WITH_TIMEOUT(node().text("reason").startsWith(QStringLiteral("degraded: disk_free_below_999999.0g")), kSoon);
    QElapsedTimer timer;
    timer.start();
    int requests = 0;
    while (timer.elapsed() < 1500) { // five probes
        QCOMPARE(request().body, QByteArray(kFine));
        ++requests;
    }
    QVERIFY(requests > 0);
    QVERIFY(!node().flag("inRotation"));
    setDisk(false, true);
    QTRY_VERIFY_WITH_TIMEOUT(node().flag("inRotation"), kSoon);
    QCOMPARE(request().body, QByteArray(kFine));
}

void TestFirstOutageGateway::aRuleSeesWhatHidesInA200()
{
    start(2, "\"outcome_rules\": [{\"name\": \"disk-full\", \"when\": \"res_code_in(\\\"200|400\\\") && res_json_in(\\\"code\\\", \\\"50007|50013\\\")\", \"after\": 3}], ");
    m_broken->answer(200, kDiskFull);
    QCOMPARE(requestsUntilOut(50), 3);
    QCOMPARE(node().text("cause"), QStringLiteral("passive"));
    QVERIFY2(node().text("reason").contains(QStringLiteral("rule:disk-full")), node().body.constData());
    QCOMPARE(node().number("traffic.semantic"), 3.0);
    QCOMPARE(request().body, QByteArray(kFine));
    // A clean answer starts the count again.
    QTRY_VERIFY_WITH_TIMEOUT(node().flag("inRotation"), kSoon);
    QCOMPARE(request().body, QByteArray(kDiskFull));
    QCOMPARE(request().body, QByteArray(kDiskFull));
    m_broken->answer(200, kFine);
    QCOMPARE(request().body, QByteArray(kFine));
    m_broken->answer(200, kDiskFull);
    QCOMPARE(request().body, QByteArray(kDiskFull));
    QVERIFY(node().flag("inRotation"));
    QCOMPARE(requestsUntilOut(50), 2);
}

void TestFirstOutageGateway::allTogether()
{
    start(2, "\"outcome_rules\": [{\"name\": \"disk-full\", \"when\": \"res_json_in(\\\"code\\\", \\\"50007\\\")\", \"after\": 3}], ");
    setDisk(true, true);
    // Three bad answers or two failed probes, whichever comes first.
    QTRY_VERIFY_WITH_TIMEOUT((static_cast<void>(request()), !node().flag("inRotation")), kSoon);
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 3000) { // over the end of the quarantine
        QCOMPARE(request().body, QByteArray(kFine));
    }
    QVERIFY(!node().flag("inRotation"));
    setDisk(false, true);
    QTRY_VERIFY_WITH_TIMEOUT(node().flag("inRotation"), kSoon);
    QCOMPARE(request().body, QByteArray(kFine));
}

QTEST_GUILESS_MAIN(TestFirstOutageGateway)
#include "TestFirstOutageGateway.moc"
