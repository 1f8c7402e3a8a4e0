// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of tests/data/fleet-cases.json about health, each under its own id. Times are seconds of simulated time.
#include "tests/fleet/FleetWorld.h"

using namespace weir;
using namespace weir::fleet;

class TestHealthCases : public QObject {
    Q_OBJECT

private slots:
    void fc107();
    void fc001();
    void fc002();
    void fc004();
    void fc006();
    void fc009();
    void fc010();
    void fc023();
    void fc024();
    void fc025();
    void fc026();
    void fc027();
    void fc028();
    void fc029();
    void fc035();
    void fc056();
    void fc071();
    void fc072();
    void fc110();
    void fcB01();
    void fcB02_data();
    void fcB02();
    void fcB03();
    void fcB04();
    void fcB05();
    void fcB06();

private:
    static health::HealthSettings healthyThreshold(int threshold)
    {
        health::HealthSettings settings;
        settings.healthyThreshold = threshold;
        return settings;
    }
    static health::HealthSettings cap(double percent)
    {
        health::HealthSettings settings;
        settings.maxEjectionPercent = percent;
        return settings;
    }
};

// A failed and a good probe within the quarantine leave the node out.
void TestHealthCases::fc001()
{
    FleetWorld world;
    world.node("a", "pool-u1");
    const std::size_t online = world.sink.count(ChangeKind::NodeOnline);
    QCOMPARE(world.eject("a"), OutcomeEffect::Ejected);
    QVERIFY(!world.online("a"));
    world.at(1);
    world.bad("a");
    QVERIFY(!world.online("a"));
    world.at(9);
    world.good("a");
    QVERIFY(!world.online("a"));
    QCOMPARE(world.nodeAt("a").health.cause(), health::Cause::Passive);
    QCOMPARE(toSeconds(world.nodeAt("a").health.quarantineRemaining(world.now())), 51.0);
    QCOMPARE(world.sink.count(ChangeKind::NodeOnline), online);
}

// Green probes and a failing work endpoint: seven successes do not revive, the one at 64 does.
void TestHealthCases::fc002()
{
    FleetWorld world;
    world.node("a", "default");
    const std::size_t online = world.sink.count(ChangeKind::NodeOnline);
    world.eject("a");
    for (int t = 1; t < 64; ++t) {
        world.at(t);
        COMPARE_TEXT(world.choose("x"), "no_candidate");
        if (t % 8 == 0) {
            QCOMPARE(world.good("a"), health::Transition::Held);
            QCOMPARE(world.nodeAt("a").health.consecutiveSuccesses(), 1 + t / 8);
        }
    }
    world.at(64);
    QCOMPARE(world.good("a"), health::Transition::Online);
    QCOMPARE(world.sink.count(ChangeKind::NodeOnline), online + 1);
    COMPARE_TEXT(world.choose("x"), "a");
}

// The quarantine is not for ever and needs nobody (that probes go on meanwhile is the prober's part).
void TestHealthCases::fc004()
{
    FleetWorld world;
    world.node("a", "default");
    world.eject("a");
    for (int t = 8; t <= 56; t += 8) {
        world.at(t);
        world.bad("a");
    }
    world.at(64);
    QCOMPARE(world.good("a"), health::Transition::Online);
}

// Both orders of the race end in one of the two allowed states.
void TestHealthCases::fc006()
{
    FleetWorld revivalFirst;
    revivalFirst.node("a", "default");
    revivalFirst.eject("a");
    revivalFirst.at(64);
    QCOMPARE(revivalFirst.good("a"), health::Transition::Online);
    QCOMPARE(revivalFirst.eject("a"), OutcomeEffect::Ejected);
    QVERIFY(revivalFirst.nodeAt("a").health.quarantinedUntil() == Instant(std::chrono::seconds(124)));
    revivalFirst.at(124);
    QCOMPARE(revivalFirst.good("a"), health::Transition::Online);

    FleetWorld failureFirst;
    failureFirst.node("a", "default");
    failureFirst.eject("a");
    failureFirst.at(64);
    QCOMPARE(failureFirst.eject("a"), OutcomeEffect::AlreadyOut);
    QCOMPARE(failureFirst.good("a"), health::Transition::Online);
}

