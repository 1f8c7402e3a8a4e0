// SPDX-License-Identifier: GPL-3.0-or-later
// Filter, choice, fallback and refusal.
#include "tests/fleet/FleetWorld.h"

using namespace weir;
using namespace weir::fleet;

class TestFleetDecide : public QObject {
    Q_OBJECT

private slots:
    void mostFreeThenSmallestId();
    void reasonsInTheirOrder();
    void endpoints();
    void needIsRespected();
    void needOfZeroTakesOne();
    void fallbackAndRefusalLeaveTheirFacts();
    void canaryPoolThatNoAppResolvesToIsNeverChosen();
    void emergencySwitch();
    void moveIsSeenByTheNextDecision();
    void quarantineTravelsWithTheNode();
    void reviveNowNeedsTheProbe();
    void rolesThatNoPoolSchedules();
    void ejectionCap();
    void changedAddressStartsAfresh();
    void removedNodesLeaveNothingBehind();
    void handlesAreGivenOutAgainOnlyAfterTheRemovalWasTold();
    void dirtyHandlesComeInTheOrderTheyWaited();
    void quietReadsChangeNothing();
    void recentDecisionsAreTheLastThousand();
    void rankingIsTheOrderOfChoice();
};

void TestFleetDecide::mostFreeThenSmallestId()
{
    FleetWorld world;
    world.node("w2", "default", {.capacity = 5});
    world.node("w10", "default", {.capacity = 5});
    world.node("w1", "default", {.capacity = 4});
    COMPARE_TEXT(world.choose("any"), "w10");
    COMPARE_TEXT(world.choose("any"), "w2");
    COMPARE_TEXT(world.choose("any"), "w1");
    COMPARE_TEXT(world.choose("any"), "w10");
}

void TestFleetDecide::reasonsInTheirOrder()
{
    FleetWorld world;
    // Each node has its own fault and all later ones that can hold with it.
    world.node("a-role", "default", {.role = Role::Edge});
    world.drain("a-role");
    world.node("b-drain", "default", {.isStatic = false, .probed = false});
    world.drain("b-drain");
    world.node("c-silent", "default", {.isStatic = false, .probed = false});
    world.node("d-unchecked", "default", {.probed = false});
    world.node("e-quarantine", "default");
    world.eject("e-quarantine");
    world.node("f-sick", "default");
    world.bad("f-sick");
    world.bad("f-sick");
    world.node("g-endpoint", "default", {.capacity = 0});
    world.node("h-full", "default", {.capacity = 0, .webrtc = "http://h"});
    world.node("i-fine", "default", {.webrtc = "http://i"});

    const Explanation record = world.explain("any", Role::Origin, 1, Endpoint::Whip);
    const std::vector<std::pair<const char*, Reason>> expected{{"a-role", Reason::WrongRole}, {"b-drain", Reason::Draining},
        {"c-silent", Reason::Disconnected}, {"d-unchecked", Reason::Unchecked}, {"e-quarantine", Reason::Quarantined}, {"f-sick", Reason::Unhealthy},
        {"g-endpoint", Reason::MissingEndpoint}, {"h-full", Reason::NoCapacity}, {"i-fine", Reason::None}};
    for (const auto& [id, reason] : expected) {
        const ExplainedNode* row = rowOf(record, id);
        QVERIFY2(row != nullptr, id);
        QVERIFY2(row->reason == reason, id);
        if (world.coreAt(id).role == Role::Origin) {
            QVERIFY2(world.coreAt(id).reasons[weir::indexOf(Endpoint::Whip)] == reason, id);
        }
    }
    QVERIFY((rowOf(record, "b-drain")->also == std::vector<Reason>{Reason::Disconnected, Reason::Unchecked, Reason::MissingEndpoint}));
    QVERIFY((rowOf(record, "g-endpoint")->also == std::vector<Reason>{Reason::NoCapacity}));
    COMPARE_TEXT(whatDoesNotAddUp(record), "");
    COMPARE_TEXT(record.chosen, "i-fine");
}

