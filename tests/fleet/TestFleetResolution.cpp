// SPDX-License-Identifier: GPL-3.0-or-later
// Which pool an app uses, and when it may fall back.
#include "tests/fleet/FleetWorld.h"

using namespace weir;
using namespace weir::fleet;

class TestFleetResolution : public QObject {
    Q_OBJECT

private slots:
    void bindingThenOwnerThenDefault();
    void unbindingGoesBackToTheOwner();
    void fallbackOnlyWhileTheUserOwnsNoNode();
    void lastNodeMovedAwayKeepsTheAppClosed();
    void nodesOfOtherRolesDoNotEndTheFallback();
    void ownerChangesTakeEffectAtOnce();
    void unknownAndReservedApps();
    void idsDifferInMoreThanCase();
    void poolsOfUsersComeAndGoWithThem();
    void whatIsInUseIsNotRemoved();
    void displayOrderOfPools();

private:
    static std::string poolOf(const FleetWorld& world, const char* app)
    {
        const App& entry = world.fleet.app(world.fleet.findApp(app).value());
        return world.fleet.pool(entry.pool).spec.id.text();
    }
    static bool fallbackOf(const FleetWorld& world, const char* app) { return world.fleet.app(world.fleet.findApp(app).value()).allowFallback; }
};

void TestFleetResolution::bindingThenOwnerThenDefault()
{
    FleetWorld world;
    world.user("u1");
    world.user("u2");
    const AppHandle app1 = world.app("app1", "u1");
    world.fleet.bind(app1, Binding{world.pool("pool-u2"), false});
    world.app("app2", "u1");
    world.app("app3");
    COMPARE_TEXT(poolOf(world, "app1"), "pool-u2");
    COMPARE_TEXT(poolOf(world, "app2"), "pool-u1");
    COMPARE_TEXT(poolOf(world, "app3"), "default");
    QCOMPARE(world.fleet.app(app1).because, Because::Binding);
    QVERIFY(!fallbackOf(world, "app1"));
    QVERIFY(fallbackOf(world, "app2"));
    QVERIFY(!fallbackOf(world, "app3"));
}

void TestFleetResolution::unbindingGoesBackToTheOwner()
{
    FleetWorld world;
    const AppHandle app = world.app("app1", "u1");
    world.fleet.bind(app, Binding{world.pool("canary"), true});
    COMPARE_TEXT(poolOf(world, "app1"), "canary");
    QCOMPARE(world.fleet.pool(world.pool("canary")).apps.size(), std::size_t{1});
    world.fleet.unbind(app);
    COMPARE_TEXT(poolOf(world, "app1"), "pool-u1");
    QVERIFY(world.fleet.pool(world.pool("canary")).apps.empty());
    QCOMPARE(world.fleet.app(app).because, Because::Owner);
}

void TestFleetResolution::fallbackOnlyWhileTheUserOwnsNoNode()
{
    FleetWorld world;
    world.app("app1", "u1");
    world.node("d1", "default");
    COMPARE_TEXT(world.choose("app1"), "d1");
    world.node("a", "pool-u1", {.owner = "u1"});
    QVERIFY(!fallbackOf(world, "app1"));
    world.bad("a");
    world.bad("a");
    COMPARE_TEXT(world.choose("app1"), "no_candidate");
    world.drain("a");
    world.fleet.removeNode(world.handle("a"), world.now());
    QVERIFY(fallbackOf(world, "app1"));
    COMPARE_TEXT(world.choose("app1"), "d1");
}

void TestFleetResolution::lastNodeMovedAwayKeepsTheAppClosed()
{
    for (const char* target : {"unassigned", "default", "pool-u2", "canary"}) {
        FleetWorld world;
        world.app("app1", "u1");
        world.node("d1", "default");
        world.node("a", "pool-u1", {.owner = "u1"});
        COMPARE_TEXT(world.preview("app1"), "a");
        world.move("a", target);
        COMPARE_TEXT(world.choose("app1"), "no_candidate");
        QVERIFY(!fallbackOf(world, "app1"));
        const FleetChange* refusal = world.sink.last(ChangeKind::PoolExhausted);
        QVERIFY(refusal != nullptr);
        QCOMPARE(refusal->pool, world.pool("pool-u1"));
    }
}

void TestFleetResolution::nodesOfOtherRolesDoNotEndTheFallback()
{
    FleetWorld world;
    world.app("app1", "u1");
    world.node("r1", "pool-u1", {.role = Role::Recorder, .owner = "u1"});
    QVERIFY(fallbackOf(world, "app1"));
    world.node("e1", "pool-u1", {.role = Role::Edge, .owner = "u1", .probed = false});
    QVERIFY(!fallbackOf(world, "app1"));
}

