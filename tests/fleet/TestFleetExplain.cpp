// SPDX-License-Identifier: GPL-3.0-or-later
// The record and the sentence of a decision.
#include "tests/fleet/FleetWorld.h"

using namespace weir;
using namespace weir::fleet;

class TestFleetExplain : public QObject {
    Q_OBJECT

private slots:
    void sentenceOfTheSpecification();
    void fallbackStages();
    void resolutionSaysWhichRule();
    void chosenNodeAndItsRivals();
    void nextStepsWouldGiveACandidate();
    void awaitingProbeIsSaid();
    void unhealthySaysWhy();
    void ownSentenceNamesNoOtherPool();
    void sentenceFromCountersAgreesWithTheRecord();
    void wholePoolAddsUp_data();
    void wholePoolAddsUp();
};

void TestFleetExplain::sentenceOfTheSpecification()
{
    FleetWorld world;
    world.boundApp("app", "pool-7");
    world.node("a", "pool-7");
    world.node("b", "pool-7");
    world.node("c", "pool-7", {.capacity = 1});
    world.eject("a");
    world.drain("b");
    world.at(18);
    COMPARE_TEXT(world.choose("app"), "c");
    const Explanation record = world.explain("app");
    COMPARE_TEXT(record.sentence,
        "pool-7: 0 of 3 usable: 1 quarantined (back in 42-50 s), 1 draining by token ops (disk swap), 1 full (1 slot pending). Fallback to default is off.");
    const ExplainedNode* a = rowOf(record, "a");
    QCOMPARE(*a->remainingSeconds, 42.0);
    QCOMPARE(*a->earliestReturnSeconds, 42.0);
    COMPARE_TEXT(a->cause, "status:502");
    COMPARE_TEXT(a->detail, "back in 42-50 s, status:502");
    COMPARE_TEXT(rowOf(record, "b")->detail, "by token ops (disk swap)");
    COMPARE_TEXT(rowOf(record, "c")->detail, "needs 1, has 0 (1 slot pending)");
    COMPARE_TEXT(whatDoesNotAddUp(record), "");
}

void TestFleetExplain::fallbackStages()
{
    FleetWorld world;
    world.boundApp("app", "p", true);
    world.node("a", "p");
    world.drain("a");
    world.node("d1", "default", {.capacity = 1});
    Explanation record = world.explain("app");
    QCOMPARE(record.code, Code::Ok);
    QVERIFY(record.fallback && record.fallbackAllowed);
    QCOMPARE(record.stages.size(), std::size_t{2});
    COMPARE_TEXT(record.chosenPool, "default");
    COMPARE_TEXT(record.sentence, "d1 in default is chosen: free 1 of 1, by fallback from p.");
    world.choose("app");
    record = world.explain("app");
    COMPARE_TEXT(record.sentence, "p: 0 of 1 usable: 1 draining by token ops (disk swap). Fallback: default: 0 of 1 usable: 1 full (1 slot pending).");
    COMPARE_TEXT(whatDoesNotAddUp(record), "");
}

void TestFleetExplain::resolutionSaysWhichRule()
{
    FleetWorld world;
    world.boundApp("bound", "p", true);
    world.app("owned", "u1");
    world.app("nobody");
    Explanation record = world.explain("bound");
    QCOMPARE(record.because, Because::Binding);
    COMPARE_TEXT(record.fallbackWhy, "the binding allows it");
    record = world.explain("owned");
    QCOMPARE(record.because, Because::Owner);
    COMPARE_TEXT(record.owner, "u1");
    COMPARE_TEXT(record.fallbackWhy, "user u1 owns no node");
    world.node("a", "unassigned", {.owner = "u1"});
    record = world.explain("owned");
    QVERIFY(!record.fallbackAllowed);
    COMPARE_TEXT(record.fallbackWhy, "user u1 owns 1 node");
    record = world.explain("nobody");
    QCOMPARE(record.because, Because::None);
    COMPARE_TEXT(record.pool, "default");
}

void TestFleetExplain::chosenNodeAndItsRivals()
{
    FleetWorld world;
    for (int i = 0; i < 8; ++i) {
        world.node("n" + std::to_string(i), "default", {.capacity = 10 + i % 3});
    }
    const Explanation record = world.explain("x");
    COMPARE_TEXT(record.chosen, "n2");
    QCOMPARE(record.ranking.size(), std::size_t{5});
    std::string order;
    for (const ExplainedNode& row : record.ranking) {
        order += row.id + " ";
    }
    COMPARE_TEXT(order, "n2 n5 n1 n4 n7 ");
    COMPARE_TEXT(world.choose("x"), "n2"); // what was explained is what is done
    QCOMPARE(record.stages.front().candidates, std::size_t{8});
}

void TestFleetExplain::nextStepsWouldGiveACandidate()
{
    FleetWorld world;
    world.boundApp("app", "p");
    world.node("a", "p");
    world.drain("a");
    QCOMPARE(world.explain("app").nextSteps.size(), std::size_t{1}); // default has none, so fallback is no step
    world.node("d1", "default");
    world.node("q1", "q", {.capacity = 3});
    world.node("q2", "q", {.capacity = 2});
    const Explanation record = world.explain("app");
    QCOMPARE(record.nextSteps.size(), std::size_t{4});
    COMPARE_TEXT(record.nextSteps[0].code, "bind_elsewhere");
    COMPARE_TEXT(record.nextSteps[0].text, "If app resolved to q: 2 candidates (q1 first, free 3).");
    QCOMPARE(record.nextSteps[0].gained, std::size_t{2});
    for (const NextStep& step : record.nextSteps) {
        QVERIFY2(step.gained > 0, step.text.c_str());
    }
    world.move("d1", "unassigned");
    for (const NextStep& step : world.explain("app").nextSteps) {
        QVERIFY2(step.text.find("unassigned") == std::string::npos, step.text.c_str()); // binding to it is refused
    }
}

