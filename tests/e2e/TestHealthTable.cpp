// SPDX-License-Identifier: GPL-3.0-or-later
// The table of health.md, seen from outside: real servers, a real prober, the HTTP interface.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>
#include <QtTest>

#include <thread>

using namespace weir::test;

namespace {

constexpr int kSoon = 8'000;

QByteArray nodeEntry(const QByteArray& id, const QString& url)
{
    return "{\"node\": \"" + id + "\", \"role\": \"worker\", \"url\": \"" + url.toUtf8() + "\"}";
}

QByteArray configOf(const QByteArray& health, const QByteArray& nodes)
{
    return "{\"health_check\": {" + health + "}, \"nodes\": [" + nodes + "]}";
}

constexpr auto kQuick = "\"interval_seconds\": 0.2, \"timeout_seconds\": 0.2";

QString freePort()
{
    QTcpServer server;
    return server.listen(QHostAddress(QHostAddress::LocalHost)) ? QString::number(server.serverPort()) : QString();
}

void writeFile(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        file.write(content);
    }
}

HttpAnswer node(const ServerProcess& server, const QByteArray& id)
{
    return server.client().get("/admin/mmx-nodes/" + id);
}

HttpAnswer outcome(const ServerProcess& server, const QByteArray& id, int status)
{
    return server.client().post("/v1/outcomes", "{\"nodeId\": \"" + id + "\", \"status\": " + QByteArray::number(status) + "}");
}

} // namespace

class TestHealthTable : public QObject {
    Q_OBJECT

private slots:
    void realServersAsWorkers();
    void thresholdsInARow();
    void whatIsNoSuccess_data();
    void whatIsNoSuccess();
    void aPassiveFailureQuarantinesForSixtySecondsWhenNothingIsSaid();
    void zeroSwitchesQuarantineOff();
    void onlyTheFirstSuccessAfterTheDeadlineBringsANodeBack();
    void lateFailuresDoNotLengthenAQuarantine();
    void reviveNeedsAReasonAndAProbe();
    void probeNow();
    void probeOfARemovedNodeIsAnswered();
    void theEmergencySwitch();
    void badSettingsAreRefused_data();
    void badSettingsAreRefused();
    void settingsSurviveARestartAndWinOverTheFile();
    void restartDropsAQuarantine();

private:
    ServerProcess m_server; // for the rows of badSettingsAreRefused
};

