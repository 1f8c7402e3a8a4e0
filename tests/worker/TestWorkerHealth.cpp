// SPDX-License-Identifier: GPL-3.0-or-later
// Checks and the small server, in this process, on real sockets.
#include "app/worker/HealthCheck.h"
#include "app/worker/HealthServer.h"
#include "tests/support/FakeWorker.h"
#include "tests/support/FullBacklog.h"

#include <QElapsedTimer>
#include <QHostAddress>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

using namespace weir::worker;
using weir::test::FakeWorker;
using weir::test::FullBacklog;

namespace {

constexpr int kSoon = 8'000;
constexpr int kManySeconds = 5'000;

Settings quiet()
{
    Settings settings;
    settings.minFreeGb = 0;
    settings.depTimeout = std::chrono::milliseconds(kSoon);
    return settings;
}

Settings withDep(quint16 port, std::chrono::milliseconds timeout = std::chrono::milliseconds(kSoon))
{
    Settings settings = quiet();
    settings.deps = {{"comfyui", "127.0.0.1", port}};
    settings.depTimeout = timeout;
    return settings;
}

// One question, waited for.
Report asked(HealthCheck& check)
{
    std::optional<Report> answer;
    check.ask([&](const Report& report) { answer = report; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, kSoon * 2)) {
        return {0, "no answer", {}, {}};
    }
    return *answer;
}

// A client on the test's own event loop.
class Client {
public:
    Client(quint16 port, const QByteArray& bytes)
    {
        QObject::connect(&m_socket, &QTcpSocket::readyRead, &m_socket, [this] { data += m_socket.readAll(); });
        QObject::connect(&m_socket, &QTcpSocket::disconnected, &m_socket, [this] { closed = true; });
        m_socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
        m_socket.write(bytes);
    }
    void write(const QByteArray& bytes) { m_socket.write(bytes); }
    [[nodiscard]] bool isConnected() const { return m_socket.state() == QTcpSocket::ConnectedState; }
    [[nodiscard]] int status() const { return data.split(' ').value(1).toInt(); }
    [[nodiscard]] QByteArray body() const { return data.mid(data.indexOf("\r\n\r\n") + 4); }

    QByteArray data;
    bool closed = false;

private:
    QTcpSocket m_socket;
};

struct Running {
    explicit Running(const Settings& settings, ServerLimits limits = {})
        : check(settings, clock, log)
        , server(check, limits)
    {
        listening = server.listen({"127.0.0.1", 0});
    }
    [[nodiscard]] quint16 port() const { return static_cast<quint16>(QUrl(QString::fromStdString(server.url())).port()); }

    weir::ManualClock clock;
    weir::NullLog log;
    HealthCheck check;
    HealthServer server;
    bool listening = false;
};

QByteArray get(const QByteArray& path)
{
    return "GET " + path + " HTTP/1.1\r\nHost: w\r\n\r\n";
}

} // namespace

class TestWorkerHealth : public QObject {
    Q_OBJECT

private slots:
    void aListeningDependencyIsUpAndAClosedOneDown();
    void aNameIsTriedAtAllItsAddresses();
    void whoAsksMeanwhileSharesTheCheck();
    void dependenciesAreCachedAndTheDiskIsNot();
    void deadDependenciesAreLookedAtSideBySide();
    void aDiskThatHangsHoldsNobody();
    void readyMeansTwoHundred_data();
    void readyMeansTwoHundred();
    void notReadyYetIsForgottenAfterASecond();
    void aSlowReadyUrlEndsAtTheDeadline();
    void routes_data();
    void routes();
    void badHeads_data();
    void badHeads();
    void aHeadInPieces();
    void aSlowHeadIsCutOff();
    void idleClientsMakeRoom();
    void manyClientsOneCheck();
    void aClientThatLeavesHurtsNobody();
    void closingWaitsForThoseWhoAsked();
};

