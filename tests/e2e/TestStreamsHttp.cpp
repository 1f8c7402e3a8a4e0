// SPDX-License-Identifier: GPL-3.0-or-later
// Publishing, playing and the streams that run, over HTTP; the viewers' picture; reads that leave no trace.
#include "tests/support/Message.h"
#include "tests/support/ServerProcess.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QtTest>

using namespace weir::test;

namespace {

constexpr int kSoon = 8000;

// Every row that the store holds of events and audit.
QStringList rowsOf(const ServerProcess& server)
{
    QStringList rows;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("rows"));
        database.setDatabaseName(server.database());
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        if (database.open()) {
            QSqlQuery query(database);
            query.exec(QStringLiteral("SELECT kind FROM events WHERE kind NOT IN ('stopped', 'started') UNION ALL SELECT action FROM audit"));
            while (query.next()) {
                rows << query.value(0).toString();
            }
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("rows"));
    return rows;
}

} // namespace

class TestStreamsHttp : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_server.reset(); }
    void publishing();
    void badRequests_data();
    void badRequests();
    void theOriginOfAStream();
    void streamsAreListedAndEnd();
    void streamsComeBackFromHeartbeats();
    void playing();
    void aMoveTellsItsStreams();
    void theSecondOutage();
    void whatViewersSee();
    void quietReadsLeaveNoTrace();

private:
    struct Node {
        QByteArray id;
        QByteArray token;
        int seq = 0;
    };
    Node addNode(const QByteArray& id, const QByteArray& role, const QByteArray& pool, const Message& with = {});
    [[nodiscard]] HttpAnswer beat(Node& node, const QByteArray& streams = {}, int capacity = 10);
    [[nodiscard]] HttpAnswer publish(const char* app, const char* stream, const char* protocol = "whip") const
    {
        return m_client->post("/v1/publish/requests", Message{{"appId", app}, {"stream", stream}, {"protocol", protocol}}.json());
    }
    [[nodiscard]] QStringList streams(const QByteArray& query = {}) const;

    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<HttpClient> m_client;
};

void TestStreamsHttp::init()
{
    m_server = std::make_unique<ServerProcess>("{\"health_check\": {\"interval_seconds\": 0.4, \"timeout_seconds\": 0.4}, \"users\": [\"1\"], \"pools\": [{\"pool\": \"team\"}], "
                                               "\"registration\": {\"heartbeat_timeout_seconds\": 600}, \"scheduler\": {\"reservation_ttl_seconds\": 600}}");
    QVERIFY2(m_server->start(), m_server->err().constData());
    m_client = std::make_unique<HttpClient>(m_server->client());
}

TestStreamsHttp::Node TestStreamsHttp::addNode(const QByteArray& id, const QByteArray& role, const QByteArray& pool, const Message& with)
{
    const HttpAnswer made = m_client->post("/admin/mmx-nodes", Message{{"nodeId", id}, {"role", role}, {"poolId", pool}}.json());
    Message registration = with;
    registration.set("nodeSecret", made.text("nodeSecret"));
    Node node{id, m_client->post("/v1/nodes/register", registration.json()).text("sessionToken").toUtf8()};
    static_cast<void>(beat(node));
    return node;
}

HttpAnswer TestStreamsHttp::beat(Node& node, const QByteArray& streams, int capacity)
{
    const QByteArray list = streams.isEmpty() ? QByteArray() : ", \"streams\": " + streams;
    return HttpClient(m_server->adminUrl(), node.token)
        .post("/v1/nodes/" + node.id + "/heartbeat", "{\"bootId\": \"b1\", \"seq\": " + QByteArray::number(++node.seq) + ", \"capacity\": " + QByteArray::number(capacity) + ", \"used\": 0" + list + "}");
}

QStringList TestStreamsHttp::streams(const QByteArray& query) const
{
    QStringList list;
    for (const QJsonValue& item : m_client->get("/v1/streams" + query).items()) {
        list << item.toObject().value(QLatin1String("stream")).toString() + QLatin1Char('@') + item.toObject().value(QLatin1String("nodeId")).toString();
    }
    return list;
}

