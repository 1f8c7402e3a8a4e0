// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of tests/data/fleet-cases.json about decisions, each under its own id. Times are seconds of simulated time.
#include "tests/fleet/FleetWorld.h"

#include <map>

using namespace weir;
using namespace weir::fleet;

class TestScheduleCases : public QObject {
    Q_OBJECT

private slots:
    void fc011();
    void fc013();
    void fc017();
    void fc057_data();
    void fc057();
    void fc061();
    void fc062();
    void fc064();
    void fc076();
    void fc078();
    void fc079();
    void fc080();
    void fc082();
    void fc084();
    void fc114();
    void fcB08();
    void fcB09();
    void fcB11();
    void fcB12();
    void fcB16();
};

// No panic mode: with every node out the app fails closed, and every refusal is told.
void TestScheduleCases::fc011()
{
    FleetWorld world;
    world.node("a", "pool-u1");
    world.node("b", "pool-u1");
    world.node("d1", "default", {.capacity = 50});
    world.boundApp("app1", "pool-u1", false);
    world.eject("a");
    world.eject("b");
    world.at(1);
    for (int i = 0; i < 10; ++i) {
        COMPARE_TEXT(world.choose("app1"), "no_candidate");
    }
    QCOMPARE(world.sink.count(ChangeKind::PoolExhausted), std::size_t{10});
    QCOMPARE(world.fleet.counters().refused[weir::indexOf(Role::Origin)], std::uint64_t{10});
    QCOMPARE(world.free("d1"), 50);
    const Explanation record = world.explain("app1");
    for (const char* id : {"a", "b"}) {
        QCOMPARE(rowOf(record, id)->reason, Reason::Quarantined);
        QCOMPARE(*rowOf(record, id)->remainingSeconds, 59.0);
    }
}

// One fact for each call: nothing is queued and nothing is tried again.
void TestScheduleCases::fc013()
{
    FleetWorld world;
    world.boundApp("app1", "pool-u1", false);
    world.node("a", "pool-u1");
    world.bad("a");
    world.bad("a");
    for (std::size_t i = 1; i <= 100; ++i) {
        COMPARE_TEXT(world.choose("app1"), "no_candidate");
        QCOMPARE(world.sink.count(ChangeKind::PoolExhausted), i);
    }
}

// The counts behind last_candidate_lost are there before any request fails.
void TestScheduleCases::fc017()
{
    FleetWorld world;
    world.boundApp("app1", "pool-u1", false);
    world.node("a", "pool-u1");
    world.node("b", "pool-u1");
    world.drain("b");
    QCOMPARE(world.group("pool-u1").candidates(), 1U);
    world.eject("a");
    QCOMPARE(world.group("pool-u1").candidates(), 0U);
    QCOMPARE(world.group("pool-u1").count(Reason::Draining), 1U);
    QCOMPARE(world.sink.count(ChangeKind::PoolExhausted), std::size_t{0});
}

void TestScheduleCases::fc057_data()
{
    QTest::addColumn<QByteArray>("cause");
    for (const char* cause : {"no nodes", "heartbeat lost", "probe-offline", "quarantined", "all draining", "free=0", "role mismatch"}) {
        QTest::newRow(cause) << QByteArray(cause);
    }
}

void TestScheduleCases::fc057()
{
    QFETCH(QByteArray, cause);
    FleetWorld world;
    world.node("d1", "default", {.capacity = 5});
    const AppHandle app = world.boundApp("app", "pool-u1", false);
    if (cause == "role mismatch") {
        world.node("a", "pool-u1", {.role = Role::Edge});
    } else if (cause == "heartbeat lost") {
        world.node("a", "pool-u1", {.isStatic = false});
        world.at(31);
    } else if (cause != "no nodes") {
        world.node("a", "pool-u1", {.capacity = cause == "free=0" ? 0 : 10});
    }
    if (cause == "probe-offline") {
        world.bad("a");
        world.bad("a");
    } else if (cause == "quarantined") {
        world.eject("a");
    } else if (cause == "all draining") {
        world.drain("a");
    }
    COMPARE_TEXT(world.choose("app"), "no_candidate");
    QCOMPARE(world.sink.count(ChangeKind::PoolExhausted), std::size_t{1});
    QCOMPARE(world.sink.count(ChangeKind::PoolFallback), std::size_t{0});
    world.fleet.bind(app, Binding{world.pool("pool-u1"), true});
    COMPARE_TEXT(world.choose("app"), "d1");
    QCOMPARE(world.sink.count(ChangeKind::PoolExhausted), std::size_t{1});
    QCOMPARE(world.sink.count(ChangeKind::PoolFallback), std::size_t{1});
    QCOMPARE(world.sink.last(ChangeKind::PoolFallback)->pool, world.pool("pool-u1"));
}