void TestFleetResolution::ownerChangesTakeEffectAtOnce()
{
    FleetWorld world;
    const AppHandle app = world.app("app1", "u1");
    world.node("b", "pool-u2", {.owner = "u2"});
    world.fleet.setAppOwner(app, world.user("u2"));
    COMPARE_TEXT(poolOf(world, "app1"), "pool-u2");
    COMPARE_TEXT(world.choose("app1"), "b");
    world.fleet.setAppOwner(app, UserHandle());
    COMPARE_TEXT(poolOf(world, "app1"), "default");
    QVERIFY(world.fleet.user(world.user("u1")).apps.empty());
    QVERIFY(world.fleet.user(world.user("u2")).apps.empty());
}

void TestFleetResolution::unknownAndReservedApps()
{
    FleetWorld world;
    world.node("d1", "default");
    COMPARE_TEXT(world.choose("stranger"), "d1");
    COMPARE_TEXT(world.choose("default"), "d1");
    COMPARE_TEXT(world.fleet.addApp(AppId::trusted("default"), UserHandle()).error().code, "reserved_id");

    FleetSettings settings;
    settings.admitUnknownApps = false;
    world.fleet.setSettings(settings);
    COMPARE_TEXT(world.choose("stranger"), "unknown_app");
    COMPARE_TEXT(world.choose("default"), "d1");
    QCOMPARE(world.sink.count(ChangeKind::PoolExhausted), std::size_t{0});
}

void TestFleetResolution::idsDifferInMoreThanCase()
{
    FleetWorld world;
    world.node("edge-a", "default");
    NodeSpec twin;
    twin.id = NodeId::trusted("Edge-A");
    twin.pool = world.fleet.defaultPool();
    COMPARE_TEXT(world.fleet.addNode(twin, world.now()).error().code, "duplicate_id");
    QVERIFY(!world.fleet.findNode("EDGE-A"));
    world.user("u1");
    COMPARE_TEXT(world.fleet.addUser(UserId::trusted("U1"), "").error().code, "duplicate_id");
    world.app("app");
    COMPARE_TEXT(world.fleet.addApp(AppId::trusted("App"), UserHandle()).error().code, "duplicate_id");
    world.pool("canary");
    COMPARE_TEXT(world.fleet.addPool(PoolSpec{PoolId::trusted("canary"), "", false, 0, 10}).error().code, "duplicate_id");
}

void TestFleetResolution::poolsOfUsersComeAndGoWithThem()
{
    FleetWorld world;
    world.user("u1");
    QVERIFY(world.fleet.findPool("pool-u1"));
    COMPARE_TEXT(world.fleet.addPool(PoolSpec{PoolId::trusted("pool-u3"), "", false, 0, 10}).error().code, "builtin_pool");
    QVERIFY(world.fleet.canRemoveUser(world.user("u1")));
    world.fleet.removeUser(world.user("u1"));
    QVERIFY(!world.fleet.findPool("pool-u1"));
    QVERIFY(!world.fleet.findUser("u1"));
    const UserHandle again = world.user("U1");
    COMPARE_TEXT(world.fleet.pool(world.fleet.user(again).pool).spec.id.text(), "pool-U1");
    QVERIFY(!world.fleet.findUser("u1"));
}

void TestFleetResolution::whatIsInUseIsNotRemoved()
{
    FleetWorld world;
    world.boundApp("app1", "canary");
    world.node("a", "pool-u1", {.owner = "u1"});
    COMPARE_TEXT(world.fleet.canRemovePool(world.pool("canary")).error().code, "in_use");
    COMPARE_TEXT(world.fleet.canRemovePool(world.fleet.defaultPool()).error().code, "builtin_pool");
    COMPARE_TEXT(world.fleet.canRemovePool(world.fleet.unassignedPool()).error().code, "builtin_pool");
    COMPARE_TEXT(world.fleet.canRemovePool(world.pool("pool-u1")).error().code, "builtin_pool");
    COMPARE_TEXT(world.fleet.canRemoveUser(world.user("u1")).error().code, "in_use");
    COMPARE_TEXT(world.fleet.canRemoveNode(world.handle("a")).error().code, "in_use");
    COMPARE_TEXT(world.fleet.canBind(world.fleet.unassignedPool()).error().code, "sentinel_pool");
    world.move("a", "unassigned");
    QVERIFY(world.fleet.canRemoveNode(world.handle("a")));
    world.fleet.removeApp(world.fleet.findApp("app1").value());
    QVERIFY(world.fleet.canRemovePool(world.pool("canary")));
    world.fleet.removePool(world.pool("canary"));
    QVERIFY(!world.fleet.findPool("canary"));
}

void TestFleetResolution::displayOrderOfPools()
{
    FleetWorld world;
    for (const char* id : {"zebra", "canary", "pool-u2", "pool-u10"}) {
        world.pool(id);
    }
    std::vector<std::string> ids;
    for (const PoolHandle pool : world.fleet.poolsInOrder()) {
        ids.push_back(world.fleet.pool(pool).spec.id.text());
    }
    QVERIFY((ids == std::vector<std::string>{"default", "canary", "pool-u10", "pool-u2", "zebra", "unassigned"}));
}

QTEST_GUILESS_MAIN(TestFleetResolution)
#include "TestFleetResolution.moc"
