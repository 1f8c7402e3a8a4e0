// SPDX-License-Identifier: GPL-3.0-or-later
// Capacity between two heartbeats.
#include "tests/fleet/FleetWorld.h"

#include <map>

using namespace weir;
using namespace weir::fleet;

class TestFleetReservations : public QObject {
    Q_OBJECT

private slots:
    void decisionsSpreadBetweenHeartbeats();
    void withoutReservationsTheLastReportRules();
    void switchingThemOffDropsThem();
    void seenPlacementDropsThoseUpToIt();
    void withoutItThoseThatHadTimeToSettleGo();
    void newBootDropsAll();
    void lapseAfterTheirTime();
    void staticNodesOnlyCountThem();
    void releasedOnce();
    void neverBelowZero();
    void inFlightCountsLikeUse();
    void numbersContinueAfterARestart();
    void ringKeepsUnevenLives();
};

void TestFleetReservations::decisionsSpreadBetweenHeartbeats()
{
    FleetWorld world;
    for (int i = 0; i < 10; ++i) {
        world.node("n" + std::to_string(i), "default", {.capacity = 100'000, .isStatic = false});
    }
    std::map<std::string, int> chosen;
    for (int i = 0; i < 10'000; ++i) {
        ++chosen[world.choose("x")];
    }
    QCOMPARE(chosen.size(), std::size_t{10});
    for (const auto& [id, count] : chosen) {
        QVERIFY2(count >= 999 && count <= 1001, id.c_str());
    }
    QCOMPARE(world.group("default").pending, 10'000);
}

void TestFleetReservations::withoutReservationsTheLastReportRules()
{
    FleetSettings settings;
    settings.reservations = false;
    FleetWorld world({}, settings);
    world.node("a", "default", {.capacity = 8});
    world.node("b", "default", {.capacity = 7});
    std::uint64_t before = 0;
    for (int i = 0; i < 20; ++i) {
        const Decision decision = world.decide("x");
        COMPARE_TEXT(world.name(decision), "a");
        QVERIFY(decision.placement > before); // numbers grow all the same
        before = decision.placement;
        QVERIFY(!world.fleet.release(decision.placement, world.now()));
    }
    QCOMPARE(world.free("a"), 8);
}

void TestFleetReservations::switchingThemOffDropsThem()
{
    FleetWorld world;
    world.node("a", "default", {.capacity = 8});
    world.choose("x");
    world.choose("x");
    QCOMPARE(world.free("a"), 6);
    FleetSettings settings;
    settings.reservations = false;
    world.fleet.setSettings(settings);
    QCOMPARE(world.free("a"), 8);
    QCOMPARE(world.group("default").pending, 0);
}

void TestFleetReservations::seenPlacementDropsThoseUpToIt()
{
    FleetWorld world;
    world.node("a", "default", {.capacity = 10, .isStatic = false});
    const Decision first = world.decide("x");
    const Decision second = world.decide("x");
    const Decision third = world.decide("x");
    QCOMPARE(world.free("a"), 7);
    QVERIFY(world.beat("a", "boot-1", 2, 10, 2, second.placement));
    QCOMPARE(world.free("a"), 7); // 10 − 2 used − 1 still on its way
    QCOMPARE(world.coreAt("a").reserved, 1);
    QVERIFY(!world.fleet.release(first.placement, world.now()));
    QVERIFY(world.fleet.release(third.placement, world.now()));
    QCOMPARE(world.free("a"), 8);
}

void TestFleetReservations::withoutItThoseThatHadTimeToSettleGo()
{
    FleetWorld world;
    world.node("a", "default", {.capacity = 10, .isStatic = false});
    world.choose("x"); // t = 0
    world.at(1);
    world.choose("x");
    world.at(2);
    QVERIFY(world.beat("a", "boot-1", 2, 10));
    QCOMPARE(world.coreAt("a").reserved, 2); // exactly 2 s is not more than 2 s
    world.at(2.5);
    QVERIFY(world.beat("a", "boot-1", 3, 10));
    QCOMPARE(world.coreAt("a").reserved, 1);
    world.at(3.5);
    QVERIFY(world.beat("a", "boot-1", 4, 10));
    QCOMPARE(world.coreAt("a").reserved, 0);
}

void TestFleetReservations::newBootDropsAll()
{
    FleetWorld world;
    world.node("a", "default", {.capacity = 10, .isStatic = false});
    world.choose("x");
    QVERIFY(world.beat("a", "boot-2", 1, 10, 0, 0));
    QCOMPARE(world.free("a"), 10);
}

void TestFleetReservations::lapseAfterTheirTime()
{
    FleetSettings settings;
    settings.heartbeatTimeoutSeconds = 1000;
    FleetWorld world({}, settings);
    world.node("a", "default", {.capacity = 1, .isStatic = false});
    COMPARE_TEXT(world.choose("x"), "a");
    QVERIFY(world.fleet.nextDeadline() == Instant(std::chrono::seconds(30)));
    for (int t = 5; t < 30; t += 5) {
        world.at(t);
        QVERIFY(world.beat("a", "boot-1", static_cast<std::uint64_t>(t), 1, 0, 0)); // has not seen it
        COMPARE_TEXT(world.choose("x"), "no_candidate");
    }
    world.at(30);
    QCOMPARE(world.sink.count(ChangeKind::ReservationExpired, world.handle("a")), std::size_t{1});
    QCOMPARE(world.fleet.counters().reservationsExpired, std::uint64_t{1});
    COMPARE_TEXT(world.choose("x"), "a");
}

void TestFleetReservations::staticNodesOnlyCountThem()
{
    FleetWorld world;
    world.node("a", "default", {.capacity = 1});
    world.choose("x");
    world.at(30);
    QCOMPARE(world.free("a"), 1);
    QCOMPARE(world.fleet.counters().reservationsExpired, std::uint64_t{1});
    QCOMPARE(world.sink.count(ChangeKind::ReservationExpired), std::size_t{0});
}

void TestFleetReservations::releasedOnce()
{
    FleetWorld world;
    world.node("a", "default", {.capacity = 3});
    const Decision decision = world.decide("x", Role::Origin, 2);
    QCOMPARE(world.free("a"), 1);
    QVERIFY(world.fleet.release(decision.placement, world.now()));
    QCOMPARE(world.free("a"), 3);
    QVERIFY(!world.fleet.release(decision.placement, world.now()));
    QVERIFY(!world.fleet.release(0, world.now()));
    QVERIFY(!world.fleet.release(decision.placement + 1, world.now()));
    QCOMPARE(world.free("a"), 3);
}

void TestFleetReservations::neverBelowZero()
{
    FleetWorld world;
    world.node("a", "default", {.capacity = 10, .isStatic = false});
    world.choose("x", Role::Origin, 8);
    QVERIFY(world.beat("a", "boot-1", 2, 10, 9, 0));
    QCOMPARE(world.free("a"), 0);
    QCOMPARE(world.group("default").free, 0);
    COMPARE_TEXT(world.choose("x"), "no_candidate");
    // What a broken node reports must not do harm.
    QVERIFY(world.beat("a", "boot-1", 3, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), 0));
    QCOMPARE(world.free("a"), 0);
    QVERIFY(world.beat("a", "boot-1", 4, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(), 0));
    QVERIFY(world.free("a") > 0);
    QVERIFY(world.beat("a", "boot-1", 5, 10, 0, world.fleet.lastPlacement()));
    QCOMPARE(world.free("a"), 10);
    QCOMPARE(world.group("default").capacity, 10);
}

void TestFleetReservations::inFlightCountsLikeUse()
{
    FleetWorld world;
    const NodeHandle node = world.node("a", "default", {.capacity = 10});
    world.fleet.setInFlight(node, 4, world.now());
    QCOMPARE(world.free("a"), 6);
    world.choose("x");
    QCOMPARE(world.free("a"), 5);
    world.at(1000); // the reservation lapses, what is in flight does not
    QCOMPARE(world.free("a"), 6);
    world.fleet.setInFlight(node, 0, world.now());
    QCOMPARE(world.free("a"), 10);
}

void TestFleetReservations::numbersContinueAfterARestart()
{
    FleetSettings settings;
    settings.firstPlacement = 5'000'000'000;
    FleetWorld world({}, settings);
    world.node("a", "default", {.capacity = 10});
    QCOMPARE(world.decide("x").placement, std::uint64_t{5'000'000'000});
    QCOMPARE(world.decide("x").placement, std::uint64_t{5'000'000'001});
    QVERIFY(world.fleet.release(5'000'000'000, world.now()));
    settings.firstPlacement = 0; // no such number
    FleetWorld zero({}, settings);
    zero.node("a", "default", {.capacity = 10});
    QCOMPARE(zero.decide("x").placement, std::uint64_t{1});
}

void TestFleetReservations::ringKeepsUnevenLives()
{
    Reservations reservations;
    Reservations::Chain kept;
    Reservations::Chain passing;
    const std::uint64_t first = reservations.takeNumber();
    reservations.add(first, NodeHandle(1), 3, Instant{}, kept);
    for (int i = 0; i < 10'000; ++i) { // grows the ring around the one that stays
        const std::uint64_t number = reservations.takeNumber();
        reservations.add(number, NodeHandle(2), 1, Instant{}, passing);
        if (i % 3 != 0) {
            reservations.end(number, passing);
        }
    }
    QCOMPARE(reservations.oldest(), first);
    QCOMPARE(reservations.liveCount(), std::size_t{1 + 3334});
    QCOMPARE(reservations.find(first)->need, 3U);
    while (passing.first != 0) {
        reservations.end(passing.first, passing);
    }
    QCOMPARE(reservations.liveCount(), std::size_t{1});
    reservations.end(first, kept);
    QCOMPARE(reservations.oldest(), std::uint64_t{0});
    QVERIFY(reservations.find(first) == nullptr);
    QCOMPARE(reservations.takeNumber(), std::uint64_t{10'002});
}

QTEST_GUILESS_MAIN(TestFleetReservations)
#include "TestFleetReservations.moc"
