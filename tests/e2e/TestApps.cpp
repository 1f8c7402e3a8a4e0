// SPDX-License-Identifier: GPL-3.0-or-later
// Users, apps, bindings, fallback, reservations and reachability over HTTP.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QtTest>

using namespace weir::test;

namespace {

constexpr int kSoon = 8'000;

QByteArray originEntry(const QByteArray& id, const FakeWorker& worker, const QByteArray& more = {})
{
    return "{\"node\": \"" + id + "\", \"role\": \"origin\", \"url\": \"" + worker.url().toUtf8() + "\"" + (more.isEmpty() ? QByteArray() : ", " + more) + "}";
}

QByteArray config(const QByteArray& users, const QByteArray& pools, const QByteArray& nodes, const QByteArray& more = {})
{
    return "{\"health_check\": {\"interval_seconds\": 0.3, \"timeout_seconds\": 0.3}, \"users\": [" + users + "], \"pools\": [" + pools + "], \"nodes\": [" + nodes + "]"
        + (more.isEmpty() ? QByteArray() : ", " + more) + "}";
}

bool allHealthy(const ServerProcess& server, int workers)
{
    return server.traffic().get("/gateway-health").number("workers_healthy") == workers;
}

HttpAnswer ask(const HttpClient& client, const QByteArray& app, const QByteArray& more = {})
{
    return client.post("/v1/schedule", "{\"role\": \"origin\", \"appId\": \"" + app + "\"" + more + "}");
}

int eventsOf(const ServerProcess& server, const QString& kind)
{
    int count = -1;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("events"));
        database.setDatabaseName(server.database());
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        if (database.open()) {
            QSqlQuery query(database);
            query.prepare(QStringLiteral("SELECT COUNT(*) FROM events WHERE kind = ?"));
            query.addBindValue(kind);
            count = query.exec() && query.next() ? query.value(0).toInt() : -1;
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("events"));
    return count;
}

} // namespace

class TestApps : public QObject {
    Q_OBJECT

private slots:
    void usersAppsAndBindings();
    void whatIsInUseStays();
    void theReservedApp();
    void fallbackIsOffUnlessSaid();
    void movingAUsersLastNodeKeepsTheAppClosed();
    void aCanaryPoolIsNeverChosen();
    void theSecondOutageIsOneSentence();
    void aRefusalExplainsItself();
    void dryRunIsQuiet();
    void aFullNodeIsFreeAgainAfterRelease();
    void unknownAppsCanBeRefused();
    void endpointsMustBeOffered();
};

