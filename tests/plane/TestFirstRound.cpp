// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/FirstRound.h"

#include <QTest>

using namespace weir;
using weir::plane::FirstRound;

namespace {

NodeHandle addNode(live::LiveFleet& fleet, const char* id, bool isStatic)
{
    return fleet.with([&](fleet::Fleet& live, Instant now) {
        fleet::NodeSpec spec;
        spec.id = NodeId::trusted(id);
        spec.isStatic = isStatic;
        spec.pool = live.defaultPool();
        return *live.addNode(spec, now);
    });
}

void beat(live::LiveFleet& fleet, NodeHandle node)
{
    fleet.with([&](fleet::Fleet& live, Instant now) { live.heartbeat(node, {"b1", 1, 10, 0, {}, nullptr}, now); });
}

} // namespace

class TestFirstRound : public QObject {
    Q_OBJECT

private slots:
    void nobodyIsAwaited();
    void itEndsWithTheLastThatComesBack();
    void itEndsWithTheTimeout();
    void whoIsRemovedIsNotAwaited();
};

void TestFirstRound::nobodyIsAwaited()
{
    ManualClock clock;
    live::LiveFleet fleet(clock, {}, {});
    FirstRound round(fleet);
    addNode(fleet, "static", true);
    addNode(fleet, "new", false);
    round.await("static"); // probes are its round
    round.await("unknown");
    round.start();
    QVERIFY(round.isOver()); // one that never registered cannot come back
}

void TestFirstRound::itEndsWithTheLastThatComesBack()
{
    ManualClock clock;
    live::LiveFleet fleet(clock, {}, {});
    FirstRound round(fleet);
    const NodeHandle a = addNode(fleet, "a", false);
    const NodeHandle b = addNode(fleet, "b", false);
    round.await("a");
    round.await("b");
    QVERIFY(!round.isOver()); // not even begun
    round.start();
    clock.advance(std::chrono::seconds(3));
    beat(fleet, a);
    QVERIFY(!round.isOver());
    beat(fleet, b);
    QVERIFY(round.isOver());
    clock.advance(std::chrono::seconds(60)); // both lapse: that is judged now
    QVERIFY(round.isOver());
}

void TestFirstRound::itEndsWithTheTimeout()
{
    ManualClock clock;
    live::LiveFleet fleet(clock, {}, {});
    FirstRound round(fleet);
    addNode(fleet, "a", false);
    round.await("a");
    clock.advance(std::chrono::seconds(60)); // however long it took to load
    round.start();
    clock.advance(std::chrono::seconds(29));
    QVERIFY(!round.isOver());
    clock.advance(std::chrono::seconds(1));
    QVERIFY(round.isOver());
}

void TestFirstRound::whoIsRemovedIsNotAwaited()
{
    ManualClock clock;
    live::LiveFleet fleet(clock, {}, {});
    FirstRound round(fleet);
    const NodeHandle a = addNode(fleet, "a", false);
    round.await("a");
    round.start();
    QVERIFY(!round.isOver());
    fleet.with([&](fleet::Fleet& live, Instant now) { live.removeNode(a, now); });
    addNode(fleet, "a", false); // another one of the same name
    QVERIFY(round.isOver());
}

QTEST_GUILESS_MAIN(TestFirstRound)
#include "TestFirstRound.moc"