void TestFleetDecide::endpoints()
{
    FleetWorld world;
    world.node("plain", "default", {.capacity = 9});
    world.node("whip", "default", {.capacity = 5, .webrtc = "https://h/whip"});
    world.node("srt", "default", {.capacity = 4, .publish = "SRT://h:9000"});
    world.node("rtmp", "default", {.capacity = 8, .publish = "rtmp://h/live"});
    COMPARE_TEXT(world.preview("x"), "plain");
    COMPARE_TEXT(world.preview("x", Role::Origin, 1, Endpoint::Whip), "whip");
    COMPARE_TEXT(world.preview("x", Role::Origin, 1, Endpoint::Srt), "srt");
    NodeSpec changed = world.nodeAt("srt").spec;
    changed.publishUrl.clear();
    world.fleet.changeNode(world.handle("srt"), changed, world.now());
    COMPARE_TEXT(world.preview("x", Role::Origin, 1, Endpoint::Srt), "no_candidate");
    QVERIFY(world.online("srt"));
}

void TestFleetDecide::needIsRespected()
{
    FleetWorld world;
    world.node("a", "default", {.capacity = 5});
    world.node("b", "default", {.capacity = 3});
    COMPARE_TEXT(world.choose("x", Role::Origin, 4), "a");
    COMPARE_TEXT(world.choose("x", Role::Origin, 4), "no_candidate");
    const Explanation record = world.explain("x", Role::Origin, 4);
    QCOMPARE(rowOf(record, "a")->reason, Reason::NoCapacity);
    QCOMPARE(rowOf(record, "b")->reason, Reason::NoCapacity);
    COMPARE_TEXT(world.fleet.refusalSentence(world.decide("x", Role::Origin, 4)), "default: 0 of 2 usable: 2 full.");
    COMPARE_TEXT(world.choose("x", Role::Origin, 3), "b");
}

void TestFleetDecide::needOfZeroTakesOne()
{
    FleetWorld world;
    world.node("a", "default", {.capacity = 2, .isStatic = false});
    const Decision decision = world.decide("x", Role::Origin, 0);
    COMPARE_TEXT(world.name(decision), "a");
    QCOMPARE(decision.need, 1U);
    QCOMPARE(world.free("a"), 1);
    world.at(3);
    QVERIFY(world.beat("a", "boot-1", 2, 2));
    QCOMPARE(world.free("a"), 2);
}

void TestFleetDecide::fallbackAndRefusalLeaveTheirFacts()
{
    FleetWorld world;
    world.node("d1", "default", {.capacity = 1});
    world.boundApp("open", "p", true);
    world.boundApp("closed", "p", false);

    const Decision first = world.decide("open");
    COMPARE_TEXT(world.name(first), "d1");
    QVERIFY(first.fallback);
    QCOMPARE(first.pool, world.fleet.defaultPool());
    QCOMPARE(first.primary, world.pool("p"));
    const FleetChange* fallback = world.sink.last(ChangeKind::PoolFallback);
    QVERIFY(fallback != nullptr);
    QCOMPARE(fallback->pool, world.pool("p"));
    QCOMPARE(fallback->node, world.handle("d1"));
    COMPARE_TEXT(fallback->app.view(), "open");

    QCOMPARE(world.decide("open").code, Code::NoCandidate);
    const FleetChange* exhausted = world.sink.last(ChangeKind::PoolExhausted);
    QCOMPARE(exhausted->pool, world.pool("p")); // the primary one, saying that default had none either
    COMPARE_TEXT(exhausted->text.view(), "default had none either");
    world.fleet.release(first.placement, world.now());
    QCOMPARE(world.decide("closed").code, Code::NoCandidate); // default has one again; the promise holds all the same
    QVERIFY(world.sink.last(ChangeKind::PoolExhausted)->text.isEmpty());

    QCOMPARE(world.fleet.counters().chosen[0], std::uint64_t{1});
    QCOMPARE(world.fleet.counters().fallback[0], std::uint64_t{1});
    QCOMPARE(world.fleet.counters().refused[0], std::uint64_t{2});
}