void TestApps::usersAppsAndBindings()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    const HttpAnswer user = client.put("/admin/users/7", R"({"name": "Seven"})");
    QCOMPARE(user.status, 201);
    QCOMPARE(user.text("poolId"), QStringLiteral("pool-7"));
    QCOMPARE(client.put("/admin/users/7", "{}").status, 200);
    QCOMPARE(client.get("/admin/users").text("items.0.name"), QStringLiteral("Seven"));
    QCOMPARE(client.put("/admin/users/8", {}).status, 201); // a body may be left out
    QCOMPARE(client.put("/admin/users/a", "{}").status, 201);
    QCOMPARE(client.put("/admin/users/A", "{}").verdict(), QByteArray("409 duplicate_id"));
    QCOMPARE(client.put("/admin/users/a%20b", "{}").verdict(), QByteArray("422 invalid_id"));

    QCOMPARE(client.put("/admin/apps/demo", R"({"owner": "99"})").verdict(), QByteArray("422 unknown_owner"));
    QCOMPARE(client.put("/admin/apps/demo", R"({"owner": "7"})").status, 201);
    const HttpAnswer kept = client.put("/admin/apps/demo", "{}");
    QCOMPARE(kept.status, 200);
    QCOMPARE(kept.text("owner"), QStringLiteral("7"));
    QCOMPARE(kept.text("poolId"), QStringLiteral("pool-7"));
    QCOMPARE(client.put("/admin/apps/Demo", "{}").verdict(), QByteArray("409 duplicate_id"));

    QCOMPARE(client.get("/admin/app-pool-bindings/demo").verdict(), QByteArray("404 unknown_binding"));
    QCOMPARE(client.put("/admin/app-pool-bindings/demo", R"({"poolId": "unassigned"})").verdict(), QByteArray("422 sentinel_pool"));
    QCOMPARE(client.put("/admin/app-pool-bindings/demo", R"({"poolId": "nowhere"})").verdict(), QByteArray("422 unknown_pool"));
    QCOMPARE(client.put("/admin/app-pool-bindings/none", R"({"poolId": "pool-8"})").verdict(), QByteArray("404 unknown_app"));
    QCOMPARE(client.put("/admin/app-pool-bindings/demo", R"({"poolId": "pool-8", "allowFallback": true})").verdict(), QByteArray("422 unknown_field"));
    QCOMPARE(client.put("/admin/app-pool-bindings/demo", R"({"poolId": "pool-8"})").status, 201);
    const HttpAnswer binding = client.get("/admin/app-pool-bindings/demo");
    QVERIFY(binding.at("allowFallbackToDefault").isBool() && !binding.flag("allowFallbackToDefault"));
    QCOMPARE(client.put("/admin/app-pool-bindings/demo", R"({"poolId": "default", "allowFallbackToDefault": true})").status, 200);
    QCOMPARE(client.get("/admin/app-pool-bindings").items().size(), qsizetype(1));

    server.kill9();
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().get("/admin/app-pool-bindings/demo").text("poolId"), QStringLiteral("default"));
    QVERIFY(server.client().get("/admin/app-pool-bindings/demo").flag("allowFallbackToDefault"));
    QCOMPARE(server.client().remove("/admin/app-pool-bindings/demo").status, 204);
    QCOMPARE(server.client().get("/admin/apps").text("items.0.poolId"), QStringLiteral("pool-7"));
}

void TestApps::whatIsInUseStays()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    for (const char* user : {"1", "2", "3", "4"}) {
        QCOMPARE(client.put(QByteArray("/admin/users/") + user, "{}").status, 201);
    }
    QCOMPARE(client.put("/admin/apps/owned", R"({"owner": "1"})").status, 201);
    QCOMPARE(client.post("/admin/mmx-nodes", R"({"nodeId": "n", "role": "origin", "owner": "2", "poolId": "default"})").status, 201);
    QCOMPARE(client.put("/admin/apps/bound", "{}").status, 201);
    QCOMPARE(client.put("/admin/app-pool-bindings/bound", R"({"poolId": "pool-3"})").status, 201);
    QCOMPARE(client.post("/admin/mmx-nodes", R"({"nodeId": "guest", "role": "origin", "poolId": "pool-4"})").status, 201);
    for (const char* user : {"1", "2", "3", "4"}) {
        QCOMPARE(client.remove(QByteArray("/admin/users/") + user).verdict(), QByteArray("409 in_use"));
    }
    QCOMPARE(client.remove("/admin/apps/owned").status, 204);
    QCOMPARE(client.remove("/admin/users/1").status, 204);
    QCOMPARE(client.remove("/admin/users/1").verdict(), QByteArray("404 unknown_user"));
    QCOMPARE(client.remove("/admin/apps/owned").verdict(), QByteArray("404 unknown_app"));
}

void TestApps::theReservedApp()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    QCOMPARE(client.put("/admin/apps/default", "{}").verdict(), QByteArray("422 reserved_id"));
    const int bound = client.put("/admin/app-pool-bindings/default", R"({"poolId": "default"})").status;
    QVERIFY(bound == 404 || bound == 422);
    QCOMPARE(client.remove("/admin/apps/default").verdict(), QByteArray("404 unknown_app"));
}