void TestHealthTable::realServersAsWorkers()
{
    QTemporaryDir dir;
    FakeWorker broken(503, R"({"status":"degraded","reason":"dep_down:comfyui","deps":{"comfyui":false}})");
    QByteArray nodes = nodeEntry("broken", broken.url());
    QProcess nginx;
    QProcess python;
    const bool hasNginx = QFileInfo::exists(QStringLiteral("/usr/sbin/nginx"));
    const QString python3 = QStandardPaths::findExecutable(QStringLiteral("python3"));
    if (hasNginx) {
        const QString port = freePort();
        writeFile(dir.filePath(QStringLiteral("nginx.conf")), QStringLiteral("daemon off; master_process off; pid %1/nginx.pid; error_log %1/error.log; events {} http { access_log off; "
                                                                          "client_body_temp_path %1/b; proxy_temp_path %1/p; fastcgi_temp_path %1/f; uwsgi_temp_path %1/u; scgi_temp_path %1/s; "
                                                                          "server { listen 127.0.0.1:%2; location = /health { return 200 ok; } } }")
                                                             .arg(dir.path(), port)
                                                             .toUtf8());
        nginx.start(QStringLiteral("/usr/sbin/nginx"), {QStringLiteral("-p"), dir.path(), QStringLiteral("-c"), dir.filePath(QStringLiteral("nginx.conf"))});
        QVERIFY(nginx.waitForStarted());
        nodes += "," + nodeEntry("nginx", QStringLiteral("http://127.0.0.1:") + port);
    }
    if (!python3.isEmpty()) {
        const QString port = freePort();
        writeFile(dir.filePath(QStringLiteral("health")), "fine");
        python.setWorkingDirectory(dir.path());
        python.start(python3, {QStringLiteral("-m"), QStringLiteral("http.server"), port, QStringLiteral("--bind"), QStringLiteral("127.0.0.1")});
        QVERIFY(python.waitForStarted());
        nodes += "," + nodeEntry("python", QStringLiteral("http://127.0.0.1:") + port);
    }
    ServerProcess server(configOf("\"interval_seconds\": 0.4, \"timeout_seconds\": 0.4", nodes));
    QVERIFY2(server.start(), server.err().constData());
    if (hasNginx) {
        QTRY_VERIFY_WITH_TIMEOUT(node(server, "nginx").flag("inRotation"), kSoon);
        QCOMPARE(node(server, "nginx").number("lastProbe.status"), 200.0);
    }
    if (!python3.isEmpty()) {
        QTRY_VERIFY_WITH_TIMEOUT(node(server, "python").flag("inRotation"), kSoon);
        QVERIFY(QFile::remove(dir.filePath(QStringLiteral("health"))));
        QTRY_VERIFY_WITH_TIMEOUT(!node(server, "python").flag("inRotation"), kSoon);
        QCOMPARE(node(server, "python").text("reason"), QStringLiteral("status:404"));
        writeFile(dir.filePath(QStringLiteral("health")), "fine again");
        QTRY_VERIFY_WITH_TIMEOUT(node(server, "python").flag("inRotation"), kSoon);
    }
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "broken").at("lastProbe").isObject(), kSoon);
    const HttpAnswer row = node(server, "broken");
    QVERIFY(!row.flag("inRotation"));
    QCOMPARE(row.text("health"), QStringLiteral("unhealthy"));
    QVERIFY2(row.text("reason").contains(QStringLiteral("degraded: dep_down:comfyui")), row.body.constData());
    QVERIFY(!row.flag("lastProbe.body.deps.comfyui") && row.at("lastProbe.body.deps.comfyui").isBool());
    // Bodies are for superadmins: the open answer has a short code only.
    const HttpAnswer open = server.traffic().get("/gateway-health");
    QVERIFY(!open.body.contains("comfyui"));
    QCOMPARE(open.text("status"), hasNginx || !python3.isEmpty() ? QStringLiteral("degraded") : QStringLiteral("down"));
    broken.answer(200);
    QTRY_COMPARE_WITH_TIMEOUT(server.traffic().get("/gateway-health").text("status"), QStringLiteral("ok"), kSoon);
    for (QProcess* process : {&nginx, &python}) {
        if (process->state() != QProcess::NotRunning) {
            process->terminate();
            QVERIFY(process->waitForFinished(kSoon));
        }
    }
}

// Failures and successes are counted by probe, so that the fake worker's requests say when a change is due.
void TestHealthTable::thresholdsInARow()
{
    FakeWorker worker;
    ServerProcess server(configOf("\"interval_seconds\": 0.3, \"timeout_seconds\": 0.3, \"unhealthy_threshold\": 3, \"healthy_threshold\": 2", nodeEntry("a", worker.url())));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").at("lastProbe").isObject(), kSoon);
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
    QVERIFY(worker.requests() >= 2);
    QVERIFY(node(server, "a").number("consecutiveSuccesses") >= 2);
    worker.answer(503);
    HttpAnswer row;
    double before = 0;
    // In rotation as long as there are fewer than three failures, out with the third.
    const auto out = [&] {
        row = node(server, "a");
        before = row.flag("inRotation") ? std::max(before, row.number("consecutiveFailures")) : before;
        return !row.flag("inRotation");
    };
    QTRY_VERIFY_WITH_TIMEOUT(out(), kSoon);
    QVERIFY(before < 3);
    QVERIFY(row.number("consecutiveFailures") >= 3);
    QCOMPARE(row.number("consecutiveSuccesses"), 0.0);
    QCOMPARE(row.text("cause"), QStringLiteral("probe"));
    QCOMPARE(row.number("quarantineRemainingSeconds"), 0.0); // probes quarantine nobody
    worker.answer(200);
    double outWith = 0;
    const auto in = [&] {
        row = node(server, "a");
        outWith = row.flag("inRotation") ? outWith : std::max(outWith, row.number("consecutiveSuccesses"));
        return row.flag("inRotation");
    };
    QTRY_VERIFY_WITH_TIMEOUT(in(), kSoon);
    QVERIFY(outWith < 2);
    QVERIFY(row.number("consecutiveSuccesses") >= 2);
}

void TestHealthTable::whatIsNoSuccess_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("header");
    QTest::newRow("moved") << 301 << QByteArray("Location: /other\r\n");
    QTest::newRow("found") << 302 << QByteArray("Location: /health\r\n");
    QTest::newRow("teapot") << 418 << QByteArray();
    QTest::newRow("no content") << 204 << QByteArray();
    QTest::newRow("unavailable") << 503 << QByteArray();
}

