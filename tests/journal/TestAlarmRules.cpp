// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/journal/AlarmWorld.h"

#include <QTest>

using namespace weir;
using namespace weir::journal;

namespace {

struct Step {
    std::function<void(AlarmWorld&)> act;
    bool fires = false;
};

void local(AlarmWorld& world, std::vector<PoolProbes> probes)
{
    world.turn(Duration::zero(), [&](AlarmInput& input) { input.probes = std::move(probes); });
}

void outcomes(AlarmWorld& world, std::uint64_t requests, std::uint64_t transport, std::uint64_t status, std::uint64_t semantic, bool probeOk = true)
{
    world.turn(std::chrono::seconds(8), [&](AlarmInput& input) { input.outcomes = {{"n1", probeOk, requests, transport, status, semantic}}; });
}

void reach(AlarmWorld& world, std::size_t starved, std::size_t stranded)
{
    world.turn(Duration::zero(), [&](AlarmInput& input) { input.unreachable = Unreachability{starved, stranded, "x"}; });
}

void refuseRegistration(AlarmWorld& world, const std::string& node, const std::string& address, std::uint64_t times = 1)
{
    world.turn(Duration::zero(), [&](AlarmInput& input) { input.registrations.push_back({node, address, "bad_credential", "wrong secret", times}); });
}

void row(const char* name, AlarmKind kind, std::vector<Step> steps)
{
    QTest::newRow(name) << static_cast<int>(kind) << std::move(steps);
}

void poolRows()
{
    row("pool_exhausted, placed again", AlarmKind::PoolExhausted,
        {{[](AlarmWorld& w) { w.refuse("a"); }, true}, {[](AlarmWorld& w) { w.place("b"); }, true}, {[](AlarmWorld& w) { w.place("a", false); }, true},
            {[](AlarmWorld& w) { w.place("a"); }, false}});
    row("pool_exhausted, nobody asks", AlarmKind::PoolExhausted,
        {{[](AlarmWorld& w) { w.refuse("a"); }, true}, {[](AlarmWorld& w) { w.pass(299); }, true}, {[](AlarmWorld& w) { w.pass(1); }, false}});
    row("pool_exhausted, a fallback is an ask", AlarmKind::PoolExhausted,
        {{[](AlarmWorld& w) { w.refuse("a"); w.pass(200); w.place("a", false); w.pass(200); }, true}, {[](AlarmWorld& w) { w.pass(100); }, false}});
    row("pool_down", AlarmKind::PoolDown,
        {{[](AlarmWorld& w) { w.setAvailable(1); w.pass(1); }, false}, {[](AlarmWorld& w) { w.setAvailable(0); w.pass(1); }, true},
            {[](AlarmWorld& w) { w.setAvailable(1); w.pass(1); }, false}});
    row("pool_down, a full pool is none", AlarmKind::PoolDown, {{[](AlarmWorld& w) { w.group().candidates = 0; w.pass(1); }, false}});
    row("pool_down, no app looks there", AlarmKind::PoolDown,
        {{[](AlarmWorld& w) { w.setAvailable(0); w.group().resolvedTo = false; w.pass(1); }, false}, {[](AlarmWorld& w) { w.group().resolvedTo = true; w.pass(1); }, true},
            {[](AlarmWorld& w) { w.group().resolvedTo = false; w.pass(1); }, false}});
    row("pool_down, no node of the role", AlarmKind::PoolDown, {{[](AlarmWorld& w) { w.setAvailable(0); w.group().nodes = 0; w.pass(1); }, false}});
    row("pool_down, the pool goes", AlarmKind::PoolDown, {{[](AlarmWorld& w) { w.setAvailable(0); w.pass(1); }, true}, {[](AlarmWorld& w) { w.groups.clear(); w.pass(1); }, false}});
    row("healthy_below_min", AlarmKind::HealthyBelowMin,
        {{[](AlarmWorld& w) { w.group().minAvailable = 2; w.pass(1); }, false}, {[](AlarmWorld& w) { w.setAvailable(1); w.pass(1); }, true},
            {[](AlarmWorld& w) { w.setAvailable(2); w.pass(29); }, true}, {[](AlarmWorld& w) { w.setAvailable(1); w.pass(1); w.setAvailable(2); w.pass(30); }, true},
            {[](AlarmWorld& w) { w.pass(1); }, false}});
    row("healthy_below_min, none set", AlarmKind::HealthyBelowMin, {{[](AlarmWorld& w) { w.setAvailable(0); w.pass(40); }, false}});
    row("pool_capacity_low", AlarmKind::PoolCapacityLow,
        {{[](AlarmWorld& w) { w.group().candidateFree = 2; w.pass(30); }, false}, {[](AlarmWorld& w) { w.pass(1); }, true},
            {[](AlarmWorld& w) { w.group().candidateFree = 4; w.pass(60); }, true}, // 13 %: over the bound, not over the margin
            {[](AlarmWorld& w) { w.group().candidateFree = 5; w.pass(30); }, true}, {[](AlarmWorld& w) { w.pass(1); }, false}});
    row("pool_capacity_low, exactly at the bound", AlarmKind::PoolCapacityLow, {{[](AlarmWorld& w) { w.group().candidateFree = 3; w.pass(60); }, false}});
    row("pool_capacity_low, off", AlarmKind::PoolCapacityLow, {{[](AlarmWorld& w) { w.group().candidateFree = 0; w.group().capacityAlarmPercent = 0; w.pass(60); }, false}});
    row("last_candidate_lost, ejection", AlarmKind::LastCandidateLost,
        {{[](AlarmWorld& w) { w.setAvailable(1); w.pass(1); }, false}, {[](AlarmWorld& w) { w.setAvailable(0); w.rotate("n1", false, RotationCause::Passive); }, true},
            {[](AlarmWorld& w) { w.pass(100); }, true}, {[](AlarmWorld& w) { w.setAvailable(1); w.pass(1); }, false}});
    row("last_candidate_lost, the move is heard of a moment later", AlarmKind::LastCandidateLost,
        {{[](AlarmWorld& w) { w.setAvailable(1); w.pass(1); w.setAvailable(0); w.turn(std::chrono::milliseconds(100)); }, false},
            {[](AlarmWorld& w) { w.turn(std::chrono::milliseconds(100), [](AlarmInput& in) { in.departures.push_back({"n1", "pool-7", "pool-8", "worker", "token:ops"}); }); }, true}});
    row("last_candidate_lost, merely full", AlarmKind::LastCandidateLost,
        {{[](AlarmWorld& w) { w.setAvailable(1); w.pass(1); w.group().candidates = 0; w.pass(5); }, false}, {[](AlarmWorld& w) { w.rotate("n2", false); w.pass(2); }, false}});
}

void nodeRows()
{
    row("health_disagrees", AlarmKind::HealthDisagrees,
        {{[](AlarmWorld& w) { outcomes(w, 10, 2, 2, 2); }, false}, {[](AlarmWorld& w) { outcomes(w, 10, 1, 3, 1); }, true}, {[](AlarmWorld& w) { outcomes(w, 5, 0, 1, 0); }, true},
            {[](AlarmWorld& w) { outcomes(w, 5, 0, 0, 0); }, false}});
    row("health_disagrees, any bucket alone", AlarmKind::HealthDisagrees, {{[](AlarmWorld& w) { outcomes(w, 20, 0, 0, 11); }, true}});
    row("health_disagrees, exactly half", AlarmKind::HealthDisagrees, {{[](AlarmWorld& w) { outcomes(w, 20, 10, 0, 0); }, false}});
    row("health_disagrees, 19 requests", AlarmKind::HealthDisagrees, {{[](AlarmWorld& w) { outcomes(w, 19, 19, 0, 0); }, false}});
    row("health_disagrees, older than three intervals", AlarmKind::HealthDisagrees,
        {{[](AlarmWorld& w) { outcomes(w, 15, 15, 0, 0); outcomes(w, 0, 0, 0, 0); outcomes(w, 0, 0, 0, 0); outcomes(w, 15, 15, 0, 0); }, false}});
    row("health_disagrees, the probe fails too", AlarmKind::HealthDisagrees,
        {{[](AlarmWorld& w) { outcomes(w, 20, 20, 0, 0, false); }, false}, {[](AlarmWorld& w) { outcomes(w, 20, 20, 0, 0); }, true}, {[](AlarmWorld& w) { outcomes(w, 1, 1, 0, 0, false); }, false}});
    row("health_disagrees, no traffic is not clean", AlarmKind::HealthDisagrees,
        {{[](AlarmWorld& w) { outcomes(w, 20, 20, 0, 0); outcomes(w, 0, 0, 0, 0); }, true}, {[](AlarmWorld& w) { w.pass(300); }, false}});
    row("correlated_ejection", AlarmKind::CorrelatedEjection,
        {{[](AlarmWorld& w) { w.rotate("n1", false, RotationCause::Passive, "a"); w.pass(10); w.rotate("n2", false, RotationCause::Passive, "a"); }, true},
            {[](AlarmWorld& w) { w.pass(299); }, true}, {[](AlarmWorld& w) { w.rotate("n3", false, RotationCause::Passive, "a"); w.pass(299); }, true}, {[](AlarmWorld& w) { w.pass(1); }, false}});
    row("correlated_ejection, too far apart", AlarmKind::CorrelatedEjection,
        {{[](AlarmWorld& w) { w.rotate("n1", false, RotationCause::Passive, "a"); w.pass(11); w.rotate("n2", false, RotationCause::Passive, "a"); }, false}});
    row("correlated_ejection, other apps", AlarmKind::CorrelatedEjection,
        {{[](AlarmWorld& w) { w.rotate("n1", false, RotationCause::Passive, "a"); w.rotate("n2", false, RotationCause::Passive, "b"); }, false}});
    row("correlated_ejection, one node twice", AlarmKind::CorrelatedEjection,
        {{[](AlarmWorld& w) { w.rotate("n1", false, RotationCause::Passive, "a"); w.rotate("n1", false, RotationCause::Passive, "a"); }, false}});
    row("correlated_ejection, by probes", AlarmKind::CorrelatedEjection, {{[](AlarmWorld& w) { w.rotate("n1", false); w.rotate("n2", false); }, false}});
    row("node_flapping", AlarmKind::NodeFlapping,
        {{[](AlarmWorld& w) { w.rotate("n1", false); w.pass(90); w.rotate("n1", true); w.pass(90); w.rotate("n1", false); }, false},
            {[](AlarmWorld& w) { w.pass(90); w.rotate("n1", true); }, true}, {[](AlarmWorld& w) { w.pass(299); }, true}, {[](AlarmWorld& w) { w.pass(1); }, false}});
    row("node_flapping, slower than the window", AlarmKind::NodeFlapping,
        {{[](AlarmWorld& w) { for (int i = 0; i < 8; ++i) { w.rotate("n1", i % 2 == 1); w.pass(110); } }, false}});
}

void planeRows()
{
    row("control_plane_isolated", AlarmKind::ControlPlaneIsolated,
        {{[](AlarmWorld& w) { local(w, {{"a", 3, 3, 3}, {"b", 4, 2, 2}}); }, false}, // b: half is not most
            {[](AlarmWorld& w) { local(w, {{"a", 3, 3, 3}, {"b", 4, 3, 3}}); }, true}, {[](AlarmWorld& w) { w.pass(100); }, true},
            {[](AlarmWorld& w) { local(w, {{"a", 3, 3, 0}, {"b", 4, 3, 0}}); }, true}, {[](AlarmWorld& w) { local(w, {{"a", 3, 0, 0}, {"b", 4, 3, 0}}); }, false}});
    row("control_plane_isolated, one pool", AlarmKind::ControlPlaneIsolated, {{[](AlarmWorld& w) { local(w, {{"a", 9, 9, 9}, {"b", 1, 0, 0}}); }, false}});
    row("control_plane_isolated, a corner of the fleet", AlarmKind::ControlPlaneIsolated, {{[](AlarmWorld& w) { local(w, {{"a", 2, 2, 2}, {"b", 2, 2, 2}, {"c", 9, 0, 0}}); }, false}});
    row("probe_stalled", AlarmKind::ProbeStalled,
        {{[](AlarmWorld& w) { w.stalled = {"n1"}; w.pass(1); }, true}, {[](AlarmWorld& w) { w.stalled = {"n1", "n2"}; w.pass(1); w.stalled = {"n2"}; w.pass(1); }, true},
            {[](AlarmWorld& w) { w.stalled = {}; w.pass(1); }, false}});
    row("apps_unreachable", AlarmKind::AppsUnreachable,
        {{[](AlarmWorld& w) { reach(w, 1, 0); w.pass(59); }, false}, {[](AlarmWorld& w) { reach(w, 0, 2); w.pass(1); }, true}, {[](AlarmWorld& w) { reach(w, 0, 0); }, false}});
    row("apps_unreachable, not for 60 s on end", AlarmKind::AppsUnreachable,
        {{[](AlarmWorld& w) { reach(w, 1, 0); w.pass(40); reach(w, 0, 0); w.pass(1); reach(w, 1, 0); w.pass(40); }, false}});
    row("registration_refused, a credential", AlarmKind::RegistrationRefused,
        {{[](AlarmWorld& w) { refuseRegistration(w, "n1", "10.0.0.1"); w.pass(100); refuseRegistration(w, "n1", "10.0.0.2"); w.pass(100); }, false},
            {[](AlarmWorld& w) { refuseRegistration(w, "n1", "10.0.0.3"); }, true}, {[](AlarmWorld& w) { w.pass(899); }, true}, {[](AlarmWorld& w) { w.pass(1); }, false}});
    row("registration_refused, an address", AlarmKind::RegistrationRefused,
        {{[](AlarmWorld& w) { refuseRegistration(w, "", "10.0.0.1", 2); refuseRegistration(w, "", "10.0.0.2"); }, false}, {[](AlarmWorld& w) { refuseRegistration(w, "", "10.0.0.1"); }, true}});
    row("registration_refused, over a longer time", AlarmKind::RegistrationRefused,
        {{[](AlarmWorld& w) { for (int i = 0; i < 6; ++i) { refuseRegistration(w, "n1", ""); w.pass(151); } }, false}});
    row("store_behind, waiting", AlarmKind::StoreBehind,
        {{[](AlarmWorld& w) { w.storeBehind = true; w.pass(1); }, true}, {[](AlarmWorld& w) { w.storeBehind = false; w.pass(1); }, false}});
    row("store_behind, lost", AlarmKind::StoreBehind,
        {{[](AlarmWorld& w) { w.lostEvents = 5; w.turn(std::chrono::milliseconds(100)); }, true}, {[](AlarmWorld& w) { w.pass(1); }, false}});
}

} // namespace