void TestApps::fallbackIsOffUnlessSaid()
{
    FakeWorker worker;
    ServerProcess server(config("\"1\"", "{\"pool\": \"own\"}", originEntry("d1", worker, "\"capacity\": 50") + "," + originEntry("o1", worker, "\"pool\": \"own\", \"capacity\": 50"),
        "\"apps\": [{\"app\": \"a\"}], \"bindings\": [{\"app\": \"a\", \"pool\": \"own\"}]"));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 2), kSoon);
    const HttpClient client = server.client();
    const std::vector<std::pair<const char*, std::function<int()>>> causes{
        {"draining", [&] { return client.put("/admin/mmx-nodes/o1/draining", R"({"draining": true})").status; }},
        {"quarantined", [&] { return client.put("/admin/mmx-nodes/o1/draining", R"({"draining": false})").status == 200 ? client.post("/v1/outcomes", R"({"nodeId": "o1", "error": "reset"})").status : 0; }},
        {"no nodes", [&] { return client.put("/admin/mmx-nodes/o1/pool", R"({"poolId": "unassigned"})").status; }},
    };
    QCOMPARE(ask(client, "a").text("nodeId"), QStringLiteral("o1"));
    for (const auto& [name, cause] : causes) {
        QCOMPARE(cause(), 200);
        QCOMPARE(client.put("/admin/app-pool-bindings/a", R"({"poolId": "own", "allowFallbackToDefault": false})").status, 200);
        const HttpAnswer closed = ask(client, "a");
        QVERIFY2(closed.verdict() == "503 no_candidate", (QByteArray(name) + closed.body).constData());
        QVERIFY2(closed.text("explanation.sentence").contains(QStringLiteral("Fallback to default is off")), closed.body.constData());
        QCOMPARE(client.put("/admin/app-pool-bindings/a", R"({"poolId": "own", "allowFallbackToDefault": true})").status, 200);
        const HttpAnswer open = ask(client, "a");
        QCOMPARE(open.text("nodeId"), QStringLiteral("d1"));
        QCOMPARE(open.text("poolId"), QStringLiteral("default"));
        QVERIFY(open.flag("fallback"));
    }
    QCOMPARE(client.put("/admin/mmx-nodes/d1/draining", R"({"draining": true})").status, 200);
    QCOMPARE(ask(client, "a").verdict(), QByteArray("503 no_candidate")); // and there is no third pool
}

void TestApps::movingAUsersLastNodeKeepsTheAppClosed()
{
    FakeWorker worker;
    ServerProcess server(config("\"u1\"", {}, originEntry("d1", worker, "\"capacity\": 50") + "," + originEntry("a", worker, "\"owner\": \"u1\""), "\"apps\": [{\"app\": \"x\", \"owner\": \"u1\"}]"));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 2), kSoon);
    const HttpClient client = server.client();
    QCOMPARE(client.put("/admin/mmx-nodes/a/pool", R"({"poolId": "unassigned"})").status, 200);
    QCOMPARE(ask(client, "x").verdict(), QByteArray("503 no_candidate"));
    server.kill9(); // and a restart changes nothing about that
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 1), kSoon); // one in unassigned is no worker
    const HttpClient again = server.client();
    QCOMPARE(ask(again, "x").verdict(), QByteArray("503 no_candidate"));
    // Only a user that owns nothing at all falls back.
    QCOMPARE(again.remove("/admin/mmx-nodes/a").status, 204);
    const HttpAnswer open = ask(again, "x");
    QCOMPARE(open.text("nodeId"), QStringLiteral("d1"));
    QVERIFY(open.flag("fallback"));
}

void TestApps::aCanaryPoolIsNeverChosen()
{
    FakeWorker worker;
    FakeWorker canary;
    ServerProcess server(config({}, "{\"pool\": \"canary\", \"canary\": true}", originEntry("c1", canary, "\"pool\": \"canary\", \"capacity\": 1000") + "," + originEntry("d1", worker, "\"capacity\": 5"),
        "\"apps\": [{\"app\": \"a\"}]"));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 2), kSoon);
    const HttpClient client = server.client();
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(ask(client, "a").text("nodeId"), QStringLiteral("d1"));
    }
    QCOMPARE(ask(client, "a").verdict(), QByteArray("503 no_candidate"));
    const int before = canary.requests();
    QTRY_VERIFY_WITH_TIMEOUT(canary.requests() >= before + 2, kSoon); // its probes go on
    QCOMPARE(client.get("/admin/reachability").number("strandedNodes"), 0.0);
}