void TestHealthCases::fc009()
{
    for (const bool capped : {true, false}) {
        FleetWorld world(capped ? cap(67) : health::HealthSettings{});
        for (const char* id : {"a", "b", "c"}) {
            world.node(id, "default");
        }
        QCOMPARE(world.eject("a"), OutcomeEffect::Ejected);
        QCOMPARE(world.eject("b"), OutcomeEffect::Ejected);
        QCOMPARE(world.eject("c"), capped ? OutcomeEffect::Capped : OutcomeEffect::Ejected);
        QCOMPARE(world.online("c"), capped);
        if (capped) {
            QCOMPARE(world.sink.last(ChangeKind::EjectionCapped)->figure, 100.0);
        }
    }
}

void TestHealthCases::fc010()
{
    FleetWorld free;
    free.node("a", "default");
    free.eject("a");
    QCOMPARE(free.group("default").candidates(), 0U);
    COMPARE_TEXT(free.choose("x"), "no_candidate");
    QCOMPARE(free.sink.count(ChangeKind::PoolExhausted), std::size_t{1});

    FleetWorld capped(cap(50));
    capped.node("a", "default");
    QCOMPARE(capped.eject("a"), OutcomeEffect::Capped);
    QVERIFY(capped.online("a"));
    QCOMPARE(capped.sink.last(ChangeKind::EjectionCapped)->figure, 100.0);
}

void TestHealthCases::fc023()
{
    FleetWorld first;
    first.node("a", "default");
    first.bad("a", "timeout");
    QVERIFY(first.online("a"));
    first.bad("a", "status:503");
    QVERIFY(!first.online("a"));

    FleetWorld second;
    second.node("a", "default");
    second.bad("a", "timeout");
    second.good("a");
    second.bad("a", "refused");
    QVERIFY(second.online("a"));
    QCOMPARE(second.nodeAt("a").health.consecutiveFailures(), 1);
}

// That 418 and 302 are failures is the prober's part.
void TestHealthCases::fc024()
{
    FleetWorld world;
    world.node("a", "default");
    world.bad("a", "status:418");
    QVERIFY(world.online("a"));
    world.bad("a", "status:302");
    QVERIFY(!world.online("a"));
    QCOMPARE(world.good("a"), health::Transition::Online);
}

void TestHealthCases::fc025()
{
    FleetWorld world;
    world.node("a", "default");
    const std::size_t facts = world.sink.changes.size();
    world.bad("a", "timeout");
    QVERIFY(world.online("a"));
    QCOMPARE(world.nodeAt("a").health.consecutiveFailures(), 1);
    COMPARE_TEXT(world.preview("x"), "a");
    world.good("a");
    QVERIFY(world.online("a"));
    QCOMPARE(world.sink.changes.size(), facts);
}

// Interval × threshold + timeout: out at 19 s, and back with the first success.
void TestHealthCases::fc026()
{
    FleetWorld world;
    const NodeHandle node = world.node("a", "default");
    const auto probe = [&](double started, double ended, bool success) {
        world.at(ended);
        const ProbeVerdict verdict{node, world.nodeAt("a").generation, Instant(fromSeconds(started)), success, success ? "" : "timeout", {}};
        return world.fleet.probeEnded(verdict, world.now());
    };
    QCOMPARE(probe(8, 11, false), health::Transition::None);
    QCOMPARE(probe(16, 19, false), health::Transition::Offline);
    QCOMPARE(world.sink.last(ChangeKind::NodeOffline)->cause, health::Cause::Probe);
    QCOMPARE(probe(24, 24, true), health::Transition::Online);
    QCOMPARE(world.fleet.healthSettings().worstDetectionSeconds(), 19.0);
}

void TestHealthCases::fc027()
{
    FleetWorld world;
    world.node("a", "default", {.probed = false});
    world.node("b", "default", {.probed = false});
    COMPARE_TEXT(world.choose("x"), "no_candidate");
    const Explanation before = world.explain("x");
    QCOMPARE(rowOf(before, "a")->reason, Reason::Unchecked);
    QCOMPARE(rowOf(before, "b")->reason, Reason::Unchecked);
    world.bad("a", "refused");
    world.good("b");
    COMPARE_TEXT(world.choose("x"), "b");
    const Explanation after = world.explain("x");
    QCOMPARE(rowOf(after, "a")->reason, Reason::Unhealthy);
}