void TestHealthTable::whatIsNoSuccess()
{
    QFETCH(int, status);
    QFETCH(QByteArray, header);
    FakeWorker worker;
    ServerProcess server(configOf(kQuick, nodeEntry("a", worker.url())));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
    worker.answer(status, {}, header);
    QTRY_VERIFY_WITH_TIMEOUT(!node(server, "a").flag("inRotation"), kSoon);
    QCOMPARE(node(server, "a").text("lastProbe.reason"), QStringLiteral("status:%1").arg(status));
    // A redirect is not followed: every request was counted by a probe, none came for the other path.
    worker.answer(200);
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
}

void TestHealthTable::aPassiveFailureQuarantinesForSixtySecondsWhenNothingIsSaid()
{
    FakeWorker worker;
    ServerProcess server(configOf(kQuick, nodeEntry("a", worker.url())));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
    for (const int harmless : {200, 400, 404, 413, 429}) {
        QCOMPARE(outcome(server, "a", harmless).text("verdict"), QStringLiteral("ok"));
    }
    const double successes = node(server, "a").number("consecutiveSuccesses");
    const HttpAnswer answer = outcome(server, "a", 500);
    QCOMPARE(answer.text("verdict"), QStringLiteral("ejected"));
    QVERIFY(!answer.flag("inRotation"));
    const double left = answer.number("quarantineRemainingSeconds");
    QVERIFY2(left > 59 && left <= 60, answer.body.constData());
    const HttpAnswer row = node(server, "a");
    QVERIFY(row.number("quarantineRemainingSeconds") > 50 && row.number("quarantineRemainingSeconds") <= 60);
    QCOMPARE(row.text("cause"), QStringLiteral("passive"));
    QCOMPARE(row.text("state"), QStringLiteral("quarantined"));
    QVERIFY(row.number("consecutiveSuccesses") >= successes); // left as they are
    QCOMPARE(server.client().post("/v1/schedule", R"({"role": "worker", "appId": "x"})").verdict(), QByteArray("503 no_candidate"));
    QCOMPARE(outcome(server, "nobody", 500).verdict(), QByteArray("404 unknown_node"));
    QCOMPARE(server.client().post("/v1/outcomes", R"({"nodeId": "a"})").verdict(), QByteArray("422 missing_field"));
}

void TestHealthTable::zeroSwitchesQuarantineOff()
{
    FakeWorker worker;
    ServerProcess server(configOf(QByteArray(kQuick) + ", \"cooldown_seconds\": 0", nodeEntry("a", worker.url())));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
    const HttpAnswer answer = outcome(server, "a", 502);
    QCOMPARE(answer.text("verdict"), QStringLiteral("ejected"));
    QVERIFY(!answer.flag("inRotation"));
    QCOMPARE(answer.number("quarantineRemainingSeconds"), 0.0);
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
}

