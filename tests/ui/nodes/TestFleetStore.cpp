// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "ui/live/FleetStore.h"
#include "ui/live/PacedFeed.h"

#include <QtTest>

using namespace weir;
using namespace weir::ui;

namespace {

NodeRow node(const char* id, qint64 used = 0)
{
    NodeRow row = test::healthyNode(QLatin1String(id), Role::Edge, QStringLiteral("default"), 1000, 1000);
    row.used = used;
    return row;
}

} // namespace

class TestFleetStore : public QObject {
    Q_OBJECT

private slots:
    void firstBatchAtOnceThenCoalesced();
    void recreatedObjectIsRemovedFirst();
    void resyncDropsWhatIsMissing();
    void pauseHoldsRowsAndCountsThem();
    void staleStopsTheClocks();
    void hiddenPagesHearOnceASecond();
};

void TestFleetStore::firstBatchAtOnceThenCoalesced()
{
    test::RecordingClient client;
    FleetStore store(client);
    QSignalSpy flushes(&store, &FleetStore::flushed);
    ChangeBatch batch;
    batch.reset = true;
    batch.nodes = {node("a"), node("b")};
    client.send(batch);
    QCOMPARE(flushes.size(), 1);
    batch = {};
    for (int i = 1; i <= 100; ++i) {
        batch.nodes = {node("a", i)};
        client.send(batch);
    }
    QCOMPARE(flushes.size(), 1);
    QCOMPARE(store.node(QStringLiteral("a"))->used, 0);
    QTRY_COMPARE_WITH_TIMEOUT(flushes.size(), 2, 2000);
    QCOMPARE(store.node(QStringLiteral("a"))->used, 100);
    const auto delta = flushes.last().first().value<FleetDelta>();
    QCOMPARE(delta.nodes, QSet<QString>{QStringLiteral("a")});
}

void TestFleetStore::recreatedObjectIsRemovedFirst()
{
    test::RecordingClient client;
    FleetStore store(client);
    ChangeBatch batch;
    batch.reset = true;
    batch.nodes = {node("a")};
    client.send(batch);
    QSignalSpy flushes(&store, &FleetStore::flushed);
    batch = {};
    batch.removedNodes = {QStringLiteral("a")};
    client.send(batch);
    batch = {};
    batch.nodes = {node("a", 7)};
    client.send(batch);
    store.flushNow();
    const auto delta = flushes.last().first().value<FleetDelta>();
    QVERIFY(delta.removedNodes.contains(QStringLiteral("a")) && delta.nodes.contains(QStringLiteral("a")));
    QCOMPARE(store.node(QStringLiteral("a"))->used, 7);
    batch = {};
    batch.removedNodes = {QStringLiteral("a")};
    client.send(batch);
    store.flushNow();
    QVERIFY(store.node(QStringLiteral("a")) == nullptr);
}

void TestFleetStore::resyncDropsWhatIsMissing()
{
    test::RecordingClient client;
    FleetStore store(client);
    ChangeBatch batch;
    batch.reset = true;
    batch.nodes = {node("a"), node("b")};
    client.send(batch);
    batch.nodes = {node("b"), node("c")};
    client.send(batch);
    store.flushNow();
    QVERIFY(store.node(QStringLiteral("a")) == nullptr);
    QCOMPARE(store.nodes().size(), 2);
    store.resync();
    QCOMPARE(client.calls, QStringList{QStringLiteral("start")});
}

void TestFleetStore::pauseHoldsRowsAndCountsThem()
{
    test::RecordingClient client;
    FleetStore store(client);
    ChangeBatch batch;
    batch.reset = true;
    batch.nodes = {node("a")};
    client.send(batch);
    store.setPaused(true);
    const qint64 shown = store.nowMonoMs();
    client.advance(5000);
    batch = {};
    batch.nodes = {node("a", 9), node("b")};
    client.send(batch);
    store.flushNow();
    QCOMPARE(store.node(QStringLiteral("a"))->used, 0);
    QVERIFY(store.node(QStringLiteral("b")) == nullptr);
    QCOMPARE(store.missedCount(), 2);
    QCOMPARE(store.nowMonoMs(), shown);
    store.setPaused(false);
    QCOMPARE(store.node(QStringLiteral("a"))->used, 9);
    QCOMPARE(store.missedCount(), 0);
    QCOMPARE(store.nowMonoMs(), client.monoMs);
}

void TestFleetStore::staleStopsTheClocks()
{
    test::RecordingClient client;
    FleetStore store(client);
    client.send(test::sampleFleet(client.wallMs, client.monoMs));
    const qint64 lost = client.wallMs;
    client.setState(ControlPlaneClient::State::Stale);
    client.advance(60'000);
    QVERIFY(store.isStale());
    QCOMPARE(store.staleSinceMs(), lost);
    QCOMPARE(store.nowWallMs(), lost);
    client.setState(ControlPlaneClient::State::Live);
    QCOMPARE(store.staleSinceMs(), 0);
    QCOMPARE(store.nowWallMs(), client.wallMs);
}

void TestFleetStore::hiddenPagesHearOnceASecond()
{
    test::RecordingClient client;
    FleetStore store(client);
    PacedFeed feed(store, &store);
    QSignalSpy ready(&feed, &PacedFeed::ready);
    ChangeBatch batch;
    batch.reset = true;
    batch.nodes = {node("a")};
    client.send(batch);
    QCOMPARE(ready.size(), 1);
    feed.setActive(false);
    batch = {};
    batch.nodes = {node("b")};
    client.send(batch);
    store.flushNow();
    batch.nodes = {node("c")};
    client.send(batch);
    store.flushNow();
    QCOMPARE(ready.size(), 1);
    feed.setActive(true);
    QCOMPARE(ready.size(), 2);
    QCOMPARE(ready.last().first().value<FleetDelta>().nodes.size(), 2);
}

QTEST_MAIN(TestFleetStore)
#include "TestFleetStore.moc"