void TestStreamsHttp::publishing()
{
    addNode("a", "origin", "default", Message{{"webrtcBaseUrl", "https://a.example.test"}});
    addNode("b", "origin", "default", Message{{"publishUrl", "srt://b.example.test:9000"}});
    const HttpAnswer whip = publish("x", "s1");
    QCOMPARE(whip.status, 200);
    QCOMPARE(whip.text("nodeId") + QLatin1Char(' ') + whip.text("publishUrl"), QStringLiteral("a https://a.example.test"));
    QVERIFY(whip.number("placement") > 0 && !whip.flag("fallback"));
    const HttpAnswer srt = publish("x", "s2", "srt");
    QCOMPARE(srt.text("nodeId") + QLatin1Char(' ') + srt.text("publishUrl"), QStringLiteral("b srt://b.example.test:9000"));
    QCOMPARE(m_client->get("/admin/mmx-nodes/a").number("reserved"), 1.0);
    QCOMPARE(m_client->post("/v1/publish/requests", R"({"appId": "x", "stream": "s3", "protocol": "srt", "need": 10})").verdict(), QByteArray("503 no_healthy_origin"));
    QCOMPARE(m_client->post("/v1/publish/requests", R"({"appId": "x", "stream": "s3", "protocol": "srt", "need": 9})").status, 200);
}

void TestStreamsHttp::badRequests_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("verdict");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* body, const char* verdict, const char* field) { QTest::newRow(body) << QByteArray(body) << QByteArray(verdict) << QString::fromLatin1(field); };
    row("{\"appId\": \"x\", \"stream\": \"s\"}", "422 missing_field", "protocol");
    row("{\"appId\": \"x\", \"stream\": \"s\", \"protocol\": \"rtmp\"}", "422 invalid_value", "protocol");
    row("{\"appId\": \"x\", \"stream\": \"s\", \"protocol\": \"any\"}", "422 invalid_value", "protocol");
    row("{\"appId\": \"x y\", \"stream\": \"s\", \"protocol\": \"whip\"}", "422 invalid_id", "appId");
    row("{\"appId\": \"x\", \"stream\": \"\", \"protocol\": \"whip\"}", "422 invalid_id", "stream");
    row("{\"appId\": \"x\", \"stream\": \"a/b\", \"protocol\": \"whip\"}", "422 invalid_id", "stream");
    row("{\"appId\": \"x\", \"stream\": \"s\", \"protocol\": \"whip\", \"need\": 0}", "422 out_of_range", "need");
    row("{\"appId\": \"x\", \"stream\": \"s\", \"protocol\": \"whip\", \"pool\": \"default\"}", "422 unknown_field", "pool");
}

void TestStreamsHttp::badRequests()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, verdict);
    QFETCH(QString, field);
    const HttpAnswer answer = m_client->post("/v1/publish/requests", body);
    QCOMPARE(answer.verdict(), verdict);
    QCOMPARE(answer.text("field"), field);
    QVERIFY(streams().isEmpty());
}

void TestStreamsHttp::theOriginOfAStream()
{
    Node a = addNode("a", "origin", "default", Message{{"webrtcBaseUrl", "https://a.example.test"}});
    addNode("b", "origin", "default", Message{{"webrtcBaseUrl", "https://b.example.test"}});
    QCOMPARE(publish("x", "s").text("nodeId"), QStringLiteral("a"));
    QCOMPARE(m_client->put("/admin/mmx-nodes/a/draining", R"({"draining": true})").number("streams"), 1.0);
    const HttpAnswer there = m_client->get("/v1/streams/x/s/origin");
    QCOMPARE(there.text("nodeId") + there.text("poolId"), QStringLiteral("adefault"));
    QCOMPARE(there.text("url"), QStringLiteral("https://a.example.test"));
    QVERIFY(there.at("placement").isNull());
    QCOMPARE(m_client->get("/v1/streams/x/new/origin").text("nodeId"), QStringLiteral("b"));
    QCOMPARE(m_client->put("/admin/mmx-nodes/a/pool", R"({"poolId": "team"})").status, 200);
    const HttpAnswer moved = m_client->get("/v1/streams/x/s/origin"); // its pool is none of x's any more
    QCOMPARE(moved.text("nodeId"), QStringLiteral("b"));
    QVERIFY(moved.number("placement") > 0);
    QCOMPARE(HttpClient(m_server->adminUrl(), a.token).post("/v1/nodes/a/leave", {}).status, 204);
    QCOMPARE(m_client->get("/v1/streams/x/a%2Fb/origin").verdict(), QByteArray("422 invalid_id"));
    QCOMPARE(m_client->put("/admin/app-pool-bindings/x", R"({"poolId": "team"})").status / 100, 4); // x is not declared
    QCOMPARE(m_client->put("/admin/apps/x", "{}").status, 201);
    QCOMPARE(m_client->put("/admin/app-pool-bindings/x", R"({"poolId": "team"})").status, 201);
    const HttpAnswer refused = m_client->get("/v1/streams/x/s/origin");
    QCOMPARE(refused.verdict(), QByteArray("503 no_healthy_origin"));
    QVERIFY2(refused.text("explanation.sentence").startsWith(QLatin1String("team: 0 of 1 usable")), refused.body.constData());
}