void TestHealthTable::onlyTheFirstSuccessAfterTheDeadlineBringsANodeBack()
{
    FakeWorker worker;
    ServerProcess server(configOf(QByteArray(kQuick) + ", \"cooldown_seconds\": 1.5", nodeEntry("a", worker.url())));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
    QElapsedTimer since;
    since.start();
    QCOMPARE(outcome(server, "a", 500).text("verdict"), QStringLiteral("ejected"));
    const int before = worker.requests();
    qint64 backAfter = 0;
    int heldProbes = 0;
    const auto back = [&] {
        const HttpAnswer row = node(server, "a");
        if (!row.flag("inRotation")) {
            heldProbes = row.flag("lastProbe.success") && row.flag("lastProbe.held") ? worker.requests() - before : heldProbes;
            return false;
        }
        backAfter = since.elapsed();
        return true;
    };
    QTRY_VERIFY_WITH_TIMEOUT(back(), kSoon);
    QVERIFY2(backAfter >= 1'500, qPrintable(QString::number(backAfter)));
    QVERIFY2(heldProbes >= 2, qPrintable(QString::number(heldProbes))); // it was asked, and answered well, all the time
}

void TestHealthTable::lateFailuresDoNotLengthenAQuarantine()
{
    FakeWorker worker;
    ServerProcess server(configOf(QByteArray(kQuick) + ", \"cooldown_seconds\": 30", nodeEntry("a", worker.url())));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
    const double first = outcome(server, "a", 500).number("quarantineRemainingSeconds");
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").number("quarantineRemainingSeconds") < first - 0.3, kSoon);
    const HttpAnswer late = outcome(server, "a", 500);
    QCOMPARE(late.text("verdict"), QStringLiteral("ignored"));
    QVERIFY(late.number("quarantineRemainingSeconds") < first - 0.3);
}

void TestHealthTable::reviveNeedsAReasonAndAProbe()
{
    FakeWorker worker;
    ServerProcess server(configOf(kQuick, nodeEntry("a", worker.url())));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
    worker.answer(503);
    QCOMPARE(outcome(server, "a", 500).text("verdict"), QStringLiteral("ejected"));
    const HttpClient client = server.client();
    QCOMPARE(client.post("/admin/mmx-nodes/a:revive", "{}").verdict(), QByteArray("422 missing_field"));
    QCOMPARE(client.post("/admin/mmx-nodes/a:revive", R"({"reason": ""})").verdict(), QByteArray("422 missing_field"));
    QVERIFY(node(server, "a").number("quarantineRemainingSeconds") > 0);
    QCOMPARE(client.post("/admin/mmx-nodes/b:revive", R"({"reason": "x"})").verdict(), QByteArray("404 unknown_node"));
    QCOMPARE(client.post("/admin/mmx-nodes/a:revive", R"({"reason": "disk replaced"})").status, 200);
    QCOMPARE(node(server, "a").number("quarantineRemainingSeconds"), 0.0);
    const int before = worker.requests();
    QTRY_VERIFY_WITH_TIMEOUT(worker.requests() >= before + 2, kSoon);
    QVERIFY(!node(server, "a").flag("inRotation")); // its probes fail: reviving is no success
    worker.answer(200);
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
}

void TestHealthTable::probeNow()
{
    FakeWorker worker;
    FakeWorker silent;
    ServerProcess server(configOf("\"interval_seconds\": 600, \"timeout_seconds\": 1", nodeEntry("a", worker.url()) + "," + nodeEntry("silent", silent.url())));
    silent.setSilent(true);
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation") && node(server, "silent").at("lastProbe").isObject(), kSoon);
    const int before = worker.requests();
    const HttpAnswer good = server.client().send("POST", "/admin/mmx-nodes/a:probe");
    QCOMPARE(good.status, 200);
    QVERIFY(good.flag("success"));
    QCOMPARE(good.number("status"), 200.0);
    QVERIFY(good.number("durationSeconds") >= 0);
    QCOMPARE(worker.requests(), before + 1);
    worker.answer(503, R"({"status":"starting"})");
    const HttpAnswer bad = server.client().send("POST", "/admin/mmx-nodes/a:probe");
    QCOMPARE(bad.status, 200);
    QVERIFY(!bad.flag("success"));
    QCOMPARE(bad.text("reason"), QStringLiteral("status:503"));
    worker.setListening(false);
    QCOMPARE(server.client().send("POST", "/admin/mmx-nodes/a:probe").text("reason"), QStringLiteral("refused"));
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(server.client().send("POST", "/admin/mmx-nodes/silent:probe").verdict(), QByteArray("504 probe_timeout"));
    QVERIFY(clock.elapsed() >= 900);
    QCOMPARE(server.client().send("POST", "/admin/mmx-nodes/nobody:probe").verdict(), QByteArray("404 unknown_node"));
    QCOMPARE(server.client().post("/admin/mmx-nodes", R"({"nodeId": "own", "role": "origin"})").status, 201);
    QCOMPARE(server.client().send("POST", "/admin/mmx-nodes/own:probe").verdict(), QByteArray("409 no_health_address"));
}

void TestHealthTable::probeOfARemovedNodeIsAnswered()
{
    FakeWorker silent;
    silent.setSilent(true);
    ServerProcess server(configOf("\"interval_seconds\": 600, \"timeout_seconds\": 60", nodeEntry("a", silent.url())));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_COMPARE_WITH_TIMEOUT(silent.requests(), 1, kSoon);
    HttpAnswer answer;
    std::thread caller([&answer, client = server.client()] { answer = client.send("POST", "/admin/mmx-nodes/a:probe"); });
    // Whether the call is in already cannot be seen from outside; either way it must end, and with 404.
    const int drained = server.client().put("/admin/mmx-nodes/a/draining", R"({"draining": true})").status;
    const int removed = server.client().remove("/admin/mmx-nodes/a").status;
    caller.join();
    QCOMPARE(drained, 200);
    QCOMPARE(removed, 204);
    QCOMPARE(answer.verdict(), QByteArray("404 unknown_node"));
}

void TestHealthTable::theEmergencySwitch()
{
    FakeWorker worker;
    ServerProcess server(configOf(kQuick, nodeEntry("a", worker.url())));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
    QVERIFY(outcome(server, "a", 500).number("quarantineRemainingSeconds") > 59);
    const HttpAnswer answer = server.client().put("/admin/settings/health-check", R"({"cooldownSeconds": 0})");
    QCOMPARE(answer.status, 200);
    QVERIFY2(answer.body.contains("\"cooldownSeconds\":0,"), answer.body.constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
    QCOMPARE(outcome(server, "a", 500).number("quarantineRemainingSeconds"), 0.0);
}

void TestHealthTable::badSettingsAreRefused_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* name, const QByteArray& body, const char* field) { QTest::newRow(name) << body << QString::fromLatin1(field); };
    row("negative", R"({"intervalSeconds": -1})", "intervalSeconds");
    row("zero interval", R"({"intervalSeconds": 0})", "intervalSeconds");
    row("text", R"({"cooldownSeconds": "60"})", "cooldownSeconds");
    row("null", R"({"cooldownSeconds": null})", "cooldownSeconds");
    row("unknown", R"({"cooldown": 60})", "cooldown");
    row("snake case", R"({"cooldown_seconds": 60})", "cooldown_seconds");
    row("fraction of a probe", R"({"unhealthyThreshold": 1.5})", "unhealthyThreshold");
    row("zero threshold", R"({"healthyThreshold": 0})", "healthyThreshold");
    row("timeout over interval", R"({"intervalSeconds": 1, "timeoutSeconds": 2})", "timeoutSeconds");
    row("redirect expected", R"({"expectedStatuses": [302]})", "expectedStatuses");
    row("no status", R"({"expectedStatuses": []})", "expectedStatuses");
    row("path without slash", R"({"path": "health"})", "path");
    row("percent over 100", R"({"maxEjectionPercent": 101})", "maxEjectionPercent");
}

