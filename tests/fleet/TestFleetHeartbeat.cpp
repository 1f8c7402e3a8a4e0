// SPDX-License-Identifier: GPL-3.0-or-later
// Connection: heartbeats, boots, silence.
#include "tests/fleet/FleetWorld.h"

using namespace weir;
using namespace weir::fleet;

class TestFleetHeartbeat : public QObject {
    Q_OBJECT

private slots:
    void candidateNeedsConnectionAndHealth();
    void oldAndRepeatedOnesChangeNothing();
    void replacedBootsAreNeverAcceptedAgain();
    void silenceDisconnects();
    void silenceDisconnectsAfterAnAddressChangeToo();
    void shorterTimeoutCountsAtOnce();
    void reconnectingLeavesNoTimersBehind();
    void nodeWithoutHealthAddressIsJudgedByHeartbeats();
    void firstHeartbeatOfSeveralNeeded();
    void quarantineOfANodeWithoutHealthAddress();
    void reconnectKeepsQuarantineAndDraining();
    void staticNodeThatTurnsToRegistering();
};

void TestFleetHeartbeat::candidateNeedsConnectionAndHealth()
{
    FleetWorld world;
    world.node("a", "default", {.isStatic = false, .probed = false});
    QCOMPARE(world.coreAt("a").reasons[0], Reason::Disconnected);
    world.good("a");
    QCOMPARE(world.coreAt("a").reasons[0], Reason::Disconnected); // health alone is not enough
    QCOMPARE(world.group("default").healthy, 0U);
    QVERIFY(world.beat("a", "b1", 1, 4));
    QCOMPARE(world.coreAt("a").reasons[0], Reason::None);
    QCOMPARE(world.group("default").healthy, 1U);
    QCOMPARE(world.sink.count(ChangeKind::NodeConnected), std::size_t{1});
    world.fleet.disconnect(world.handle("a"), world.now());
    world.fleet.disconnect(world.handle("a"), world.now());
    QCOMPARE(world.sink.count(ChangeKind::NodeDisconnected), std::size_t{1});
    QVERIFY(world.online("a")); // two facts
    COMPARE_TEXT(world.choose("x"), "no_candidate");
}

void TestFleetHeartbeat::oldAndRepeatedOnesChangeNothing()
{
    FleetWorld world;
    world.node("a", "default", {.isStatic = false, .probed = false});
    QVERIFY(world.beat("a", "b1", 12, 3));
    const std::uint64_t revision = world.fleet.revision();
    world.at(20);
    QVERIFY(!world.beat("a", "b1", 12, 9));
    QVERIFY(!world.beat("a", "b1", 11, 9));
    QCOMPARE(world.fleet.revision(), revision);
    QCOMPARE(world.coreAt("a").capacity, 3);
    world.at(30); // they did not prolong the connection either
    QVERIFY(!world.coreAt("a").connected);
}

void TestFleetHeartbeat::replacedBootsAreNeverAcceptedAgain()
{
    FleetWorld world;
    world.node("a", "default", {.isStatic = false, .probed = false});
    for (int boot = 1; boot <= 40; ++boot) {
        QVERIFY(world.beat("a", "b" + std::to_string(boot), 1, boot));
    }
    for (int boot = 1; boot < 40; ++boot) {
        QVERIFY(!world.beat("a", "b" + std::to_string(boot), 1000, 99));
    }
    QCOMPARE(world.coreAt("a").capacity, 40);
    QVERIFY(world.beat("a", "b40", 2, 41));
}

void TestFleetHeartbeat::silenceDisconnects()
{
    FleetWorld world;
    world.node("a", "default", {.isStatic = false});
    world.at(10);
    QVERIFY(world.beat("a", "boot-1", 2, 10));
    world.at(39.999);
    QVERIFY(world.coreAt("a").connected);
    world.at(40);
    QVERIFY(!world.coreAt("a").connected);
    QCOMPARE(world.group("default").count(Reason::Disconnected), 1U);
    world.at(600);
    COMPARE_TEXT(rowOf(world.explain("x"), "a")->detail, "last heartbeat 590 s ago");
    QVERIFY(world.beat("a", "boot-1", 3, 10));
    COMPARE_TEXT(world.choose("x"), "a");
}

void TestFleetHeartbeat::silenceDisconnectsAfterAnAddressChangeToo()
{
    FleetWorld world;
    const NodeHandle node = world.node("a", "default", {.isStatic = false});
    NodeSpec spec = world.nodeAt("a").spec;
    spec.healthUrl = "http://127.0.0.1:9999";
    world.fleet.changeNode(node, spec, world.now());
    world.at(30);
    QVERIFY(!world.coreAt("a").connected);
}

