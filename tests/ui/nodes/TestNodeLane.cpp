// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/SampleFleet.h"
#include "ui/pages/nodes/NodeLane.h"

#include <QtTest>

using namespace weir;
using namespace weir::ui;

namespace {

constexpr qint64 kNow = 10'000'000;
constexpr qint64 kFrom = kNow - 3'600'000;

EventRow logged(qint64 atMs, const char* kind, const char* node = "gpu-01")
{
    EventRow row;
    row.atMs = atMs;
    row.kind = QLatin1String(kind);
    row.nodeId = QLatin1String(node);
    return row;
}

NodeRow online()
{
    return test::healthyNode(QStringLiteral("gpu-01"), Role::Worker, QStringLiteral("pool-4"), kNow, kNow);
}

} // namespace

class TestNodeLane : public QObject {
    Q_OBJECT

private slots:
    void withoutEventsTheStateOfNowHolds();
    void eventsCutTheHour();
    void nothingIsClaimedBeforeTheJournal();
    void failedProbesShowAtTheEnd();
};

void TestNodeLane::withoutEventsTheStateOfNowHolds()
{
    const auto segments = laneSegments({logged(kFrom + 5, "node_offline", "other")}, online(), kFrom, kNow, kFrom, kNow);
    QCOMPARE(segments.size(), 1);
    QCOMPARE(segments.first().state, ProbeState::Online);
    QCOMPARE(segments.first().fromMs, kFrom);
    QCOMPARE(segments.first().toMs, kNow);
}

void TestNodeLane::eventsCutTheHour()
{
    const QList<EventRow> events{logged(kFrom + 1000, "node_offline"), logged(kFrom + 1000, "quarantine_started"), logged(kFrom + 61'000, "quarantine_over"),
        logged(kFrom + 61'000, "node_online"), logged(kFrom + 90'000, "node_draining")};
    NodeRow row = online();
    row.draining = true;
    const auto segments = laneSegments(events, row, kFrom, kNow, kFrom, kNow);
    QCOMPARE(segments.size(), 4);
    const ProbeState states[] = {ProbeState::Online, ProbeState::Quarantined, ProbeState::Online, ProbeState::Draining};
    for (qsizetype i = 0; i < segments.size(); ++i) {
        QCOMPARE(segments.at(i).state, states[i]);
        QCOMPARE(segments.at(i).fromMs, i == 0 ? kFrom : segments.at(i - 1).toMs);
    }
    QCOMPARE(segments.at(1).toMs - segments.at(1).fromMs, 60'000);
    QCOMPARE(segments.last().toMs, kNow);
}

void TestNodeLane::nothingIsClaimedBeforeTheJournal()
{
    const auto segments = laneSegments({logged(kFrom + 700'000, "node_online")}, online(), kFrom, kNow, kFrom + 600'000, kNow);
    QCOMPARE(segments.first().fromMs, kFrom + 600'000);
    QCOMPARE(segments.first().state, ProbeState::Offline);
    const auto lost = laneSegments({logged(kFrom + 100, "events_lost"), logged(kFrom + 200, "node_online")}, online(), kFrom, kNow, kFrom, kNow);
    QCOMPARE(lost.at(1).state, ProbeState::NoData);
}

void TestNodeLane::failedProbesShowAtTheEnd()
{
    NodeRow row = online();
    row.consecutiveFailures = 1;
    row.lastProbe.atMs = kNow - 4000;
    const auto segments = laneSegments({logged(kFrom + 1000, "node_online")}, row, kFrom, kNow, kFrom, kNow);
    QCOMPARE(segments.last().state, ProbeState::Failing);
    QCOMPARE(segments.last().fromMs, kNow - 4000);
}

QTEST_MAIN(TestNodeLane)
#include "TestNodeLane.moc"