void TestFleetDecide::canaryPoolThatNoAppResolvesToIsNeverChosen()
{
    FleetWorld world;
    world.pool("canary", true);
    world.node("c1", "canary", {.capacity = 1000, .isStatic = false});
    world.node("u1", "unassigned", {.capacity = 1000});
    world.node("a", "default", {.capacity = 50});
    world.boundApp("open", "p", true);
    world.boundApp("closed", "p", false);
    world.app("owned", "u7");
    for (int round = 1; round <= 40; ++round) {
        world.at(8.0 * round);
        world.good("a");
        world.good("c1");
        world.good("u1");
        QVERIFY(world.beat("c1", "boot-1", static_cast<std::uint64_t>(round + 1), 1000));
        for (const char* app : {"open", "closed", "owned", "stranger", "default"}) {
            const std::string chosen = world.choose(app);
            QVERIFY2(chosen == "a" || chosen == "no_candidate", chosen.c_str());
        }
    }
    QVERIFY(world.online("c1") && world.online("u1")); // watched all the time
    QCOMPARE(world.fleet.reachability().strandedNodes, std::size_t{0});
    world.move("c1", "default");
    COMPARE_TEXT(world.choose("stranger"), "c1");
}

void TestFleetDecide::emergencySwitch()
{
    FleetWorld world;
    for (const char* id : {"a", "b", "c"}) {
        world.node(id, "default");
    }
    world.eject("a");
    world.eject("b");
    world.at(5);
    world.good("a");
    QVERIFY(!world.online("a"));
    health::HealthSettings off;
    off.cooldownSeconds = 0;
    world.fleet.setHealthSettings(off, world.now());
    QVERIFY(!world.online("a")); // ends the quarantine, and no more than that
    QCOMPARE(world.group("default").count(Reason::Quarantined), 0U);
    QCOMPARE(world.group("default").count(Reason::Unhealthy), 2U);
    QCOMPARE(world.good("a"), health::Transition::Online);
    QCOMPARE(world.sink.count(ChangeKind::QuarantineOver, world.handle("a")), std::size_t{1});
    world.eject("a");
    QCOMPARE(world.good("a"), health::Transition::Online);
    QCOMPARE(world.sink.count(ChangeKind::QuarantineStarted), std::size_t{2});
}

void TestFleetDecide::moveIsSeenByTheNextDecision()
{
    FleetWorld world;
    world.boundApp("app1", "p1");
    world.boundApp("app2", "p2");
    world.node("a", "p1");
    world.move("a", "p2");
    COMPARE_TEXT(world.choose("app2"), "a");
    COMPARE_TEXT(world.choose("app1"), "no_candidate");
    QCOMPARE(world.group("p1").nodes, 0U);
    QCOMPARE(world.group("p2").pending, 1);
    world.move("a", "p1"); // with its reservation
    QCOMPARE(world.group("p2").pending, 0);
    QCOMPARE(world.group("p1").pending, 1);
    QCOMPARE(world.group("p1").candidateFree, 9);
}

void TestFleetDecide::quarantineTravelsWithTheNode()
{
    FleetWorld world;
    world.node("a", "p1");
    world.eject("a");
    world.at(10);
    world.move("a", "p2");
    QCOMPARE(world.group("p1").ejected, 0U);
    QCOMPARE(world.group("p2").ejected, 1U);
    QCOMPARE(world.group("p2").count(Reason::Quarantined), 1U);
    QCOMPARE(world.good("a"), health::Transition::Held);
    world.at(60);
    QCOMPARE(world.group("p2").count(Reason::Unhealthy), 1U); // awaiting probe
    QCOMPARE(world.good("a"), health::Transition::Online);
}

void TestFleetDecide::reviveNowNeedsTheProbe()
{
    FleetWorld world;
    world.node("a", "default");
    world.eject("a");
    world.at(1);
    world.fleet.revive(world.handle("a"), world.now());
    QVERIFY(!world.online("a"));
    QCOMPARE(world.group("default").count(Reason::Unhealthy), 1U);
    QCOMPARE(world.good("a"), health::Transition::Online);
    QCOMPARE(world.sink.count(ChangeKind::QuarantineOver), std::size_t{1});
}

void TestFleetDecide::rolesThatNoPoolSchedules()
{
    FleetWorld world;
    world.node("r1", "default", {.role = Role::Recorder});
    COMPARE_TEXT(world.choose("x", Role::Recorder), "role_not_scheduled");
    QVERIFY(world.sink.changes.empty() || world.sink.count(ChangeKind::PoolExhausted) == 0);
    QVERIFY(world.fleet.recentDecisions().empty());
}

