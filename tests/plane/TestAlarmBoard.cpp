// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/plane/AlarmBoardWorld.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace weir;
using namespace weir::plane;
using journal::AlarmKind;
using weir::test::AlarmBoardWorld;

// What the rules are fed with comes from the fleet as it is.
class TestAlarmBoard : public QObject {
    Q_OBJECT

private slots:
    void refusalsAreCountedExactly();
    void isolationIsSeen();
    void capacityIsOfTheAvailable();
    void acknowledgementOutlivesTheJournalsWrites();
    void alarmsKnowTheirIncident();

private:
    QTemporaryDir m_directory;
    ManualClock m_clock;
    std::string path(const char* name) const { return m_directory.path().toStdString() + "/" + name; }
};

void TestAlarmBoard::refusalsAreCountedExactly()
{
    AlarmBoardWorld world(path("refusals"), m_clock);
    QVERIFY(world.opened);
    world.flow.start();
    for (int i = 0; i < 5000; ++i) {
        QCOMPARE(world.decide("demo").code, fleet::Code::NoCandidate);
    }
    for (int i = 0; i < 150; ++i) {
        QCOMPARE(world.decide("invented-" + std::to_string(i)).code, fleet::Code::NoCandidate);
    }
    QTRY_VERIFY(world.alarm(AlarmKind::PoolExhausted, "*").has_value());
    QTRY_COMPARE(world.alarm(AlarmKind::PoolExhausted, "demo")->count, std::uint64_t{5000});
    QTRY_COMPARE(world.alarm(AlarmKind::PoolExhausted, "*")->count, std::uint64_t{51}); // nobody declared demo either
    const journal::Alarm alarm = *world.alarm(AlarmKind::PoolExhausted, "demo");
    QCOMPARE(alarm.severity, journal::Severity::Critical);
    QCOMPARE(alarm.key.poolId, std::string("default"));
    QVERIFY(alarm.firstExplanation.detail.find("\"code\":\"no_candidate\"") != std::string::npos);
    QTRY_COMPARE(world.flow.summary().alarms.critical, std::size_t{2});

    // A node comes: the next placement ends it, for the names that share a key too.
    world.probe(world.addNode("w1", PoolHandle(0), 100), true);
    QCOMPARE(world.decide("demo").code, fleet::Code::Ok);
    QCOMPARE(world.decide("invented-7").code, fleet::Code::Ok);
    QTRY_VERIFY(!world.alarm(AlarmKind::PoolExhausted, "demo"));
    QTRY_VERIFY(!world.alarm(AlarmKind::PoolExhausted, "*"));
    QVERIFY(world.alarm(AlarmKind::PoolExhausted, "invented-8").has_value()); // nobody asked again
    m_clock.advance(std::chrono::minutes(5));
    QTRY_VERIFY(!world.alarm(AlarmKind::PoolExhausted));
}

void TestAlarmBoard::isolationIsSeen()
{
    AlarmBoardWorld world(path("isolation"), m_clock);
    const PoolHandle other = world.fleet.with([](fleet::Fleet& live, Instant) { return *live.addPool({PoolId::trusted("other"), {}, true, 0, 10}); });
    std::vector<NodeHandle> nodes;
    for (int i = 0; i < 6; ++i) {
        nodes.push_back(world.addNode("w" + std::to_string(i), i < 3 ? PoolHandle(0) : other));
        world.probe(nodes.back(), true);
    }
    world.flow.start();
    m_clock.advance(std::chrono::seconds(2));
    for (const NodeHandle node : nodes) {
        world.probe(node, false, true);
    }
    m_clock.advance(std::chrono::seconds(2));
    QTRY_VERIFY(world.alarm(AlarmKind::ControlPlaneIsolated).has_value());
    for (const NodeHandle node : nodes) {
        world.probe(node, false, true); // the second failure takes them out
    }
    QTRY_VERIFY(world.alarm(AlarmKind::PoolDown).has_value());
    QCOMPARE(world.alarm(AlarmKind::PoolDown)->countedIn, world.alarm(AlarmKind::ControlPlaneIsolated)->id);
    QCOMPARE(world.alarm(AlarmKind::PoolDown)->delivery, journal::AlarmDelivery::None);
    m_clock.advance(std::chrono::seconds(2));
    for (const NodeHandle node : nodes) {
        world.probe(node, true);
    }
    m_clock.advance(std::chrono::seconds(2));
    QTRY_VERIFY(!world.alarm(AlarmKind::ControlPlaneIsolated));
    QTRY_VERIFY(!world.alarm(AlarmKind::PoolDown));
}

