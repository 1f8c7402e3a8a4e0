// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/LiveFleet.h"

#include <QTest>
#include <atomic>
#include <thread>
#include <vector>

using namespace weir;

namespace {

constexpr int kNodes = 20;
constexpr int kPerThread = 2000;

// A node in default that is in rotation.
NodeHandle addNode(live::LiveFleet& fleet, int number, std::int64_t capacity)
{
    return fleet.with([&](fleet::Fleet& live, Instant now) {
        fleet::NodeSpec spec;
        spec.id = NodeId::trusted("n" + std::to_string(number));
        spec.role = Role::Worker;
        spec.pool = live.defaultPool();
        spec.url = "http://127.0.0.1:1";
        spec.capacity = capacity;
        const NodeHandle node = *live.addNode(spec, now);
        live.probeEnded({node, live.node(node).generation, now, true, {}, {}}, now);
        return node;
    });
}

} // namespace

// Threads on one fleet: nothing is lost, nothing is placed twice, and readers always see sums that add up.
class TestLiveFleet : public QObject {
    Q_OBJECT

private slots:
    void decisionsFromManyThreadsNeverOverbook()
    {
        const SystemClock clock;
        live::LiveFleet fleet(clock, {}, {});
        for (int i = 0; i < kNodes; ++i) {
            addNode(fleet, i, 50);
        }
        std::atomic<int> placed{0};
        std::atomic<int> refused{0};
        std::atomic<bool> broken{false};
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < kPerThread; ++i) {
                    fleet::Request request;
                    request.app = "app";
                    const fleet::Decision decision = fleet.decide(request);
                    (decision.code == fleet::Code::Ok ? placed : refused)++;
                    if (decision.code == fleet::Code::Ok && i % 3 != 0) {
                        fleet.with([&](fleet::Fleet& live, Instant now) {
                            if (live.release(decision.placement, now)) {
                                --placed;
                            }
                        });
                    }
                }
            });
        }
        std::thread reader([&] {
            for (int i = 0; i < 500; ++i) {
                fleet.read([&](const fleet::Fleet& live, Instant) {
                    std::int64_t free = 0;
                    std::int64_t reserved = 0;
                    for (const NodeHandle node : live.nodesInOrder()) {
                        free += live.core(node).free;
                        reserved += live.core(node).reserved;
                        broken = broken || live.core(node).free < 0 || live.core(node).reserved > 50;
                    }
                    const fleet::Group& group = live.pool(live.defaultPool()).groups[indexOf(Role::Worker)];
                    broken = broken || group.free != free || group.pending != reserved;
                });
            }
        });
        for (std::thread& thread : threads) {
            thread.join();
        }
        reader.join();
        QVERIFY(!broken);
        QVERIFY(placed <= kNodes * 50);
        QVERIFY(refused > 0); // 2,667 are kept, and there is room for 1,000
        const std::int64_t reserved = fleet.read([](const fleet::Fleet& live, Instant) { return live.pool(live.defaultPool()).groups[indexOf(Role::Worker)].pending; });
        QCOMPARE(reserved, static_cast<std::int64_t>(placed));
    }

    void drainGivesEveryFactOnceAndSaysWhatFoundNoRoom()
    {
        const SystemClock clock;
        live::LiveFleet fleet(clock, {}, {}, 8);
        addNode(fleet, 0, 1);
        live::LiveFleet::Drained drained;
        fleet.drain(drained, 100);
        QCOMPARE(drained.changes.size(), std::size_t{1});
        QCOMPARE(drained.changes.front().kind, fleet::ChangeKind::NodeOnline);
        QCOMPARE(drained.dirty.nodes.size(), std::size_t{1});
        fleet.drain(drained, 100);
        QVERIFY(drained.changes.empty());
        QVERIFY(drained.dirty.nodes.empty());

        // Nine refusals into room for eight: the node's row is marked changed all the same.
        fleet::Request request;
        request.app = "app";
        for (int i = 0; i < 10; ++i) {
            static_cast<void>(fleet.decide(request)); // the first takes the only slot
        }
        fleet.drain(drained, 100);
        QCOMPARE(drained.changes.size(), std::size_t{8});
        QCOMPARE(drained.lostChanges, std::size_t{1});
        QCOMPARE(drained.dirty.nodes.size(), std::size_t{1});
        fleet.drain(drained, 100);
        QCOMPARE(drained.lostChanges, std::size_t{0});
    }

    void drainingBesideWritersLosesNothing()
    {
        const SystemClock clock;
        live::LiveFleet fleet(clock, {}, {});
        const NodeHandle node = addNode(fleet, 0, 1);
        constexpr int kEjections = 3000;
        std::atomic<bool> done{false};
        std::size_t offline = 0;
        std::size_t lost = 0;
        std::thread reader([&] {
            live::LiveFleet::Drained drained;
            const auto take = [&] {
                fleet.drain(drained, 100);
                lost += drained.lostChanges;
                for (const fleet::FleetChange& change : drained.changes) {
                    offline += change.kind == fleet::ChangeKind::NodeOffline ? 1 : 0;
                }
            };
            while (!done) {
                take();
            }
            take();
        });
        for (int i = 0; i < kEjections; ++i) {
            fleet.with([&](fleet::Fleet& live, Instant now) {
                live.passiveFailure(node, "status:500", now);
                live.revive(node, now);
                live.probeEnded({node, live.node(node).generation, now, true, {}, {}}, now);
            });
        }
        done = true;
        reader.join();
        QCOMPARE(lost, std::size_t{0});
        QCOMPARE(offline, static_cast<std::size_t>(kEjections));
    }
};

QTEST_GUILESS_MAIN(TestLiveFleet)
#include "TestLiveFleet.moc"
