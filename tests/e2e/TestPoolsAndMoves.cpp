// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QJsonDocument>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QtTest>

using namespace weir::test;

namespace {

constexpr int kSoon = 8'000;

struct AuditRow {
    QString actor;
    QString action;
    QString target;
    QString before;
    QString after;
    QString outcome;
    QString requestId;
};

// The audit as it lies on disk, read while nobody else has it open.
std::vector<AuditRow> auditOf(const ServerProcess& server)
{
    std::vector<AuditRow> rows;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("audit"));
        database.setDatabaseName(server.database());
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        if (database.open()) {
            QSqlQuery query(database);
            query.exec(QStringLiteral("SELECT actor, action, target, value_before, value_after, outcome, request_id FROM audit ORDER BY id"));
            while (query.next()) {
                rows.push_back({query.value(0).toString(), query.value(1).toString(), query.value(2).toString(), query.value(3).toString(), query.value(4).toString(),
                    query.value(5).toString(), query.value(6).toString()});
            }
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("audit"));
    return rows;
}

QStringList namesOf(const HttpAnswer& answer, const char* key)
{
    QStringList names;
    for (const QJsonValue& item : answer.items()) {
        names << item.toObject().value(QLatin1String(key)).toString();
    }
    return names;
}

QByteArray one(const HttpAnswer& answer)
{
    return answer.verdict();
}

QByteArray toJson(const QJsonValue& value)
{
    return QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
}

} // namespace

class TestPoolsAndMoves : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_server.reset(); }
    void poolsStandInDisplayOrder();
    void poolsAreMadeChangedAndRemoved();
    void nodesAreMade();
    void badAddressesAreRefused_data();
    void badAddressesAreRefused();
    void aMoveOfOne();
    void aMoveOfManyIsAllOrNone();
    void aTokenHoldsTheVerdicts();
    void trafficThatBeganRefusesAMoveThatWouldBreakIt();
    void previewHasNoSideEffects();
    void aMoveIsSeenByTheNextDecisionAndAfterAKill();
    void drainingIsIdempotentAndLasts();
    void removingANode();
    void everyChangeIsAudited();

private:
    std::unique_ptr<FakeWorker> m_worker;
    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<HttpClient> m_client;
};

void TestPoolsAndMoves::init()
{
    m_worker = std::make_unique<FakeWorker>();
    const QByteArray url = m_worker->url().toUtf8();
    m_server = std::make_unique<ServerProcess>("{\"health_check\": {\"interval_seconds\": 0.4, \"timeout_seconds\": 0.4}, \"users\": [\"7\", \"10\"], \"pools\": [{\"pool\": \"canary\", \"name\": \"Canary\", "
                                               "\"canary\": true}, {\"pool\": \"a-pool\"}], \"nodes\": ["
                                               "{\"node\": \"n1\", \"role\": \"origin\", \"url\": \"" + url + "\", \"capacity\": 10}, {\"node\": \"n2\", \"role\": \"origin\", \"url\": \"" + url
        + "\", \"owner\": \"7\"}, {\"node\": \"n3\", \"role\": \"origin\", \"url\": \"" + url + "\", \"owner\": \"7\"}], \"apps\": [{\"app\": \"seven\", \"owner\": \"7\"}]}");
    QVERIFY2(m_server->start(), m_server->err().constData());
    m_client = std::make_unique<HttpClient>(m_server->client());
    QTRY_COMPARE_WITH_TIMEOUT(m_server->traffic().get("/gateway-health").number("workers_healthy"), 3.0, kSoon);
}