void TestFleetDecide::ejectionCap()
{
    health::HealthSettings capped;
    capped.maxEjectionPercent = 50;
    FleetWorld world(capped);
    for (const char* id : {"a", "b", "c", "d"}) {
        world.node(id, "default");
    }
    world.node("e", "default", {.role = Role::Edge}); // another role counts for itself
    QCOMPARE(world.eject("a"), OutcomeEffect::Ejected);
    QCOMPARE(world.eject("a"), OutcomeEffect::AlreadyOut);
    QCOMPARE(world.eject("b"), OutcomeEffect::Ejected);
    QCOMPARE(world.eject("c"), OutcomeEffect::Capped);
    QCOMPARE(world.eject("e"), OutcomeEffect::Capped);
    QCOMPARE(world.sink.last(ChangeKind::EjectionCapped)->figure, 100.0);
    world.bad("c"); // failed probes are never capped
    world.bad("c");
    QVERIFY(!world.online("c"));
}

void TestFleetDecide::changedAddressStartsAfresh()
{
    FleetWorld world;
    const NodeHandle node = world.node("a", "default");
    world.eject("a");
    const std::uint64_t before = world.nodeAt("a").generation;
    NodeSpec moved = world.nodeAt("a").spec;
    moved.healthUrl = "http://127.0.0.1:9100";
    world.at(5);
    world.fleet.changeNode(node, moved, world.now());
    QCOMPARE(world.group("default").count(Reason::Unchecked), 1U);
    QCOMPARE(world.fleet.probeEnded(ProbeVerdict{node, before, world.now(), true, {}, {}}, world.now()), health::Transition::Dropped);
    QCOMPARE(world.group("default").count(Reason::Unchecked), 1U);
    QCOMPARE(world.good("a"), health::Transition::Online);
    COMPARE_TEXT(world.fleet.healthAddress(node), "http://127.0.0.1:9100");

    NodeSpec renamed = world.nodeAt("a").spec;
    renamed.region = "eu";
    world.fleet.changeNode(node, renamed, world.now());
    QVERIFY(world.online("a"));
}

void TestFleetDecide::removedNodesLeaveNothingBehind()
{
    FleetWorld world;
    const NodeHandle node = world.node("a", "default", {.isStatic = false});
    const std::uint64_t generation = world.nodeAt("a").generation;
    const Decision decision = world.decide("x");
    world.drain("a");
    world.fleet.removeNode(node, world.now());
    const Group& group = world.group("default");
    QCOMPARE(group.nodes, 0U);
    QCOMPARE(group.pending + group.free + group.capacity + group.candidateFree, 0);
    QCOMPARE(group.healthy + group.ejected, 0U);
    QVERIFY(world.fleet.pool(world.fleet.defaultPool()).nodes.empty());
    QVERIFY(!world.fleet.release(decision.placement, world.now()));
    QCOMPARE(world.fleet.probeEnded(ProbeVerdict{node, generation, world.now(), true, {}, {}}, world.now()), health::Transition::Dropped);
    QVERIFY(!world.fleet.findNode("a"));
    world.at(100); // its timers come to nothing
    QCOMPARE(world.sink.count(ChangeKind::NodeDisconnected), std::size_t{0});
    QCOMPARE(world.sink.count(ChangeKind::ReservationExpired), std::size_t{0});
}

void TestFleetDecide::handlesAreGivenOutAgainOnlyAfterTheRemovalWasTold()
{
    FleetWorld world;
    const NodeHandle a = world.node("a", "default");
    Fleet::Dirty dirty;
    world.fleet.takeDirty(dirty, 100);
    world.drain("a");
    world.fleet.removeNode(a, world.now());
    QVERIFY(world.node("b", "default") != a);
    world.fleet.takeDirty(dirty, 100);
    QVERIFY(std::find(dirty.nodes.begin(), dirty.nodes.end(), a) != dirty.nodes.end());
    QVERIFY(world.node("c", "default") != a);
    world.fleet.takeDirty(dirty, 100);
    QVERIFY(world.node("d", "default") == a);
}

