// SPDX-License-Identifier: GPL-3.0-or-later
// The preview of a move.
#include "tests/fleet/FleetWorld.h"

using namespace weir;
using namespace weir::fleet;

class TestFleetMoves : public QObject {
    Q_OBJECT

private slots:
    void whatThePreviewSaysIsWhatHappens();
    void verdictsOfTheLastCandidate();
    void tiers();
    void tokenIsOverVerdictsAlone();
    void tokenKnowsAnOutage();
    void nodesWithoutEffect();
    void nodeNamedTwiceCountsOnce();
    void strandedByTheMove();
    void fallbackOfOtherPoolsOnDefault();
    void namesAreCapped();

private:
    static Move moveOf(FleetWorld& world, const char* node, const char* pool) { return Move{world.handle(node), world.pool(pool), {}}; }
    static Impact preview(FleetWorld& world, const std::vector<Move>& moves) { return world.fleet.previewMoves(moves, world.now()); }
};

void TestFleetMoves::whatThePreviewSaysIsWhatHappens()
{
    FleetWorld world;
    world.boundApp("app1", "p1");
    world.boundApp("app2", "p2");
    for (const char* id : {"a", "b", "c"}) {
        world.node(id, "p1", {.capacity = 7});
    }
    world.eject("c");
    const std::vector<Move> moves{moveOf(world, "a", "p2"), moveOf(world, "c", "p2")};
    const Impact impact = preview(world, moves);
    QCOMPARE(impact.movedNodes, std::size_t{2});
    for (const Move& move : moves) {
        world.fleet.moveNode(move.node, move.to, WallTime{}, "ops", world.now());
    }
    QCOMPARE(impact.pools.size(), std::size_t{2});
    for (const PoolImpact& row : impact.pools) {
        QCOMPARE(row.candidatesAfter, std::size_t{world.group(row.pool).candidates()});
        QCOMPARE(row.freeAfter, world.group(row.pool).candidateFree);
    }
    QCOMPARE(impact.apps.size(), std::size_t{2});
    for (const AppImpact& row : impact.apps) {
        QVERIFY(row.after == world.fleet.standing(world.fleet.app(world.fleet.findApp(row.app).value()), row.role));
    }
}

void TestFleetMoves::verdictsOfTheLastCandidate()
{
    FleetWorld world;
    world.boundApp("app1", "pool-u1", false);
    world.boundApp("app2", "pool-u1", true);
    world.node("a", "pool-u1");
    world.node("d1", "default");
    const Impact impact = preview(world, {moveOf(world, "a", "unassigned")});
    QVERIFY((impact.failClosed == std::vector<std::string>{"app1"}));
    QCOMPARE(impact.apps.size(), std::size_t{2});
    COMPARE_TEXT(impact.apps[0].app, "app1"); // worst first
    QCOMPARE(impact.apps[0].before.verdict, Verdict::Ok);
    QCOMPARE(impact.apps[0].after.verdict, Verdict::FailsClosed);
    QCOMPARE(impact.apps[1].after.verdict, Verdict::FallsBack);
    QCOMPARE(impact.apps[1].after.fallbackCandidates, std::size_t{1});
    QCOMPARE(world.group("pool-u1").candidates(), 1U); // nothing was done
}

void TestFleetMoves::tiers()
{
    FleetWorld world;
    world.boundApp("app", "p1");
    for (int i = 0; i < 10; ++i) {
        world.node("n" + std::to_string(i), "p1");
    }
    world.node("u", "pool-u1", {.owner = "u1"});
    world.node("sick", "p1", {.probed = false});
    QCOMPARE(preview(world, {moveOf(world, "n0", "p1")}).tier, Tier::None);
    QCOMPARE(preview(world, {moveOf(world, "sick", "p2")}).tier, Tier::None);
    QCOMPARE(preview(world, {moveOf(world, "n0", "p2")}).tier, Tier::Safe);
    QCOMPARE(preview(world, {moveOf(world, "u", "pool-u2")}).tier, Tier::Risky);
    QCOMPARE(preview(world, {moveOf(world, "u", "default")}).tier, Tier::Risky);
    std::vector<Move> six;
    std::vector<Move> all;
    for (int i = 0; i < 10; ++i) {
        const Move move{world.handle("n" + std::to_string(i)), world.pool("p2"), {}};
        all.push_back(move);
        if (i < 6) {
            six.push_back(move);
        }
    }
    QCOMPARE(preview(world, six).tier, Tier::Risky);
    QCOMPARE(preview(world, all).tier, Tier::Risky);
    world.choose("app"); // now there is traffic that would fail
    QCOMPARE(preview(world, all).tier, Tier::Outage);
    world.at(300);
    QCOMPARE(preview(world, all).tier, Tier::Outage);
    world.at(300.001);
    QCOMPARE(preview(world, all).tier, Tier::Risky);
}

