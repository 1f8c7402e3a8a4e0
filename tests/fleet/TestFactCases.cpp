// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of tests/data/fleet-cases.json about pools, moves, ids and explanations, each under its own id.
#include "tests/fleet/FleetWorld.h"

using namespace weir;
using namespace weir::fleet;

class TestFactCases : public QObject {
    Q_OBJECT

private slots:
    void fc037();
    void fc039();
    void fc040();
    void fc041();
    void fc045();
    void fc048();
    void fc049();
    void fc085();
    void fc086();
    void fc088();
    void fc090();
    void fcB10();
    void fc054();
    void fc031();
    void fcB13();
    void fcB14();
    void fcB15();
};

// The part without readers in other threads: every state in between has each node once.
void TestFactCases::fc037()
{
    FleetWorld world;
    for (int i = 0; i < 6; ++i) {
        world.node("n" + std::to_string(i), i < 3 ? "pool-u1" : "pool-u2");
    }
    std::uint64_t revision = world.fleet.revision();
    for (int i = 0; i < 500; ++i) {
        world.move("n" + std::to_string(i % 6), i / 6 % 2 == 0 ? "pool-u2" : "pool-u1");
        std::vector<NodeHandle> all;
        for (const PoolHandle pool : world.fleet.poolsInOrder()) {
            const auto& nodes = world.fleet.pool(pool).nodes;
            all.insert(all.end(), nodes.begin(), nodes.end());
        }
        std::sort(all.begin(), all.end());
        QCOMPARE(all.size(), std::size_t{6});
        QVERIFY(std::adjacent_find(all.begin(), all.end()) == all.end());
        QVERIFY(world.fleet.revision() >= revision);
        revision = world.fleet.revision();
    }
}

// No pool comes into being by being named.
void TestFactCases::fc039()
{
    FleetWorld world;
    world.user("u1");
    const std::size_t pools = world.fleet.poolsInOrder().size();
    QVERIFY(!world.fleet.findPool("pool-ul"));
    QVERIFY(world.fleet.findPool("pool-u1"));
    QCOMPARE(world.fleet.poolsInOrder().size(), pools);
}

void TestFactCases::fc040()
{
    FleetWorld world;
    COMPARE_TEXT(world.fleet.canRemovePool(world.fleet.defaultPool()).error().code, "builtin_pool");
    COMPARE_TEXT(world.fleet.canRemovePool(world.fleet.unassignedPool()).error().code, "builtin_pool");
    COMPARE_TEXT(world.fleet.canBind(world.fleet.unassignedPool()).error().code, "sentinel_pool");
    COMPARE_TEXT(world.fleet.addPool(PoolSpec{PoolId::trusted("default"), "", false, 0, 10}).error().code, "builtin_pool");
}

void TestFactCases::fc041()
{
    FleetWorld world;
    world.node("a", "pool-u1");
    world.node("d1", "default");
    world.boundApp("app1", "pool-u1", false);
    world.boundApp("app2", "pool-u1", true);
    const std::uint64_t revision = world.fleet.revision();
    const std::vector<Move> moves{{world.handle("a"), world.fleet.unassignedPool(), {}}};
    const Impact impact = world.fleet.previewMoves(moves, world.now());
    QVERIFY((impact.failClosed == std::vector<std::string>{"app1"}));
    std::vector<std::string> fallsBack;
    for (const AppImpact& row : impact.apps) {
        QCOMPARE(row.before.candidates, std::size_t{1});
        QCOMPARE(row.after.candidates, std::size_t{0});
        if (row.after.verdict == Verdict::FallsBack) {
            fallsBack.push_back(row.app);
        }
    }
    QVERIFY((fallsBack == std::vector<std::string>{"app2"}));
    QCOMPARE(world.fleet.revision(), revision);
}

