// SPDX-License-Identifier: GPL-3.0-or-later
// A restart ends every node's session. Nothing is judged before the nodes had the time to come back (journal.md, Alarms).
#include "tests/e2e/RegistrationFixture.h"

#include <QElapsedTimer>

using namespace weir::test;

class TestFirstRound : public QObject, private RegistrationFixture {
    Q_OBJECT

private slots:
    void init();
    void nodesThatComeBackAreNeverMissed();
    void whoDoesNotComeBackIsMissedAfterTheTimeout();

private:
    void restartServer()
    {
        m_server->kill9();
        QVERIFY2(m_server->start(), m_server->err().constData());
        m_client = std::make_unique<HttpClient>(m_server->client());
    }
    [[nodiscard]] qsizetype alarms(const QByteArray& kind) const
    {
        return m_client->get("/admin/events?kind=alarm_fired&limit=1000").body.count("\"kind\":\"" + kind + "\"");
    }

    [[nodiscard]] qsizetype openPoolDown() const { return m_client->get("/admin/alarms?kind=pool_down&state=open").items().size(); }

    Node m_node;
    qsizetype m_before = 0; ///< events that such an alarm fired, before the restart
};

// One origin, judged by its heartbeats alone, in the pool that unknown apps resolve to.
void TestFirstRound::init()
{
    restart("\"heartbeat_interval_seconds\": 0.5, \"heartbeat_timeout_seconds\": 2");
    m_node = enrolled("o1");
    QCOMPARE(beat(m_node, 1).status, 200);
    QTRY_VERIFY_WITH_TIMEOUT(m_client->get("/admin/mmx-nodes/o1").flag("inRotation"), kSoon);
    // Before its first heartbeat it was a node that nobody could use; that is over.
    QTRY_COMPARE_WITH_TIMEOUT(openPoolDown(), qsizetype(0), kSoon);
    m_before = alarms("pool_down");
}

void TestFirstRound::nodesThatComeBackAreNeverMissed()
{
    restartServer();
    QTRY_COMPARE_WITH_TIMEOUT(m_client->get("/readyz").status, 200, kSoon); // of probes alone, and there are none
    const qint64 begun = m_client->get("/admin/events?kind=started&order=newest&limit=1").at("items.0.seq").toInteger();
    QVERIFY(begun > 0);
    // Some turns of the journal with the node away: each was told of by a change that somebody made.
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(m_client->put("/admin/users/late" + QByteArray::number(i), "{}").status, 201);
        QCOMPARE(openPoolDown(), qsizetype(0));
    }
    m_node.token = enrol(m_node).text("sessionToken").toUtf8();
    QCOMPARE(beat(m_node, 1).status, 200);
    QTRY_VERIFY_WITH_TIMEOUT(m_client->get("/admin/mmx-nodes/o1").flag("inRotation"), kSoon);
    // Alarms are judged again: what is refused now has one.
    QCOMPARE(m_client->post("/v1/schedule", "{\"role\": \"edge\", \"appId\": \"demo\"}").status, 503);
    QCOMPARE(m_client->get("/admin/alarms?kind=pool_exhausted").items().size(), qsizetype(1));
    QCOMPARE(alarms("pool_down"), m_before);
}

void TestFirstRound::whoDoesNotComeBackIsMissedAfterTheTimeout()
{
    QElapsedTimer away;
    restartServer();
    away.start();
    QTRY_COMPARE_WITH_TIMEOUT(m_client->get("/admin/alarms?kind=pool_down&state=open").items().size(), qsizetype(1), kSoon);
    QVERIFY2(away.elapsed() > 1000, "before the time-out of 2 s, less what the start took");
    // A node that registered for the first time in this run is judged like every other.
    m_node.token = enrol(m_node).text("sessionToken").toUtf8();
    QCOMPARE(beat(m_node, 1).status, 200);
    QTRY_COMPARE_WITH_TIMEOUT(m_client->get("/admin/alarms?kind=pool_down&state=open").items().size(), qsizetype(0), kSoon);
}

QTEST_GUILESS_MAIN(TestFirstRound)
#include "TestFirstRound.moc"