void TestFleetMoves::tokenIsOverVerdictsAlone()
{
    FleetWorld world;
    world.boundApp("app1", "p1");
    world.boundApp("app2", "p1");
    world.node("a", "p1");
    world.node("b", "p1");
    const std::vector<Move> moves{moveOf(world, "a", "p2")};
    const std::uint64_t token = preview(world, moves).token;
    QVERIFY(token != 0 && token < (std::uint64_t{1} << 53));
    world.choose("app2"); // traffic, and one slot less: no verdict differs
    QCOMPARE(preview(world, moves).token, token);
    world.node("c", "p1");
    QCOMPARE(preview(world, moves).token, token);
    world.eject("b");
    world.eject("c");
    QVERIFY(preview(world, moves).token != token); // app1 and app2 would fail closed now
    QVERIFY(preview(world, {moveOf(world, "b", "p2")}).token != token);
}

// Nobody may cause an outage who was not shown it; who was shown one may go on when the traffic has ended.
void TestFleetMoves::tokenKnowsAnOutage()
{
    FleetWorld world;
    world.boundApp("app", "p1");
    world.node("a", "p1");
    const std::vector<Move> moves{moveOf(world, "a", "p2")};
    const Impact quiet = preview(world, moves);
    QCOMPARE(quiet.tier, Tier::Risky);
    world.choose("app");
    const Impact busy = preview(world, moves);
    QCOMPARE(busy.tier, Tier::Outage);
    QVERIFY(!busy.isCoveredBy(quiet.token));
    QVERIFY(busy.isCoveredBy(busy.token));
    world.at(300.001);
    const Impact quietAgain = preview(world, moves);
    QCOMPARE(quietAgain.token, quiet.token);
    QVERIFY(quietAgain.isCoveredBy(busy.token));
}

void TestFleetMoves::nodesWithoutEffect()
{
    FleetWorld world;
    world.boundApp("app", "p1");
    world.node("r", "p1", {.role = Role::Recorder});
    const Impact impact = preview(world, {moveOf(world, "r", "p2")});
    QVERIFY((impact.withoutEffect == std::vector<std::string>{"r"}));
    QVERIFY(impact.apps.empty() && impact.pools.empty());
    QCOMPARE(impact.tier, Tier::None);
}

void TestFleetMoves::nodeNamedTwiceCountsOnce()
{
    FleetWorld world;
    world.boundApp("app", "p1");
    world.node("a", "p1");
    const Impact impact = preview(world, {moveOf(world, "a", "p2"), moveOf(world, "a", "default")});
    QCOMPARE(impact.movedNodes, std::size_t{1});
    QCOMPARE(impact.apps.front().after.candidates, std::size_t{0});
    for (const PoolImpact& row : impact.pools) {
        QVERIFY(row.candidatesAfter <= 1);
    }
}

void TestFleetMoves::strandedByTheMove()
{
    FleetWorld world;
    world.boundApp("app", "p1");
    world.pool("canary", true);
    for (const char* id : {"a", "b", "c", "d"}) {
        world.node(id, "p1");
    }
    QVERIFY((preview(world, {moveOf(world, "b", "lonely"), moveOf(world, "a", "lonely")}).stranded == std::vector<std::string>{"a", "b"}));
    QCOMPARE(preview(world, {moveOf(world, "a", "canary")}).strandedCount, std::size_t{0});
    QCOMPARE(preview(world, {moveOf(world, "a", "unassigned")}).strandedCount, std::size_t{0});
    QCOMPARE(preview(world, {moveOf(world, "a", "default")}).strandedCount, std::size_t{0});
}

void TestFleetMoves::fallbackOfOtherPoolsOnDefault()
{
    FleetWorld world;
    world.boundApp("open", "empty", true);
    world.node("d1", "default");
    const Impact impact = preview(world, {moveOf(world, "d1", "unassigned")});
    QCOMPARE(impact.apps.size(), std::size_t{1});
    QCOMPARE(impact.apps.front().before.verdict, Verdict::FallsBack);
    QCOMPARE(impact.apps.front().after.verdict, Verdict::FailsClosed);
    QCOMPARE(impact.failClosedCount, std::size_t{1});
}

void TestFleetMoves::namesAreCapped()
{
    FleetWorld world;
    for (int i = 0; i < 50; ++i) {
        world.boundApp("app" + std::to_string(i), "p1");
    }
    world.node("a", "p1");
    const Impact impact = preview(world, {moveOf(world, "a", "unassigned")});
    QCOMPARE(impact.apps.size(), Impact::kMostNames);
    QCOMPARE(impact.moreApps, std::size_t{30});
    QCOMPARE(impact.failClosed.size(), Impact::kMostNames);
    QCOMPARE(impact.failClosedCount, std::size_t{50});
}

QTEST_GUILESS_MAIN(TestFleetMoves)
#include "TestFleetMoves.moc"