// What a node's record keeps when its machine comes back.
void TestFactCases::fc045()
{
    FleetWorld world;
    world.node("a", "pool-u2", {.isStatic = false});
    world.fleet.setDraining(world.handle("a"), true, "rack move", "ops", world.now());
    world.fleet.disconnect(world.handle("a"), world.now());
    QVERIFY(world.beat("a", "fresh-install", 1, 10));
    QCOMPARE(world.coreAt("a").pool, world.pool("pool-u2"));
    QVERIFY(world.coreAt("a").draining);
    COMPARE_TEXT(world.nodeAt("a").spec.drainReason, "rack move");
}

void TestFactCases::fc048()
{
    FleetWorld world;
    world.node("edge-a", "pool-u1");
    NodeSpec twin;
    twin.id = NodeId::trusted("Edge-A");
    twin.pool = world.fleet.defaultPool();
    const auto refused = world.fleet.addNode(twin, world.now());
    COMPARE_TEXT(refused.error().code, "duplicate_id");
    QVERIFY(refused.error().message.find("edge-a") != std::string::npos);
    QVERIFY(!world.fleet.findNode("EDGE-A"));
    QVERIFY(!world.fleet.findPool("Pool-U1"));
}

void TestFactCases::fc049()
{
    for (const char* text : {"pool-u1 ", "\tpool-u1", "pool-u1\xE2\x80\x8B", "", "pool u1"}) {
        const auto parsed = PoolId::parse(text, "poolId");
        QVERIFY2(!parsed, text);
        COMPARE_TEXT(parsed.error().code, "invalid_id");
        COMPARE_TEXT(parsed.error().field, "poolId");
    }
    QVERIFY(PoolId::parse("pool-u1", "poolId"));
}

void TestFactCases::fc085()
{
    FleetWorld world;
    world.boundApp("app1", "pool-u1", false);
    world.node("a", "pool-u1");
    world.node("b", "pool-u1");
    world.node("c", "pool-u1", {.isStatic = false});
    world.eject("a");
    world.drain("b");
    world.at(29);
    QVERIFY(world.beat("c", "boot-1", 2, 10, 10));
    world.at(30);
    COMPARE_TEXT(world.choose("app1"), "no_candidate");
    const Explanation record = world.explain("app1");
    QCOMPARE(record.nodes.size(), std::size_t{3});
    QCOMPARE(*rowOf(record, "a")->remainingSeconds, 30.0);
    COMPARE_TEXT(rowOf(record, "b")->detail, "by token ops (disk swap)");
    COMPARE_TEXT(rowOf(record, "c")->detail, "needs 1, has 0");
    COMPARE_TEXT(record.sentence,
        "pool-u1: 0 of 3 usable: 1 quarantined (back in 30-38 s), 1 draining by token ops (disk swap), 1 full. Fallback to default is off.");
}

// One pool of fifty; TestFleetExplain goes through many.
void TestFactCases::fc086()
{
    FleetWorld world;
    world.boundApp("app", "p");
    for (int i = 0; i < 50; ++i) {
        const std::string id = "n" + std::to_string(i);
        world.node(id, "p", {.capacity = i % 3, .role = i % 7 == 0 ? Role::Edge : Role::Origin, .probed = i % 11 != 0});
        if (i % 5 == 0) {
            world.drain(id);
        }
    }
    const Explanation record = world.explain("app");
    COMPARE_TEXT(whatDoesNotAddUp(record), "");
    QCOMPARE(record.stages.front().considered, std::size_t{50});
    QCOMPARE(record.stages.front().candidates + record.nodes.size(), std::size_t{50});
}

void TestFactCases::fc088()
{
    FleetWorld world;
    for (const char* id : {"o1", "o2", "o3"}) {
        world.node(id, "pool-1");
    }
    world.app("demo");
    QCOMPARE(world.decide("demo").code, Code::NoCandidate);
    const Explanation record = world.explain("demo");
    COMPARE_TEXT(record.pool, "default");
    QCOMPARE(record.because, Because::None);
    QVERIFY(record.owner.empty());
    COMPARE_TEXT(record.sentence, "default has 0 nodes. 3 healthy origins are in pool-1.");
}