void TestApps::theSecondOutageIsOneSentence()
{
    FakeWorker worker;
    QByteArray nodes;
    QByteArray apps;
    for (int i = 1; i <= 3; ++i) {
        nodes += (i > 1 ? "," : "") + originEntry("o" + QByteArray::number(i), worker, "\"pool\": \"pool-1\"");
    }
    for (int i = 1; i <= 14; ++i) {
        apps += QByteArray(i > 1 ? "," : "") + "{\"app\": \"app-" + QByteArray::number(i) + "\"}";
    }
    ServerProcess server(config("\"1\"", {}, nodes, "\"apps\": [" + apps + "]"));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 3), kSoon);
    const HttpAnswer reach = server.client().get("/admin/reachability");
    QCOMPARE(reach.text("sentence"), QStringLiteral("3 healthy origins are in pool-1, which no app resolves to; 14 apps resolve to default, which has none."));
    QCOMPARE(reach.number("strandedNodes"), 3.0);
    QCOMPARE(reach.number("starvedApps"), 14.0);
    QCOMPARE(server.client().post("/admin/mmx-nodes:move", R"({"moves": [{"nodeId": "o1", "poolId": "default"}, {"nodeId": "o2", "poolId": "default"}, {"nodeId": "o3", "poolId": "default"}]})").status, 200);
    QCOMPARE(server.client().get("/admin/reachability").number("starvedApps"), 0.0);
    QCOMPARE(server.client().get("/admin/reachability").text("sentence"), QString());
}

void TestApps::aRefusalExplainsItself()
{
    FakeWorker worker;
    ServerProcess server(config({}, {}, originEntry("n1", worker)));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 1), kSoon);
    const HttpClient client = server.client();
    QCOMPARE(client.put("/admin/mmx-nodes/n1/draining", R"({"draining": true, "reason": "disk swap"})").status, 200);
    const HttpAnswer refused = ask(client, "a");
    QCOMPARE(refused.verdict(), QByteArray("503 no_candidate"));
    QCOMPARE(refused.header("Content-Type"), QByteArray("application/problem+json"));
    QCOMPARE(refused.text("explanation.nodes.0.nodeId"), QStringLiteral("n1"));
    QCOMPARE(refused.text("explanation.nodes.0.reason"), QStringLiteral("draining"));
    QCOMPARE(refused.number("explanation.stages.0.considered"), 1.0);
    QCOMPARE(refused.number("explanation.stages.0.excluded.draining"), 1.0);
    QCOMPARE(refused.text("explanation.resolution.poolId"), QStringLiteral("default"));
    QCOMPARE(refused.text("explanation.sentence"), refused.text("detail"));
    // The sentence is of now, however old the record beside it may be.
    QCOMPARE(client.put("/admin/mmx-nodes/n1/pool", R"({"poolId": "unassigned"})").status, 200);
    const HttpAnswer later = ask(client, "a");
    QCOMPARE(later.text("explanation.sentence"), later.text("detail"));
    QVERIFY(later.text("detail") != refused.text("detail"));
    QCOMPARE(client.post("/v1/schedule", R"({"role": "recorder", "appId": "a"})").verdict(), QByteArray("422 unscheduled_role"));
    QCOMPARE(client.post("/v1/schedule", R"({"role": "origin"})").verdict(), QByteArray("422 missing_field"));
    QCOMPARE(client.post("/v1/schedule", R"({"role": "origin", "appId": "a", "need": 0})").verdict(), QByteArray("422 out_of_range"));
}