void TestHealthCases::fc028()
{
    FleetWorld world;
    for (const char* id : {"a", "b", "c", "e"}) {
        world.node(id, "default");
    }
    world.eject("a");
    world.bad("b");
    world.bad("b");
    world.bad("c");
    world.at(20);
    const std::size_t facts = world.sink.changes.size();
    health::HealthSettings faster;
    faster.intervalSeconds = 5;
    world.fleet.setHealthSettings(faster, world.now());
    world.node("d", "default", {.probed = false});
    world.drain("e");
    world.fleet.removeNode(world.handle("e"), world.now());
    QCOMPARE(toSeconds(world.nodeAt("a").health.quarantineRemaining(world.now())), 40.0);
    QVERIFY(!world.online("b"));
    QVERIFY(world.online("c"));
    QCOMPARE(world.nodeAt("c").health.consecutiveFailures(), 1);
    QCOMPARE(world.sink.changes.size(), facts);
}

void TestHealthCases::fc029()
{
    FleetWorld world;
    world.node("a", "default");
    world.bad("a");
    world.bad("a");
    world.node("b", "default");
    world.bad("b");
    world.drain("a");
    world.fleet.removeNode(world.handle("a"), world.now());
    QVERIFY(world.online("b"));
    QCOMPARE(world.nodeAt("b").health.consecutiveFailures(), 1);
    QCOMPARE(world.group("default").nodes, 1U);
}

void TestHealthCases::fc035()
{
    FleetWorld world(cap(50));
    for (const char* id : {"a", "b", "c", "d"}) {
        world.node(id, "default");
    }
    const auto remove = [&](const char* id) {
        world.drain(id);
        world.fleet.removeNode(world.handle(id), world.now());
    };
    world.eject("a");
    remove("a");
    QCOMPARE(world.group("default").ejected, 0U);
    QCOMPARE(world.group("default").candidates(), 3U);
    QCOMPARE(world.eject("b"), OutcomeEffect::Ejected); // 1 of 3
    QCOMPARE(world.eject("c"), OutcomeEffect::Capped);  // 2 of 3 would be over half
    remove("b");
    QCOMPARE(world.eject("c"), OutcomeEffect::Ejected); // 1 of 2
}

void TestHealthCases::fc056()
{
    FleetWorld world;
    world.node("a", "default", {.isStatic = false});
    world.eject("a");
    world.at(11);
    world.fleet.disconnect(world.handle("a"), world.now());
    QVERIFY(world.beat("a", "boot-2", 1, 10));
    world.at(16);
    QCOMPARE(world.good("a"), health::Transition::Held);
    QVERIFY(world.nodeAt("a").health.quarantinedUntil() == Instant(std::chrono::seconds(60)));
    world.at(60);
    QCOMPARE(world.good("a"), health::Transition::Online);
}

// Ten cycles of ejection and revival, each quarantine exactly 60 s.
void TestHealthCases::fc071()
{
    FleetWorld world;
    world.node("a", "default");
    std::size_t ejections = 0;
    for (int t = 0; ejections < 10; t += 8) {
        world.at(t);
        world.good("a");
        if (world.eject("a") == OutcomeEffect::Ejected) {
            ++ejections;
            QVERIFY(world.nodeAt("a").health.quarantinedUntil() == Instant(std::chrono::seconds(t + 60)));
        }
    }
    QCOMPARE(world.sink.count(ChangeKind::QuarantineStarted), ejections);
    QCOMPARE(world.sink.count(ChangeKind::QuarantineOver), ejections - 1);
}

// Wall time has no way in: decisions take instants alone, and explanations stamp what they are given.
void TestHealthCases::fc072()
{
    FleetWorld world;
    world.node("a", "default");
    world.eject("a");
    for (int t = 8; t <= 64; t += 8) {
        world.at(t);
        const WallTime jumped = WallTime(std::chrono::hours(t % 16 == 0 ? 24 : -24));
        const Explanation record = world.fleet.explain(Request{Role::Origin, "x"}, world.now(), jumped);
        if (t < 60) {
            QCOMPARE(*rowOf(record, "a")->remainingSeconds, 60.0 - t);
        }
        QCOMPARE(world.good("a"), t < 60 ? health::Transition::Held : health::Transition::Online);
    }
}

void TestHealthCases::fc110()
{
    FleetWorld world;
    world.node("a", "default");
    world.node("c", "default");
    world.eject("a");
    world.bad("c");
    world.at(10);
    health::HealthSettings settings;
    settings.cooldownSeconds = 300;
    settings.unhealthyThreshold = 3;
    world.fleet.setHealthSettings(settings, world.now());
    world.at(16);
    world.bad("c");
    QVERIFY(world.online("c"));
    world.at(24);
    world.bad("c");
    QVERIFY(!world.online("c"));
    world.at(60);
    QCOMPARE(world.good("a"), health::Transition::Online);
    world.eject("a");
    QVERIFY(world.nodeAt("a").health.quarantinedUntil() == Instant(std::chrono::seconds(360)));
}