void TestPoolsAndMoves::poolsStandInDisplayOrder()
{
    const HttpAnswer pools = m_client->get("/admin/node-pools");
    QCOMPARE(pools.status, 200);
    QStringList names = namesOf(pools, "poolId");
    QCOMPARE(names, QStringList({QStringLiteral("default"), QStringLiteral("a-pool"), QStringLiteral("canary"), QStringLiteral("pool-10"), QStringLiteral("pool-7"), QStringLiteral("unassigned")}));
    QVERIFY(pools.number("revision") > 0);
    QCOMPARE(pools.text("items.4.owner"), QStringLiteral("7"));
    QCOMPARE(pools.number("items.4.sharedByApps"), 1.0);
    QCOMPARE(pools.number("items.4.totals.origin.nodes"), 2.0);
    QCOMPARE(pools.number("items.4.totals.origin.candidates"), 2.0);
    QCOMPARE(pools.text("items.4.nodes.0.nodeId"), QStringLiteral("n2"));
    QVERIFY(pools.flag("items.2.canary"));
    QCOMPARE(pools.number("items.0.totals.origin.free"), 10.0);
    // Names are texts that people give; a name is no id.
    for (const char* key : {"nodeId", "role", "poolId", "owner", "static", "connected", "health", "inRotation", "cause", "reason", "quarantineRemainingSeconds", "draining", "drainReason",
             "consecutiveFailures", "consecutiveSuccesses", "capacity", "used", "inFlight", "reserved", "free", "version", "region", "url", "healthUrl", "state", "revision"}) {
        QVERIFY2(pools.at("items.0.nodes.0").toObject().contains(QLatin1String(key)), key);
    }
}

void TestPoolsAndMoves::poolsAreMadeChangedAndRemoved()
{
    const HttpAnswer made = m_client->post("/admin/node-pools", R"({"poolId": "b-pool", "name": "B", "minAvailable": 2, "capacityAlarmPercent": 12.5})");
    QCOMPARE(made.status, 201);
    QCOMPARE(made.header("Location"), QByteArray("/admin/node-pools/b-pool"));
    QCOMPARE(one(m_client->post("/admin/node-pools", R"({"poolId": "b-pool"})")), QByteArray("409 duplicate_id"));
    for (const char* id : {"default", "unassigned"}) {
        const HttpAnswer answer = m_client->post("/admin/node-pools", QByteArray("{\"poolId\": \"") + id + "\"}");
        QVERIFY2(answer.status == 409 || answer.status == 422, answer.body.constData());
    }
    for (const char* id : {"pool-9", "B", "a b", "", "-x", "\\u200b"}) {
        const HttpAnswer answer = m_client->post("/admin/node-pools", QByteArray("{\"poolId\": \"") + id + "\"}");
        QVERIFY2(answer.status == 422 || (answer.status == 409 && answer.text("code") == QStringLiteral("builtin_pool")), answer.body.constData());
        QCOMPARE(answer.text("field"), QStringLiteral("poolId"));
    }
    QCOMPARE(one(m_client->post("/admin/node-pools", R"({"name": "x"})")), QByteArray("422 missing_field"));
    QCOMPARE(one(m_client->post("/admin/node-pools", R"({"poolId": "c", "minAvailable": -1})")), QByteArray("422 out_of_range"));
    QCOMPARE(one(m_client->post("/admin/node-pools", R"({"poolId": "c", "canary": 1})")), QByteArray("422 wrong_type"));

    QCOMPARE(m_client->patch("/admin/node-pools/b-pool", R"({"canary": true})").status, 204);
    QJsonObject pool = m_client->get("/admin/node-pools").at("items.2").toObject();
    QCOMPARE(pool.value(QStringLiteral("name")).toString(), QStringLiteral("B"));
    QCOMPARE(pool.value(QStringLiteral("minAvailable")).toInt(), 2);
    QCOMPARE(pool.value(QStringLiteral("capacityAlarmPercent")).toDouble(), 12.5);
    QVERIFY(pool.value(QStringLiteral("canary")).toBool());
    QCOMPARE(one(m_client->patch("/admin/node-pools/nowhere", R"({"name": "x"})")), QByteArray("404 unknown_pool"));
    for (const char* id : {"default", "unassigned", "pool-7"}) {
        QCOMPARE(one(m_client->patch(QByteArray("/admin/node-pools/") + id, R"({"name": "x"})")), QByteArray("409 builtin_pool"));
        QCOMPARE(one(m_client->remove(QByteArray("/admin/node-pools/") + id)), QByteArray("409 builtin_pool"));
    }
    QCOMPARE(one(m_client->remove("/admin/node-pools/nowhere")), QByteArray("404 unknown_pool"));

    QCOMPARE(m_client->put("/admin/mmx-nodes/n1/pool", R"({"poolId": "b-pool"})").status, 200);
    const HttpAnswer held = m_client->remove("/admin/node-pools/b-pool");
    QCOMPARE(one(held), QByteArray("409 in_use"));
    QVERIFY2(held.text("detail").contains(QStringLiteral("node n1")), held.body.constData());
    QCOMPARE(m_client->put("/admin/mmx-nodes/n1/pool", R"({"poolId": "default"})").status, 200);
    QCOMPARE(m_client->put("/admin/app-pool-bindings/seven", R"({"poolId": "b-pool"})").status, 201);
    QCOMPARE(one(m_client->remove("/admin/node-pools/b-pool")), QByteArray("409 in_use"));
    QCOMPARE(m_client->remove("/admin/app-pool-bindings/seven").status, 204);
    QCOMPARE(m_client->remove("/admin/node-pools/b-pool").status, 204);
    QCOMPARE(one(m_client->remove("/admin/node-pools/b-pool")), QByteArray("404 unknown_pool"));
    QVERIFY(!namesOf(m_client->get("/admin/node-pools"), "poolId").contains(QStringLiteral("b-pool")));
}