void TestAlarmBoard::capacityIsOfTheAvailable()
{
    AlarmBoardWorld world(path("capacity"), m_clock);
    const NodeHandle good = world.addNode("good", PoolHandle(0), 10);
    static_cast<void>(world.addNode("never-probed", PoolHandle(0), 1000));
    world.probe(good, true);
    world.flow.start();
    world.seeNow();
    m_clock.advance(std::chrono::seconds(40));
    world.seeNow();
    QVERIFY(!world.alarm(AlarmKind::PoolCapacityLow)); // all ten that there are are free
    world.fleet.with([&](fleet::Fleet& live, Instant now) { live.setInFlight(good, 10, now); });
    m_clock.advance(std::chrono::seconds(2));
    world.seeNow();
    QVERIFY(!world.alarm(AlarmKind::PoolCapacityLow)); // not for 30 s yet
    m_clock.advance(std::chrono::seconds(31));
    QTRY_VERIFY(world.alarm(AlarmKind::PoolCapacityLow).has_value());
    QVERIFY(!world.alarm(AlarmKind::PoolDown)); // full is not down
}

void TestAlarmBoard::acknowledgementOutlivesTheJournalsWrites()
{
    std::uint64_t id = 0;
    {
        AlarmBoardWorld world(path("ack"), m_clock);
        world.flow.start();
        static_cast<void>(world.decide("demo"));
        QTRY_VERIFY(world.alarm(AlarmKind::PoolExhausted).has_value());
        id = world.alarm(AlarmKind::PoolExhausted)->id;
        std::atomic<bool> done{false};
        world.board.acknowledge(id, "known", {"token:ops", {}, {}, "api"}, [&](const Result<AlarmView>& view) { done = view && view->alarm.state == journal::AlarmState::Acknowledged; });
        QTRY_VERIFY(done);
        static_cast<void>(world.decide("demo")); // the journal writes the row again when it stops
    }
    AlarmBoardWorld world(path("ack"), m_clock);
    const auto alarm = world.alarm(AlarmKind::PoolExhausted);
    QVERIFY(alarm.has_value());
    QCOMPARE(alarm->id, id);
    QCOMPARE(alarm->state, journal::AlarmState::Acknowledged);
    QCOMPARE(alarm->acknowledgedBy, std::string("token:ops"));
    QCOMPARE(alarm->count, std::uint64_t{2});
}

// The number of the incident that the fired event belongs to, after a merge that of the one that lives on, and over a restart.
void TestAlarmBoard::alarmsKnowTheirIncident()
{
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    {
        AlarmBoardWorld world(path("incident"), m_clock);
        world.fleet.with([](fleet::Fleet& live, Instant) {
            const PoolHandle other = *live.addPool({PoolId::trusted("other"), {}, true, 0, 10});
            live.bind(*live.addApp(AppId::trusted("bound"), {}), {other, false});
        });
        world.flow.start();
        static_cast<void>(world.decide("demo"));
        world.settle();
        static_cast<void>(world.decide("bound"));
        world.settle();
        QCOMPARE(world.alarm(AlarmKind::PoolExhausted, "demo")->incident, std::int64_t{1});
        QCOMPARE(world.alarm(AlarmKind::PoolExhausted, "bound")->incident, std::int64_t{2});
        first = world.alarm(AlarmKind::PoolExhausted, "demo")->id;
        second = world.alarm(AlarmKind::PoolExhausted, "bound")->id;
        std::promise<bool> merged;
        world.incidents.merge(2, 1, {"token:ops", {}, {}, "api"}, [&](const Result<journal::Incident>& result) { merged.set_value(result.has_value()); });
        QVERIFY(merged.get_future().get());
        world.settle();
        QCOMPARE(world.alarm(AlarmKind::PoolExhausted, "bound")->incident, std::int64_t{1});
    }
    AlarmBoardWorld world(path("incident"), m_clock);
    QCOMPARE(world.board.find(first)->alarm.incident, std::int64_t{1});
    QCOMPARE(world.board.find(second)->alarm.incident, std::int64_t{1});
}

QTEST_GUILESS_MAIN(TestAlarmBoard)
#include "TestAlarmBoard.moc"