void TestScheduleCases::fc061()
{
    FleetWorld world;
    world.node("a", "pool-u1", {.capacity = 0});
    world.node("d1", "default", {.capacity = 3});
    world.boundApp("app2", "pool-u1", true);
    for (int i = 0; i < 3; ++i) {
        COMPARE_TEXT(world.choose("app2"), "d1");
    }
    COMPARE_TEXT(world.choose("app2"), "no_candidate");
    QCOMPARE(world.sink.count(ChangeKind::PoolFallback), std::size_t{3});
    const Explanation record = world.explain("app2");
    QCOMPARE(record.stages.size(), std::size_t{2});
    QCOMPARE(rowOf(record, "a")->reason, Reason::NoCapacity);
    QCOMPARE(rowOf(record, "d1")->reason, Reason::NoCapacity);
}

void TestScheduleCases::fc062()
{
    FleetWorld world;
    world.node("d1", "default");
    world.app("app-x", "u1");
    world.node("a", "pool-u1", {.isStatic = false, .owner = "u1"});
    world.move("a", "unassigned");
    COMPARE_TEXT(world.choose("app-x"), "no_candidate");
    QCOMPARE(world.sink.last(ChangeKind::PoolExhausted)->pool, world.pool("pool-u1"));
    world.app("app-y", "u-without-nodes");
    COMPARE_TEXT(world.choose("app-y"), "d1");
}

// The facts carry the four keys; that each is one alarm is the journal's part.
void TestScheduleCases::fc064()
{
    FleetWorld world;
    world.boundApp("app1", "pool-u1", false);
    world.boundApp("app1b", "pool-u1", false);
    for (int i = 0; i < 100; ++i) {
        for (const Role role : {Role::Origin, Role::Edge}) {
            world.choose("app1", role);
            world.choose("app1b", role);
        }
    }
    std::map<std::pair<Role, std::string>, int> keys;
    for (const FleetChange& change : world.sink.changes) {
        ++keys[{change.role, change.app.str()}];
    }
    QCOMPARE(keys.size(), std::size_t{4});
    for (const auto& [key, count] : keys) {
        QCOMPARE(count, 100);
    }
}

void TestScheduleCases::fc076()
{
    FleetWorld world;
    world.node("a", "default", {.isStatic = false, .probed = false});
    QVERIFY(world.beat("a", "B1", 12, 3));
    QCOMPARE(world.free("a"), 3);
    QVERIFY(!world.beat("a", "B1", 11, 9));
    QCOMPARE(world.free("a"), 3);
    QVERIFY(world.beat("a", "B2", 1, 7));
    QCOMPARE(world.free("a"), 7);
    QVERIFY(!world.beat("a", "B1", 13, 1));
    QCOMPARE(world.free("a"), 7);
}

void TestScheduleCases::fc078()
{
    FleetSettings settings;
    settings.heartbeatTimeoutSeconds = 15;
    FleetWorld world({}, settings);
    world.node("a", "default", {.capacity = 100, .isStatic = false});
    world.node("b", "default", {.capacity = 5, .isStatic = false});
    world.at(600);
    world.good("a");
    QVERIFY(world.beat("b", "boot-1", 2, 5));
    COMPARE_TEXT(world.choose("x"), "b");
    const Explanation record = world.explain("x");
    QCOMPARE(rowOf(record, "a")->reason, Reason::Disconnected);
    QCOMPARE(*rowOf(record, "a")->heartbeatAgeSeconds, 600.0);
}

void TestScheduleCases::fc079()
{
    const auto fill = [](FleetWorld& world) {
        world.boundApp("app", "pool-u1");
        world.node("a", "pool-u1", {.capacity = 8, .isStatic = false});
        world.node("b", "pool-u1", {.capacity = 7, .isStatic = false});
        std::string order;
        for (int i = 0; i < 10; ++i) {
            order += world.choose("app");
        }
        return order;
    };
    FleetWorld world;
    COMPARE_TEXT(fill(world), "aababababa");
    QCOMPARE(world.free("a"), 2);
    QCOMPARE(world.free("b"), 3);
    int placed = 0;
    for (int i = 0; i < 6; ++i) {
        placed += world.choose("app") == "no_candidate" ? 0 : 1;
    }
    QCOMPARE(placed, 5);
    QCOMPARE(world.free("a") + world.free("b"), 0);

    FleetSettings settings;
    settings.reservations = false;
    FleetWorld plain({}, settings);
    COMPARE_TEXT(fill(plain), "aaaaaaaaaa");
}