Q_DECLARE_METATYPE(std::vector<Step>)

// Every row of the alarm table: when it fires, what does not make it fire, when it is over.
class TestAlarmRules : public QObject {
    Q_OBJECT

private slots:
    void table_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<std::vector<Step>>("steps");
        poolRows();
        nodeRows();
        planeRows();
    }
    void table()
    {
        QFETCH(int, kind);
        QFETCH(std::vector<Step>, steps);
        AlarmWorld world;
        world.setAvailable(3, "pool-7");
        world.pass(1);
        const auto watched = static_cast<AlarmKind>(kind);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i].act(world);
            QVERIFY2(world.fires(watched) == steps[i].fires, qPrintable(QStringLiteral("after step %1").arg(i + 1)));
        }
        if (const Alarm* alarm = world.open(watched)) {
            QVERIFY(!alarm->latestExplanation.sentence.empty());
            QCOMPARE(world.told(watched, true), world.told(watched, false) + 1);
        } else {
            QCOMPARE(world.told(watched, true), world.told(watched, false));
        }
    }

    void exhaustionGrowsAndShrinksWithoutBeingToldAgain()
    {
        AlarmWorld world;
        world.pass(1);
        for (int i = 0; i < 9; ++i) {
            world.refuse("a");
            world.pass(6);
        }
        QCOMPARE(world.open(AlarmKind::PoolExhausted)->severity, Severity::Warning);
        world.refuse("a"); // the tenth, 54 s after the first
        QCOMPARE(world.open(AlarmKind::PoolExhausted)->severity, Severity::Critical);
        QCOMPARE(world.open(AlarmKind::PoolExhausted)->count, std::uint64_t{10});
        world.pass(30);
        QCOMPARE(world.open(AlarmKind::PoolExhausted)->severity, Severity::Critical); // still five in the last minute
        world.pass(7);
        QCOMPARE(world.open(AlarmKind::PoolExhausted)->severity, Severity::Warning);
        QCOMPARE(world.told(AlarmKind::PoolExhausted, true), 1);
        QCOMPARE(world.said(EventKind::AlarmFired), 1);
        QCOMPARE(world.said(EventKind::AlarmChanged), 2);
    }

    void lastCandidateNamesItsCause()
    {
        AlarmWorld world;
        world.setAvailable(1);
        world.pass(1);
        world.setAvailable(0);
        world.rotate("gpu-3", false, RotationCause::Passive);
        const std::string& text = world.open(AlarmKind::LastCandidateLost)->latestExplanation.sentence;
        QVERIFY(text.find("gpu-3") != std::string::npos);
        QVERIFY(text.find("cooldown_seconds is 60") != std::string::npos);
    }

    void nothingIsJudgedBeforeTheFirstRound()
    {
        AlarmWorld world;
        world.roundOver = false;
        world.setAvailable(0);
        world.refuse("a");
        world.rotate("n1", true);
        world.stalled = {"n1"};
        world.pass(100);
        QCOMPARE(world.engine.book().openCount(), std::size_t{0});
        world.roundOver = true;
        world.pass(1);
        QVERIFY(world.fires(AlarmKind::PoolDown));
        world.roundOver = false; // a node was added and is not probed yet
        world.setAvailable(3);
        world.pass(1);
        QVERIFY(!world.fires(AlarmKind::PoolDown));
    }

    void isolationStandsForTheRest()
    {
        AlarmWorld world;
        world.setAvailable(3, "a");
        world.setAvailable(3, "b");
        world.pass(1);
        world.setAvailable(0, "a");
        world.setAvailable(0, "b");
        local(world, {{"a", 3, 3, 3}, {"b", 3, 3, 3}});
        world.refuse("demo", 20);
        world.pass(30);
        QVERIFY(world.fires(AlarmKind::PoolDown));
        QVERIFY(world.fires(AlarmKind::PoolExhausted));
        QCOMPARE(world.notices.size(), std::size_t{1});
        QCOMPARE(world.notices[0].alarm.key.kind, AlarmKind::ControlPlaneIsolated);
        QCOMPARE(world.open(AlarmKind::ControlPlaneIsolated)->stoodFor, std::uint64_t{3});
        // It ends; one pool comes back with it, the other does not and is told after one interval.
        world.setAvailable(3, "a");
        local(world, {{"a", 3, 0, 0}, {"b", 3, 0, 0}});
        world.place("demo");
        world.pass(7);
        QCOMPARE(world.told(AlarmKind::PoolDown, true), 0);
        world.pass(3);
        QCOMPARE(world.told(AlarmKind::PoolDown, true), 1);
        QCOMPARE(world.told(AlarmKind::PoolExhausted, true), 0);
        QCOMPARE(world.told(AlarmKind::ControlPlaneIsolated, false), 1);
    }

    void flappingStandsForTheNodesOtherAlarms()
    {
        AlarmWorld world;
        world.pass(1);
        for (int i = 0; i < 4; ++i) {
            world.rotate("n1", i % 2 == 1);
        }
        outcomes(world, 30, 30, 0, 0);
        QVERIFY(world.fires(AlarmKind::HealthDisagrees));
        QCOMPARE(world.told(AlarmKind::HealthDisagrees, true), 0);
        QCOMPARE(world.told(AlarmKind::NodeFlapping, true), 1);
    }
};

QTEST_GUILESS_MAIN(TestAlarmRules)
#include "TestAlarmRules.moc"