void TestStreamsHttp::streamsAreListedAndEnd()
{
    Node a = addNode("a", "origin", "default", Message{{"webrtcBaseUrl", "https://a"}});
    for (const char* stream : {"s3", "s1", "s2"}) {
        QCOMPARE(publish("x", stream).status, 200);
    }
    QCOMPARE(publish("w", "s9").status, 200);
    QCOMPARE(streams(), QStringList({QStringLiteral("s9@a"), QStringLiteral("s1@a"), QStringLiteral("s2@a"), QStringLiteral("s3@a")}));
    QCOMPARE(streams("?appId=x&limit=2"), QStringList({QStringLiteral("s1@a"), QStringLiteral("s2@a")}));
    const HttpAnswer page = m_client->get("/v1/streams?appId=x&limit=2");
    QCOMPARE(page.text("next"), QStringLiteral("x/s2"));
    QCOMPARE(streams("?appId=x&after=x/s2"), QStringList({QStringLiteral("s3@a")}));
    QCOMPARE(streams("?nodeId=b"), QStringList());
    QVERIFY(!page.flag("items.0.reported"));
    QCOMPARE(m_client->remove("/v1/streams/x/s1").status, 204);
    QCOMPARE(m_client->remove("/v1/streams/x/s1").verdict(), QByteArray("404 unknown_stream"));
    QCOMPARE(beat(a).status, 200); // says nothing of streams
    QCOMPARE(beat(a).status, 200);
    QCOMPARE(streams("?appId=x").size(), 2);
    QCOMPARE(beat(a, "[{\"appId\": \"x\", \"stream\": \"s2\"}]").status, 200);
    QCOMPARE(streams().size(), 3);
    QVERIFY(m_client->get("/v1/streams?appId=x").flag("items.0.reported"));
    QCOMPARE(beat(a, "[{\"appId\": \"x\", \"stream\": \"s2\"}]").status, 200); // the second one without them
    QCOMPARE(streams(), QStringList({QStringLiteral("s2@a")}));
    QCOMPARE(m_client->get("/v1/streams?colour=red").verdict(), QByteArray("422 unknown_field"));
}

void TestStreamsHttp::streamsComeBackFromHeartbeats()
{
    Node a = addNode("a", "origin", "default", Message{{"webrtcBaseUrl", "https://a"}, {"diskSerial", "S"}});
    const HttpAnswer rotated = m_client->post("/admin/mmx-nodes/a:rotate-secret", {});
    QCOMPARE(publish("x", "s").status, 200);
    m_server->kill9();
    QVERIFY2(m_server->start(), m_server->err().constData());
    m_client = std::make_unique<HttpClient>(m_server->client());
    QVERIFY(streams().isEmpty());
    a.token = m_client->post("/v1/nodes/register", Message{{"nodeSecret", rotated.text("nodeSecret")}, {"diskSerial", "S"}}.json()).text("sessionToken").toUtf8();
    QCOMPARE(beat(a, "[{\"appId\": \"x\", \"stream\": \"s\"}]").status, 200);
    QCOMPARE(streams(), QStringList({QStringLiteral("s@a")}));
}

