// SPDX-License-Identifier: GPL-3.0-or-later
// The queue in front of the store, from many threads at once: nothing is lost, nothing comes twice, what one thread hands in keeps its
// order, and everybody is answered when it stops. Made for the thread sanitizer (preset tsan).
#include "core/plane/StoreThread.h"
#include "core/store/DataDirectory.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <atomic>
#include <thread>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::plane;

namespace {

constexpr int kWriters = 4;
constexpr int kEach = 250;

journal::Event eventOf(int writer, int number)
{
    journal::Event event;
    event.at = WallTime(1s);
    event.kind = journal::EventKind::NodeOnline;
    event.nodeId = "gpu-" + std::to_string(writer);
    event.sentence = std::to_string(number);
    return event;
}

store::AuditRow auditOf(int writer)
{
    store::AuditRow row;
    row.at = WallTime(1s);
    row.actor = "token:" + std::to_string(writer);
    row.action = "test";
    row.outcome = "ok";
    return row;
}

// A store of its own, and what was committed to it.
struct World {
    World()
        : directory(*store::DataDirectory::open(dir.filePath(QStringLiteral("data")).toStdString()))
        , thread(fleet, clock, log, [this](const std::vector<journal::Event>& events, bool) { take(events); })
    {
        opened = thread.start(directory).has_value();
    }
    void take(const std::vector<journal::Event>& events) // on the store thread
    {
        for (const journal::Event& event : events) {
            if (event.nodeId.empty()) {
                continue;
            }
            int& last = lastOf[static_cast<std::size_t>(event.nodeId.back() - '0')];
            const int number = std::stoi(event.sentence);
            isInOrder = isInOrder && number > last && event.seq > lastSeq;
            last = number;
            lastSeq = event.seq;
            ++committed;
        }
    }
    Command command(int writer, int number)
    {
        Command command;
        command.touches.push_back({"node:gpu-" + std::to_string(writer), true});
        command.plan = [this, writer, number](const fleet::Fleet&, const CommandTime&) -> Result<Plan> {
            Plan plan;
            plan.events.push_back(eventOf(writer, number));
            plan.applies.emplace_back([this](fleet::Fleet&, Instant) { ++applied; });
            plan.audit.push_back(auditOf(writer));
            return plan;
        };
        command.done = [this](const Result<void>& result) { ++(result ? done : refused); };
        return command;
    }

    QTemporaryDir dir;
    SystemClock clock;
    NullLog log;
    store::DataDirectory directory;
    live::LiveFleet fleet{clock, {}, {}};
    std::array<int, kWriters> lastOf{};
    std::int64_t lastSeq = 0;
    std::atomic<bool> isInOrder = true;
    std::atomic<int> committed = 0;
    std::atomic<int> applied = 0;
    std::atomic<int> done = 0;
    std::atomic<int> refused = 0;
    StoreThread thread;
    bool opened = false;
};

} // namespace

class TestStoreThreads : public QObject {
    Q_OBJECT

private slots:
    void losesNothing();
    void answersEverybodyWhenItStops();
};

void TestStoreThreads::losesNothing()
{
    World world;
    QVERIFY(world.opened);
    std::atomic<int> tasks = 0;
    std::atomic<bool> isOver = false;
    std::vector<std::thread> threads;
    for (int writer = 0; writer < kWriters; ++writer) {
        threads.emplace_back([&, writer] {
            for (int number = 1; number <= kEach; ++number) {
                if (writer % 2 == 0) { // events of commands and others have an order only among their own
                    world.thread.append({eventOf(writer, number)}, {});
                    world.thread.appendAudit({auditOf(writer)});
                } else {
                    world.thread.submit(world.command(writer, number));
                }
                if (number % 50 == 0) {
                    world.thread.afterWrites([&tasks] { ++tasks; });
                }
            }
        });
    }
    std::thread reader([&] {
        std::uint64_t seen = 0;
        while (!isOver) {
            world.thread.setRetention({std::chrono::days(30), std::int64_t(1) << 40U});
            seen += world.thread.bufferedEvents() + world.thread.lostEvents() + world.thread.batchLatency().snapshot().counts.size();
            seen += world.thread.isBehind() || world.thread.waitingSince() ? 1 : 0;
            std::this_thread::yield();
        }
        world.isInOrder = world.isInOrder && seen > 0;
    });
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::atomic<bool> isWritten = false;
    world.thread.afterWrites([&] { isWritten = true; });
    QTRY_VERIFY_WITH_TIMEOUT(isWritten, 60'000);
    isOver = true;
    reader.join();
    QVERIFY(world.isInOrder);
    QCOMPARE(world.committed.load(), kWriters * kEach);
    QCOMPARE(world.done.load(), kWriters / 2 * kEach);
    QCOMPARE(world.applied.load(), world.done.load());
    QCOMPARE(world.refused.load(), 0);
    QCOMPARE(tasks.load(), kWriters * kEach / 50);
    QCOMPARE(world.thread.lostEvents(), std::uint64_t(0));
}

void TestStoreThreads::answersEverybodyWhenItStops()
{
    World world;
    QVERIFY(world.opened);
    std::atomic<int> ran = 0;
    std::atomic<bool> begins = false;
    std::vector<std::thread> threads;
    for (int writer = 0; writer < kWriters; ++writer) {
        threads.emplace_back([&, writer] {
            for (int number = 1; number <= kEach; ++number) {
                world.thread.submit(world.command(writer, number));
                world.thread.afterWrites([&ran] { ++ran; });
                begins = true;
            }
        });
    }
    QTRY_VERIFY_WITH_TIMEOUT(begins, 60'000);
    world.thread.stop();
    for (std::thread& thread : threads) {
        thread.join();
    }
    QCOMPARE(world.done + world.refused, kWriters * kEach); // each of them once
    QCOMPARE(world.applied.load(), world.done.load());
    QCOMPARE(world.committed.load(), world.done.load());
    QCOMPARE(ran.load(), kWriters * kEach);
    QVERIFY(world.isInOrder);
    world.thread.submit(world.command(0, kEach + 1));
    QCOMPARE(world.done + world.refused, kWriters * kEach + 1);
}

QTEST_GUILESS_MAIN(TestStoreThreads)
#include "TestStoreThreads.moc"