void TestApps::dryRunIsQuiet()
{
    FakeWorker worker;
    ServerProcess server(config({}, {}, originEntry("n1", worker)));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 1), kSoon);
    const HttpClient client = server.client();
    for (int i = 0; i < 50; ++i) {
        const HttpAnswer dry = ask(client, "a", R"(, "dryRun": true)");
        QCOMPARE(dry.status, 200);
        QCOMPARE(dry.text("code"), QStringLiteral("ok"));
        QCOMPARE(dry.text("nodeId"), QStringLiteral("n1"));
        QVERIFY(dry.at("explanation").isObject());
    }
    QCOMPARE(client.get("/admin/mmx-nodes/n1").number("reserved"), 0.0);
    QCOMPARE(client.put("/admin/mmx-nodes/n1/draining", R"({"draining": true})").status, 200);
    for (int i = 0; i < 50; ++i) {
        const HttpAnswer dry = ask(client, "a", R"(, "dryRun": true)");
        QCOMPARE(dry.status, 200);
        QCOMPARE(dry.text("code"), QStringLiteral("no_candidate"));
        QVERIFY(dry.at("nodeId").isNull());
    }
    QCOMPARE(server.terminate(), 0);
    QCOMPARE(eventsOf(server, QStringLiteral("pool_exhausted")), 0);
    QVERIFY(eventsOf(server, QStringLiteral("node_draining")) == 1);
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(ask(server.client(), "a").status, 503); // the loud form leaves a record
    QCOMPARE(server.terminate(), 0);
    QCOMPARE(eventsOf(server, QStringLiteral("pool_exhausted")), 1);
}

void TestApps::aFullNodeIsFreeAgainAfterRelease()
{
    FakeWorker worker;
    ServerProcess server(config({}, {}, originEntry("n1", worker)));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 1), kSoon);
    const HttpClient client = server.client();
    const HttpAnswer placed = ask(client, "a");
    QCOMPARE(placed.text("nodeId"), QStringLiteral("n1"));
    QCOMPARE(placed.text("url"), worker.url());
    const qint64 placement = placed.at("placement").toInteger();
    QVERIFY(placement > 0 && placement < (qint64(1) << 53));
    const HttpAnswer full = ask(client, "a");
    QCOMPARE(full.verdict(), QByteArray("503 no_candidate"));
    QVERIFY2(full.text("detail").contains(QStringLiteral("1 full")), full.body.constData());
    const QByteArray release = "/v1/placements/" + QByteArray::number(placement) + ":release";
    QCOMPARE(client.send("POST", release).status, 204);
    QCOMPARE(client.send("POST", release).status, 204);
    QCOMPARE(client.send("POST", "/v1/placements/zero:release").verdict(), QByteArray("422 invalid_value"));
    const HttpAnswer again = ask(client, "a");
    QCOMPARE(again.status, 200);
    QVERIFY(again.at("placement").toInteger() > placement);
    QCOMPARE(client.get("/admin/mmx-nodes/n1").number("reserved"), 1.0);
    server.kill9();
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 1), kSoon);
    QVERIFY(ask(server.client(), "a").at("placement").toInteger() > again.at("placement").toInteger()); // grows over a restart
}

void TestApps::unknownAppsCanBeRefused()
{
    FakeWorker worker;
    ServerProcess server(config({}, {}, originEntry("n1", worker, "\"capacity\": 9"), "\"scheduler\": {\"admit_unknown_apps\": false}, \"apps\": [{\"app\": \"known\"}]"));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 1), kSoon);
    QCOMPARE(ask(server.client(), "known").status, 200);
    QCOMPARE(ask(server.client(), "default").status, 200);
    QCOMPARE(ask(server.client(), "stranger").verdict(), QByteArray("404 unknown_app"));
}

void TestApps::endpointsMustBeOffered()
{
    FakeWorker worker;
    ServerProcess server(config({}, {}, originEntry("n1", worker, R"("capacity": 9, "webrtc_base_url": "http://127.0.0.1:9/whip")")));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(allHealthy(server, 1), kSoon);
    const HttpClient client = server.client();
    QCOMPARE(ask(client, "a", R"(, "endpoint": "whip")").text("url"), QStringLiteral("http://127.0.0.1:9/whip"));
    QCOMPARE(ask(client, "a", R"(, "endpoint": "srt")").verdict(), QByteArray("503 no_candidate"));
    QCOMPARE(ask(client, "a", R"(, "endpoint": "rtmp")").verdict(), QByteArray("422 invalid_value"));
    const QByteArray publish = R"({"publishUrl": "srt://127.0.0.1:9"})";
    QCOMPARE(client.patch("/admin/mmx-nodes/n1", publish).status, 200);
    QCOMPARE(ask(client, "a", R"(, "endpoint": "srt")").text("url"), QStringLiteral("srt://127.0.0.1:9"));
}

QTEST_GUILESS_MAIN(TestApps)
#include "TestApps.moc"