void TestStreamsHttp::playing()
{
    const QByteArray body = Message{{"appId", "x"}, {"stream", "s"}}.json();
    const HttpAnswer refused = m_client->post("/v1/play/requests", body);
    QCOMPARE(refused.verdict(), QByteArray("503 no_healthy_edge"));
    QCOMPARE(refused.text("explanation.sentence"), QStringLiteral("default has 0 nodes."));
    const HttpAnswer none = m_client->get("/v1/streams/x/s/edges");
    QCOMPARE(none.status, 200);
    QCOMPARE(none.text("code") + none.text("explanation.sentence"), QStringLiteral("no_candidatedefault has 0 nodes."));
    Node e1 = addNode("e1", "edge", "default");
    Node e2 = addNode("e2", "edge", "default");
    QCOMPARE(beat(e1, {}, 3).status, 200);
    QCOMPARE(beat(e2, {}, 3).status, 200);
    const auto edges = [&](const QByteArray& query = {}) {
        QStringList names;
        for (const QJsonValue& item : m_client->get("/v1/streams/x/s/edges" + query).items()) {
            names << item.toObject().value(QLatin1String("nodeId")).toString();
        }
        return names;
    };
    QCOMPARE(edges(), QStringList({QStringLiteral("e1"), QStringLiteral("e2")}));
    QCOMPARE(edges("?limit=1"), QStringList({QStringLiteral("e1")}));
    const HttpAnswer played = m_client->post("/v1/play/requests", body);
    QCOMPARE(played.text("nodeId"), QStringLiteral("e1"));
    QVERIFY(played.number("placement") > 0);
    QCOMPARE(edges(), QStringList({QStringLiteral("e2"), QStringLiteral("e1")}));
}

void TestStreamsHttp::aMoveTellsItsStreams()
{
    addNode("a", "origin", "default", Message{{"webrtcBaseUrl", "https://a"}});
    QCOMPARE(publish("x", "s1").status, 200);
    QCOMPARE(publish("x", "s2").status, 200);
    const QByteArray moves = R"({"moves": [{"nodeId": "a", "poolId": "team"}]})";
    QCOMPARE(m_client->post("/admin/moves:preview", moves).number("impact.streams"), 2.0);
    QCOMPARE(m_client->post("/admin/mmx-nodes:move", moves).number("impact.streams"), 2.0);
}

// product.md: the origins were in one pool, the apps resolved to another. Said in true words, and mended by an owner.
void TestStreamsHttp::theSecondOutage()
{
    for (const char* id : {"o1", "o2", "o3"}) {
        addNode(id, "origin", "pool-1", Message{{"webrtcBaseUrl", "https://o.example.test"}});
    }
    for (int i = 0; i < 14; ++i) {
        QCOMPARE(m_client->put("/admin/apps/app-" + QByteArray::number(i), "{}").status, 201);
    }
    const HttpAnswer refused = publish("app-3", "s");
    QCOMPARE(refused.verdict(), QByteArray("503 no_healthy_origin"));
    QCOMPARE(refused.text("explanation.sentence"), QStringLiteral("default has 0 nodes."));
    QCOMPARE(refused.number("explanation.elsewhere.pool-1"), 3.0);
    QCOMPARE(m_client->get("/admin/reachability").text("sentence"), QStringLiteral("3 healthy origins are in pool-1, which no app resolves to; 14 apps resolve to default, which has none."));
    QCOMPARE(m_client->put("/admin/apps/app-3", R"({"owner": "1"})").status, 200);
    QCOMPARE(publish("app-3", "s").text("nodeId"), QStringLiteral("o1"));
    QCOMPARE(publish("app-4", "s").verdict(), QByteArray("503 no_healthy_origin"));
}