void TestWorkerHealth::aListeningDependencyIsUpAndAClosedOneDown()
{
    FakeWorker dependency;
    weir::ManualClock clock;
    weir::NullLog log;
    Settings settings = withDep(dependency.port());
    settings.depsCache = std::chrono::milliseconds(0);
    HealthCheck check(settings, clock, log);
    QCOMPARE(asked(check).body, std::string("{\"status\":\"ok\",\"deps\":{\"comfyui\":true}}"));
    dependency.setListening(false);
    QCOMPARE(asked(check).body, std::string("{\"status\":\"degraded\",\"reason\":\"dep_down:comfyui\",\"deps\":{\"comfyui\":false}}"));
    dependency.setListening(true);
    QCOMPARE(asked(check).state, std::string("ok"));
}

void TestWorkerHealth::aNameIsTriedAtAllItsAddresses()
{
    FakeWorker dependency; // on 127.0.0.1 alone, whatever else the name stands for
    weir::ManualClock clock;
    weir::NullLog log;
    Settings settings = quiet();
    settings.deps = {{"named", "localhost", dependency.port()}, {"unknown", "no-such-host.invalid", 80}};
    HealthCheck check(settings, clock, log);
    QCOMPARE(asked(check).body, std::string("{\"status\":\"degraded\",\"reason\":\"dep_down:unknown\",\"deps\":{\"named\":true,\"unknown\":false}}"));
}

void TestWorkerHealth::whoAsksMeanwhileSharesTheCheck()
{
    FakeWorker worker;
    worker.setDelay(100);
    QTcpServer dependency;
    QVERIFY(dependency.listen(QHostAddress::LocalHost));
    int connections = 0;
    connect(&dependency, &QTcpServer::newConnection, this, [&] {
        while (QTcpSocket* socket = dependency.nextPendingConnection()) {
            ++connections;
            socket->setParent(&dependency);
        }
    });
    weir::ManualClock clock;
    weir::NullLog log;
    Settings settings = withDep(dependency.serverPort());
    settings.readyUrl = worker.url().toStdString() + "/ready";
    HealthCheck check(settings, clock, log);
    int answers = 0;
    int ok = 0;
    for (int i = 0; i < 50; ++i) {
        check.ask([&](const Report& report) {
            ++answers;
            ok += report.status == 200 ? 1 : 0;
        });
    }
    QCOMPARE(answers, 0);
    QTRY_COMPARE_WITH_TIMEOUT(answers, 50, kSoon);
    QCOMPARE(ok, 50);
    QCOMPARE(check.checks(), std::size_t{1});
    QCOMPARE(worker.requests(), 1);
    QCOMPARE(connections, 1);
}

void TestWorkerHealth::dependenciesAreCachedAndTheDiskIsNot()
{
    FakeWorker dependency;
    weir::ManualClock clock;
    weir::NullLog log;
    Settings settings = withDep(dependency.port());
    settings.minFreeGb = 5;
    std::atomic<double> freeGb = 24.6;
    HealthCheck check(settings, clock, log, [&] { return FreeGb(freeGb.load()); });
    QCOMPARE(asked(check).status, 200U);
    dependency.setListening(false);
    clock.advance(std::chrono::milliseconds(4'999));
    QCOMPARE(asked(check).status, 200U);
    freeGb = 3.1;
    QCOMPARE(asked(check).reason, std::string("disk_free_below_5.0g"));
    clock.advance(std::chrono::milliseconds(1));
    QCOMPARE(asked(check).reason, std::string("disk_free_below_5.0g;dep_down:comfyui"));
    freeGb = 24.6;
    QCOMPARE(asked(check).reason, std::string("dep_down:comfyui"));
}

void TestWorkerHealth::deadDependenciesAreLookedAtSideBySide()
{
    FullBacklog dead;
    QVERIFY(dead.port() != 0);
    weir::ManualClock clock;
    weir::NullLog log;
    Settings settings = quiet();
    settings.depTimeout = std::chrono::milliseconds(300);
    for (int i = 0; i < 60; ++i) {
        settings.deps.push_back({"d" + std::to_string(i), "127.0.0.1", dead.port()});
    }
    HealthCheck check(settings, clock, log);
    QElapsedTimer timer;
    timer.start();
    const Report answer = asked(check);
    QVERIFY(answer.reason.starts_with("dep_down:d0,d1,d2,") && answer.reason.ends_with(",d59"));
    QVERIFY2(timer.elapsed() >= 290, "a queue that is full refuses nobody");
    QVERIFY2(timer.elapsed() < kManySeconds, "one after the other would take 18 s");
}

void TestWorkerHealth::aDiskThatHangsHoldsNobody()
{
    weir::ManualClock clock;
    weir::NullLog log;
    Settings settings = quiet();
    settings.minFreeGb = 5;
    settings.depTimeout = std::chrono::milliseconds(200);
    std::timed_mutex hanging;
    std::atomic<int> readings = 0;
    hanging.lock();
    HealthCheck check(settings, clock, log, [&]() -> FreeGb {
        ++readings;
        const std::unique_lock lock(hanging, std::chrono::milliseconds(kSoon * 4));
        return lock ? FreeGb(24.6) : std::nullopt;
    });
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(asked(check).body, std::string("{\"status\":\"degraded\",\"reason\":\"disk_unreadable\"}"));
    }
    QCOMPARE(readings.load(), 1); // nobody piles up behind it
    hanging.unlock();
    QTRY_COMPARE_WITH_TIMEOUT(asked(check).body, std::string("{\"status\":\"ok\",\"disk_free_gb\":24.6,\"deps\":{}}"), kSoon);
}

void TestWorkerHealth::readyMeansTwoHundred_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("listening");
    QTest::addColumn<bool>("ready");
    QTest::newRow("200") << 200 << true << true;
    QTest::newRow("204") << 204 << true << false;
    QTest::newRow("302") << 302 << true << false;
    QTest::newRow("503") << 503 << true << false;
    QTest::newRow("nobody there") << 200 << false << false;
}

