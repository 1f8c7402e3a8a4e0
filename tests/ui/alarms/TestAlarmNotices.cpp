// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/alarms/AlarmsFleet.h"
#include "ui/shell/AlarmNotices.h"

#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestAlarmNotices : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void notOfWhatFiredBefore();
    void onceAnEpisode();
    void worseIsTold();
    void notOfWhatIsSilenced_data();
    void notOfWhatIsSilenced();
    void manyAreOne();

private:
    void send(const QList<AlarmRow>& alarms);
    [[nodiscard]] QString title(int at) const { return m_told->value(at).value(0).toString(); }

    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<AlarmNotices> m_notices;
    std::unique_ptr<QSignalSpy> m_told;
    AlarmRow m_row;
};

void TestAlarmNotices::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_notices = std::make_unique<AlarmNotices>(*m_store);
    m_told = std::make_unique<QSignalSpy>(m_notices.get(), &AlarmNotices::told);
    m_row = test::alarmRow(QStringLiteral("30"), QStringLiteral("pool_exhausted"), Severity::Warning, AlarmStanding::Firing,
        m_client->wallMs, m_client->wallMs);
    m_row.pool = QStringLiteral("default");
    m_row.latestSentence = QStringLiteral("No origin in default.");
}

void TestAlarmNotices::cleanup()
{
    m_told.reset();
    m_notices.reset();
    m_store.reset();
    m_client.reset();
}

void TestAlarmNotices::send(const QList<AlarmRow>& alarms)
{
    ChangeBatch batch;
    batch.alarms = alarms;
    m_client->send(batch);
    m_store->flushNow();
}

void TestAlarmNotices::notOfWhatFiredBefore()
{
    send(test::sampleAlarms(m_client->wallMs));
    QCOMPARE(m_told->size(), 0);
    ChangeBatch again; // asked for anew, as after a lost connection
    again.reset = true;
    again.alarms = test::sampleAlarms(m_client->wallMs);
    m_client->send(again);
    m_store->flushNow();
    QCOMPARE(m_told->size(), 0);
    send({m_row});
    QCOMPARE(m_told->size(), 1);
}

void TestAlarmNotices::onceAnEpisode()
{
    send({});
    send({m_row});
    QCOMPARE(m_told->size(), 1);
    QVERIFY2(title(0).startsWith(QStringLiteral("Warning: Pool exhausted")), qPrintable(title(0)));
    QCOMPARE(m_told->value(0).value(1).toString(), m_row.latestSentence);
    QCOMPARE(m_told->value(0).value(2).toString(), m_row.id);
    for (int i = 0; i < 5; ++i) {
        m_row.count += 10;
        m_row.lastMs += 1000;
        send({m_row});
    }
    // Cleared and reopened within five minutes is the same episode.
    m_row.standing = AlarmStanding::Cleared;
    send({m_row});
    m_row.standing = AlarmStanding::Firing;
    m_row.firingSinceMs += 60'000;
    send({m_row});
    QCOMPARE(m_told->size(), 1);
    m_row.id = QStringLiteral("31"); // the next episode
    send({m_row});
    QCOMPARE(m_told->size(), 2);
}

void TestAlarmNotices::worseIsTold()
{
    send({});
    send({m_row});
    m_row.severity = Severity::Critical;
    send({m_row});
    QCOMPARE(m_told->size(), 2);
    QVERIFY2(title(1).startsWith(QStringLiteral("Worse: ")), qPrintable(title(1)));
    QVERIFY(m_told->value(1).value(3).toBool());
    m_row.severity = Severity::Warning; // never again on the way down, and up again is no news
    send({m_row});
    m_row.severity = Severity::Critical;
    send({m_row});
    QCOMPARE(m_told->size(), 2);
}

void TestAlarmNotices::notOfWhatIsSilenced_data()
{
    QTest::addColumn<int>("standing");
    QTest::newRow("silenced") << static_cast<int>(AlarmStanding::Silenced);
    QTest::newRow("acknowledged") << static_cast<int>(AlarmStanding::Acknowledged);
    QTest::newRow("counted") << static_cast<int>(AlarmStanding::Counted);
    QTest::newRow("cleared") << static_cast<int>(AlarmStanding::Cleared);
}

void TestAlarmNotices::notOfWhatIsSilenced()
{
    QFETCH(int, standing);
    send({});
    m_row.standing = static_cast<AlarmStanding>(standing);
    send({m_row});
    m_row.severity = Severity::Critical;
    send({m_row});
    QCOMPARE(m_told->size(), 0);
    m_row.standing = AlarmStanding::Firing; // the silence has run out
    send({m_row});
    QCOMPARE(m_told->size(), 1);
}

void TestAlarmNotices::manyAreOne()
{
    send({});
    QList<AlarmRow> rows;
    for (int i = 0; i < 5; ++i) {
        m_row.id = QString::number(40 + i);
        m_row.pool = QStringLiteral("pool-%1").arg(i);
        m_row.severity = i == 3 ? Severity::Critical : Severity::Warning;
        rows.append(m_row);
    }
    send(rows);
    QCOMPARE(m_told->size(), 1);
    QVERIFY2(title(0).startsWith(QLatin1Char('5')), qPrintable(title(0)));
    QCOMPARE(m_told->value(0).value(2).toString(), QStringLiteral("43")); // the gravest
    QCOMPARE(m_told->value(0).value(1).toString().count(QLatin1Char('\n')), 3);
}

QTEST_GUILESS_MAIN(TestAlarmNotices)
#include "TestAlarmNotices.moc"