void TestPoolsAndMoves::nodesAreMade()
{
    const HttpAnswer own = m_client->post("/admin/mmx-nodes", R"({"nodeId": "GPU-1", "role": "worker"})");
    QCOMPARE(own.status, 201);
    const QString secret = own.text("nodeSecret");
    QVERIFY(secret.size() > 40);
    QVERIFY(!m_client->get("/admin/mmx-nodes/GPU-1").body.contains(secret.toUtf8()));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes", R"({"nodeId": "gpu-1", "role": "worker"})")), QByteArray("409 duplicate_id"));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes", R"({"nodeId": "GPU-1", "role": "worker"})")), QByteArray("409 duplicate_id"));
    QCOMPARE(m_client->get("/admin/mmx-nodes/gpu-1").status, 404); // ids are matched byte by byte

    const HttpAnswer placed = m_client->post("/admin/mmx-nodes", "{\"nodeId\": \"s\", \"role\": \"origin\", \"owner\": \"10\", \"url\": \"" + m_worker->url().toUtf8() + "\", \"expectedStatuses\": [200, 204]}");
    QCOMPARE(placed.status, 201);
    QCOMPARE(placed.text("poolId"), QStringLiteral("pool-10"));
    QVERIFY(!placed.json().contains(QStringLiteral("nodeSecret")));
    QTRY_VERIFY_WITH_TIMEOUT(m_client->get("/admin/mmx-nodes/s").flag("inRotation"), kSoon);

    // Without an id it is given one.
    const HttpAnswer named = m_client->post("/admin/mmx-nodes", R"({"role": "edge", "poolId": "canary"})");
    QCOMPARE(named.status, 201);
    QVERIFY2(named.text("nodeId").startsWith(QStringLiteral("edge-")), named.body.constData());
    QCOMPARE(m_client->get("/admin/mmx-nodes/" + named.text("nodeId").toUtf8()).text("poolId"), QStringLiteral("canary"));

    QCOMPARE(one(m_client->post("/admin/mmx-nodes", R"({"nodeId": "x", "role": "worker", "owner": "nobody"})")), QByteArray("422 unknown_owner"));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes", R"({"nodeId": "x", "role": "worker", "poolId": "nowhere"})")), QByteArray("422 unknown_pool"));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes", R"({"nodeId": "x", "role": "king"})")), QByteArray("422 invalid_value"));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes", R"({"nodeId": "x"})")), QByteArray("422 missing_field"));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes", R"({"nodeId": "x y", "role": "worker"})")), QByteArray("422 invalid_id"));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes", R"({"nodeId": "x", "role": "worker", "capacity": 0})")), QByteArray("422 out_of_range"));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes", R"({"nodeId": "x", "role": "worker", "expectedStatuses": [302]})")), QByteArray("422 invalid_value"));
    QCOMPARE(m_client->get("/admin/mmx-nodes/x").status, 404);

    // Other health address, state afresh.
    QCOMPARE(m_client->patch("/admin/mmx-nodes/s", R"({"weight": 3, "region": "eu"})").status, 200);
    QVERIFY(m_client->get("/admin/mmx-nodes/s").flag("inRotation"));
    const HttpAnswer patched = m_client->patch("/admin/mmx-nodes/s", R"({"url": "http://127.0.0.1:1"})");
    QCOMPARE(patched.status, 200);
    QVERIFY(!patched.flag("inRotation"));
    QCOMPARE(one(m_client->patch("/admin/mmx-nodes/s", R"({"url": ""})")), QByteArray("422 invalid_url"));
    QCOMPARE(one(m_client->patch("/admin/mmx-nodes/s", R"({"role": "edge"})")), QByteArray("422 unknown_field"));
    QCOMPARE(one(m_client->patch("/admin/mmx-nodes/none", R"({"weight": 3})")), QByteArray("404 unknown_node"));

    const HttpAnswer page = m_client->get("/admin/mmx-nodes?limit=2");
    QCOMPARE(page.items().size(), qsizetype(2));
    const HttpAnswer next = m_client->get("/admin/mmx-nodes?limit=1000&after=" + page.text("next").toUtf8());
    QCOMPARE(page.items().size() + next.items().size(), m_client->get("/admin/mmx-nodes?limit=1000").items().size());
    QVERIFY(next.at("next").isNull());
    QCOMPARE(one(m_client->get("/admin/mmx-nodes?limit=0")), QByteArray("422 out_of_range"));
    QCOMPARE(one(m_client->get("/admin/mmx-nodes?pool=x")), QByteArray("422 unknown_field"));
    QCOMPARE(namesOf(m_client->get("/admin/mmx-nodes?poolId=pool-7"), "nodeId"), QStringList({QStringLiteral("n2"), QStringLiteral("n3")}));
}