void TestStreamsHttp::whatViewersSee()
{
    addNode("a", "origin", "team", Message{{"webrtcBaseUrl", "https://secret.example.test"}, {"publishUrl", "srt://secret.example.test:1"}, {"diskSerial", "secret-serial"}, {"version", "1.7"}});
    QCOMPARE(m_client->post("/admin/mmx-nodes", Message{{"nodeId", "b"}, {"role", "edge"}, {"owner", "1"}, {"url", "http://127.0.0.1:1"}}.json()).status, 201);
    QTRY_COMPARE_WITH_TIMEOUT(m_client->get("/v1/fleet").text("items.1.nodes.0.reason"), QStringLiteral("refused"), kSoon);
    const HttpAnswer fleet = m_client->get("/v1/fleet");
    QCOMPARE(fleet.status, 200);
    QVERIFY2(!fleet.body.contains("secret") && !fleet.body.contains("127.0.0.1") && !fleet.body.contains("owner"), fleet.body.constData());
    QCOMPARE(fleet.text("items.0.poolId"), QStringLiteral("default"));
    QCOMPARE(fleet.text("items.1.nodes.0.nodeId") + fleet.text("items.1.poolId"), QStringLiteral("bpool-1"));
    QCOMPARE(fleet.text("items.2.nodes.0.version") + fleet.text("items.2.nodes.0.state"), QStringLiteral("1.7online"));
    QCOMPARE(fleet.number("items.2.totals.origin.candidates"), 1.0);
    for (const char* key : {"url", "healthUrl", "webrtcBaseUrl", "publishUrl", "owner", "lastProbe", "diskSerial"}) {
        QVERIFY2(!fleet.at("items.2.nodes.0").toObject().contains(QLatin1String(key)), key);
    }
}

void TestStreamsHttp::quietReadsLeaveNoTrace()
{
    addNode("a", "origin", "default", Message{{"webrtcBaseUrl", "https://a"}});
    Node e = addNode("e", "edge", "default");
    const double placement = publish("x", "s").number("placement");
    QVERIFY(placement > 0);
    QCOMPARE(beat(e).status, 200);
    QCOMPARE(m_client->post("/v1/schedule", R"({"role": "worker", "appId": "x"})").status, 503);
    const auto figures = [&] {
        QStringList list;
        for (const char* id : {"a", "e"}) {
            const HttpAnswer row = m_client->get(QByteArray("/admin/mmx-nodes/") + id);
            list << QString::fromUtf8(row.body);
        }
        list << QString::fromUtf8(m_client->get("/admin/reachability").body) << QString::fromUtf8(m_client->get("/v1/streams").body.left(60)) << QString::number(m_client->get("/v1/fleet").number("revision"));
        return list;
    };
    const QStringList before = figures();
    const QList<QPair<QByteArray, QByteArray>> reads{
        {"/v1/streams/x/s/edges", {}},
        {"/v1/streams/other/s/edges?limit=3", {}},
        {"/v1/schedule", R"({"role": "origin", "appId": "x", "dryRun": true})"},
        {"/v1/schedule", R"({"role": "worker", "appId": "x", "dryRun": true})"},
        {"/admin/moves:preview", R"({"moves": [{"nodeId": "a", "poolId": "team"}]})"},
        {"/v1/streams", {}},
        {"/v1/streams?appId=x", {}},
        {"/admin/node-pools", {}},
        {"/v1/fleet", {}},
        {"/admin/reachability", {}},
    };
    for (int i = 0; i < 1000; ++i) {
        const auto& [target, body] = reads.at(i % reads.size());
        const HttpAnswer answer = body.isEmpty() ? m_client->get(target) : m_client->post(target, body);
        QVERIFY2(answer.status == 200, answer.body.constData());
    }
    QCOMPARE(figures(), before);
    const HttpAnswer placed = publish("x", "t"); // the numbers of placements went on by none
    QCOMPARE(placed.number("placement"), placement + 1);
    QCOMPARE(m_server->terminate(), 0);
    const QStringList rows = rowsOf(*m_server);
    QCOMPARE(rows.count(QStringLiteral("pool_exhausted")), 1);
    QCOMPARE(rows.count(QStringLiteral("pool_fallback")), 0);
    QCOMPARE(rows.count(QStringLiteral("node_moved")), 0);
}

QTEST_GUILESS_MAIN(TestStreamsHttp)
#include "TestStreamsHttp.moc"
