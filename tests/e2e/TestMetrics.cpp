// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include <vector>

using namespace weir::test;

namespace {

// `gateway`: the file's section of that name, without its braces; ' stands for ".
QByteArray configOf(const std::vector<FakeWorker*>& workers, QByteArray gateway = {})
{
    QByteArray nodes;
    for (std::size_t i = 0; i < workers.size(); ++i) {
        nodes += (i == 0 ? "" : ",") + QByteArray("{\"node\": \"gpu-") + QByteArray::number(i) + "\", \"role\": \"worker\", \"capacity\": 1, \"url\": \"" + workers[i]->url().toUtf8() + "\"}";
    }
    return "{\"health_check\": {\"interval_seconds\": 0.2, \"timeout_seconds\": 0.15}, \"apps\": [{\"app\": \"demo\"}], \"gateway\": {" + gateway.replace('\'', '"') + "}, \"nodes\": [" + nodes + "]}";
}

// The value of a series as the page writes it; empty when there is none.
QByteArray valueOf(const QByteArray& page, const QByteArray& series)
{
    for (const QByteArray& line : page.split('\n')) {
        if (line.startsWith(series + " ")) {
            return line.mid(series.size() + 1);
        }
    }
    return {};
}

// Two modules of one kind, another kind, and the access log.
const QByteArray kModules = "'access_log': 'access.log', 'modules': [{'module': 'request_id'},"
                            "{'module': 'block', 'rules': [{'name': 'a', 'when': 'req_path_in(`/a`, false)'}]},"
                            "{'module': 'block', 'rules': [{'name': 'b', 'when': 'req_path_in(`/b`, false)'}]}]";
const QByteArray kBlocked = "weir_gateway_module_events_total{module=\"block\",event=\"blocked_requests\"}";
const QByteArray kWritten = "weir_gateway_access_log_lines_total{result=\"written\"}";

} // namespace

class TestMetrics : public QObject {
    Q_OBJECT

private slots:
    void countsWhatHappened();
    void showsTheGatewayAndTheAlarms();
    void showsModulesAndTheAccessLog();
    void namesNoNodeUnlessAsked();
    void passesPromtool();
};

void TestMetrics::countsWhatHappened()
{
    FakeWorker good;
    FakeWorker bad(503);
    ServerProcess server(configOf({&good, &bad}));
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient open(server.adminUrl()); // without a token
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(open.get("/metrics").body, "weir_workers_healthy"), QByteArray("1"), 10000);
    const HttpClient client = server.client();
    QCOMPARE(client.post("/v1/schedule", "{\"role\": \"worker\", \"appId\": \"demo\"}").status, 200);
    QCOMPARE(client.post("/v1/schedule", "{\"role\": \"worker\", \"appId\": \"demo\"}").status, 503);
    QCOMPARE(client.post("/v1/outcomes", "{\"nodeId\": \"gpu-0\", \"status\": 500}").text("verdict"), QStringLiteral("ejected"));
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(open.get("/metrics").body, "weir_ejections_total{cause=\"passive\"}"), QByteArray("1"), 5000);
    const HttpAnswer answer = open.get("/metrics");
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.header("Content-Type").startsWith("text/plain; version=0.0.4"));
    const QByteArray& page = answer.body;
    QCOMPARE(valueOf(page, "weir_workers_total"), QByteArray("2"));
    QCOMPARE(valueOf(page, "weir_workers_healthy"), QByteArray("0"));
    QCOMPARE(valueOf(page, "weir_nodes_quarantined"), QByteArray("1"));
    QCOMPARE(valueOf(page, "weir_nodes{pool=\"default\",role=\"worker\",state=\"quarantined\"}"), QByteArray("1"));
    QCOMPARE(valueOf(page, "weir_decisions_total{role=\"worker\",result=\"placed\"}"), QByteArray("1"));
    QCOMPARE(valueOf(page, "weir_decisions_total{role=\"worker\",result=\"refused\"}"), QByteArray("1"));
    QCOMPARE(valueOf(page, "weir_decision_seconds_count{role=\"worker\"}"), QByteArray("2"));
    QVERIFY(valueOf(page, "weir_probes_total{result=\"status\"}").toDouble() >= 1);
    QVERIFY(valueOf(page, "weir_probes_total{result=\"success\"}").toDouble() >= 1);
    QVERIFY(valueOf(page, "weir_probe_seconds_count").toDouble() >= 2);
    QVERIFY(valueOf(page, "weir_store_batch_seconds_count").toDouble() >= 1);
    QCOMPARE(valueOf(page, "weir_events_lost_total"), QByteArray("0"));
    QCOMPARE(valueOf(page, "weir_build_info{version=\"" + server.version().toUtf8() + "\"}"), QByteArray("1"));
}

