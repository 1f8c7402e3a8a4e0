// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/FakeWorker.h"
#include "tests/support/HttpClient.h"
#include "tests/support/ServerProcess.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

using namespace weir::test;

namespace {

QByteArray configWith(const FakeWorker& worker)
{
    return "{\"health_check\": {\"interval_seconds\": 0.2, \"timeout_seconds\": 0.2, \"unhealthy_threshold\": 1}, \"apps\": [{\"app\": \"demo\"}],"
           " \"nodes\": [{\"node\": \"w1\", \"role\": \"worker\", \"url\": \""
        + worker.url().toUtf8() + "\", \"capacity\": 2}], \"scheduler\": {\"reservation_ttl_seconds\": 300},"
          " \"log\": {\"level\": \"warning\"}}";
}

QJsonArray alarmsOf(const HttpClient& client, const QByteArray& filter)
{
    return client.get("/admin/alarms?" + filter).items();
}

HttpAnswer schedule(const HttpClient& client)
{
    return client.post("/v1/schedule", "{\"role\": \"worker\", \"appId\": \"demo\"}");
}

bool isReady(const HttpClient& client)
{
    return client.get("/readyz").status == 200;
}

int rowsOf(const ServerProcess& server, const QString& sql)
{
    int count = -1;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("alarms"));
        database.setDatabaseName(server.database());
        if (database.open()) {
            QSqlQuery query(database);
            count = query.exec(sql) && query.next() ? query.value(0).toInt() : -1;
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("alarms"));
    return count;
}

} // namespace

// Alarms over HTTP: a pool that runs dry is one alarm with a count, which outlives a restart and ends when there is room again.
class TestAlarms : public QObject {
    Q_OBJECT

private slots:
    void exhaustedPoolIsOneAlarm();
    void silencesAreKept();
    void badInput();
};

void TestAlarms::exhaustedPoolIsOneAlarm()
{
    FakeWorker worker;
    ServerProcess server(configWith(worker));
    QVERIFY(server.start());
    HttpClient client = server.client();
    QTRY_VERIFY(isReady(client));
    for (int i = 0; i < 14; ++i) {
        const int status = schedule(client).status;
        QCOMPARE(status, i < 2 ? 200 : 503); // it has room for two
    }
    QTRY_COMPARE(alarmsOf(client, "kind=pool_exhausted&state=open").size(), 1);
    QTRY_COMPARE(client.get("/admin/alarms?kind=pool_exhausted").number("items.0.count"), 12.0);
    const HttpAnswer list = client.get("/admin/alarms?kind=pool_exhausted");
    const QByteArray id = list.text("items.0.id").toUtf8();
    QCOMPARE(list.text("items.0.state"), QStringLiteral("firing"));
    QCOMPARE(list.text("items.0.severity"), QStringLiteral("critical"));
    QCOMPARE(list.text("items.0.key.poolId"), QStringLiteral("default"));
    QCOMPARE(list.text("items.0.key.appId"), QStringLiteral("demo"));
    QCOMPARE(list.text("items.0.key.role"), QStringLiteral("worker"));
    QVERIFY(list.at("items.0.key.nodeId").isNull());
    QVERIFY(list.text("items.0.explanation.sentence").contains(QStringLiteral("demo")));
    QCOMPARE(list.text("items.0.explanation.first.record.code"), QStringLiteral("no_candidate"));

    const HttpAnswer acknowledged = client.post("/admin/alarms/" + id + ":acknowledge", "{\"reason\": \"known\"}");
    QCOMPARE(acknowledged.status, 200);
    QCOMPARE(acknowledged.text("state"), QStringLiteral("acknowledged"));
    QCOMPARE(client.send("POST", "/admin/alarms/" + id + ":acknowledge").status, 200); // once more changes nothing
    QCOMPARE(rowsOf(server, QStringLiteral("SELECT COUNT(*) FROM audit WHERE action = 'alarm.acknowledge'")), 1);

    server.kill9();
    QVERIFY(server.start());
    client = server.client();
    QTRY_VERIFY(isReady(client));
    QTRY_COMPARE(alarmsOf(client, "kind=pool_exhausted&state=acknowledged").size(), 1);
    QCOMPARE(client.get("/admin/alarms?kind=pool_exhausted").text("items.0.id").toUtf8(), id);
    QVERIFY(client.get("/admin/alarms?kind=pool_exhausted").text("items.0.acknowledgedBy").startsWith(QStringLiteral("token:")));

    // The restart dropped the reservations: the next placement ends it.
    const int again = schedule(client).status;
    QCOMPARE(again, 200);
    QTRY_COMPARE(alarmsOf(client, "kind=pool_exhausted&state=resolved").size(), 1);
    QCOMPARE(client.post("/admin/alarms/" + id + ":acknowledge", "{}").verdict(), QByteArray("409 alarm_resolved"));
    QTRY_COMPARE(rowsOf(server, QStringLiteral("SELECT COUNT(*) FROM events WHERE kind = 'alarm_fired' AND detail LIKE '%pool_exhausted%'")), 1);
    QTRY_COMPARE(rowsOf(server, QStringLiteral("SELECT COUNT(*) FROM events WHERE kind = 'alarm_resolved' AND detail LIKE '%pool_exhausted%'")), 1);

    // The worker dies: nobody is left in a pool that apps resolve to.
    worker.answer(503);
    QTRY_COMPARE(alarmsOf(client, "kind=pool_down&state=firing").size(), 1);
    QTRY_COMPARE(alarmsOf(client, "kind=last_candidate_lost&state=firing").size(), 1);
    QVERIFY(client.get("/admin/alarms?kind=last_candidate_lost").text("items.0.explanation.sentence").contains(QStringLiteral("unhealthy_threshold is 1")));
    worker.answer(200, "{\"status\":\"ok\"}");
    QTRY_COMPARE(alarmsOf(client, "state=open").size(), 0);
}