void TestWorkerHealth::readyMeansTwoHundred()
{
    QFETCH(int, status);
    QFETCH(bool, listening);
    QFETCH(bool, ready);
    FakeWorker worker(status);
    worker.setListening(listening);
    weir::SystemClock clock;
    weir::NullLog log;
    Settings settings = quiet();
    settings.readyUrl = worker.url().toStdString() + "/";
    HealthCheck check(settings, clock, log);
    QCOMPARE(asked(check).body, std::string(ready ? "{\"status\":\"ok\",\"deps\":{}}" : "{\"status\":\"starting\"}"));
}

void TestWorkerHealth::notReadyYetIsForgottenAfterASecond()
{
    FakeWorker worker(503);
    weir::ManualClock clock;
    weir::NullLog log;
    Settings settings = quiet();
    settings.readyUrl = worker.url().toStdString() + "/";
    HealthCheck check(settings, clock, log);
    QCOMPARE(asked(check).state, std::string("starting"));
    worker.answer(200);
    clock.advance(std::chrono::milliseconds(999));
    QCOMPARE(asked(check).state, std::string("starting"));
    QCOMPARE(worker.requests(), 1);
    clock.advance(std::chrono::milliseconds(1));
    QCOMPARE(asked(check).state, std::string("ok"));
    worker.answer(503); // a worker that went away is not ready either, once the cache has run out
    clock.advance(std::chrono::milliseconds(4'999));
    QCOMPARE(asked(check).state, std::string("ok"));
    clock.advance(std::chrono::milliseconds(1));
    QCOMPARE(asked(check).state, std::string("starting"));
}

void TestWorkerHealth::aSlowReadyUrlEndsAtTheDeadline()
{
    FakeWorker worker;
    worker.setSilent(true);
    weir::SystemClock clock;
    weir::NullLog log;
    Settings settings = quiet();
    settings.readyUrl = worker.url().toStdString() + "/";
    settings.depTimeout = std::chrono::milliseconds(200);
    HealthCheck check(settings, clock, log);
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(asked(check).state, std::string("starting"));
    QVERIFY(timer.elapsed() >= 190 && timer.elapsed() < kManySeconds);
}

void TestWorkerHealth::routes_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* name, const QByteArray& request, int status, const char* body) { QTest::newRow(name) << request << status << QByteArray(body); };
    row("health", get("/health"), 200, "{\"status\":\"ok\",\"deps\":{}}");
    row("health with a query", get("/health?verbose=1"), 200, "{\"status\":\"ok\",\"deps\":{}}");
    row("HTTP/1.0", "GET /health HTTP/1.0\r\n\r\n", 200, "{\"status\":\"ok\",\"deps\":{}}");
    row("HEAD", "HEAD /health HTTP/1.1\r\nHost: w\r\n\r\n", 200, "");
    row("livez", get("/livez"), 200, "{\"status\":\"ok\"}");
    row("HEAD livez", "HEAD /livez HTTP/1.1\r\nHost: w\r\n\r\n", 200, "");
    row("elsewhere", get("/healthz"), 404, "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"code\":\"not_found\",\"detail\":\"There is only /health and /livez.\"}");
    row("root", get("/"), 404, "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"code\":\"not_found\",\"detail\":\"There is only /health and /livez.\"}");
    row("POST", "POST /health HTTP/1.1\r\nHost: w\r\nContent-Length: 0\r\n\r\n", 405, nullptr);
    row("POST with a body", "POST /livez HTTP/1.1\r\nHost: w\r\nContent-Length: 6\r\n\r\nabcdef", 405, nullptr);
    row("GET with a body", "GET /health HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 200, "{\"status\":\"ok\",\"deps\":{}}");
    row("OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: w\r\n\r\n", 404, nullptr);
}

void TestWorkerHealth::routes()
{
    QFETCH(QByteArray, request);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    Running running(quiet());
    QVERIFY(running.listening);
    Client client(running.port(), request);
    QTRY_VERIFY_WITH_TIMEOUT(client.closed || client.status() >= 400, kSoon);
    QTRY_COMPARE_WITH_TIMEOUT(client.status(), status, kSoon);
    QVERIFY(client.data.contains("\r\nConnection: close\r\n"));
    if (status == 405) {
        QVERIFY(client.data.contains("\r\nAllow: GET, HEAD\r\n"));
    }
    if (!body.isNull()) {
        QCOMPARE(client.body(), body);
    }
    if (request.startsWith("HEAD")) {
        QVERIFY(!client.data.contains("Content-Length: 0"));
    }
}

void TestWorkerHealth::badHeads_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");
    QTest::newRow("not HTTP") << QByteArray("hello\r\n\r\n") << 400;
    QTest::newRow("TLS") << QByteArray("\x16\x03\x01\x02\x00\x01", 6) << 400;
    QTest::newRow("no host") << QByteArray("GET /health HTTP/1.1\r\n\r\n") << 400;
    QTest::newRow("bare line feeds") << QByteArray("GET /health HTTP/1.1\nHost: w\n\n") << 400;
    QTest::newRow("both lengths") << QByteArray("GET /health HTTP/1.1\r\nHost: w\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n") << 400;
    QTest::newRow("folded") << QByteArray("GET /health HTTP/1.1\r\nHost: w\r\nA: b\r\n c\r\n\r\n") << 400;
    QTest::newRow("broken escape") << QByteArray("GET /%zz HTTP/1.1\r\nHost: w\r\n\r\n") << 400;
    QTest::newRow("too large") << QByteArray("GET /health HTTP/1.1\r\nHost: w\r\nA: ") + QByteArray(9'000, 'a') << 431;
    QTest::newRow("endless line") << QByteArray("GET /") + QByteArray(200'000, 'a') << 431;
}

void TestWorkerHealth::badHeads()
{
    QFETCH(QByteArray, request);
    QFETCH(int, status);
    Running running(quiet());
    Client client(running.port(), request);
    QTRY_COMPARE_WITH_TIMEOUT(client.status(), status, kSoon);
    QVERIFY2(client.data.contains("application/problem+json"), client.data.constData());
    Client next(running.port(), get("/livez"));
    QTRY_COMPARE_WITH_TIMEOUT(next.status(), 200, kSoon);
}

void TestWorkerHealth::aHeadInPieces()
{
    Running running(quiet());
    Client client(running.port(), "\r\nGET /hea");
    QTRY_COMPARE_WITH_TIMEOUT(running.server.connections(), std::size_t{1}, kSoon);
    for (const char* piece : {"lth HTTP/1", ".1\r\nHos", "t: w\r", "\n\r", "\n"}) {
        QVERIFY(client.data.isEmpty());
        client.write(piece);
        QCoreApplication::processEvents();
    }
    QTRY_VERIFY_WITH_TIMEOUT(client.closed, kSoon);
    QCOMPARE(client.status(), 200);
    QTRY_COMPARE_WITH_TIMEOUT(running.server.connections(), std::size_t{0}, kSoon);
}

void TestWorkerHealth::aSlowHeadIsCutOff()
{
    ServerLimits limits;
    limits.head = std::chrono::milliseconds(100);
    Running running(quiet(), limits);
    Client half(running.port(), "GET /health HT");
    Client silent(running.port(), {});
    QTRY_VERIFY_WITH_TIMEOUT(half.closed || half.status() != 0, kSoon);
    QCOMPARE(half.status(), 408);
    QTRY_VERIFY_WITH_TIMEOUT(silent.closed, kSoon);
    QVERIFY(silent.data.isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(running.server.connections(), std::size_t{0}, kSoon);
}

void TestWorkerHealth::idleClientsMakeRoom()
{
    ServerLimits limits;
    limits.connections = 4;
    Running running(quiet(), limits);
    std::vector<std::unique_ptr<Client>> idle;
    for (int i = 0; i < 4; ++i) {
        idle.push_back(std::make_unique<Client>(running.port(), "GET /"));
        QTRY_COMPARE_WITH_TIMEOUT(running.server.connections(), static_cast<std::size_t>(i + 1), kSoon);
    }
    Client prober(running.port(), get("/health"));
    QTRY_COMPARE_WITH_TIMEOUT(prober.status(), 200, kSoon);
    QTRY_VERIFY_WITH_TIMEOUT(idle.front()->closed, kSoon); // the oldest
    QVERIFY(!idle.back()->closed);
}

void TestWorkerHealth::manyClientsOneCheck()
{
    FullBacklog dead;
    Running running(withDep(dead.port(), std::chrono::milliseconds(1'000)));
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 200; ++i) {
        clients.push_back(std::make_unique<Client>(running.port(), get("/health")));
    }
    const auto answered = [&] { return std::count_if(clients.begin(), clients.end(), [](const auto& client) { return client->status() == 503; }); };
    QTRY_COMPARE_WITH_TIMEOUT(answered(), 200, kSoon * 2);
    // Those who came after the first check are answered from what it found.
    QVERIFY2(running.check.checks() < 20, qPrintable(QString::number(running.check.checks())));
    QTRY_COMPARE_WITH_TIMEOUT(running.server.connections(), std::size_t{0}, kSoon);
}

void TestWorkerHealth::aClientThatLeavesHurtsNobody()
{
    FullBacklog dead;
    Running running(withDep(dead.port(), std::chrono::milliseconds(200)));
    {
        Client leaves(running.port(), get("/health"));
        QTRY_COMPARE_WITH_TIMEOUT(running.check.checks(), std::size_t{1}, kSoon);
    }
    Client stays(running.port(), get("/health"));
    QTRY_COMPARE_WITH_TIMEOUT(stays.status(), 503, kSoon);
    QTRY_COMPARE_WITH_TIMEOUT(running.server.connections(), std::size_t{0}, kSoon);
}

void TestWorkerHealth::closingWaitsForThoseWhoAsked()
{
    FullBacklog dead;
    Running running(withDep(dead.port(), std::chrono::milliseconds(200)));
    Client waits(running.port(), get("/health"));
    Client idle(running.port(), {});
    QTRY_COMPARE_WITH_TIMEOUT(running.check.checks(), std::size_t{1}, kSoon);
    QTRY_COMPARE_WITH_TIMEOUT(running.server.connections(), std::size_t{2}, kSoon);
    bool closed = false;
    running.server.close([&] { closed = true; });
    QVERIFY(!closed);
    QTRY_VERIFY_WITH_TIMEOUT(closed, kSoon);
    QTRY_COMPARE_WITH_TIMEOUT(waits.status(), 503, kSoon);
    QTRY_VERIFY_WITH_TIMEOUT(idle.closed && idle.data.isEmpty(), kSoon);
}

QTEST_GUILESS_MAIN(TestWorkerHealth)
#include "TestWorkerHealth.moc"
