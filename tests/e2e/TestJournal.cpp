// SPDX-License-Identifier: GPL-3.0-or-later
// Events and series over HTTP.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QtTest>

using namespace weir::test;

namespace {

constexpr int kSoon = 8000;

QByteArray config(const FakeWorker& worker)
{
    return "{\"health_check\": {\"interval_seconds\": 0.3, \"timeout_seconds\": 0.3}, \"users\": [\"7\"], \"nodes\": [{\"node\": \"n1\", \"role\": \"origin\", \"url\": \""
        + worker.url().toUtf8() + "\", \"capacity\": 9}]}";
}

} // namespace

class TestJournal : public QObject {
    Q_OBJECT

private slots:
    void eventsAreListedAndFiltered();
    void pagesJoinWithoutAGap();
    void whatWasAnsweredIsRead();
    void theSeriesHasItsChangesAndGaps();
    void badQueriesAreNamed_data();
    void badQueriesAreNamed();
};

void TestJournal::eventsAreListedAndFiltered()
{
    FakeWorker worker;
    ServerProcess server(config(worker));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(server.client().get("/admin/mmx-nodes/n1").flag("inRotation"), kSoon);
    const HttpClient client = server.client();
    QCOMPARE(client.put("/admin/mmx-nodes/n1/pool", "{\"poolId\": \"pool-7\", \"reason\": \"test\"}").status, 200);
    QCOMPARE(client.post("/v1/schedule", "{\"role\": \"origin\", \"appId\": \"a\"}").status, 503);

    const HttpAnswer moved = client.get("/admin/events?kind=node_moved&nodeId=n1");
    QCOMPARE(moved.status, 200);
    QCOMPARE(moved.items().size(), qsizetype(1));
    QCOMPARE(moved.text("items.0.kind"), QStringLiteral("node_moved"));
    QCOMPARE(moved.text("items.0.poolId"), QStringLiteral("pool-7"));
    QCOMPARE(moved.text("items.0.actor"), QStringLiteral("token:superadmin"));
    QCOMPARE(moved.text("items.0.detail.from"), QStringLiteral("default"));
    QVERIFY(moved.at("next").isNull());
    QVERIFY(!moved.text("items.0.sentence").isEmpty());

    // A refusal reaches the journal within a tenth of a second.
    QTRY_COMPARE_WITH_TIMEOUT(client.get("/admin/events?kind=node_moved,pool_exhausted&role=origin").items().size(), qsizetype(2), kSoon);
    const HttpAnswer both = client.get("/admin/events?kind=node_moved,pool_exhausted&role=origin");
    QVERIFY(both.number("items.0.seq") < both.number("items.1.seq"));
    QCOMPARE(client.get("/admin/events?kind=node_moved&kind=pool_exhausted&role=origin&order=newest").text("items.0.kind"), QStringLiteral("pool_exhausted"));
    QCOMPARE(client.get("/admin/events?appId=a&kind=pool_exhausted,pool_fallback").items().size(), qsizetype(1));
    QCOMPARE(client.get("/admin/events?poolId=default&kind=pool_exhausted").text("items.0.appId"), QStringLiteral("a"));
    const QByteArray at = moved.text("items.0.at").toLatin1();
    QCOMPARE(client.get("/admin/events?kind=node_moved&since=" + at + "&until=" + at).items().size(), qsizetype(1));
    QCOMPARE(client.get("/admin/events?kind=node_moved&until=2020-01-01T00:00:00Z").items().size(), qsizetype(0));
    QCOMPARE(HttpClient(server.adminUrl()).get("/admin/events").status, 401);
}

void TestJournal::pagesJoinWithoutAGap()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    for (int i = 0; i < 12; ++i) {
        QCOMPARE(client.post("/admin/node-pools", "{\"poolId\": \"p" + QByteArray::number(i) + "\"}").status, 201);
    }
    for (const QByteArray& order : {QByteArray("oldest"), QByteArray("newest")}) {
        QStringList pools;
        QByteArray after;
        for (int page = 0; page < 10; ++page) {
            const HttpAnswer answer = client.get("/admin/events?kind=pool_created&limit=5&order=" + order + (after.isEmpty() ? QByteArray() : "&after=" + after));
            for (const QJsonValue& item : answer.items()) {
                pools << item[QStringLiteral("poolId")].toString();
            }
            after = answer.text("next").toLatin1();
            if (answer.at("next").isNull()) {
                break;
            }
        }
        QCOMPARE(pools.size(), qsizetype(12));
        QCOMPARE(pools.first(), order == "oldest" ? QStringLiteral("p0") : QStringLiteral("p11"));
        QCOMPARE(pools.last(), order == "oldest" ? QStringLiteral("p11") : QStringLiteral("p0"));
    }
}