void TestFleetDecide::dirtyHandlesComeInTheOrderTheyWaited()
{
    FleetWorld world;
    for (const char* id : {"a", "b", "c", "d", "e"}) {
        world.node(id, "default");
    }
    Fleet::Dirty dirty;
    world.fleet.takeDirty(dirty, 2);
    QVERIFY((dirty.nodes == std::vector<NodeHandle>{world.handle("a"), world.handle("b")}));
    world.good("a");
    world.fleet.takeDirty(dirty, 2);
    QVERIFY((dirty.nodes == std::vector<NodeHandle>{world.handle("c"), world.handle("d")}));
    world.fleet.takeDirty(dirty, 9);
    QVERIFY((dirty.nodes == std::vector<NodeHandle>{world.handle("e"), world.handle("a")}));
    world.fleet.takeDirty(dirty, 9);
    QVERIFY(dirty.nodes.empty());
}

void TestFleetDecide::quietReadsChangeNothing()
{
    FleetWorld world;
    world.node("d1", "default", {.capacity = 3});
    world.boundApp("open", "p", true);
    world.boundApp("closed", "p", false);
    world.choose("open");
    world.choose("closed");
    const std::uint64_t revision = world.fleet.revision();
    const std::size_t facts = world.sink.changes.size();
    const Fleet::Counters counters = world.fleet.counters();
    const std::size_t decisions = world.fleet.recentDecisions().size();
    const std::uint64_t placement = world.fleet.lastPlacement();
    const std::vector<Move> moves{{world.handle("d1"), world.pool("p"), {}}};
    for (int i = 0; i < 1'000; ++i) {
        COMPARE_TEXT(world.preview("open"), "d1");
        COMPARE_TEXT(world.preview("closed"), "no_candidate");
        QVERIFY(!world.explain("closed").sentence.empty());
        QCOMPARE(world.fleet.previewMoves(moves, world.now()).movedNodes, std::size_t{1});
        QCOMPARE(world.fleet.ranking(Request{Role::Origin, "open"}, 5, world.now()).size(), std::size_t{1});
        QVERIFY(world.fleet.reachability().apps == 2);
    }
    QCOMPARE(world.fleet.revision(), revision);
    QCOMPARE(world.sink.changes.size(), facts);
    QVERIFY(world.fleet.counters().chosen == counters.chosen && world.fleet.counters().refused == counters.refused && world.fleet.counters().fallback == counters.fallback);
    QCOMPARE(world.fleet.recentDecisions().size(), decisions);
    QCOMPARE(world.fleet.lastPlacement(), placement);
    QCOMPARE(world.free("d1"), 2);
}

void TestFleetDecide::recentDecisionsAreTheLastThousand()
{
    FleetWorld world;
    for (int i = 0; i < 1'500; ++i) {
        world.choose("app-" + std::to_string(i));
    }
    const std::vector<Decision> recent = world.fleet.recentDecisions();
    QCOMPARE(recent.size(), std::size_t{1000});
    COMPARE_TEXT(recent.front().appText.view(), "app-500");
    COMPARE_TEXT(recent.back().appText.view(), "app-1499");
}

void TestFleetDecide::rankingIsTheOrderOfChoice()
{
    FleetWorld world;
    world.node("b", "default", {.capacity = 5, .role = Role::Edge});
    world.node("a", "default", {.capacity = 5, .role = Role::Edge});
    world.node("c", "default", {.capacity = 9, .role = Role::Edge});
    world.node("d", "default", {.capacity = 1, .role = Role::Edge});
    world.boundApp("open", "p", true);
    const auto names = [&](std::uint32_t need, std::size_t limit) {
        std::string text;
        for (const NodeHandle node : world.fleet.ranking(Request{Role::Edge, "open", need}, limit, world.now())) {
            text += world.fleet.node(node).spec.id.text();
        }
        return text;
    };
    COMPARE_TEXT(names(1, 10), "cabd");
    COMPARE_TEXT(names(1, 2), "ca");
    COMPARE_TEXT(names(2, 10), "cab");
    COMPARE_TEXT(names(10, 10), "");
}

QTEST_GUILESS_MAIN(TestFleetDecide)
#include "TestFleetDecide.moc"