void TestMetrics::showsTheGatewayAndTheAlarms()
{
    FakeWorker good;
    ServerProcess server(configOf({&good}));
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient open(server.adminUrl());
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(open.get("/metrics").body, "weir_workers_healthy"), QByteArray("1"), 10000);
    const HttpClient traffic = server.traffic();
    QCOMPARE(traffic.get("/work").status, 200);
    QCOMPARE(traffic.get("/work").status, 200);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(open.get("/metrics").body, "weir_gateway_requests_total{cluster=\"default\",status=\"2xx\"}"), QByteArray("2"), 5000);
    QByteArray page = open.get("/metrics").body;
    QCOMPARE(valueOf(page, "weir_gateway_request_seconds_count{cluster=\"default\"}"), QByteArray("2"));
    QCOMPARE(valueOf(page, "weir_gateway_tries_total{cluster=\"default\"}"), QByteArray("2"));
    QCOMPARE(valueOf(page, "weir_gateway_queue_length{cluster=\"default\"}"), QByteArray("0"));
    QVERIFY(valueOf(page, "weir_gateway_sent_bytes_total").toDouble() > 0);
    QCOMPARE(valueOf(page, "weir_alarms_open"), QByteArray("0"));
    QCOMPARE(server.client().post("/v1/schedule", "{\"role\": \"origin\", \"appId\": \"demo\"}").status, 503);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(open.get("/metrics").body, "weir_alarms_firing{severity=\"warning\"}"), QByteArray("1"), 5000);
}

void TestMetrics::showsModulesAndTheAccessLog()
{
    FakeWorker good;
    ServerProcess server(configOf({&good}, kModules));
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient open(server.adminUrl());
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(open.get("/metrics").body, "weir_workers_healthy"), QByteArray("1"), 10000);
    QCOMPARE(valueOf(open.get("/metrics").body, kBlocked), QByteArray("0"));
    const HttpClient traffic = server.traffic();
    QCOMPARE(traffic.get("/a").status, 403);
    QCOMPARE(traffic.get("/b").status, 403);
    QCOMPARE(traffic.get("/c").status, 200);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(open.get("/metrics").body, kWritten), QByteArray("3"), 5000);
    QByteArray page = open.get("/metrics").body;
    QCOMPARE(valueOf(page, kBlocked), QByteArray("2"));
    QCOMPARE(valueOf(page, "weir_gateway_module_events_total{module=\"request_id\",event=\"ids_made\"}"), QByteArray("3"));
    QCOMPARE(valueOf(page, "weir_gateway_access_log_lines_total{result=\"dropped\"}"), QByteArray("0"));
    QCOMPARE(valueOf(page, "weir_gateway_access_log_rotations_total"), QByteArray("0"));
    // Other modules, then none: what was counted stays.
    server.writeConfig(configOf({&good}, QByteArray(kModules).replace("`/a`", "`/c`")));
    QCOMPARE(server.client().send("POST", "/admin/config:reload").status, 200);
    QCOMPARE(traffic.get("/c").status, 403);
    QCOMPARE(valueOf(open.get("/metrics").body, kBlocked), QByteArray("3"));
    server.writeConfig(configOf({&good}));
    QCOMPARE(server.client().send("POST", "/admin/config:reload").status, 200);
    QCOMPARE(traffic.get("/c").status, 200);
    QCOMPARE(valueOf(open.get("/metrics").body, kBlocked), QByteArray("3"));
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(open.get("/metrics").body, kWritten), QByteArray("5"), 5000); // its name takes effect at the next start
}

void TestMetrics::namesNoNodeUnlessAsked()
{
    FakeWorker good;
    ServerProcess server(configOf({&good}));
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient open(server.adminUrl());
    const QByteArray page = open.get("/metrics").body;
    QVERIFY(!page.isEmpty());
    QVERIFY(!page.contains("gpu-0"));
    QVERIFY(!page.contains("demo"));
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(open.get("/metrics?nodeUp=true").body, "weir_node_up{node=\"gpu-0\"}"), QByteArray("1"), 10000);
    QCOMPARE(open.get("/metrics?nodes=true").verdict(), QByteArray("422 unknown_field"));
}

void TestMetrics::passesPromtool()
{
    const QString promtool = QStandardPaths::findExecutable(QStringLiteral("promtool"));
    if (promtool.isEmpty()) {
        QSKIP("promtool (package prometheus) is not installed");
    }
    FakeWorker good;
    ServerProcess server(configOf({&good}, kModules));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(server.traffic().get("/a").status == 403, 5000); // so that the page has figures of all kinds
    const QByteArray page = HttpClient(server.adminUrl()).get("/metrics?nodeUp=true").body;
    QVERIFY(page.contains(kBlocked) && page.contains(kWritten));
    QProcess tool;
    tool.setProcessChannelMode(QProcess::MergedChannels);
    tool.start(promtool, {QStringLiteral("check"), QStringLiteral("metrics")});
    tool.write(page);
    tool.closeWriteChannel();
    QVERIFY(tool.waitForFinished(10000));
    // A linter's opinion on a name that monitors know from /gateway-health; anything else is a mistake.
    for (const QByteArray& line : tool.readAll().trimmed().split('\n')) {
        QVERIFY2(line.isEmpty() || line.startsWith("weir_workers_total "), line.constData());
    }
    QVERIFY(tool.exitStatus() == QProcess::NormalExit && (tool.exitCode() == 0 || tool.exitCode() == 3));
}

QTEST_GUILESS_MAIN(TestMetrics)
#include "TestMetrics.moc"