void TestHealthTable::badSettingsAreRefused()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, field);
    static ServerProcess server;
    if (m_server.adminUrl().isEmpty()) {
        QVERIFY2(m_server.start(), m_server.err().constData());
    }
    const HttpAnswer before = m_server.client().get("/admin/settings/health-check");
    const HttpAnswer answer = m_server.client().put("/admin/settings/health-check", body);
    QCOMPARE(answer.status, 422);
    QCOMPARE(answer.text("field"), field);
    QVERIFY2(answer.text("detail").contains(field), answer.body.constData());
    QCOMPARE(m_server.client().get("/admin/settings/health-check").body, before.body);
}

void TestHealthTable::settingsSurviveARestartAndWinOverTheFile()
{
    ServerProcess server(configOf("\"cooldown_seconds\": 5, \"interval_seconds\": 3", {}));
    QVERIFY2(server.start(), server.err().constData());
    const HttpAnswer all = server.client().get("/admin/settings/health-check");
    QCOMPARE(server.client().put("/admin/settings/health-check", all.body).status, 200); // all of what GET gave
    QCOMPARE(server.client().put("/admin/settings/health-check", R"({"cooldownSeconds": 12.5})").number("cooldownSeconds"), 12.5);
    server.kill9();
    server.writeConfig(configOf("\"cooldown_seconds\": 6, \"interval_seconds\": 4", {}));
    QVERIFY2(server.start(), server.err().constData());
    const HttpAnswer after = server.client().get("/admin/settings/health-check");
    QCOMPARE(after.number("cooldownSeconds"), 12.5); // changed by a person
    QCOMPARE(after.number("intervalSeconds"), 4.0);  // the file's, as nobody changed it
    QVERIFY2(server.start({QStringLiteral("--config-wins")}), server.err().constData());
    QCOMPARE(server.client().get("/admin/settings/health-check").number("cooldownSeconds"), 6.0);
}

void TestHealthTable::restartDropsAQuarantine()
{
    FakeWorker worker;
    ServerProcess server(configOf(kQuick, nodeEntry("a", worker.url())));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
    QVERIFY(outcome(server, "a", 500).number("quarantineRemainingSeconds") > 59);
    worker.setSilent(true);
    QCOMPARE(server.terminate(), 0);
    QVERIFY2(server.start(), server.err().constData());
    QVERIFY(!node(server, "a").flag("inRotation")); // out of rotation until a probe of this run
    QCOMPARE(node(server, "a").number("quarantineRemainingSeconds"), 0.0);
    worker.setSilent(false);
    QTRY_VERIFY_WITH_TIMEOUT(node(server, "a").flag("inRotation"), kSoon);
}

QTEST_GUILESS_MAIN(TestHealthTable)
#include "TestHealthTable.moc"
