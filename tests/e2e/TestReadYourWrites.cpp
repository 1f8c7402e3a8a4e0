// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever was answered finds in the next answer what the call before brought about: its event, its alarm, its incident.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QElapsedTimer>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QtTest>

using namespace weir::test;

namespace {

constexpr int kSoon = 8000;
constexpr int kRounds = 20; // what comes late by chance would be missed by chance

QByteArray config(const FakeWorker& worker)
{
    QByteArray apps;
    for (int i = 0; i < kRounds; ++i) {
        apps += QByteArray(i > 0 ? "," : "") + "{\"app\": \"app-" + QByteArray::number(i) + "\"}";
    }
    return "{\"health_check\": {\"interval_seconds\": 0.3, \"timeout_seconds\": 0.3, \"cooldown_seconds\": 60}, \"apps\": [" + apps
        + "], \"nodes\": [{\"node\": \"w1\", \"role\": \"worker\", \"url\": \"" + worker.url().toUtf8() + "\", \"capacity\": 9}]}";
}

int publish(const HttpClient& client, int app)
{
    return client
        .post("/v1/publish/requests", "{\"appId\": \"app-" + QByteArray::number(app) + "\", \"stream\": \"s\", \"protocol\": \"whip\"}")
        .status;
}

// One number from the store, from beside the server.
qint64 inStore(const ServerProcess& server, const QString& sql)
{
    qint64 value = -1;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("beside"));
        database.setDatabaseName(server.database());
        QSqlQuery query(database.open() ? database : QSqlDatabase());
        value = query.exec(sql) && query.next() ? query.value(0).toLongLong() : -1;
    }
    QSqlDatabase::removeDatabase(QStringLiteral("beside"));
    return value;
}

} // namespace

class TestReadYourWrites : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_server.reset(); }
    void theEventIsThere();
    void theAlarmIsThereWithItsIncident();
    void theIncidentIsThere();
    void anEjectionIsThere();
    void aMergeIsThere();
    void quietReadsChangeNothing();

private:
    std::unique_ptr<FakeWorker> m_worker;
    std::unique_ptr<ServerProcess> m_server;
};

