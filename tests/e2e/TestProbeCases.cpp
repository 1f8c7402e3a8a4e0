// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of tests/data/fleet-cases.json about probes, each under its own id, with the real prober and real servers.
#include "tests/probe/ScriptedServer.h"
#include "tests/support/FakeWorker.h"
#include "tests/support/Message.h"
#include "tests/support/ServerProcess.h"

#include <QRegularExpression>
#include <QTcpSocket>
#include <QtTest>

using namespace weir::test;
using weir::probe::test::ScriptedServer;

namespace {

constexpr int kSoon = 8000;

qint64 residentKilobytes(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/status").arg(pid));
    static const QRegularExpression line(QStringLiteral("VmRSS:\\s+(\\d+)"));
    return file.open(QIODevice::ReadOnly) ? line.match(QString::fromLatin1(file.readAll())).captured(1).toLongLong() : -1;
}

QByteArray pathless(const ScriptedServer& server)
{
    return "http://127.0.0.1:" + QByteArray::number(server.port());
}

} // namespace

class TestProbeCases : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_server.reset(); }
    void fc092();
    void fc094();
    void fc096();
    void fc100();
    void fc102();
    void fcB07();

private:
    void add(const char* id, const QByteArray& url, const char* path = "")
    {
        QCOMPARE(m_client->post("/admin/mmx-nodes", Message{{"nodeId", id}, {"role", "worker"}, {"url", url}, {"healthPath", path}}.json()).status, 201);
    }
    [[nodiscard]] HttpAnswer row(const char* id) const { return m_client->get(QByteArray("/admin/mmx-nodes/") + id); }

    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<HttpClient> m_client;
};

void TestProbeCases::init()
{
    m_server = std::make_unique<ServerProcess>("{\"health_check\": {\"interval_seconds\": 0.4, \"timeout_seconds\": 0.4}}");
    QVERIFY2(m_server->start(), m_server->err().constData());
    m_client = std::make_unique<HttpClient>(m_server->client());
}

void TestProbeCases::fc092()
{
    FakeWorker worker(204, {});
    add("a", worker.url().toUtf8());
    QTRY_COMPARE_WITH_TIMEOUT(row("a").text("reason"), QStringLiteral("status:204"), kSoon);
    QTRY_VERIFY_WITH_TIMEOUT(row("a").number("consecutiveFailures") >= 2, kSoon);
    QVERIFY(!row("a").flag("inRotation"));
    QCOMPARE(m_client->patch("/admin/mmx-nodes/a", R"({"expectedStatuses": [200, 204]})").status, 200);
    QTRY_VERIFY_WITH_TIMEOUT(row("a").flag("inRotation"), kSoon);
}

// A body without end costs its first 64 KiB; a large one of a bad answer is kept in part and shown without control characters.
void TestProbeCases::fc094()
{
    const auto endless = [](QTcpSocket& socket, const QByteArray&) {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n");
        socket.write(QByteArray(2 * 1024 * 1024, 'x')); // what the prober takes no more of
    };
    ScriptedServer large({{"/health", endless}});
    ScriptedServer bad({{"/health", ScriptedServer::answer("HTTP/1.1 404 Not Found\r\nContent-Length: 40960\r\nConnection: close\r\n\r\n" + QByteArray(40960, '\x01'))}});
    add("a", pathless(large));
    add("b", pathless(bad));
    QTRY_VERIFY_WITH_TIMEOUT(row("a").number("consecutiveSuccesses") >= 3, kSoon);
    QVERIFY(row("a").flag("inRotation"));
    const qint64 before = residentKilobytes(m_server->pid());
    const double successes = row("a").number("consecutiveSuccesses");
    QTRY_VERIFY_WITH_TIMEOUT(row("a").number("consecutiveSuccesses") >= successes + 3, kSoon);
    QVERIFY2(residentKilobytes(m_server->pid()) - before < 5 * 1024, QByteArray::number(residentKilobytes(m_server->pid()) - before).constData());
    QVERIFY(!row("b").flag("inRotation"));
    QCOMPARE(row("b").text("reason"), QStringLiteral("status:404"));
    const QString text = row("b").text("lastProbe.body.text");
    QVERIFY(text.size() <= 200 && !text.contains(QLatin1Char('\x01')));
    const int asked = bad.connections();
    QTRY_VERIFY_WITH_TIMEOUT(bad.connections() > asked, kSoon);
}

void TestProbeCases::fc096()
{
    ScriptedServer silent;
    add("a", pathless(silent));
    QTRY_VERIFY_WITH_TIMEOUT(silent.connections() >= 4, kSoon);
    QCOMPARE(silent.mostOpen(), 1); // never two at once
    QVERIFY(!row("a").flag("inRotation"));
    QCOMPARE(row("a").text("reason"), QStringLiteral("timeout"));
    QCOMPARE(m_client->put("/admin/settings/health-check", R"({"intervalSeconds": 8, "timeoutSeconds": 10})").verdict(), QByteArray("422 timeout_exceeds_interval"));
}

void TestProbeCases::fc100()
{
    ScriptedServer server({{"/health?deep=1&x=a%2Fb", ScriptedServer::answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")}});
    add("a", pathless(server), "/health?deep=1&x=a%2Fb");
    QTRY_VERIFY_WITH_TIMEOUT(!server.heads().empty(), kSoon);
    QVERIFY2(server.heads().front().startsWith("GET /health?deep=1&x=a%2Fb HTTP/1.1\r\n"), server.heads().front().constData());
}

void TestProbeCases::fc102()
{
    ScriptedServer server({{"/health", ScriptedServer::answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")}});
    add("a", pathless(server));
    QTRY_VERIFY_WITH_TIMEOUT(row("a").flag("inRotation"), kSoon);
    const QByteArray head = "\r\n" + server.heads().front().toLower();
    QVERIFY2(head.startsWith("\r\nget /health http/1.1\r\n"), head.constData());
    QVERIFY(head.contains("\r\nhost: 127.0.0.1:" + QByteArray::number(server.port()) + "\r\n"));
    QVERIFY(head.contains("\r\nuser-agent: weir-prober/"));
    QVERIFY(head.contains("\r\naccept: */*\r\n"));
    QVERIFY(head.contains("\r\nconnection: close\r\n"));
    QVERIFY(!head.contains("content-length") && !head.contains("transfer-encoding") && !head.contains("cookie"));
}

void TestProbeCases::fcB07()
{
    FakeWorker worker(503, R"({"status":"degraded","reason":"disk_free_below_5.0g","disk_free_gb":1.2})");
    add("a", worker.url().toUtf8());
    QTRY_VERIFY_WITH_TIMEOUT(row("a").number("consecutiveFailures") >= 2, kSoon);
    QVERIFY(!row("a").flag("inRotation"));
    QCOMPARE(row("a").text("reason"), QStringLiteral("degraded: disk_free_below_5.0g (1.2 GB)"));
    worker.answer(503, "not JSON {");
    QTRY_COMPARE_WITH_TIMEOUT(row("a").text("lastProbe.body.text"), QStringLiteral("not JSON {"), kSoon);
    worker.answer(200, QByteArray(300000, '{'));
    QTRY_VERIFY_WITH_TIMEOUT(row("a").flag("inRotation"), kSoon);
}

QTEST_GUILESS_MAIN(TestProbeCases)
#include "TestProbeCases.moc"