void TestHealthCases::fcB01()
{
    FleetWorld world;
    world.node("a", "default");
    world.eject("a");
    world.at(59.999);
    QCOMPARE(world.good("a"), health::Transition::Held);
    world.at(60);
    QCOMPARE(world.good("a"), health::Transition::Online);
}

void TestHealthCases::fcB02_data()
{
    QTest::addColumn<int>("threshold");
    QTest::addColumn<int>("onlineAt");
    QTest::newRow("healthy_threshold 1") << 1 << 24;
    QTest::newRow("healthy_threshold 3") << 3 << 40;
}

void TestHealthCases::fcB02()
{
    QFETCH(int, threshold);
    QFETCH(int, onlineAt);
    FleetWorld world(healthyThreshold(threshold));
    world.node("a", "default");
    for (int i = 1; i < threshold; ++i) {
        world.good("a");
    }
    QVERIFY(world.online("a"));
    for (int t = 8; t <= onlineAt; t += 8) {
        world.at(t);
        world.probe("a", t > 16);
        QCOMPARE(world.online("a"), t == 8 || t == onlineAt);
    }
}

void TestHealthCases::fcB03()
{
    FleetWorld world;
    world.node("a", "default");
    world.node("b", "default");
    world.eject("a");
    world.at(8);
    world.bad("b");
    world.at(16);
    world.bad("b");
    world.at(20);
    QCOMPARE(world.eject("b"), OutcomeEffect::AlreadyOut);
    world.at(24);
    QCOMPARE(world.good("b"), health::Transition::Online);
    world.at(30);
    QCOMPARE(world.eject("a"), OutcomeEffect::AlreadyOut);
    QVERIFY(world.nodeAt("a").health.quarantinedUntil() == Instant(std::chrono::seconds(60)));
}

void TestHealthCases::fcB04()
{
    for (const bool failsAt56 : {false, true}) {
        FleetWorld world(healthyThreshold(3));
        world.node("a", "default");
        for (int i = 0; i < 20; ++i) {
            world.good("a");
        }
        world.eject("a");
        const int onlineAt = failsAt56 ? 80 : 64;
        for (int t = 8; t <= onlineAt; t += 8) {
            world.at(t);
            world.probe("a", !(failsAt56 && t == 56));
            QCOMPARE(world.online("a"), t == onlineAt);
        }
    }
}

// A new process knows of no quarantine; the event that says so is the plane's part.
void TestHealthCases::fcB05()
{
    FleetWorld before;
    before.node("a", "default");
    before.eject("a");
    QCOMPARE(before.good("a"), health::Transition::Held);
    FleetWorld after;
    after.node("a", "default", {.probed = false});
    QVERIFY(!after.online("a"));
    QCOMPARE(after.good("a"), health::Transition::Online);
}

void TestHealthCases::fcB06()
{
    health::HealthSettings settings;
    settings.cooldownSeconds = 0;
    FleetWorld world(settings);
    const NodeHandle node = world.node("a", "default");
    world.at(1);
    world.eject("a");
    QVERIFY(!world.online("a"));
    world.at(1.2);
    const ProbeVerdict early{node, world.nodeAt("a").generation, Instant(fromSeconds(0.5)), true, {}, {}};
    QCOMPARE(world.fleet.probeEnded(early, world.now()), health::Transition::Dropped);
    QVERIFY(!world.online("a"));
    world.at(8);
    QCOMPARE(world.good("a"), health::Transition::Online);
}

// A name that does not resolve, then a port that refuses: the node stays out until the first good answer.
void TestHealthCases::fc107()
{
    FleetWorld world;
    world.node("a", "default");
    for (const double t : {8.0, 16.0}) {
        world.at(t);
        world.bad("a", "dns");
    }
    QVERIFY(!world.online("a"));
    for (const double t : {24.0, 32.0, 40.0, 48.0}) {
        world.at(t);
        world.bad("a", t < 30 ? "dns" : "refused");
        QVERIFY(!world.online("a"));
        COMPARE_TEXT(world.nodeAt("a").trouble.probeReason, t < 30 ? "dns" : "refused");
    }
    world.at(56);
    world.good("a");
    QVERIFY(world.online("a"));
}

QTEST_GUILESS_MAIN(TestHealthCases)
#include "TestHealthCases.moc"
