// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include <vector>

using namespace weir::test;

namespace {

QByteArray configOf(const std::vector<FakeWorker*>& workers)
{
    QByteArray nodes;
    for (std::size_t i = 0; i < workers.size(); ++i) {
        nodes += (i == 0 ? "" : ",") + QByteArray("{\"node\": \"gpu-") + QByteArray::number(i) + "\", \"role\": \"worker\", \"capacity\": 1, \"url\": \"" + workers[i]->url().toUtf8() + "\"}";
    }
    return "{\"health_check\": {\"interval_seconds\": 0.2, \"timeout_seconds\": 0.15}, \"apps\": [{\"app\": \"demo\"}], \"nodes\": [" + nodes + "]}";
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

} // namespace

class TestMetrics : public QObject {
    Q_OBJECT

private slots:
    void countsWhatHappened();
    void showsTheGatewayAndTheAlarms();
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
    ServerProcess server(configOf({&good}));
    QVERIFY2(server.start(), server.err().constData());
    const QByteArray page = HttpClient(server.adminUrl()).get("/metrics?nodeUp=true").body;
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
