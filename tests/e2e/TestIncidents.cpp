// SPDX-License-Identifier: GPL-3.0-or-later
// Incidents over HTTP, on the real server.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QtTest>

using namespace weir::test;

namespace {

constexpr int kSoon = 8000;

QByteArray node(const QByteArray& id, const FakeWorker& worker, const QByteArray& more)
{
    return "{\"node\": \"" + id + "\", \"role\": \"origin\", \"url\": \"" + worker.url().toUtf8() + "\", " + more + "}";
}

QByteArray config(const QByteArray& nodes, const QByteArray& apps)
{
    return "{\"health_check\": {\"interval_seconds\": 0.3, \"timeout_seconds\": 0.3, \"cooldown_seconds\": 0.3}, \"users\": [\"1\"], \"nodes\": [" + nodes + "], \"apps\": [" + apps + "]}";
}

QByteArray fourteenApps()
{
    QByteArray apps;
    for (int i = 1; i <= 14; ++i) {
        apps += QByteArray(i > 1 ? "," : "") + "{\"app\": \"app-" + QByteArray::number(i) + "\"}";
    }
    return apps;
}

HttpAnswer ask(const HttpClient& client, const QByteArray& app)
{
    return client.post("/v1/schedule", "{\"role\": \"origin\", \"appId\": \"" + app + "\"}");
}

QJsonArray incidents(const HttpClient& client)
{
    return client.get("/admin/incidents").items();
}

// Fourteen apps, fourteen alarms, one story.
bool alarmsAreOfIncidentOne(const HttpClient& client)
{
    const QJsonArray alarms = client.get("/admin/alarms?kind=pool_exhausted").items();
    return alarms.size() == 14 && std::all_of(alarms.begin(), alarms.end(), [](const QJsonValue& alarm) { return alarm[QStringLiteral("incident")].toString() == QLatin1String("1"); });
}

} // namespace

class TestIncidents : public QObject {
    Q_OBJECT

private slots:
    void theSecondOutageIsOneIncident();
    void aFlappingNodeIsOneLine();
    void peopleWorkWithIt();
    void itIsThereAfterAKill();
    void badRequestsAreNamed_data();
    void badRequestsAreNamed();
};

void TestIncidents::theSecondOutageIsOneIncident()
{
    FakeWorker worker;
    QByteArray nodes;
    for (int i = 1; i <= 3; ++i) {
        nodes += (i > 1 ? "," : "") + node("o" + QByteArray::number(i), worker, "\"pool\": \"pool-1\", \"capacity\": 50");
    }
    ServerProcess server(config(nodes, fourteenApps()));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(server.traffic().get("/gateway-health").number("workers_healthy") == 3, kSoon);
    const HttpClient client = server.client();
    for (int i = 1; i <= 14; ++i) {
        QCOMPARE(ask(client, "app-" + QByteArray::number(i)).status, 503);
    }
    QCOMPARE(client.get("/admin/incidents/1").number("counts.apps"), 14.0);
    QCOMPARE(incidents(client).size(), qsizetype(1));
    QVERIFY(alarmsAreOfIncidentOne(client));
    const HttpAnswer one = client.get("/admin/incidents/1");
    const QString headline = one.text("headline");
    QVERIFY2(headline.startsWith(QStringLiteral("All 14 apps")) && headline.contains(QStringLiteral("got 503 no_healthy_origin"))
            && headline.contains(QStringLiteral("they resolve to `default` (0 nodes) while 3 available origins sit in `pool-1`. Ongoing.")),
        qPrintable(headline));
    QVERIFY(headline.size() <= 140);
    QCOMPARE(one.text("severity"), QStringLiteral("SEV1"));
    QCOMPARE(one.text("state"), QStringLiteral("open"));
    QCOMPARE(one.text("scope.pools.0"), QStringLiteral("default"));
    QCOMPARE(one.number("counts.refusals"), 14.0);
    QCOMPARE(one.text("firstRefusal.elsewherePool"), QStringLiteral("pool-1"));

    // The fix: the apps belong to the user whose pool the origins are in.
    for (int i = 1; i <= 14; ++i) {
        const QByteArray app = "app-" + QByteArray::number(i);
        QCOMPARE(client.put("/admin/apps/" + app, "{\"owner\": \"1\"}").status, 200);
        QCOMPARE(ask(client, app).status, 200);
    }
    QTRY_VERIFY_WITH_TIMEOUT(client.get("/admin/incidents/1/events?limit=1000").body.contains("app_changed"), kSoon);
    const QJsonArray rows = client.get("/admin/incidents/1/events?limit=1000").items();
    int refused = 0;
    for (const QJsonValue& row : rows) {
        refused += row[QStringLiteral("kind")].toString() == QLatin1String("pool_exhausted") ? 1 : 0;
        QVERIFY(!row[QStringLiteral("why")].toString().isEmpty());
        QVERIFY(!row[QStringLiteral("text")].toString().isEmpty());
    }
    QCOMPARE(refused, 14);
    QCOMPARE(incidents(client).size(), qsizetype(1));
    const HttpAnswer report = client.get("/admin/incidents/1/report");
    QCOMPARE(report.header("Content-Type"), QByteArray("text/markdown; charset=utf-8"));
    QVERIFY2(report.body.contains("| app-14 | origin | default | 1 |") && report.body.contains("3 in `pool-1`"), report.body.constData());
    QCOMPARE(client.get("/admin/events?kind=incident_opened").items().size(), qsizetype(1));
    server.kill9();
    QVERIFY2(server.start(), server.err().constData());
    QVERIFY(alarmsAreOfIncidentOne(server.client()));
}