void TestPoolsAndMoves::badAddressesAreRefused_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<QString>("field");
    const auto row = [](const QByteArray& fields, const char* field) { QTest::newRow(fields.constData()) << fields << QString::fromLatin1(field); };
    row(R"("url": "not a url")", "url");
    row(R"("url": "ftp://127.0.0.1")", "url");
    row(R"("url": "nonsense", "healthUrl": "http://127.0.0.1:1")", "url");
    row(R"("url": "http://127.0.0.1:1", "healthUrl": "http://u:p@127.0.0.1")", "healthUrl");
    row(R"("url": "http://127.0.0.1:1/a/../b")", "url");
    row(R"("url": "http://127.0.0.1:1", "healthPath": "/a b")", "healthPath");
    row(R"("url": "http://127.0.0.1:1", "webrtcBaseUrl": "srt://127.0.0.1:1")", "webrtcBaseUrl");
    row(R"("url": "http://127.0.0.1:1", "publishUrl": "file:///etc/passwd")", "publishUrl");
}

void TestPoolsAndMoves::badAddressesAreRefused()
{
    QFETCH(QByteArray, fields);
    QFETCH(QString, field);
    const HttpAnswer answer = m_client->post("/admin/mmx-nodes", "{\"nodeId\": \"x\", \"role\": \"origin\", " + fields + "}");
    QVERIFY2(answer.status == 422, answer.body.constData());
    QCOMPARE(answer.text("field"), field);
    QCOMPARE(m_client->patch("/admin/mmx-nodes/n1", "{" + fields + "}").status, 422);
}

void TestPoolsAndMoves::aMoveOfOne()
{
    const HttpAnswer moved = m_client->put("/admin/mmx-nodes/n1/pool", R"({"poolId": "canary", "expectedFrom": "default", "reason": "try"})");
    QCOMPARE(moved.status, 200);
    QCOMPARE(moved.text("nodeId"), QStringLiteral("n1"));
    QCOMPARE(moved.text("from"), QStringLiteral("default"));
    QCOMPARE(moved.text("to"), QStringLiteral("canary"));
    QVERIFY(moved.flag("changed"));
    QVERIFY(moved.at("impact.token").isDouble());
    const HttpAnswer again = m_client->put("/admin/mmx-nodes/n1/pool", R"({"poolId": "canary"})");
    QCOMPARE(again.status, 200);
    QVERIFY(again.at("changed").isBool() && !again.flag("changed"));
    QCOMPARE(again.text("from"), QStringLiteral("canary"));
    QCOMPARE(m_client->get("/admin/mmx-nodes/n1").text("poolId"), QStringLiteral("canary"));

    QCOMPARE(one(m_client->put("/admin/mmx-nodes/nobody/pool", R"({"poolId": "canary"})")), QByteArray("404 unknown_node"));
    const HttpAnswer unknown = m_client->put("/admin/mmx-nodes/n1/pool", R"({"poolId": "canery"})");
    QCOMPARE(one(unknown), QByteArray("422 unknown_pool"));
    QCOMPARE(unknown.text("field"), QStringLiteral("poolId"));
    QCOMPARE(unknown.at("suggestions").toArray().first().toString(), QStringLiteral("canary"));
    QCOMPARE(one(m_client->put("/admin/mmx-nodes/n1/pool", R"({"poolId": "pool-99"})")), QByteArray("422 unknown_pool")); // a user that does not exist
    const HttpAnswer late = m_client->put("/admin/mmx-nodes/n1/pool", R"({"poolId": "pool-7", "expectedFrom": "default"})");
    QCOMPARE(one(late), QByteArray("409 moved_meanwhile"));
    QVERIFY2(late.text("detail").contains(QStringLiteral("canary")), late.body.constData());
    QCOMPARE(m_client->get("/admin/mmx-nodes/n1").text("poolId"), QStringLiteral("canary"));
    QCOMPARE(one(m_client->put("/admin/mmx-nodes/n1/pool", R"({"pool": "canary"})")), QByteArray("422 missing_field"));
    QCOMPARE(m_client->put("/admin/mmx-nodes/n1/pool", R"({"poolId": "unassigned"})").status, 200);
}

void TestPoolsAndMoves::aMoveOfManyIsAllOrNone()
{
    const HttpAnswer half = m_client->post("/admin/mmx-nodes:move", R"({"moves": [{"nodeId": "n1", "poolId": "canary"}, {"nodeId": "n2", "poolId": "canary", "expectedFrom": "default"}]})");
    QCOMPARE(one(half), QByteArray("409 moved_meanwhile"));
    QCOMPARE(half.text("nodes.0.nodeId"), QStringLiteral("n2"));
    QCOMPARE(half.text("nodes.0.poolId"), QStringLiteral("pool-7"));
    QCOMPARE(m_client->get("/admin/mmx-nodes/n1").text("poolId"), QStringLiteral("default"));
    const HttpAnswer unknown = m_client->post("/admin/mmx-nodes:move", R"({"moves": [{"nodeId": "n1", "poolId": "canary"}, {"nodeId": "nobody", "poolId": "canary"}]})");
    QCOMPARE(one(unknown), QByteArray("404 unknown_node"));
    QCOMPARE(unknown.text("field"), QStringLiteral("moves[1].nodeId"));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes:move", R"({"moves": [{"nodeId": "n1", "poolId": "canary"}, {"nodeId": "n1", "poolId": "default"}]})")), QByteArray("409 duplicate_id"));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes:move", R"({"moves": []})")), QByteArray("422 missing_field"));
    QCOMPARE(m_client->get("/admin/mmx-nodes/n1").text("poolId"), QStringLiteral("default"));

    const HttpAnswer moved = m_client->post("/admin/mmx-nodes:move",
        R"({"moves": [{"nodeId": "n1", "poolId": "canary"}, {"nodeId": "n2", "poolId": "canary"}, {"nodeId": "n3", "poolId": "pool-7"}], "reason": "try", "source": "drag"})");
    QCOMPARE(moved.status, 200);
    QCOMPARE(moved.items("moves").size(), qsizetype(3));
    QVERIFY(!moved.flag("moves.2.changed"));
    QCOMPARE(moved.items("undo.moves").size(), qsizetype(2));
    QCOMPARE(m_client->get("/admin/mmx-nodes/n2").text("poolId"), QStringLiteral("canary"));
    // The undo is a move back that expects the nodes where they were left.
    const HttpAnswer undone = m_client->post("/admin/mmx-nodes:move", toJson(moved.at("undo")));
    QCOMPARE(undone.status, 200);
    QCOMPARE(m_client->get("/admin/mmx-nodes/n1").text("poolId"), QStringLiteral("default"));
    QCOMPARE(m_client->get("/admin/mmx-nodes/n2").text("poolId"), QStringLiteral("pool-7"));
    QCOMPARE(one(m_client->post("/admin/mmx-nodes:move", toJson(moved.at("undo")))), QByteArray("409 moved_meanwhile"));
}

void TestPoolsAndMoves::aTokenHoldsTheVerdicts()
{
    const QByteArray moves = R"("moves": [{"nodeId": "n2", "poolId": "canary"}])";
    const HttpAnswer preview = m_client->post("/admin/moves:preview", "{" + moves + "}");
    QCOMPARE(preview.status, 200);
    const QByteArray token = QByteArray::number(preview.at("impact.token").toInteger());
    // n3 drains meanwhile: the same move would now take the app's last candidate.
    QCOMPARE(m_client->put("/admin/mmx-nodes/n3/draining", R"({"draining": true})").status, 200);
    const HttpAnswer refused = m_client->post("/admin/mmx-nodes:move", "{" + moves + ", \"impact\": " + token + "}");
    QCOMPARE(one(refused), QByteArray("409 impact_changed"));
    QVERIFY(refused.at("impact.token").isDouble());
    QVERIFY(refused.at("impact.token").toInteger() != preview.at("impact.token").toInteger());
    QCOMPARE(refused.at("impact.failClosed").toArray().first().toString(), QStringLiteral("seven"));
    QCOMPARE(m_client->get("/admin/mmx-nodes/n2").text("poolId"), QStringLiteral("pool-7"));
    const QByteArray now = QByteArray::number(refused.at("impact.token").toInteger());
    QCOMPARE(m_client->post("/admin/mmx-nodes:move", "{" + moves + ", \"impact\": " + now + "}").status, 200);
}

void TestPoolsAndMoves::trafficThatBeganRefusesAMoveThatWouldBreakIt()
{
    const QByteArray moves = R"("moves": [{"nodeId": "n2", "poolId": "canary"}, {"nodeId": "n3", "poolId": "canary"}])";
    const HttpAnswer quiet = m_client->post("/admin/moves:preview", "{" + moves + "}");
    QCOMPARE(quiet.number("impact.tier"), 2.0);
    QCOMPARE(m_client->post("/v1/schedule", R"({"role": "origin", "appId": "seven"})").status, 200);
    const auto moveWith = [&](qint64 token) { return m_client->post("/admin/mmx-nodes:move", "{" + moves + ", \"impact\": " + QByteArray::number(token) + "}"); };
    const HttpAnswer refused = moveWith(quiet.at("impact.token").toInteger());
    QCOMPARE(one(refused), QByteArray("409 impact_changed"));
    QCOMPARE(refused.number("impact.tier"), 3.0);
    QCOMPARE(m_client->get("/admin/mmx-nodes/n2").text("poolId"), QStringLiteral("pool-7"));
    QCOMPARE(moveWith(refused.at("impact.token").toInteger()).status, 200);
}

void TestPoolsAndMoves::previewHasNoSideEffects()
{
    // Probes count successes; what a preview may not touch is where nodes are, and the revision they have with that.
    m_worker->setSilent(false);
    const auto places = [&] {
        QStringList result;
        for (const QJsonValue& node : m_client->get("/admin/mmx-nodes").items()) {
            const QJsonObject row = node.toObject();
            result << row.value(QStringLiteral("nodeId")).toString() + row.value(QStringLiteral("poolId")).toString() + QString::number(row.value(QStringLiteral("reserved")).toInt());
        }
        return result;
    };
    QCOMPARE(m_client->put("/admin/settings/health-check", R"({"intervalSeconds": 600})").status, 200);
    const QStringList before = places();
    double revision = -1;
    // Until the probes that were under way are over.
    const auto still = [&] {
        const double now = m_client->get("/admin/node-pools").number("revision");
        return std::exchange(revision, now) == now;
    };
    QTRY_VERIFY_WITH_TIMEOUT(still(), kSoon);
    for (int i = 0; i < 20; ++i) {
        QCOMPARE(m_client->post("/admin/moves:preview", R"({"moves": [{"nodeId": "n2", "poolId": "canary"}, {"nodeId": "n3", "poolId": "unassigned"}]})").status, 200);
    }
    QCOMPARE(m_client->get("/admin/node-pools").number("revision"), revision);
    QCOMPARE(places(), before);
    QCOMPARE(one(m_client->post("/admin/moves:preview", R"({"moves": [{"nodeId": "n2", "poolId": "nowhere"}]})")), QByteArray("422 unknown_pool"));
}

void TestPoolsAndMoves::aMoveIsSeenByTheNextDecisionAndAfterAKill()
{
    const QByteArray ask = R"({"role": "origin", "appId": "seven", "dryRun": true})";
    QCOMPARE(m_client->post("/v1/schedule", ask).text("code"), QStringLiteral("ok"));
    for (int round = 0; round < 10; ++round) {
        QCOMPARE(m_client->post("/admin/mmx-nodes:move", R"({"moves": [{"nodeId": "n2", "poolId": "unassigned"}, {"nodeId": "n3", "poolId": "unassigned"}]})").status, 200);
        QCOMPARE(m_client->post("/v1/schedule", ask).text("code"), QStringLiteral("no_candidate"));
        QCOMPARE(m_client->put("/admin/mmx-nodes/n3/pool", R"({"poolId": "pool-7"})").status, 200);
        QCOMPARE(m_client->post("/v1/schedule", ask).text("nodeId"), QStringLiteral("n3"));
    }
    m_server->kill9();
    QVERIFY2(m_server->start(), m_server->err().constData());
    const HttpClient client = m_server->client();
    QCOMPARE(client.get("/admin/mmx-nodes/n2").text("poolId"), QStringLiteral("unassigned"));
    QCOMPARE(client.get("/admin/mmx-nodes/n3").text("poolId"), QStringLiteral("pool-7"));
    QTRY_COMPARE_WITH_TIMEOUT(client.post("/v1/schedule", ask).text("nodeId"), QStringLiteral("n3"), kSoon);
}

void TestPoolsAndMoves::drainingIsIdempotentAndLasts()
{
    const HttpAnswer drained = m_client->put("/admin/mmx-nodes/n1/draining", R"({"draining": true, "reason": "disk swap"})");
    QCOMPARE(drained.status, 200);
    QVERIFY(drained.flag("draining"));
    QVERIFY(drained.at("inFlight").isDouble() && drained.at("streams").isDouble());
    QCOMPARE(m_client->put("/admin/mmx-nodes/n1/draining", R"({"draining": true})").status, 200);
    QCOMPARE(m_client->get("/admin/mmx-nodes/n1").text("drainReason"), QStringLiteral("disk swap"));
    const HttpAnswer refused = m_client->post("/v1/schedule", R"({"role": "origin", "appId": "x"})");
    QCOMPARE(one(refused), QByteArray("503 no_candidate"));
    QVERIFY2(refused.text("explanation.sentence").contains(QStringLiteral("1 draining")), refused.body.constData());
    QVERIFY(m_client->get("/admin/mmx-nodes/n1").flag("inRotation")); // two facts
    m_server->kill9();
    QVERIFY2(m_server->start(), m_server->err().constData());
    const HttpClient client = m_server->client();
    QVERIFY(client.get("/admin/mmx-nodes/n1").flag("draining"));
    QCOMPARE(client.get("/admin/mmx-nodes/n1").text("drainReason"), QStringLiteral("disk swap"));
    QCOMPARE(client.put("/admin/mmx-nodes/n1/draining", R"({"draining": false})").status, 200);
    QCOMPARE(client.get("/admin/mmx-nodes/n1").text("drainReason"), QString());
    QCOMPARE(one(client.put("/admin/mmx-nodes/none/draining", R"({"draining": true})")), QByteArray("404 unknown_node"));
    QCOMPARE(one(client.put("/admin/mmx-nodes/n1/draining", "{}")), QByteArray("422 missing_field"));
}

void TestPoolsAndMoves::removingANode()
{
    QCOMPARE(one(m_client->remove("/admin/mmx-nodes/n2")), QByteArray("409 in_use"));
    QCOMPARE(m_client->put("/admin/mmx-nodes/n2/draining", R"({"draining": true})").status, 200);
    QCOMPARE(m_client->remove("/admin/mmx-nodes/n2").status, 204);
    QCOMPARE(one(m_client->remove("/admin/mmx-nodes/n2")), QByteArray("404 unknown_node"));
    QCOMPARE(m_client->put("/admin/mmx-nodes/n3/pool", R"({"poolId": "unassigned"})").status, 200);
    QCOMPARE(m_client->remove("/admin/mmx-nodes/n3").status, 204);
    // The file still names both; what was deleted stays deleted.
    QCOMPARE(m_server->terminate(), 0);
    QVERIFY2(m_server->start(), m_server->err().constData());
    QCOMPARE(m_server->client().get("/admin/mmx-nodes/n2").status, 404);
    QCOMPARE(m_server->client().get("/admin/mmx-nodes/n3").status, 404);
    // An id that was deleted may be used again, and then stays.
    QCOMPARE(m_server->client().post("/admin/mmx-nodes", R"({"nodeId": "n2", "role": "edge"})").status, 201);
    m_server->kill9();
    QVERIFY2(m_server->start(), m_server->err().constData());
    QCOMPARE(m_server->client().get("/admin/mmx-nodes/n2").text("role"), QStringLiteral("edge"));
}

void TestPoolsAndMoves::everyChangeIsAudited()
{
    const std::size_t before = [&] {
        m_server->kill9();
        const std::size_t rows = auditOf(*m_server).size();
        return rows;
    }();
    QVERIFY(before > 0);
    QVERIFY2(m_server->start(), m_server->err().constData());
    const HttpClient client = m_server->client();
    const std::vector<std::pair<QByteArray, std::function<HttpAnswer()>>> changes{
        {"pool.create", [&] { return client.post("/admin/node-pools", R"({"poolId": "p"})"); }},
        {"pool.change", [&] { return client.patch("/admin/node-pools/p", R"({"name": "P"})"); }},
        {"node.create", [&] { return client.post("/admin/mmx-nodes", R"({"nodeId": "x", "role": "origin"})"); }},
        {"node.change", [&] { return client.patch("/admin/mmx-nodes/x", R"({"weight": 4})"); }},
        {"node.move", [&] { return client.send("PUT", "/admin/mmx-nodes/x/pool", R"({"poolId": "p", "reason": "why"})", {{"X-Request-Id", "my-request-1"}}); }},
        {"node.drain", [&] { return client.put("/admin/mmx-nodes/x/draining", R"({"draining": true})"); }},
        {"node.undrain", [&] { return client.put("/admin/mmx-nodes/x/draining", R"({"draining": false})"); }},
        {"node.revive", [&] { return client.post("/admin/mmx-nodes/x:revive", R"({"reason": "r"})"); }},
        {"user.create", [&] { return client.put("/admin/users/42", "{}"); }},
        {"user.change", [&] { return client.put("/admin/users/42", R"({"name": "N"})"); }},
        {"app.create", [&] { return client.put("/admin/apps/a42", R"({"owner": "42"})"); }},
        {"app.change", [&] { return client.put("/admin/apps/a42", R"({"owner": null})"); }},
        {"app.bind", [&] { return client.put("/admin/app-pool-bindings/a42", R"({"poolId": "p"})"); }},
        {"app.unbind", [&] { return client.remove("/admin/app-pool-bindings/a42"); }},
        {"app.remove", [&] { return client.remove("/admin/apps/a42"); }},
        {"user.remove", [&] { return client.remove("/admin/users/42"); }},
        {"node.move", [&] { return client.put("/admin/mmx-nodes/x/pool", R"({"poolId": "unassigned"})"); }},
        {"node.remove", [&] { return client.remove("/admin/mmx-nodes/x"); }},
        {"pool.remove", [&] { return client.remove("/admin/node-pools/p"); }},
        {"settings.health_check", [&] { return client.put("/admin/settings/health-check", R"({"cooldownSeconds": 44.5})"); }},
    };
    for (const auto& [action, change] : changes) {
        const HttpAnswer answer = change();
        QVERIFY2(answer.status >= 200 && answer.status < 300, (action + ": " + answer.body).constData());
    }
    m_server->kill9(); // what was answered is on the disk
    const std::vector<AuditRow> rows = auditOf(*m_server);
    std::vector<AuditRow> mine;
    for (const AuditRow& row : rows) {
        if (row.actor == QStringLiteral("token:superadmin")) {
            mine.push_back(row);
        }
    }
    QCOMPARE(mine.size(), changes.size());
    for (std::size_t i = 0; i < changes.size(); ++i) {
        QCOMPARE(mine[i].action.toUtf8(), changes[i].first);
        QVERIFY(!mine[i].target.isEmpty());
        QVERIFY(!mine[i].requestId.isEmpty());
    }
    QCOMPARE(mine[4].requestId, QStringLiteral("my-request-1"));
    QVERIFY2(mine[4].before.contains(QStringLiteral("default")) && mine[4].after.contains(QStringLiteral("\"p\"")), qPrintable(mine[4].after));
    QVERIFY2(mine.back().after.contains(QStringLiteral("44.5")), qPrintable(mine.back().after));
}

QTEST_GUILESS_MAIN(TestPoolsAndMoves)
#include "TestPoolsAndMoves.moc"
