// SPDX-License-Identifier: GPL-3.0-or-later
// The case of tests/data/fleet-cases.json about severities, under its own id.
#include "tests/journal/AlarmWorld.h"

#include <QTest>

using namespace weir;
using namespace weir::journal;

class TestSeverityCases : public QObject {
    Q_OBJECT

private slots:
    void fc113();
};

// Up at the tenth refusal in a minute, down when a minute had fewer than five: one alarm, its history in the journal, and nobody is
// told again.
void TestSeverityCases::fc113()
{
    AlarmWorld world;
    world.refuse("app1");
    QVERIFY(world.fires(AlarmKind::PoolExhausted));
    const std::uint64_t id = world.open(AlarmKind::PoolExhausted)->id;
    QCOMPARE(world.open(AlarmKind::PoolExhausted)->severity, Severity::Warning);
    for (int round = 1; round <= 5; ++round) {
        for (int i = 0; i < 9; ++i) {
            world.refuse("app1");
        }
        world.refuse("app1");
        QCOMPARE(world.open(AlarmKind::PoolExhausted)->severity, Severity::Critical);
        QCOMPARE(world.said(EventKind::AlarmChanged), 2 * round - 1);
        world.pass(59); // fewer than a minute: whatever the rate is now, it stays
        world.refuse("app1");
        QCOMPARE(world.open(AlarmKind::PoolExhausted)->severity, Severity::Critical);
        world.pass(1);
        QCOMPARE(world.open(AlarmKind::PoolExhausted)->severity, Severity::Warning);
        QCOMPARE(world.said(EventKind::AlarmChanged), 2 * round);
        QCOMPARE(world.open(AlarmKind::PoolExhausted)->id, id);
        world.pass(60);
        world.refuse("app1"); // somebody still asks, or it would be over
    }
    QCOMPARE(world.said(EventKind::AlarmFired), 1);
    QCOMPARE(world.said(EventKind::AlarmResolved), 0);
    QCOMPARE(world.told(AlarmKind::PoolExhausted, true), 1);
    QCOMPARE(world.told(AlarmKind::PoolExhausted, false), 0);
    std::vector<Severity> history;
    for (const Event& event : world.events) {
        if (event.kind == EventKind::AlarmChanged) {
            history.push_back(event.severity);
        }
    }
    QCOMPARE(history.size(), std::size_t{10});
    for (std::size_t i = 0; i < history.size(); ++i) {
        QCOMPARE(history[i], i % 2 == 0 ? Severity::Critical : Severity::Warning);
    }
}

QTEST_GUILESS_MAIN(TestSeverityCases)
#include "TestSeverityCases.moc"
