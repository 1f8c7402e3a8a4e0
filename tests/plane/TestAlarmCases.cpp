// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of tests/data/fleet-cases.json about alarms, on a real fleet, journal and store with a clock of the test's own. Each under its
// own id.
#include "tests/plane/AlarmBoardWorld.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::plane;
using journal::AlarmKind;
using weir::test::AlarmBoardWorld;

namespace {

// The pool of user u1, whose app is app1 and whose node is a.
struct UserPool {
    PoolHandle pool;
    NodeHandle node;
};

UserPool addUser(AlarmBoardWorld& world)
{
    const auto [user, pool] = world.fleet.with([](fleet::Fleet& live, Instant) {
        const UserHandle made = *live.addUser(UserId::trusted("u1"), "u1");
        static_cast<void>(live.addApp(AppId::trusted("app1"), made));
        return std::pair(made, live.user(made).pool);
    });
    return {pool, world.addNode("a", pool, 100, user)};
}

} // namespace

class TestAlarmCases : public QObject {
    Q_OBJECT

private slots:
    void fc063();
    void fc066();
    void fc069();
    void fc112();

private:
    QTemporaryDir m_directory;
    ManualClock m_clock;
    std::string path(const char* name) const { return m_directory.path().toStdString() + "/" + name; }
};

// A restart and other settings leave an open alarm what it is, and nobody hears of it twice.
void TestAlarmCases::fc063()
{
    journal::Alarm before;
    {
        AlarmBoardWorld world(path("fc063"), m_clock);
        QVERIFY(world.opened);
        const UserPool u1 = addUser(world);
        world.probe(u1.node, false, false, "refused");
        world.flow.start();
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(world.decide("app1").code, fleet::Code::NoCandidate);
        }
        world.settle();
        QVERIFY(world.alarm(AlarmKind::PoolExhausted, "app1").has_value());
        before = *world.alarm(AlarmKind::PoolExhausted, "app1");
        QCOMPARE(before.count, std::uint64_t{3});
        QCOMPARE(before.key.poolId, std::string("pool-u1"));
        QCOMPARE(world.receiver.told(AlarmKind::PoolExhausted, true), std::size_t{1});
    }
    m_clock.advance(std::chrono::seconds(20));
    AlarmBoardWorld world(path("fc063"), m_clock);
    const UserPool u1 = addUser(world);
    world.probe(u1.node, false, false, "refused");
    world.flow.start();
    world.fleet.with([&](fleet::Fleet& live, Instant now) {
        fleet::PoolSpec spec = live.pool(u1.pool).spec;
        spec.minAvailable = 1;
        spec.capacityAlarmPercent = 25;
        live.changePool(u1.pool, spec);
        health::HealthSettings settings = live.healthSettings();
        settings.flapTransitions = 9;
        settings.unhealthyThreshold = 3;
        live.setHealthSettings(settings, now);
    });
    world.settle();
    QCOMPARE(world.decide("app1").code, fleet::Code::NoCandidate);
    world.settle();
    const auto after = world.alarm(AlarmKind::PoolExhausted, "app1");
    QVERIFY(after.has_value());
    QCOMPARE(after->id, before.id);
    QCOMPARE(after->count, std::uint64_t{4});
    QVERIFY(after->first == before.first);
    QCOMPARE(after->firstExplanation.sentence, before.firstExplanation.sentence);
    QCOMPARE(world.receiver.told(AlarmKind::PoolExhausted, true), std::size_t{0});
    QCOMPARE(world.receiver.told(AlarmKind::PoolExhausted, false), std::size_t{0});
}

// What comes again after ten minutes is an episode of its own, which names the one before.
void TestAlarmCases::fc066()
{
    AlarmBoardWorld world(path("fc066"), m_clock);
    const UserPool u1 = addUser(world);
    world.probe(u1.node, false, false, "refused");
    world.flow.start();
    QCOMPARE(world.decide("app1").code, fleet::Code::NoCandidate);
    world.settle();
    const auto first = world.alarm(AlarmKind::PoolExhausted);
    QVERIFY(first.has_value());
    world.clock.advance(std::chrono::seconds(8));
    world.probe(u1.node, true);
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(world.decide("app1").code, fleet::Code::Ok);
        world.settle();
    }
    QVERIFY(!world.alarm(AlarmKind::PoolExhausted));
    QCOMPARE(world.receiver.told(AlarmKind::PoolExhausted, false), std::size_t{1});

    world.clock.advance(std::chrono::minutes(10));
    world.probe(u1.node, false, false, "refused");
    world.probe(u1.node, false, false, "refused");
    QCOMPARE(world.decide("app1").code, fleet::Code::NoCandidate);
    world.settle();
    const auto second = world.alarm(AlarmKind::PoolExhausted);
    QVERIFY(second.has_value());
    QVERIFY(second->id != first->id);
    QCOMPARE(second->previous, first->id);
    QCOMPARE(second->count, std::uint64_t{1});
    QCOMPARE(world.receiver.told(AlarmKind::PoolExhausted, true), std::size_t{2});
    QCOMPARE(world.receiver.told(AlarmKind::PoolExhausted, false), std::size_t{1});
}

