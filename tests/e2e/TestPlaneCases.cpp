// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of tests/data/fleet-cases.json that need a whole plane: its store, its restart, its listeners. Each under its own id.
#include "tests/support/FakeWorker.h"
#include "tests/support/Message.h"
#include "tests/support/ServerProcess.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QtTest>

using namespace weir::test;

namespace {

constexpr int kSoon = 8000;

// Runs statements on the store, from beside the server or while it is down; what went wrong, or nothing.
QString onStore(const ServerProcess& server, const QStringList& statements)
{
    QString fault;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("beside"));
        database.setDatabaseName(server.database());
        QSqlQuery query(database.open() ? database : QSqlDatabase());
        for (const QString& statement : statements) {
            if (fault.isEmpty() && !query.exec(statement)) {
                fault = statement + QStringLiteral(": ") + query.lastError().text();
            }
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("beside"));
    return fault;
}

} // namespace

class TestPlaneCases : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_server.reset(); }
    void fc014();
    void fc034();
    void fc044();
    void fc046();
    void fc047();
    void fc051();
    void fc105_data();
    void fc105();

private:
    void start();
    [[nodiscard]] QByteArray make(const char* id, const char* pool) const
    {
        return m_client->post("/admin/mmx-nodes", Message{{"nodeId", id}, {"role", "origin"}, {"poolId", pool}}.json()).text("nodeSecret").toUtf8();
    }
    [[nodiscard]] HttpAnswer enrol(const QByteArray& secret, Message more = {}) const { return m_client->post("/v1/nodes/register", more.set("nodeSecret", secret).json()); }
    [[nodiscard]] HttpAnswer beat(const char* id, const QByteArray& token, int seq, int capacity = 10) const
    {
        return HttpClient(m_server->adminUrl(), token)
            .post(QByteArray("/v1/nodes/") + id + "/heartbeat", Message{{"bootId", "b"}, {"seq", seq}, {"capacity", capacity}, {"used", 0}}.json());
    }
    [[nodiscard]] HttpAnswer row(const char* id) const { return m_client->get(QByteArray("/admin/mmx-nodes/") + id); }

    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<HttpClient> m_client;
};

void TestPlaneCases::start()
{
    QVERIFY2(m_server->start(), m_server->err().constData());
    m_client = std::make_unique<HttpClient>(m_server->client());
}

void TestPlaneCases::init()
{
    m_server = std::make_unique<ServerProcess>("{\"health_check\": {\"interval_seconds\": 0.4, \"timeout_seconds\": 0.4}, \"users\": [\"u1\", \"u2\"]}");
    start();
}

// What never reached the node, or was the caller's fault, ejects nobody.
void TestPlaneCases::fc014()
{
    FakeWorker worker;
    QCOMPARE(m_client->post("/admin/mmx-nodes", Message{{"nodeId", "a"}, {"role", "origin"}, {"url", worker.url()}}.json()).status, 201);
    QTRY_VERIFY_WITH_TIMEOUT(row("a").flag("inRotation"), kSoon);
    for (int i = 0; i < 20; ++i) {
        QCOMPARE(m_client->post("/v1/schedule", R"({"role": "origin", "appId": "x", "need": 50})").verdict(), QByteArray("503 no_candidate"));
        QCOMPARE(m_client->post("/v1/outcomes", Message{{"nodeId", "a"}, {"status", i % 2 == 0 ? 429 : 400}}.json()).text("verdict"), QStringLiteral("ok"));
    }
    QVERIFY(row("a").flag("inRotation"));
    QCOMPARE(row("a").number("consecutiveFailures"), 0.0);
}

void TestPlaneCases::fc034()
{
    FakeWorker gone;
    FakeWorker other;
    for (const auto& [id, worker] : {std::pair("a", &gone), std::pair("b", &other)}) {
        QCOMPARE(m_client->post("/admin/mmx-nodes", Message{{"nodeId", id}, {"role", "origin"}, {"url", worker->url()}}.json()).status, 201);
    }
    QTRY_VERIFY_WITH_TIMEOUT(row("a").flag("inRotation") && row("b").flag("inRotation"), kSoon);
    QCOMPARE(m_client->put("/admin/mmx-nodes/a/draining", R"({"draining": true})").status, 200);
    QCOMPARE(m_client->remove("/admin/mmx-nodes/a").status, 204);
    const int before = gone.requests();
    const int rounds = other.requests();
    for (const char* target : {"/admin/mmx-nodes", "/admin/node-pools", "/gateway-health", "/v1/fleet"}) {
        QVERIFY2(!m_client->get(target).body.contains("\"a\"") && !m_client->get(target).body.contains(gone.url().toUtf8()), target);
    }
    QTRY_VERIFY_WITH_TIMEOUT(other.requests() >= rounds + 5, kSoon);
    QVERIFY(gone.requests() <= before + 1);
}

// A move outlives reconnects, heartbeats, changes and restarts.
void TestPlaneCases::fc044()
{
    const QByteArray secret = make("a", "pool-u1");
    QByteArray token = enrol(secret).text("sessionToken").toUtf8();
    QCOMPARE(beat("a", token, 1).status, 200);
    QCOMPARE(m_client->put("/admin/mmx-nodes/a/pool", R"({"poolId": "pool-u2"})").status, 200);
    QCOMPARE(HttpClient(m_server->adminUrl(), token).post("/v1/nodes/a/leave", {}).status, 204);
    token = enrol(secret, Message{{"version", "2"}}).text("sessionToken").toUtf8();
    QCOMPARE(row("a").text("poolId"), QStringLiteral("pool-u2"));
    QCOMPARE(beat("a", token, 2).status, 200);
    QCOMPARE(row("a").text("poolId"), QStringLiteral("pool-u2"));
    QCOMPARE(m_client->patch("/admin/mmx-nodes/a", R"({"region": "eu"})").status, 200);
    QCOMPARE(row("a").text("poolId"), QStringLiteral("pool-u2"));
    m_server->kill9();
    start();
    QCOMPARE(row("a").text("poolId"), QStringLiteral("pool-u2"));
    token = enrol(secret).text("sessionToken").toUtf8();
    QCOMPARE(beat("a", token, 1).status, 200);
    QCOMPARE(row("a").text("poolId"), QStringLiteral("pool-u2"));
}