void TestScheduleCases::fc080()
{
    FleetWorld world;
    world.node("a", "default", {.capacity = 1, .isStatic = false});
    const Decision first = world.decide("x");
    QCOMPARE(world.free("a"), 0);
    for (int t = 5; t < 30; t += 5) {
        world.at(t);
        QVERIFY(world.beat("a", "boot-1", static_cast<std::uint64_t>(1 + t), 1, 0, first.placement - 1));
        QCOMPARE(world.free("a"), 0);
    }
    world.at(30);
    QCOMPARE(world.free("a"), 1);
    QCOMPARE(world.sink.count(ChangeKind::ReservationExpired), std::size_t{1});
    const Decision second = world.decide("x");
    QCOMPARE(world.free("a"), 0);
    QVERIFY(world.fleet.release(second.placement, world.now()));
    QCOMPARE(world.free("a"), 1);
}

// A minute of sessions that live 200 ms on a node of four slots that reports every 50 ms.
void TestScheduleCases::fc082()
{
    struct Session {
        std::uint64_t placement;
        int arrives;
        int ends;
    };
    FleetWorld world;
    world.node("a", "default", {.capacity = 4, .isStatic = false});
    std::vector<Session> sessions;
    std::uint64_t seq = 1;
    std::uint64_t seen = 0;
    for (int ms = 0; ms < 60'000; ms += 10) {
        world.at(ms / 1000.0);
        std::erase_if(sessions, [&](const Session& session) { return session.ends <= ms; });
        for (int caller = 0; caller < 8; ++caller) {
            const Decision decision = world.decide("x");
            if (decision.code == Code::Ok) {
                sessions.push_back({decision.placement, ms + 20, ms + 220});
            }
        }
        QVERIFY2(sessions.size() <= 4, std::to_string(ms).c_str());
        if (ms % 50 == 0) {
            std::int64_t used = 0;
            for (const Session& session : sessions) {
                if (session.arrives <= ms) {
                    ++used;
                    seen = std::max(seen, session.placement);
                }
            }
            QVERIFY(world.beat("a", "boot-1", ++seq, 4, used, seen));
        }
    }
    world.at(100);
    QVERIFY(world.beat("a", "boot-1", ++seq, 4, 0, seen));
    QCOMPARE(world.free("a"), 4);
}

void TestScheduleCases::fc084()
{
    FleetWorld world;
    for (int i = 0; i < 20; ++i) {
        world.node("n" + std::to_string(i), "default", {.capacity = 10, .isStatic = false});
    }
    std::map<std::string, int> chosen;
    std::vector<std::string> firstRound;
    for (int i = 0; i < 100; ++i) {
        const std::string node = world.choose("x");
        ++chosen[node];
        if (i < 20) {
            firstRound.push_back(node);
        }
    }
    QVERIFY(std::is_sorted(firstRound.begin(), firstRound.end()));
    QCOMPARE(chosen.size(), std::size_t{20});
    for (const auto& [node, count] : chosen) {
        QCOMPARE(count, 5);
    }
}

// Every way to ask sees the same node and the same exclusions.
void TestScheduleCases::fc114()
{
    FleetWorld world;
    world.boundApp("app1", "pool-u1", false);
    const NodeIn all{.capacity = 3, .webrtc = "http://w", .publish = "srt://s:1"};
    for (const char* id : {"offline", "quarantined", "draining", "z"}) {
        world.node(id, "pool-u1", all);
    }
    world.bad("offline");
    world.bad("offline");
    world.eject("quarantined");
    world.drain("draining");
    world.node("stale", "pool-u1", {.isStatic = false, .probed = false, .webrtc = "http://w", .publish = "srt://s:1"});
    world.node("full", "pool-u1", {.capacity = 0, .webrtc = "http://w", .publish = "srt://s:1"});
    world.node("other-role", "pool-u1", {.role = Role::Edge});
    world.node("y", "pool-u2", all);
    for (const Endpoint endpoint : {Endpoint::Whip, Endpoint::Srt, Endpoint::Any}) {
        COMPARE_TEXT(world.preview("app1", Role::Origin, 1, endpoint), "z");
        COMPARE_TEXT(world.choose("app1", Role::Origin, 1, endpoint), "z");
        world.fleet.release(world.fleet.lastPlacement(), world.now());
        const Explanation record = world.explain("app1", Role::Origin, 1, endpoint);
        COMPARE_TEXT(record.chosen, "z");
        QCOMPARE(record.nodes.size(), std::size_t{6});
        QVERIFY(rowOf(record, "y") == nullptr);
        QCOMPARE(world.fleet.ranking(Request{Role::Origin, "app1", 1, endpoint}, 10, world.now()).size(), std::size_t{1});
    }
    COMPARE_TEXT(world.preview("app1", Role::Edge), "other-role");
    world.drain("z");
    for (const Endpoint endpoint : {Endpoint::Whip, Endpoint::Srt, Endpoint::Any}) {
        COMPARE_TEXT(world.choose("app1", Role::Origin, 1, endpoint), "no_candidate");
        QVERIFY(world.fleet.ranking(Request{Role::Origin, "app1", 1, endpoint}, 10, world.now()).empty());
    }
}