void TestFleetExplain::awaitingProbeIsSaid()
{
    FleetWorld world;
    world.node("a", "default");
    world.eject("a", "refused");
    world.at(60);
    const ExplainedNode* row = nullptr;
    Explanation record = world.explain("x");
    row = rowOf(record, "a");
    QCOMPARE(row->reason, Reason::Unhealthy);
    COMPARE_TEXT(row->detail, "quarantine is over, awaiting probe");
    world.bad("a", "timeout");
    record = world.explain("x");
    COMPARE_TEXT(rowOf(record, "a")->detail, "2 failed probes, timeout");
}

void TestFleetExplain::unhealthySaysWhy()
{
    FleetWorld world;
    const NodeHandle node = world.node("a", "default");
    for (int i = 0; i < 2; ++i) {
        world.fleet.probeEnded(ProbeVerdict{node, world.nodeAt("a").generation, world.now(), false, "status:503", "degraded: dep_down:comfyui"}, world.now());
    }
    const Explanation record = world.explain("x");
    COMPARE_TEXT(rowOf(record, "a")->detail, "2 failed probes, degraded: dep_down:comfyui");
    COMPARE_TEXT(record.sentence, "default: 0 of 1 usable: 1 unhealthy (degraded: dep_down:comfyui).");
}

void TestFleetExplain::ownSentenceNamesNoOtherPool()
{
    FleetWorld world;
    world.boundApp("app", "p");
    world.node("s1", "secret");
    world.node("s2", "other");
    const Explanation record = world.explain("app");
    COMPARE_TEXT(record.ownSentence, "p has 0 nodes. Fallback to default is off.");
    COMPARE_TEXT(record.sentence, "p has 0 nodes. Fallback to default is off. 2 healthy origins are elsewhere: 1 in other, 1 in secret.");
    COMPARE_TEXT(world.fleet.refusalSentence(world.decide("app")), record.ownSentence);
}

void TestFleetExplain::sentenceFromCountersAgreesWithTheRecord()
{
    FleetWorld world;
    world.boundApp("app", "p", true);
    world.node("a", "p");
    world.eject("a");
    world.node("e", "p", {.role = Role::Edge});
    world.node("n", "p", {.probed = false});
    COMPARE_TEXT(world.fleet.refusalSentence(world.decide("app")), "p: 0 of 3 usable: 1 quarantined, 1 not probed yet, 1 of another role. Fallback: default has 0 nodes.");
    COMPARE_TEXT(world.explain("app").ownSentence,
        "p: 0 of 3 usable: 1 quarantined (back in 60-68 s), 1 not probed yet, 1 of another role. Fallback: default has 0 nodes.");
    COMPARE_TEXT(world.fleet.refusalSentence(world.decide("app", Role::Recorder)), "No pool schedules the role recorder.");
}

void TestFleetExplain::wholePoolAddsUp_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 50; ++seed) {
        QTest::addRow("seed %u", seed) << seed;
    }
}

void TestFleetExplain::wholePoolAddsUp()
{
    QFETCH(unsigned, seed);
    std::uint32_t state = seed * 2'654'435'761U;
    const auto roll = [&](std::uint32_t sides) {
        state = state * 1'664'525U + 1'013'904'223U;
        return (state >> 8U) % sides;
    };
    FleetWorld world;
    world.boundApp("app", "p", roll(2) == 0);
    for (int i = 0; i < 50; ++i) {
        const std::string id = "n" + std::to_string(i);
        world.node(id, roll(4) == 0 ? "default" : "p",
            {.capacity = static_cast<std::int64_t>(roll(3)), .role = roll(3) == 0 ? Role::Edge : Role::Origin, .isStatic = roll(2) == 0, .probed = roll(5) != 0,
                .webrtc = roll(2) == 0 ? "http://w" : ""});
        if (roll(4) == 0) {
            world.drain(id);
        }
        if (roll(4) == 0) {
            world.eject(id);
        }
        if (roll(4) == 0) {
            world.bad(id);
            world.bad(id);
        }
    }
    for (const Endpoint endpoint : {Endpoint::Any, Endpoint::Whip}) {
        for (const std::uint32_t need : {1U, 2U, 3U}) {
            const Explanation record = world.explain("app", Role::Origin, need, endpoint);
            COMPARE_TEXT(whatDoesNotAddUp(record), "");
            for (const ExplainedStage& stage : record.stages) {
                QCOMPARE(stage.considered, world.fleet.pool(world.pool(stage.pool)).nodes.size());
            }
            std::vector<std::string> ids;
            for (const ExplainedNode& row : record.nodes) {
                ids.push_back(row.id);
            }
            for (const ExplainedNode& row : record.ranking) {
                ids.push_back(row.id);
            }
            std::sort(ids.begin(), ids.end());
            QVERIFY(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
            COMPARE_TEXT(record.chosen.empty() ? "no_candidate" : record.chosen, world.preview("app", Role::Origin, need, endpoint));
        }
    }
}

QTEST_GUILESS_MAIN(TestFleetExplain)
#include "TestFleetExplain.moc"
