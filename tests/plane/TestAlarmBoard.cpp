// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ChangeFlow.h"
#include "core/plane/NodeHistory.h"
#include "core/plane/alarms/AlarmBoard.h"
#include "core/store/DataDirectory.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace weir;
using namespace weir::plane;
using journal::AlarmKind;

namespace {

// Counts the turns of the journal thread, so that a test can wait for one instead of for a time.
class TurnCounter final : public JournalObserver {
public:
    JournalEntries restore(const store::Snapshot&, store::StoreReader&, WallTime) override { return {}; }
    JournalEntries observe(const JournalTurn&) override
    {
        ++turns;
        return {};
    }
    std::atomic<int> turns{0};
};

// A board on a real fleet and store whose clock the test moves; turns come as fast as the journal thread makes them.
struct World {
    explicit World(const std::string& path, ManualClock& time)
        : clock(time)
        , directory(*store::DataDirectory::open(path))
        , reader(directory.databaseFile())
    {
        flow.addObserver(board);
        flow.addObserver(counter);
        if (const auto snapshot = store.start(directory)) {
            flow.restoreObservers(*snapshot, reader);
            opened = true;
        }
    }
    ~World()
    {
        flow.stop();
        reader.close();
        store.stop();
    }

    NodeHandle addNode(const std::string& id, PoolHandle pool, std::int64_t capacity = 1)
    {
        return fleet.with([&](fleet::Fleet& live, Instant now) {
            fleet::NodeSpec spec;
            spec.id = NodeId::trusted(id);
            spec.pool = pool;
            spec.url = "http://127.0.0.1:1";
            spec.capacity = capacity;
            return *live.addNode(spec, now);
        });
    }
    void probe(NodeHandle node, bool success, bool local = false)
    {
        fleet.with([&](fleet::Fleet& live, Instant now) { live.probeEnded({node, live.node(node).generation, now, success, success ? "" : "unreachable", {}}, now); });
        board.sources().probeEnded(node, success, local);
    }
    fleet::Decision decide(const std::string& app)
    {
        fleet::Request request;
        request.app = app;
        return fleet.decide(request);
    }
    // Lets the board see what is now: the turn under way may have begun before.
    void seeNow() const
    {
        const int before = counter.turns;
        QTRY_VERIFY(counter.turns >= before + 2);
    }
    std::optional<journal::Alarm> alarm(AlarmKind kind, const std::string& app = {}) const
    {
        std::optional<journal::Alarm> found;
        board.forEach([&](const AlarmView& view) {
            if (view.alarm.key.kind == kind && view.alarm.isOpen() && (app.empty() || view.alarm.key.appId == app)) {
                found = view.alarm;
            }
            return true;
        });
        return found;
    }

    ManualClock& clock;
    NullLog log;
    store::DataDirectory directory;
    store::StoreReader reader;
    live::LiveFleet fleet{clock, {}, {}};
    NodeHistory history;
    StoreThread store{fleet, clock, log, [this](std::vector<journal::Event> events, bool atOnce) { flow.committed(std::move(events), atOnce); }};
    AlarmBoard board{fleet, clock, store};
    TurnCounter counter;
    ChangeFlow flow{fleet, clock, log, store, history, {[](NodeHandle) { return std::nullopt; }, [] { return true; }, [] { return std::uint64_t{1}; }, [this] { return board.counts(); }}};
    bool opened = false;
};

} // namespace

// What the rules are fed with comes from the fleet as it is.
class TestAlarmBoard : public QObject {
    Q_OBJECT

private slots:
    void refusalsAreCountedExactly();
    void isolationIsSeen();
    void capacityIsOfTheAvailable();
    void acknowledgementOutlivesTheJournalsWrites();

private:
    QTemporaryDir m_directory;
    ManualClock m_clock;
    std::string path(const char* name) const { return m_directory.path().toStdString() + "/" + name; }
};

void TestAlarmBoard::refusalsAreCountedExactly()
{
    World world(path("refusals"), m_clock);
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
    World world(path("isolation"), m_clock);
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
    World world(path("capacity"), m_clock);
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
        World world(path("ack"), m_clock);
        world.flow.start();
        static_cast<void>(world.decide("demo"));
        QTRY_VERIFY(world.alarm(AlarmKind::PoolExhausted).has_value());
        id = world.alarm(AlarmKind::PoolExhausted)->id;
        std::atomic<bool> done{false};
        world.board.acknowledge(id, "known", {"token:ops", {}, {}, "api"}, [&](const Result<AlarmView>& view) { done = view && view->alarm.state == journal::AlarmState::Acknowledged; });
        QTRY_VERIFY(done);
        static_cast<void>(world.decide("demo")); // the journal writes the row again when it stops
    }
    World world(path("ack"), m_clock);
    const auto alarm = world.alarm(AlarmKind::PoolExhausted);
    QVERIFY(alarm.has_value());
    QCOMPARE(alarm->id, id);
    QCOMPARE(alarm->state, journal::AlarmState::Acknowledged);
    QCOMPARE(alarm->acknowledgedBy, std::string("token:ops"));
    QCOMPARE(alarm->count, std::uint64_t{2});
}

QTEST_GUILESS_MAIN(TestAlarmBoard)
#include "TestAlarmBoard.moc"