void TestScheduleCases::fcB08()
{
    FleetWorld world;
    world.boundApp("app", "pool-u1");
    world.node("w2", "pool-u1", {.capacity = 5});
    world.node("w10", "pool-u1", {.capacity = 5});
    world.node("w1", "pool-u1", {.capacity = 4});
    world.node("d1", "default", {.capacity = 99});
    NodeSpec far = world.nodeAt("w10").spec;
    far.region = "antarctica";
    world.fleet.changeNode(world.handle("w10"), far, world.now());
    COMPARE_TEXT(world.choose("app"), "w10");
}

void TestScheduleCases::fcB09()
{
    FleetWorld world;
    world.boundApp("app", "pool-u1");
    world.node("g1", "unassigned", {.capacity = 1000});
    world.node("g2", "gray", {.capacity = 1000});
    world.node("a", "pool-u1", {.capacity = 1});
    for (int i = 0; i < 100; ++i) {
        const Decision decision = world.decide("app");
        COMPARE_TEXT(world.name(decision), "a");
        world.fleet.release(decision.placement, world.now());
        COMPARE_TEXT(world.choose("stranger"), "no_candidate");
        if (i % 8 == 0) {
            world.at(i);
            world.good("g1");
            world.good("g2");
            world.good("a");
        }
    }
    QVERIFY(world.online("g1") && world.online("g2"));
    world.move("g2", "pool-u1");
    COMPARE_TEXT(world.choose("app"), "g2");
}

void TestScheduleCases::fcB11()
{
    FleetWorld world;
    world.node("d1", "default");
    Binding binding;
    binding.pool = world.pool("pool-u1");
    QVERIFY(!binding.allowFallback);
    world.fleet.bind(world.app("app"), binding);
    COMPARE_TEXT(world.choose("app"), "no_candidate");
    QCOMPARE(world.sink.count(ChangeKind::PoolExhausted), std::size_t{1});
}

void TestScheduleCases::fcB12()
{
    FleetWorld world;
    world.app("app9", "u9");
    world.node("d1", "default", {.capacity = 20});
    for (int i = 0; i < 20; ++i) {
        COMPARE_TEXT(world.choose("app9"), "d1");
    }
    QCOMPARE(world.sink.count(ChangeKind::PoolFallback), std::size_t{20});
    QCOMPARE(world.sink.count(ChangeKind::PoolExhausted), std::size_t{0});
}

void TestScheduleCases::fcB16()
{
    FleetWorld world;
    world.node("d1", "default", {.capacity = 50});
    world.boundApp("app1", "pool-u1", false);
    world.app("app9", "u9");
    for (int i = 0; i < 10; ++i) {
        COMPARE_TEXT(world.choose("app1", Role::Origin), "no_candidate");
        COMPARE_TEXT(world.choose("app1", Role::Edge), "no_candidate");
        COMPARE_TEXT(world.choose("app9", Role::Origin), "d1");
    }
    const std::size_t facts = world.sink.changes.size();
    const std::uint64_t revision = world.fleet.revision();
    for (int i = 0; i < 100; ++i) {
        COMPARE_TEXT(world.preview("app1"), "no_candidate");
        QVERIFY(!world.explain("app9").chosen.empty());
    }
    QCOMPARE(world.sink.changes.size(), facts);
    QCOMPARE(world.fleet.revision(), revision);
    QCOMPARE(world.sink.count(ChangeKind::PoolExhausted), std::size_t{20});
    QCOMPARE(world.sink.count(ChangeKind::PoolFallback), std::size_t{10});
}

QTEST_GUILESS_MAIN(TestScheduleCases)
#include "TestScheduleCases.moc"
