// SPDX-License-Identifier: GPL-3.0-or-later
// Apps that cannot be served, nodes that nobody reaches.
#include "tests/fleet/FleetWorld.h"

using namespace weir;
using namespace weir::fleet;

class TestFleetReachability : public QObject {
    Q_OBJECT

private slots:
    void everyNodeGreenAndNothingSchedulable();
    void canaryAndUnassignedAreMeantToBe();
    void defaultCountsWhileUnknownAppsAreAdmitted();
    void rolesAskedForOrElseRolesOfTheFleet();
    void fallbackKeepsAnAppServed();
    void onlyHealthyNodesAreStranded();
    void namesAreCapped();
};

void TestFleetReachability::everyNodeGreenAndNothingSchedulable()
{
    FleetWorld world;
    for (const char* id : {"o1", "o2", "o3"}) {
        world.node(id, "pool-1");
    }
    for (int i = 0; i < 14; ++i) {
        world.app("app" + std::to_string(i));
    }
    const Reachability reach = world.fleet.reachability();
    QCOMPARE(reach.apps, std::size_t{14});
    QCOMPARE(reach.starvedApps, std::size_t{14});
    QCOMPARE(reach.strandedNodes, std::size_t{3});
    QCOMPARE(reach.starved.front().role, Role::Origin);
    COMPARE_TEXT(reach.starved.front().why, "no origins");
    COMPARE_TEXT(reach.sentence, "3 healthy origins are in pool-1, which no app resolves to; 14 apps resolve to default, which has none.");
    world.fleet.bind(world.fleet.findApp("app0").value(), Binding{world.pool("pool-1"), false});
    QCOMPARE(world.fleet.reachability().strandedNodes, std::size_t{0});
    QCOMPARE(world.fleet.reachability().starvedApps, std::size_t{13});
    QVERIFY(world.fleet.reachability().sentence.empty());
}

void TestFleetReachability::canaryAndUnassignedAreMeantToBe()
{
    FleetWorld world;
    world.pool("canary", true);
    world.node("c1", "canary");
    world.node("u1", "unassigned");
    world.node("x1", "pool-u1", {.owner = "u1"});
    const Reachability reach = world.fleet.reachability();
    QCOMPARE(reach.stranded.size(), std::size_t{1});
    COMPARE_TEXT(reach.stranded.front().pool, "pool-u1"); // a user's pool without apps is not meant to be so
}

void TestFleetReachability::defaultCountsWhileUnknownAppsAreAdmitted()
{
    FleetWorld world;
    world.node("d1", "default");
    QCOMPARE(world.fleet.reachability().strandedNodes, std::size_t{0});
    FleetSettings settings;
    settings.admitUnknownApps = false;
    world.fleet.setSettings(settings);
    QCOMPARE(world.fleet.reachability().strandedNodes, std::size_t{1});
    world.app("app1");
    QCOMPARE(world.fleet.reachability().strandedNodes, std::size_t{0});
}

void TestFleetReachability::rolesAskedForOrElseRolesOfTheFleet()
{
    FleetWorld world;
    world.node("o1", "default", {.role = Role::Origin});
    world.boundApp("app1", "p");
    world.node("e1", "p", {.role = Role::Edge});
    Reachability reach = world.fleet.reachability();
    QCOMPARE(reach.starved.size(), std::size_t{1}); // no origins in p; nobody has workers
    QCOMPARE(reach.starved.front().role, Role::Origin);
    world.choose("app1", Role::Edge); // it uses edges, as is known now
    reach = world.fleet.reachability();
    QVERIFY(reach.starved.empty());
    world.choose("app1", Role::Worker);
    reach = world.fleet.reachability();
    QCOMPARE(reach.starved.size(), std::size_t{1});
    QCOMPARE(reach.starved.front().role, Role::Worker);
}

void TestFleetReachability::fallbackKeepsAnAppServed()
{
    FleetWorld world;
    world.node("d1", "default");
    world.boundApp("open", "p", true);
    world.boundApp("closed", "p", false);
    Reachability reach = world.fleet.reachability();
    QCOMPARE(reach.starved.size(), std::size_t{1});
    COMPARE_TEXT(reach.starved.front().app, "closed");
    world.drain("d1");
    QCOMPARE(world.fleet.reachability().starvedApps, std::size_t{2});
}

void TestFleetReachability::onlyHealthyNodesAreStranded()
{
    FleetWorld world;
    world.boundApp("app1", "q");
    world.node("a", "p");
    world.node("b", "p");
    world.node("q1", "q");
    world.node("q2", "q");
    world.eject("a");
    world.eject("q1");
    world.drain("q2");
    const Reachability reach = world.fleet.reachability();
    QCOMPARE(reach.strandedNodes, std::size_t{1});
    COMPARE_TEXT(reach.stranded.front().nodes.front(), "b");
    COMPARE_TEXT(reach.starved.front().why, "0 of 2 origins: 1 draining, 1 quarantined");
    COMPARE_TEXT(reach.sentence, "1 healthy origin is in p, which no app resolves to; 1 app resolves to q, which has none available.");
}

void TestFleetReachability::namesAreCapped()
{
    FleetWorld world;
    for (int i = 99; i >= 10; --i) {
        world.node("n" + std::to_string(i), "p");
    }
    const Reachability reach = world.fleet.reachability();
    QCOMPARE(reach.stranded.front().count, std::size_t{90});
    QCOMPARE(reach.stranded.front().nodes.size(), Impact::kMostNames);
    COMPARE_TEXT(reach.stranded.front().nodes.front(), "n10"); // the smallest ids, however they came
    COMPARE_TEXT(reach.stranded.front().nodes.back(), "n29");
}

QTEST_GUILESS_MAIN(TestFleetReachability)
#include "TestFleetReachability.moc"