void TestIncidents::aFlappingNodeIsOneLine()
{
    FakeWorker worker;
    ServerProcess server(config(node("gpu", worker, "\"capacity\": 9"), {}));
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    for (int cycle = 0; cycle < 4; ++cycle) {
        QTRY_VERIFY_WITH_TIMEOUT(client.get("/admin/mmx-nodes/gpu").flag("inRotation"), kSoon);
        QCOMPARE(client.post("/v1/outcomes", "{\"nodeId\": \"gpu\", \"status\": 500}").text("verdict"), QStringLiteral("ejected"));
    }
    QTRY_VERIFY_WITH_TIMEOUT(client.get("/admin/mmx-nodes/gpu").flag("inRotation"), kSoon);
    QTRY_COMPARE_WITH_TIMEOUT(client.get("/admin/incidents/1").number("nodes.0.undone"), 4.0, kSoon);
    QCOMPARE(incidents(client).size(), qsizetype(1));
    const HttpAnswer timeline = client.get("/admin/incidents/1/events?key=true");
    const auto isRun = [](const QJsonValue& row) { return row[QStringLiteral("cycles")].toInt() == 4; };
    const QJsonArray rows = timeline.items();
    const auto run = std::find_if(rows.begin(), rows.end(), isRun);
    QVERIFY2(run != rows.end(), timeline.body.constData());
    const QByteArray seq = QByteArray::number((*run)[QStringLiteral("seq")].toInteger());
    const HttpAnswer behind = client.get("/admin/incidents/1/events?limit=5&row=" + seq);
    QCOMPARE(behind.items().size(), qsizetype(5));
    QCOMPARE(behind.text("items.0.kind"), QStringLiteral("node_offline"));
    QVERIFY(!behind.at("next").isNull());
    QCOMPARE(client.get("/admin/incidents/1/events?row=999999").verdict(), QByteArray("404 not_found"));
    QVERIFY2(client.get("/admin/incidents/1").text("headline").startsWith(QStringLiteral("gpu kept failing requests while its health check said OK")), client.get("/admin/incidents/1").body.constData());
    QCOMPARE(client.get("/admin/incidents/1").text("severity"), QStringLiteral("SEV2"));
}

void TestIncidents::peopleWorkWithIt()
{
    FakeWorker worker;
    FakeWorker other;
    ServerProcess server(config(node("n1", worker, "\"capacity\": 9") + "," + node("n2", other, "\"pool\": \"pool-1\""), {}));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(server.traffic().get("/gateway-health").number("workers_healthy") == 2, kSoon);
    const HttpClient client = server.client();
    worker.answer(503);
    QTRY_COMPARE_WITH_TIMEOUT(incidents(client).size(), qsizetype(1), kSoon);
    other.answer(503);
    QTRY_COMPARE_WITH_TIMEOUT(incidents(client).size(), qsizetype(2), kSoon);
    QCOMPARE(client.get("/admin/incidents?limit=1").text("items.0.id"), QStringLiteral("2")); // the newest first
    QCOMPARE(client.get("/admin/incidents?limit=1&after=2").text("items.0.id"), QStringLiteral("1"));

    const HttpAnswer acknowledged = client.send("POST", "/admin/incidents/1:acknowledge");
    QCOMPARE(acknowledged.text("state"), QStringLiteral("acknowledged"));
    QCOMPARE(acknowledged.text("acknowledgedBy"), QStringLiteral("token:superadmin"));
    QCOMPARE(client.get("/admin/incidents?state=acknowledged").items().size(), qsizetype(1)); // at once
    QCOMPARE(client.post("/admin/incidents/1/notes", "{\"text\": \"disk full\", \"at\": \"2026-01-31T08:15:00Z\"}").status, 201);
    QCOMPARE(client.get("/admin/incidents/1/notes").text("items.0.text"), QStringLiteral("disk full"));
    QCOMPARE(client.get("/admin/incidents/1").text("notes.0.at"), QStringLiteral("2026-01-31T08:15:00.000Z"));
    QTRY_VERIFY_WITH_TIMEOUT(client.get("/admin/incidents/1/events").body.contains("was acknowledged by"), kSoon);

    QCOMPARE(client.post("/admin/incidents/2:merge", "{\"into\": \"1\"}").text("id"), QStringLiteral("1"));
    QCOMPARE(client.get("/admin/incidents/2").text("id"), QStringLiteral("1")); // the number stays an alias
    QTRY_COMPARE_WITH_TIMEOUT(client.get("/admin/incidents/1").number("counts.nodes"), 2.0, kSoon);
    QCOMPARE(incidents(client).size(), qsizetype(1));
    const HttpAnswer resolved = client.post("/admin/incidents/1:resolve", "{\"reason\": \"replaced\"}");
    QCOMPARE(resolved.text("state"), QStringLiteral("resolved"));
    QVERIFY(!resolved.text("warning").isEmpty()); // both are still out
    QCOMPARE(client.post("/admin/incidents/1:resolve", "{\"reason\": \"again\"}").verdict(), QByteArray("409 already_resolved"));
    QVERIFY(client.get("/admin/incidents/1").text("headline").endsWith(QStringLiteral("Resolved by superadmin.")));
    worker.answer(200);
    QTRY_VERIFY_WITH_TIMEOUT(client.get("/admin/mmx-nodes/n1").flag("inRotation"), kSoon);
    worker.answer(503); // the next trigger
    QTRY_COMPARE_WITH_TIMEOUT(client.get("/admin/incidents/1").text("state"), QStringLiteral("open"), kSoon);
}