// Empty pools in stored records are read as `default`; no user's pool is opened by them.
void TestPlaneCases::fc046()
{
    const QByteArray secret = make("a", "pool-u1");
    const QByteArray other = make("b", "pool-u1");
    QCOMPARE(m_client->put("/admin/apps/app", "{}").status, 201);
    QCOMPARE(m_client->put("/admin/app-pool-bindings/app", R"({"poolId": "pool-u2"})").status, 201);
    QCOMPARE(m_server->terminate(), 0);
    QCOMPARE(onStore(*m_server, {QStringLiteral("UPDATE nodes SET pool = '' WHERE id = 'a'"), QStringLiteral("UPDATE bindings SET pool = '' WHERE app = 'app'")}), QString());
    start();
    for (const auto& [id, of] : {std::pair("a", secret), std::pair("b", other)}) {
        QCOMPARE(beat(id, enrol(of).text("sessionToken").toUtf8(), 1, 50).status, 200);
    }
    QCOMPARE(row("a").text("poolId"), QStringLiteral("default"));
    QCOMPARE(m_client->get("/admin/app-pool-bindings/app").text("poolId"), QStringLiteral("default"));
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(m_client->post("/v1/schedule", R"({"role": "origin", "appId": "app"})").text("nodeId"), QStringLiteral("a"));
    }
}

// Two processes with one secret: the later one is the node, the earlier one hears so.
void TestPlaneCases::fc047()
{
    const QByteArray secret = make("a", "default");
    const QByteArray first = enrol(secret).text("sessionToken").toUtf8();
    QCOMPARE(beat("a", first, 1, 3).status, 200);
    const QByteArray second = enrol(secret).text("sessionToken").toUtf8();
    QCOMPARE(beat("a", second, 2, 5).status, 200);
    for (int seq = 3; seq < 8; ++seq) {
        QCOMPARE(beat("a", first, seq, 3).verdict(), QByteArray("409 session_replaced"));
        QCOMPARE(row("a").number("capacity"), 5.0);
    }
    QCOMPARE(m_client->get("/admin/mmx-nodes").items().size(), 1);
}

// While the store cannot be written nothing changes, and the answer says so; afterwards the same call works.
void TestPlaneCases::fc051()
{
    FakeWorker worker;
    QCOMPARE(m_client->post("/admin/mmx-nodes", Message{{"nodeId", "a"}, {"role", "origin"}, {"url", worker.url()}}.json()).status, 201);
    QTRY_VERIFY_WITH_TIMEOUT(row("a").flag("inRotation"), kSoon);
    const QByteArray drain = R"({"draining": true, "reason": "disk swap"})";
    {
        QSqlDatabase holder = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("holder"));
        holder.setDatabaseName(m_server->database());
        QVERIFY(holder.open());
        QVERIFY(QSqlQuery(holder).exec(QStringLiteral("BEGIN IMMEDIATE")));
        const HttpAnswer refused = HttpClient(m_server->adminUrl(), m_server->token(), 30000).put("/admin/mmx-nodes/a/draining", drain);
        QVERIFY2(refused.status >= 500, refused.body.constData());
        QVERIFY(!row("a").flag("draining"));
        QVERIFY(m_client->post("/v1/schedule", R"({"role": "origin", "appId": "x", "dryRun": true})").text("nodeId") == QStringLiteral("a"));
        QVERIFY(QSqlQuery(holder).exec(QStringLiteral("ROLLBACK")));
        holder.close();
    }
    QSqlDatabase::removeDatabase(QStringLiteral("holder"));
    QCOMPARE(m_client->put("/admin/mmx-nodes/a/draining", drain).status, 200);
    QVERIFY(row("a").flag("draining"));
    QCOMPARE(m_server->terminate(), 0);
    int failed = 0;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("audit"));
        database.setDatabaseName(m_server->database());
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY(query.exec(QStringLiteral("SELECT COUNT(*) FROM audit WHERE action = 'node.drain' AND outcome = 'failed'")));
        failed = query.next() ? query.value(0).toInt() : -1;
    }
    QSqlDatabase::removeDatabase(QStringLiteral("audit"));
    QCOMPARE(failed, 1);
}

void TestPlaneCases::fc105_data()
{
    QTest::addColumn<QString>("address");
    for (const char* address : {"http://169.254.169.254/latest", "file:///etc/passwd", "http://user:pw@h:9000", "gopher://x"}) {
        QTest::newRow(address) << QString::fromLatin1(address);
    }
}

void TestPlaneCases::fc105()
{
    QFETCH(QString, address);
    const QByteArray secret = make("a", "default");
    QCOMPARE(enrol(secret, Message{{"url", address}}).verdict(), QByteArray("422 url_not_allowed"));
    QCOMPARE(row("a").text("url"), QString());
    QVERIFY(!m_server->err().contains("user:pw"));
}

QTEST_GUILESS_MAIN(TestPlaneCases)
#include "TestPlaneCases.moc"