void TestAlarms::silencesAreKept()
{
    FakeWorker worker;
    ServerProcess server(configWith(worker));
    QVERIFY(server.start());
    HttpClient client = server.client();
    const HttpAnswer made = client.post("/admin/silences", "{\"kind\": \"pool_down\", \"poolId\": \"default\", \"until\": \"2099-01-01T00:00:00Z\", \"reason\": \"new disks\"}");
    QCOMPARE(made.status, 201);
    const QByteArray id = made.text("id").toUtf8();
    worker.answer(503);
    QTRY_COMPARE(client.get("/admin/alarms?kind=pool_down").text("items.0.silencedBy").toUtf8(), id);
    QVERIFY(!client.get("/admin/alarms?kind=pool_down").at("items.0.delivered").toBool(true));
    QCOMPARE(server.terminate(), 0);
    QVERIFY(server.start());
    client = server.client();
    QCOMPARE(client.get("/admin/silences").text("items.0.id").toUtf8(), id);
    QCOMPARE(client.get("/admin/silences").text("items.0.reason"), QStringLiteral("new disks"));
    QCOMPARE(client.remove("/admin/silences/" + id).status, 204);
    QCOMPARE(client.remove("/admin/silences/" + id).verdict(), QByteArray("404 unknown_silence"));
    QCOMPARE(client.get("/admin/silences").items().size(), 0);
    QTRY_VERIFY(client.get("/admin/alarms?kind=pool_down").at("items.0.delivered").toBool());
}

void TestAlarms::badInput()
{
    ServerProcess server;
    QVERIFY(server.start());
    const HttpClient client = server.client();
    QCOMPARE(client.post("/admin/alarms/7:acknowledge", "{}").verdict(), QByteArray("404 unknown_alarm"));
    QCOMPARE(client.post("/admin/alarms/seven:acknowledge", "{}").verdict(), QByteArray("404 unknown_alarm"));
    QCOMPARE(client.post("/admin/alarms/7:acknowledge", "{\"why\": 1}").verdict(), QByteArray("422 unknown_field"));
    QCOMPARE(client.get("/admin/alarms?kind=nonsense").verdict(), QByteArray("422 invalid_value"));
    QCOMPARE(client.get("/admin/alarms?state=nonsense").verdict(), QByteArray("422 invalid_value"));
    QCOMPARE(client.get("/admin/alarms?colour=red").verdict(), QByteArray("422 unknown_field"));
    QCOMPARE(client.get("/admin/alarms?after=x").verdict(), QByteArray("422 invalid_value"));
    const QByteArray until = "\"until\": \"2099-01-01T00:00:00Z\"";
    QCOMPARE(client.post("/admin/silences", "{" + until + ", \"reason\": \"r\"}").verdict(), QByteArray("422 missing_field"));
    QCOMPARE(client.post("/admin/silences", "{\"kind\": \"x\", " + until + ", \"reason\": \"r\"}").verdict(), QByteArray("422 invalid_value"));
    QCOMPARE(client.post("/admin/silences", "{\"role\": \"x\", " + until + ", \"reason\": \"r\"}").verdict(), QByteArray("422 invalid_value"));
    QCOMPARE(client.post("/admin/silences", "{\"nodeId\": \"n\", " + until + "}").verdict(), QByteArray("422 missing_field"));
    QCOMPARE(client.post("/admin/silences", "{\"nodeId\": \"n\", " + until + ", \"reason\": \"\"}").verdict(), QByteArray("422 invalid_value"));
    QCOMPARE(client.post("/admin/silences", "{\"nodeId\": \"n\", \"until\": \"tomorrow\", \"reason\": \"r\"}").verdict(), QByteArray("422 invalid_value"));
    QCOMPARE(client.post("/admin/silences", "{\"nodeId\": \"n\", \"until\": \"2001-01-01T00:00:00Z\", \"reason\": \"r\"}").verdict(), QByteArray("422 invalid_value"));
    QCOMPARE(client.get("/admin/silences").items().size(), 0);
    QCOMPARE(HttpClient(server.adminUrl()).get("/admin/alarms").status, 401);
}

QTEST_GUILESS_MAIN(TestAlarms)
#include "TestAlarms.moc"