void TestJournal::whatWasAnsweredIsRead()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    for (int i = 0; i < 20; ++i) {
        const QByteArray app = "app-" + QByteArray::number(i);
        QCOMPARE(client.post("/v1/schedule", "{\"role\": \"edge\", \"appId\": \"" + app + "\"}").status, 503);
        QTRY_COMPARE_WITH_TIMEOUT(client.get("/admin/events?kind=pool_exhausted&appId=" + app).items().size(), qsizetype(1), kSoon);
        QCOMPARE(client.put("/admin/apps/" + app, "{}").status, 201);
        QCOMPARE(client.get("/admin/events?kind=app_changed&appId=" + app).items().size(), qsizetype(1)); // at once
    }
}

void TestJournal::theSeriesHasItsChangesAndGaps()
{
    FakeWorker worker;
    ServerProcess server(config(worker));
    QVERIFY2(server.start(), server.err().constData());
    const QByteArray origins = "/admin/series?poolId=default&role=origin";
    const auto last = [&](const QByteArray& target) { return server.client().get(target).items("points").last().toObject(); };
    QTRY_COMPARE_WITH_TIMEOUT(last(origins).value(QStringLiteral("healthy")).toInt(-1), 1, kSoon);
    const HttpAnswer first = server.client().get(origins);
    QVERIFY(first.at("points.0.healthy").isNull()); // nobody was there an hour ago
    QCOMPARE(first.text("points.0.at"), first.text("since"));
    worker.answer(503);
    QTRY_COMPARE_WITH_TIMEOUT(last(origins).value(QStringLiteral("healthy")).toInt(-1), 0, kSoon);
    QCOMPARE(last(origins).value(QStringLiteral("total")).toInt(), 1);
    for (const char* other : {"/admin/series", "/admin/series?poolId=default", "/admin/series?role=origin"}) {
        QTRY_COMPARE_WITH_TIMEOUT(last(other).value(QStringLiteral("healthy")).toInt(-1), 0, kSoon);
        QCOMPARE(last(other).value(QStringLiteral("total")).toInt(), 1);
    }
    QVERIFY(last("/admin/series?poolId=nowhere&role=edge").value(QStringLiteral("healthy")).isNull());
    server.kill9();
    QVERIFY2(server.start(), server.err().constData());
    QTRY_COMPARE_WITH_TIMEOUT(last(origins).value(QStringLiteral("healthy")).toInt(-1), 0, kSoon);
    const QJsonArray points = server.client().get(origins).items("points");
    const auto isGap = [](const QJsonValue& point) { return point[QStringLiteral("healthy")].isNull(); };
    QVERIFY(std::any_of(points.begin() + 1, points.end(), isGap)); // while Weir itself was away
    QVERIFY(server.client().get(origins + "&points=3").items("points").size() <= 3);
}

void TestJournal::badQueriesAreNamed_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("verdict");
    QTest::addColumn<QString>("field");

    QTest::newRow("kind") << QByteArray("/admin/events?kind=node_moves") << QByteArray("422 invalid_value") << QStringLiteral("kind");
    QTest::newRow("role") << QByteArray("/admin/events?role=king") << QByteArray("422 invalid_value") << QStringLiteral("role");
    QTest::newRow("since") << QByteArray("/admin/events?since=yesterday") << QByteArray("422 invalid_value") << QStringLiteral("since");
    QTest::newRow("until") << QByteArray("/admin/events?until=2026-01-01") << QByteArray("422 invalid_value") << QStringLiteral("until");
    QTest::newRow("after") << QByteArray("/admin/events?after=x") << QByteArray("422 invalid_cursor") << QStringLiteral("after");
    QTest::newRow("limit") << QByteArray("/admin/events?limit=1001") << QByteArray("422 out_of_range") << QStringLiteral("limit");
    QTest::newRow("order") << QByteArray("/admin/events?order=up") << QByteArray("422 invalid_value") << QStringLiteral("order");
    QTest::newRow("unknown") << QByteArray("/admin/events?node=n1") << QByteArray("422 unknown_field") << QStringLiteral("node");
    QTest::newRow("points") << QByteArray("/admin/series?points=2") << QByteArray("422 out_of_range") << QStringLiteral("points");
    QTest::newRow("window") << QByteArray("/admin/series?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z") << QByteArray("422 invalid_value") << QStringLiteral("until");
    QTest::newRow("unknown of series") << QByteArray("/admin/series?limit=5") << QByteArray("422 unknown_field") << QStringLiteral("limit");
}

void TestJournal::badQueriesAreNamed()
{
    QFETCH(QByteArray, target);
    QFETCH(QByteArray, verdict);
    QFETCH(QString, field);
    static ServerProcess server;
    if (server.pid() == 0) {
        QVERIFY2(server.start(), server.err().constData());
    }
    const HttpAnswer answer = server.client().get(target);
    QCOMPARE(answer.verdict(), verdict);
    QCOMPARE(answer.text("field"), field);
}

QTEST_GUILESS_MAIN(TestJournal)
#include "TestJournal.moc"
