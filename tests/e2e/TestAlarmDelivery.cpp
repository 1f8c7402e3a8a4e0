// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plane/AlarmReceiver.h"
#include "tests/support/FakeWorker.h"
#include "tests/support/HttpClient.h"
#include "tests/support/ServerProcess.h"

#include <QTest>

#include <csignal>
#include <future>

using namespace weir::test;

namespace {

QByteArray configWith(const QList<const FakeWorker*>& workers, const QByteArray& webhooks)
{
    QByteArray nodes;
    for (qsizetype i = 0; i < workers.size(); ++i) {
        nodes += (i == 0 ? "" : ", ") + QByteArray("{\"node\": \"w") + QByteArray::number(i + 1) + "\", \"role\": \"worker\", \"url\": \"" + workers[i]->url().toUtf8() + "\"}";
    }
    return "{\"health_check\": {\"interval_seconds\": 0.3, \"timeout_seconds\": 0.3}, \"apps\": [{\"app\": \"demo\"}], \"nodes\": [" + nodes + "], \"webhooks\": [" + webhooks + "]}";
}

QByteArray webhook(const AlarmReceiver& receiver)
{
    return "{\"name\": \"ops\", \"url\": \"" + QByteArray::fromStdString(receiver.url()) + "\", \"secret\": \"s\"}";
}

// "pool_down firing", …
QStringList heard(const AlarmReceiver& receiver)
{
    QStringList all;
    for (const auto& taken : receiver.accepted()) {
        all << taken.alert().value(QStringLiteral("labels")).toObject().value(QStringLiteral("alertname")).toString() + QLatin1Char(' ')
                + taken.alert().value(QStringLiteral("status")).toString();
    }
    return all;
}

void reportFailures(const HttpClient& client, const QByteArray& node, int times)
{
    for (int i = 0; i < times; ++i) {
        QCOMPARE(client.post("/v1/outcomes", "{\"nodeId\": \"" + node + "\", \"appId\": \"demo\", \"status\": 500}").status, 200);
    }
}

} // namespace

// From a request that fails to the message that a receiver gets, through the real server.
class TestAlarmDelivery : public QObject {
    Q_OBJECT

private slots:
    void outcomesBecomeMessages();
    void reloadAndTest();
};

void TestAlarmDelivery::outcomesBecomeMessages()
{
    FakeWorker first;
    FakeWorker second;
    AlarmReceiver receiver;
    ServerProcess server(configWith({&first, &second}, webhook(receiver)));
    QVERIFY(server.start());
    const HttpClient client = server.client();
    QTRY_VERIFY(client.get("/readyz").status == 200);
    QTRY_COMPARE(client.get("/admin/mmx-nodes/w2").at("inRotation").toBool(), true);
    reportFailures(client, "w1", 25);
    QTRY_VERIFY(heard(receiver).contains(QStringLiteral("health_disagrees firing"))); // its probes succeed all the while
    QVERIFY(!heard(receiver).contains(QStringLiteral("pool_down firing")));
    reportFailures(client, "w2", 1);
    QTRY_VERIFY(heard(receiver).contains(QStringLiteral("correlated_ejection firing")));
    QTRY_VERIFY(heard(receiver).contains(QStringLiteral("pool_down firing")));
    QTRY_VERIFY(heard(receiver).contains(QStringLiteral("last_candidate_lost firing")));
    QVERIFY(client.get("/admin/alarms?kind=last_candidate_lost").text("items.0.explanation.sentence").contains(QStringLiteral("the ejection of w2")));
    QCOMPARE(client.get("/admin/alarms?kind=correlated_ejection").text("items.0.key.appId"), QStringLiteral("demo"));
    // The emergency switch brings both back, and receivers hear that it is over.
    QCOMPARE(client.put("/admin/settings/health-check", "{\"cooldownSeconds\": 0}").status, 200);
    QTRY_VERIFY(heard(receiver).contains(QStringLiteral("pool_down resolved")));
    QTRY_VERIFY(heard(receiver).contains(QStringLiteral("last_candidate_lost resolved")));
    QVERIFY(heard(receiver).indexOf(QStringLiteral("pool_down resolved")) > heard(receiver).indexOf(QStringLiteral("pool_down firing")));
    QCOMPARE(heard(receiver).count(QStringLiteral("pool_down firing")), 1);
}

void TestAlarmDelivery::reloadAndTest()
{
    FakeWorker worker;
    AlarmReceiver before;
    AlarmReceiver after;
    ServerProcess server(configWith({&worker}, webhook(before)));
    QVERIFY(server.start());
    const HttpClient client = server.client();
    QTRY_VERIFY(client.get("/readyz").status == 200);
    const auto test = [&client](const QByteArray& name) {
        auto answer = std::async(std::launch::async, [&client, name] { return client.send("POST", "/admin/webhooks/" + name + ":test"); });
        while (answer.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) {
            QCoreApplication::processEvents();
        }
        return answer.get();
    };
    QCOMPARE(test("ops").status, 200);
    QCOMPARE(heard(before), QStringList{QStringLiteral("weir_test firing")});
    QVERIFY(before.taken().front().headers.value("x-weir-signature").startsWith("sha256="));
    QCOMPARE(test("nobody").verdict(), QByteArray("404 unknown_webhook"));
    before.answer = 500;
    QCOMPARE(test("ops").verdict(), QByteArray("502 webhook_failed"));

    // The receiver is broken when the pool goes down; a reload names another one, which hears of what waited.
    worker.answer(503);
    QTRY_VERIFY(before.taken().size() > 2);
    server.writeConfig(configWith({&worker}, webhook(after)));
    server.signal(SIGHUP);
    QTRY_VERIFY(heard(after).contains(QStringLiteral("pool_down firing")));
    worker.answer(200, "{\"status\":\"ok\"}");
    QTRY_VERIFY(heard(after).contains(QStringLiteral("pool_down resolved")));
    QVERIFY(!server.err().contains("\"s\"")); // the secret is in no log line
}

QTEST_GUILESS_MAIN(TestAlarmDelivery)
#include "TestAlarmDelivery.moc"