void TestFleetHeartbeat::shorterTimeoutCountsAtOnce()
{
    FleetWorld world;
    world.node("a", "default", {.isStatic = false});
    world.at(12);
    FleetSettings settings;
    settings.heartbeatTimeoutSeconds = 10;
    world.fleet.setSettings(settings);
    world.at(12.001);
    QVERIFY(!world.coreAt("a").connected);
    QVERIFY(world.beat("a", "boot-1", 2, 10));
    settings.heartbeatTimeoutSeconds = 100;
    world.fleet.setSettings(settings);
    world.at(112);
    QVERIFY(world.coreAt("a").connected);
    world.at(112.001);
    QVERIFY(!world.coreAt("a").connected);
}

void TestFleetHeartbeat::reconnectingLeavesNoTimersBehind()
{
    FleetWorld world;
    const NodeHandle node = world.node("a", "default", {.isStatic = false});
    for (std::uint64_t seq = 2; seq < 1'000; ++seq) {
        world.fleet.disconnect(node, world.now());
        QVERIFY(world.beat("a", "boot-1", seq, 10));
    }
    world.fleet.disconnect(node, world.now());
    QVERIFY(world.fleet.nextDeadline().has_value()); // its one timer
    world.at(30);
    QVERIFY(!world.fleet.nextDeadline().has_value());
}

void TestFleetHeartbeat::nodeWithoutHealthAddressIsJudgedByHeartbeats()
{
    FleetWorld world;
    world.node("a", "default", {.isStatic = false, .probed = false, .url = ""});
    QVERIFY(world.beat("a", "b1", 1, 4));
    QVERIFY(world.online("a"));
    COMPARE_TEXT(world.choose("x"), "a");
}

void TestFleetHeartbeat::firstHeartbeatOfSeveralNeeded()
{
    health::HealthSettings settings;
    settings.healthyThreshold = 3;
    FleetWorld world(settings);
    world.node("a", "default", {.isStatic = false, .probed = false, .url = ""});
    QVERIFY(world.beat("a", "b1", 1, 4));
    QCOMPARE(world.coreAt("a").reasons[0], Reason::Unhealthy); // checked by now
    QCOMPARE(rowOf(world.explain("x"), "a")->reason, Reason::Unhealthy);
    QVERIFY(world.beat("a", "b1", 2, 4));
    QVERIFY(!world.online("a"));
    QVERIFY(world.beat("a", "b1", 3, 4));
    QCOMPARE(world.coreAt("a").reasons[0], Reason::None);
}

void TestFleetHeartbeat::quarantineOfANodeWithoutHealthAddress()
{
    FleetWorld world;
    world.node("a", "default", {.isStatic = false, .probed = false, .url = ""});
    QVERIFY(world.beat("a", "b1", 1, 4));
    world.eject("a");
    for (int t = 10; t < 60; t += 10) {
        world.at(t);
        QVERIFY(world.beat("a", "b1", static_cast<std::uint64_t>(t), 4));
        QVERIFY(!world.online("a"));
    }
    world.at(60);
    QVERIFY(!world.online("a"));
    QVERIFY(world.beat("a", "b1", 60, 4));
    QVERIFY(world.online("a"));
    QCOMPARE(world.sink.count(ChangeKind::QuarantineOver), std::size_t{1});
}

void TestFleetHeartbeat::reconnectKeepsQuarantineAndDraining()
{
    FleetWorld world;
    world.node("a", "pool-u2", {.isStatic = false, .owner = "u2"});
    world.eject("a");
    world.drain("a");
    world.at(11);
    world.fleet.disconnect(world.handle("a"), world.now());
    QVERIFY(world.beat("a", "boot-2", 1, 10));
    QVERIFY(world.nodeAt("a").health.quarantinedUntil() == Instant(std::chrono::seconds(60)));
    QVERIFY(world.coreAt("a").draining);
    COMPARE_TEXT(world.nodeAt("a").spec.drainReason, "disk swap");
    QCOMPARE(world.coreAt("a").pool, world.pool("pool-u2"));
}

void TestFleetHeartbeat::staticNodeThatTurnsToRegistering()
{
    FleetWorld world;
    const NodeHandle node = world.node("a", "default");
    NodeSpec spec = world.nodeAt("a").spec;
    spec.isStatic = false;
    world.fleet.changeNode(node, spec, world.now());
    QCOMPARE(world.coreAt("a").reasons[0], Reason::Disconnected);
    QVERIFY(world.beat("a", "b1", 1, 4));
    world.at(30);
    QVERIFY(!world.coreAt("a").connected);
    spec.isStatic = true;
    world.fleet.changeNode(node, spec, world.now());
    QCOMPARE(world.coreAt("a").reasons[0], Reason::None);
}

QTEST_GUILESS_MAIN(TestFleetHeartbeat)
#include "TestFleetHeartbeat.moc"