void TestFactCases::fc090()
{
    FleetWorld world;
    world.boundApp("app", "pool-busy");
    for (int i = 0; i < 200; ++i) {
        const std::string id = "n" + std::to_string(i);
        world.node(id, "pool-busy", {.role = i < 190 ? Role::Edge : Role::Origin});
        if (i >= 198) {
            world.drain(id);
        }
    }
    for (int i = 190; i < 198; ++i) {
        world.at(i - 190);
        world.eject("n" + std::to_string(i));
    }
    world.at(48);
    const Explanation record = world.explain("app");
    QVERIFY2(record.sentence.size() <= 200, record.sentence.c_str());
    QVERIFY2(record.sentence.starts_with("pool-busy: 0 of 200 usable: 8 quarantined (next may return in 12 s)"), record.sentence.c_str());
    QVERIFY2(record.sentence.find("2 draining, 190 of another role.") != std::string::npos, record.sentence.c_str());
    QCOMPARE(record.nodes.size(), std::size_t{200});
}

void TestFactCases::fcB10()
{
    FleetWorld world;
    world.user("u1");
    world.boundApp("app1", "pool-u2");
    world.app("app2", "u1");
    world.app("app3");
    const std::vector<std::tuple<const char*, const char*, Because>> expected{
        {"app1", "pool-u2", Because::Binding}, {"app2", "pool-u1", Because::Owner}, {"app3", "default", Because::None}};
    for (const auto& [app, pool, because] : expected) {
        const Explanation record = world.explain(app);
        COMPARE_TEXT(record.pool, pool);
        QCOMPARE(record.because, because);
    }
}

void TestFactCases::fcB13()
{
    FleetWorld world;
    world.boundApp("app2", "pool-u2");
    world.node("a", "pool-u1", {.isStatic = false, .owner = "u1"});
    world.move("a", "pool-u2");
    COMPARE_TEXT(world.choose("app2"), "a");
    world.fleet.disconnect(world.handle("a"), world.now());
    QVERIFY(world.beat("a", "boot-2", 1, 10));
    QCOMPARE(world.coreAt("a").pool, world.pool("pool-u2"));
    COMPARE_TEXT(world.nodeAt("a").spec.movedBy, "token ops");
}

void TestFactCases::fcB14()
{
    FleetWorld world;
    world.pool("zz");
    const std::vector<PoolHandle> pools = world.fleet.poolsInOrder();
    QCOMPARE(pools.front(), world.fleet.defaultPool());
    QCOMPARE(pools.back(), world.fleet.unassignedPool());
    QVERIFY(world.fleet.pool(pools.front()).nodes.empty());
}

void TestFactCases::fcB15()
{
    FleetWorld world;
    world.node("r1", "pool-u2", {.role = Role::Recorder});
    world.app("app", "u1");
    COMPARE_TEXT(world.choose("app", Role::Recorder), "role_not_scheduled");
    const std::vector<Move> moves{{world.handle("r1"), world.fleet.defaultPool(), {}}};
    QVERIFY((world.fleet.previewMoves(moves, world.now()).withoutEffect == std::vector<std::string>{"r1"}));
}

// Draining stands, the health of the new address begins anew.
void TestFactCases::fc031()
{
    FleetWorld world;
    const NodeHandle node = world.node("a", "default", {.url = "http://h:9000"});
    world.drain("a");
    NodeSpec spec = world.nodeAt("a").spec;
    spec.url = "http://h:9100";
    world.fleet.changeNode(node, spec, world.now());
    QVERIFY(world.coreAt("a").draining);
    QVERIFY(!world.nodeAt("a").health.isChecked());
    COMPARE_TEXT(world.fleet.healthAddress(node), "http://h:9100");
}

void TestFactCases::fc054()
{
    FleetWorld world;
    world.node("a", "default");
    world.drain("a");
    world.bad("a");
    world.bad("a");
    world.drain("a", false);
    QVERIFY(!world.coreAt("a").draining);
    QVERIFY(!world.online("a"));
    QCOMPARE(world.coreAt("a").reasons[0], Reason::Unhealthy);
}

QTEST_GUILESS_MAIN(TestFactCases)
#include "TestFactCases.moc"