// The network of this machine goes: every failed probe counts, and one alarm stands for all that follows.
void TestAlarmCases::fc069()
{
    AlarmBoardWorld world(path("fc069"), m_clock);
    const UserPool u1 = addUser(world);
    std::vector<NodeHandle> nodes{u1.node};
    for (int i = 1; i < 20; ++i) {
        nodes.push_back(world.addNode("n" + std::to_string(i), i % 2 == 0 ? u1.pool : PoolHandle(0)));
    }
    const auto online = [&] {
        return std::count_if(nodes.begin(), nodes.end(), [&](NodeHandle node) {
            return world.fleet.read([&](const fleet::Fleet& live, Instant) { return live.node(node).health.inRotation(); });
        });
    };
    const auto round = [&](bool success) {
        for (const NodeHandle node : nodes) {
            world.probe(node, success, !success);
        }
        world.settle();
    };
    round(true);
    world.flow.start();
    world.settle();
    QCOMPARE(online(), 20);
    world.pass(8); // t = 8
    round(false);
    QCOMPARE(online(), 20);
    world.pass(8); // t = 16
    round(false);
    QCOMPARE(online(), 0);
    world.pass(1);
    const auto isolated = world.alarm(AlarmKind::ControlPlaneIsolated);
    QVERIFY(isolated.has_value());
    QVERIFY2(isolated->firstExplanation.sentence.find("probes of 20 of 20 nodes") != std::string::npos,
        isolated->firstExplanation.sentence.c_str());
    QVERIFY(world.openAlarms() > 1); // recorded all the same
    QCOMPARE(world.receiver.all(), std::size_t{1});
    QCOMPARE(world.receiver.told(AlarmKind::ControlPlaneIsolated, true), std::size_t{1});
    world.pass(15); // t = 32, the network is back since t = 30
    round(true);
    QCOMPARE(online(), 20);
    world.pass(40); // what still waited to be told would be told by then
    QCOMPARE(world.openAlarms(), std::size_t{0});
    QCOMPARE(world.receiver.all(), std::size_t{2});
    QCOMPARE(world.receiver.told(AlarmKind::ControlPlaneIsolated, false), std::size_t{1});
}

// Under load the only node answers after 4 s: whoever reads the alarm learns of the time-out that may be too short.
void TestAlarmCases::fc112()
{
    AlarmBoardWorld world(path("fc112"), m_clock);
    const UserPool u1 = addUser(world);
    world.probe(u1.node, true);
    world.flow.start();
    world.settle();
    for (int i = 0; i < 2; ++i) {
        world.pass(8);
        world.probe(u1.node, false, false, "timeout");
        world.settle();
    }
    QVERIFY(!world.fleet.read([&](const fleet::Fleet& live, Instant) { return live.node(u1.node).health.inRotation(); }));
    const auto lost = world.alarm(AlarmKind::LastCandidateLost);
    QVERIFY(lost.has_value());
    QCOMPARE(lost->key.poolId, std::string("pool-u1"));
    const QString sentence = QString::fromStdString(lost->firstExplanation.sentence);
    QVERIFY2(sentence.contains(QStringLiteral("2 probes of a in a row that had no whole answer after 3 s")), qPrintable(sentence));
    QVERIFY2(sentence.contains(QStringLiteral("timeout_seconds is 3")) && sentence.contains(QStringLiteral("unhealthy_threshold is 2")),
        qPrintable(sentence));
    QVERIFY(lost->incident != 0);
    QCOMPARE(world.incident(lost->incident)->state, journal::IncidentState::Open);

    world.pass(8);
    world.probe(u1.node, true);
    world.settle();
    QVERIFY(!world.alarm(AlarmKind::LastCandidateLost));
    QCOMPARE(world.board.find(lost->id)->alarm.state, journal::AlarmState::Resolved);
    world.clock.advance(std::chrono::minutes(5));
    world.settle();
    QCOMPARE(world.incident(lost->incident)->state, journal::IncidentState::Resolved);
    QCOMPARE(world.incident(lost->incident)->resolvedBy, std::string());
}

QTEST_GUILESS_MAIN(TestAlarmCases)
#include "TestAlarmCases.moc"