void TestIncidents::itIsThereAfterAKill()
{
    FakeWorker worker;
    ServerProcess server(config(node("n1", worker, "\"capacity\": 9"), {}));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(server.traffic().get("/gateway-health").number("workers_healthy") == 1, kSoon);
    worker.answer(503);
    QTRY_COMPARE_WITH_TIMEOUT(incidents(server.client()).size(), qsizetype(1), kSoon);
    QCOMPARE(server.client().send("POST", "/admin/incidents/1:acknowledge").status, 200);
    server.kill9();
    worker.answer(200);
    QVERIFY2(server.start(), server.err().constData());
    const HttpAnswer kept = server.client().get("/admin/incidents/1");
    QCOMPARE(kept.text("state"), QStringLiteral("acknowledged"));
    QCOMPARE(kept.number("counts.ejections"), 1.0);
    QTRY_COMPARE_WITH_TIMEOUT(server.client().get("/admin/incidents/1").number("counts.notWell"), 0.0, kSoon); // it goes on
    QCOMPARE(incidents(server.client()).size(), qsizetype(1));
}

void TestIncidents::badRequestsAreNamed_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("verdict");

    QTest::newRow("unknown") << QByteArray("GET") << QByteArray("/admin/incidents/9") << QByteArray() << QByteArray("404 unknown_incident");
    QTest::newRow("no number") << QByteArray("GET") << QByteArray("/admin/incidents/first") << QByteArray() << QByteArray("404 unknown_incident");
    QTest::newRow("events of none") << QByteArray("GET") << QByteArray("/admin/incidents/9/events") << QByteArray() << QByteArray("404 unknown_incident");
    QTest::newRow("report of none") << QByteArray("GET") << QByteArray("/admin/incidents/9/report") << QByteArray() << QByteArray("404 unknown_incident");
    QTest::newRow("state") << QByteArray("GET") << QByteArray("/admin/incidents?state=merged") << QByteArray() << QByteArray("422 invalid_value");
    QTest::newRow("severity") << QByteArray("GET") << QByteArray("/admin/incidents?severity=1") << QByteArray() << QByteArray("422 invalid_value");
    QTest::newRow("filter") << QByteArray("GET") << QByteArray("/admin/incidents?pool=x") << QByteArray() << QByteArray("422 unknown_field");
    QTest::newRow("acknowledge none") << QByteArray("POST") << QByteArray("/admin/incidents/9:acknowledge") << QByteArray() << QByteArray("404 unknown_incident");
    QTest::newRow("resolve without reason") << QByteArray("POST") << QByteArray("/admin/incidents/9:resolve") << QByteArray("{}") << QByteArray("422 missing_field");
    QTest::newRow("resolve with an empty one") << QByteArray("POST") << QByteArray("/admin/incidents/9:resolve") << QByteArray("{\"reason\": \"\"}") << QByteArray("422 missing_field");
    QTest::newRow("merge into nothing") << QByteArray("POST") << QByteArray("/admin/incidents/9:merge") << QByteArray("{\"into\": \"x\"}") << QByteArray("422 invalid_value");
    QTest::newRow("note with another key") << QByteArray("POST") << QByteArray("/admin/incidents/9/notes") << QByteArray("{\"text\": \"x\", \"time\": 1}") << QByteArray("422 unknown_field");
    QTest::newRow("note at no time") << QByteArray("POST") << QByteArray("/admin/incidents/9/notes") << QByteArray("{\"text\": \"x\", \"at\": \"noon\"}") << QByteArray("422 invalid_value");
}

void TestIncidents::badRequestsAreNamed()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, target);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, verdict);
    static ServerProcess server;
    if (server.pid() == 0) {
        QVERIFY2(server.start(), server.err().constData());
    }
    QCOMPARE(server.client().send(method, target, body).verdict(), verdict);
}

QTEST_GUILESS_MAIN(TestIncidents)
#include "TestIncidents.moc"
