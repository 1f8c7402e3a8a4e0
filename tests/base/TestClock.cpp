// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/Clock.h"

#include <QTest>

using namespace weir;
using namespace std::chrono_literals;

class TestClock : public QObject {
    Q_OBJECT

private slots:
    void rfc3339_data();
    void rfc3339();
    void rfc3339IsReadBack_data();
    void rfc3339IsReadBack();
    void secondsAndBack_data();
    void secondsAndBack();
    void manualTimeStandsStillUntilMoved();
    void manualWallKeepsMilliseconds();
    void systemTimeRuns();
    void systemWallIsTheSystems();
    void rebaseWithinToleranceChangesNothing();
    void rebaseBeyondToleranceTakesTheStep();
};

void TestClock::rfc3339_data()
{
    QTest::addColumn<qint64>("millis");
    QTest::addColumn<QByteArray>("text");

    QTest::newRow("epoch") << qint64(0) << QByteArray("1970-01-01T00:00:00.000Z");
    QTest::newRow("milliseconds are padded") << qint64(7) << QByteArray("1970-01-01T00:00:00.007Z");
    QTest::newRow("last of a second") << qint64(999) << QByteArray("1970-01-01T00:00:00.999Z");
    QTest::newRow("ordinary") << qint64(1'700'000'000'412) << QByteArray("2023-11-14T22:13:20.412Z");
    QTest::newRow("leap day") << qint64(1'709'164'800'000) << QByteArray("2024-02-29T00:00:00.000Z");
    QTest::newRow("after 2038") << qint64(2'147'483'648'000) << QByteArray("2038-01-19T03:14:08.000Z");
    QTest::newRow("before the epoch") << qint64(-1) << QByteArray("1969-12-31T23:59:59.999Z");
}

void TestClock::rfc3339()
{
    QFETCH(qint64, millis);
    QFETCH(QByteArray, text);
    QCOMPARE(toRfc3339(WallTime(std::chrono::milliseconds(millis))), text.toStdString());
}

void TestClock::rfc3339IsReadBack_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("same"); // empty: not a time

    QTest::newRow("as we write it") << QByteArray("2026-11-29T21:30:08.412Z") << QByteArray("2026-11-29T21:30:08.412Z");
    QTest::newRow("no decimals") << QByteArray("2026-11-29T21:30:08Z") << QByteArray("2026-11-29T21:30:08.000Z");
    QTest::newRow("nanoseconds") << QByteArray("2026-11-29t21:30:08.412999999z") << QByteArray("2026-11-29T21:30:08.412Z");
    QTest::newRow("one decimal") << QByteArray("2026-11-29T21:30:08.4Z") << QByteArray("2026-11-29T21:30:08.400Z");
    QTest::newRow("east") << QByteArray("2026-11-30T01:30:08+04:00") << QByteArray("2026-11-29T21:30:08.000Z");
    QTest::newRow("west") << QByteArray("2026-11-29T21:00:08-00:30") << QByteArray("2026-11-29T21:30:08.000Z");
    QTest::newRow("leap day") << QByteArray("2024-02-29T00:00:00Z") << QByteArray("2024-02-29T00:00:00.000Z");
    QTest::newRow("leap second") << QByteArray("2016-12-31T23:59:60Z") << QByteArray("2017-01-01T00:00:00.000Z");
    for (const char* bad : {"", "now", "2026-11-29", "2026-11-29T21:30:08", "2026-11-29T21:30Z", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z",
             "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+0400", "2026-01-01T00:00:00 04:00", "2026-01-01T00:00:00Z ", "-026-01-01T00:00:00Z",
             "1796000000000"}) {
        QTest::newRow(bad) << QByteArray(bad) << QByteArray();
    }
}

void TestClock::rfc3339IsReadBack()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, same);
    const auto time = fromRfc3339(text.toStdString());
    QCOMPARE(time.has_value(), !same.isEmpty());
    QCOMPARE(time ? toRfc3339(*time) : std::string(), same.toStdString());
}

void TestClock::secondsAndBack_data()
{
    QTest::addColumn<double>("seconds");
    QTest::addColumn<qint64>("nanoseconds");

    QTest::newRow("zero") << 0.0 << qint64(0);
    QTest::newRow("smallest setting") << 0.05 << qint64(50'000'000);
    QTest::newRow("decimals") << 2.5 << qint64(2'500'000'000);
    QTest::newRow("a minute") << 60.0 << qint64(60'000'000'000);
    QTest::newRow("a month") << 2'592'000.0 << qint64(2'592'000) * 1'000'000'000;
    QTest::newRow("negative") << -1.5 << qint64(-1'500'000'000);
}

void TestClock::secondsAndBack()
{
    QFETCH(double, seconds);
    QFETCH(qint64, nanoseconds);
    QCOMPARE(qint64(fromSeconds(seconds).count()), nanoseconds);
    QCOMPARE(toSeconds(Duration(nanoseconds)), seconds);
}

void TestClock::manualTimeStandsStillUntilMoved()
{
    ManualClock clock(WallTime(1'000ms));
    const Instant start = clock.now();
    QCOMPARE(clock.now(), start);
    QCOMPARE(clock.wall(), WallTime(1'000ms));

    clock.advance(2'500ms);
    QCOMPARE(clock.now() - start, Duration(2'500ms));
    QCOMPARE(clock.wall(), WallTime(3'500ms));
}

void TestClock::manualWallKeepsMilliseconds()
{
    ManualClock clock(WallTime(0ms));
    clock.advance(600us);
    QCOMPARE(clock.wall(), WallTime(0ms));
    clock.advance(600us);
    QCOMPARE(clock.wall(), WallTime(1ms));
}

void TestClock::systemTimeRuns()
{
    const SystemClock clock;
    const Instant first = clock.now();
    QVERIFY(clock.now() >= first);
    QTRY_VERIFY(clock.now() > first);
}

void TestClock::systemWallIsTheSystems()
{
    const auto before = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const SystemClock clock;
    const WallTime wall = clock.wall();
    const auto after = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::system_clock::now());
    // One millisecond to each side for the two clocks being read after one another.
    QVERIFY(wall >= before - 1ms);
    QVERIFY(wall <= after + 1ms);
}

void TestClock::rebaseWithinToleranceChangesNothing()
{
    SystemClock clock;
    const Instant instant = clock.now();
    const WallTime wall = clock.wall();
    QCOMPARE(clock.rebase(24h).count(), std::chrono::milliseconds::rep{0});
    QVERIFY(clock.now() >= instant);
    QVERIFY(clock.wall() >= wall);
}

void TestClock::rebaseBeyondToleranceTakesTheStep()
{
    // A tolerance below zero makes any difference, also none, a step: the wall is the system's afterwards.
    const auto before = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    SystemClock clock;
    const auto step = clock.rebase(-1ms);
    const WallTime wall = clock.wall();
    const auto after = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::system_clock::now());
    QVERIFY(wall >= before - 1ms);
    QVERIFY(wall <= after + 1ms);
    QVERIFY(std::chrono::abs(step) <= after - before + 1ms);
}

QTEST_GUILESS_MAIN(TestClock)
#include "TestClock.moc"