void TestReadYourWrites::init()
{
    m_worker = std::make_unique<FakeWorker>();
    m_server = std::make_unique<ServerProcess>(config(*m_worker));
    QVERIFY2(m_server->start(), m_server->err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(m_server->client().get("/admin/mmx-nodes/w1").flag("inRotation"), kSoon);
    QTRY_COMPARE_WITH_TIMEOUT(m_server->client().get("/readyz").status, 200, kSoon);
}

void TestReadYourWrites::theEventIsThere()
{
    const HttpClient client = m_server->client();
    for (int i = 0; i < kRounds; ++i) {
        QCOMPARE(publish(client, i), 503);
        const QByteArray target = "/admin/events?kind=pool_exhausted&appId=app-" + QByteArray::number(i);
        QCOMPARE(client.get(target).items().size(), qsizetype(1));
    }
}

void TestReadYourWrites::theAlarmIsThereWithItsIncident()
{
    const HttpClient client = m_server->client();
    for (int i = 0; i < kRounds; ++i) {
        QCOMPARE(publish(client, i), 503);
        const HttpAnswer alarms = client.get("/admin/alarms?kind=pool_exhausted&appId=app-" + QByteArray::number(i));
        QCOMPARE(alarms.items().size(), qsizetype(1));
        QCOMPARE(alarms.number("items.0.count"), 1.0);
        QCOMPARE(alarms.text("items.0.incident"), QStringLiteral("1"));
    }
}

void TestReadYourWrites::theIncidentIsThere()
{
    const HttpClient client = m_server->client();
    for (int i = 0; i < kRounds; ++i) {
        QCOMPARE(publish(client, i), 503);
        const HttpAnswer incidents = client.get("/admin/incidents");
        QCOMPARE(incidents.items().size(), qsizetype(1));
        QCOMPARE(incidents.number("items.0.counts.apps"), i + 1.0);
        QCOMPARE(incidents.number("items.0.counts.refusals"), i + 1.0);
    }
    QCOMPARE(client.get("/admin/events?kind=incident_opened").items().size(), qsizetype(1));
}

void TestReadYourWrites::anEjectionIsThere()
{
    const HttpClient client = m_server->client();
    QCOMPARE(client.get("/admin/events?kind=node_online").items().size(), qsizetype(1)); // a turn has seen the candidate that is lost
    QCOMPARE(client.post("/v1/outcomes", "{\"nodeId\": \"w1\", \"status\": 500}").text("verdict"), QStringLiteral("ejected"));
    QCOMPARE(client.get("/admin/incidents").number("items.0.counts.ejections"), 1.0);
    QCOMPARE(client.get("/admin/events?kind=node_offline&nodeId=w1").items().size(), qsizetype(1));
    const HttpAnswer lost = client.get("/admin/alarms?kind=last_candidate_lost&state=open");
    QVERIFY2(lost.text("items.0.incident") == QStringLiteral("1"), lost.body.constData());
}

void TestReadYourWrites::aMergeIsThere()
{
    const HttpClient client = m_server->client();
    QCOMPARE(client.post("/v1/outcomes", "{\"nodeId\": \"w1\", \"status\": 500}").text("verdict"), QStringLiteral("ejected"));
    QCOMPARE(client.put("/admin/users/7", "{}").status / 100, 2);
    QCOMPARE(client.put("/admin/apps/other", "{\"owner\": \"7\"}").status / 100, 2);
    QCOMPARE(client.post("/admin/node-pools", "{\"poolId\": \"empty\"}").status, 201);
    QCOMPARE(client.put("/admin/app-pool-bindings/other", "{\"poolId\": \"empty\"}").status / 100, 2);
    QCOMPARE(client.post("/v1/schedule", "{\"role\": \"edge\", \"appId\": \"other\"}").status, 503);
    QCOMPARE(client.get("/admin/incidents").items().size(), qsizetype(2));
    QCOMPARE(client.get("/admin/alarms?kind=pool_exhausted&appId=other").text("items.0.incident"), QStringLiteral("2"));
    QCOMPARE(client.post("/admin/incidents/2:merge", "{\"into\": \"1\"}").text("id"), QStringLiteral("1"));
    QCOMPARE(client.get("/admin/incidents").items().size(), qsizetype(1));
    QCOMPARE(client.get("/admin/alarms?kind=pool_exhausted&appId=other").text("items.0.incident"), QStringLiteral("1"));
    m_server->kill9();
    QVERIFY2(m_server->start(), m_server->err().constData());
    QCOMPARE(m_server->client().get("/admin/alarms?kind=pool_exhausted&appId=other").text("items.0.incident"), QStringLiteral("1"));
}

// A thousand reads of a plane at rest: nothing is written, nothing counted, and none waits for a turn of the journal.
void TestReadYourWrites::quietReadsChangeNothing()
{
    const HttpClient client = m_server->client();
    QCOMPARE(publish(client, 0), 503);
    QCOMPARE(client.get("/admin/incidents").items().size(), qsizetype(1));
    const QStringList counts{QStringLiteral("SELECT MAX(seq) FROM events"), QStringLiteral("SELECT COUNT(*) FROM audit"),
        QStringLiteral("SELECT COUNT(*) FROM series"), QStringLiteral("SELECT COUNT(*) FROM incident_rows"),
        QStringLiteral("SELECT SUM(occurrences) FROM alarms"), QStringLiteral("SELECT SUM(LENGTH(body)) FROM incidents")};
    const auto looked = [&] {
        QList<qint64> values;
        for (const QString& sql : counts) {
            values.append(inStore(*m_server, sql));
        }
        return values;
    };
    // The node's way in and the first alarms are written before anything is compared.
    QList<qint64> before = looked();
    QVERIFY(!before.contains(-1));
    const QByteArray alarms = client.get("/admin/alarms").body;
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < 1000; ++i) {
        const QByteArray target = i % 3 == 0 ? "/admin/events?limit=5" : i % 3 == 1 ? "/admin/alarms?limit=5" : "/admin/incidents?limit=5";
        QCOMPARE(client.get(target).status, 200);
    }
    qInfo("1,000 quiet reads in %lld ms", timer.elapsed());
    QVERIFY2(timer.elapsed() < 20'000, "each would wait for a turn");
    QCOMPARE(looked(), before);
    QCOMPARE(client.get("/admin/alarms").body, alarms);
}

QTEST_GUILESS_MAIN(TestReadYourWrites)
#include "TestReadYourWrites.moc"
