// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/ProbeSchedule.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <set>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::probe;

namespace {

constexpr Instant at(Duration since)
{
    return Instant(since);
}

ProbeTarget target(std::uint32_t node, std::uint64_t generation = 1)
{
    return {NodeHandle(node), generation, "http://h/" + std::to_string(node), {200}, {}};
}

/// Starts that take(…) gave, by node.
std::map<std::uint32_t, std::uint64_t> starts(ProbeSchedule& schedule, Instant now)
{
    std::map<std::uint32_t, std::uint64_t> found;
    for (const auto& start : schedule.takeStarts(now)) {
        found[start.target.node.value()] = start.ticket;
    }
    return found;
}

} // namespace

class TestProbeSchedule : public QObject {
    Q_OBJECT
private slots:
    void startsAtOnceThenOnItsRaster();
    void neverDrifts();
    void spreadsPhases();
    void skipsTicksWhileUnderWay();
    void boundsWhatIsInFlight();
    void computesTheLimit();
    void newGenerationStartsAfresh();
    void sameTargetChangesNothing();
    void probeNowGoesFirst();
    void shorterIntervalHoldsAtOnce();
    void tellsWhenTheFirstRoundIsOver();
    void noticesAStall();
    void forgetsWhatASuspensionMissed();
};

void TestProbeSchedule::startsAtOnceThenOnItsRaster()
{
    ProbeSchedule schedule(0, 1000);
    schedule.setTimings({8s, 3s}, at(100s));
    schedule.setTarget(target(7), at(100s));
    const auto first = starts(schedule, at(100s));
    QCOMPARE(first.size(), std::size_t(1));
    QVERIFY(schedule.finish(NodeHandle(7), first.at(7), at(100s + 5ms)).has_value());
    const Instant second = schedule.nextProbe(NodeHandle(7)).value();
    QVERIFY(second > at(100s) && second <= at(108s));
    QVERIFY(starts(schedule, second - 1ns).empty());
    QCOMPARE(starts(schedule, second).size(), std::size_t(1));
    QCOMPARE(schedule.nextProbe(NodeHandle(7)).value(), second + 8s);
}

void TestProbeSchedule::neverDrifts()
{
    ProbeSchedule schedule(0, 1000);
    schedule.setTimings({8s, 3s}, at(0s));
    schedule.setTarget(target(1), at(0s));
    const auto first = starts(schedule, at(0s));
    schedule.finish(NodeHandle(1), first.at(1), at(1ms));
    const Instant raster = schedule.nextTick().value();
    for (int i = 0; i < 10'000; ++i) {
        const Instant due = raster + i * Duration(8s);
        QCOMPARE(schedule.nextProbe(NodeHandle(1)).value(), due);
        const auto late = due + std::chrono::milliseconds(i % 90); // every wake-up comes late
        const auto started = starts(schedule, late);
        QCOMPARE(started.size(), std::size_t(1));
        schedule.finish(NodeHandle(1), started.at(1), late + 10ms);
    }
}

void TestProbeSchedule::spreadsPhases()
{
    std::array<int, 80> counts{};
    ProbeSchedule schedule(0, 1'000'000);
    schedule.setTimings({8s, 3s}, at(0s));
    for (std::uint32_t i = 0; i < 8000; ++i) {
        schedule.setTarget(target(i), at(0s));
        for (const auto& start : schedule.takeStarts(at(0s))) {
            schedule.finish(start.target.node, start.ticket, at(0s));
        }
        const Duration phase = schedule.nextProbe(NodeHandle(i)).value() - at(0s);
        QVERIFY(phase > 0s && phase <= 8s);
        ++counts[static_cast<std::size_t>(std::min<Duration::rep>(phase / 100ms, 79))];
    }
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    QVERIFY2(*least > 50 && *most < 160, "100 a slot is even; a binomial spread stays within five deviations");
}

void TestProbeSchedule::skipsTicksWhileUnderWay()
{
    ProbeSchedule schedule(0, 1000);
    schedule.setTimings({8s, 30s}, at(0s));
    schedule.setTarget(target(1), at(0s));
    const auto first = starts(schedule, at(0s));
    const Instant second = schedule.nextProbe(NodeHandle(1)).value();
    QVERIFY(starts(schedule, second).empty());
    QVERIFY(schedule.finish(NodeHandle(1), first.at(1), second + 1s).has_value());
    QVERIFY(starts(schedule, second + 1s).empty()); // not made up for
    QCOMPARE(starts(schedule, second + 8s).size(), std::size_t(1));
}

void TestProbeSchedule::boundsWhatIsInFlight()
{
    ProbeSchedule schedule(3, 1000);
    for (std::uint32_t i = 0; i < 10; ++i) {
        schedule.setTarget(target(i), at(0s));
    }
    std::set<std::uint32_t> seen;
    for (int round = 0; round < 4; ++round) {
        const auto started = starts(schedule, at(0s));
        QCOMPARE(started.size(), round < 3 ? std::size_t(3) : std::size_t(1));
        QVERIFY(starts(schedule, at(0s)).empty());
        for (const auto& [node, ticket] : started) {
            QVERIFY(seen.insert(node).second);
            QVERIFY(schedule.finish(NodeHandle(node), ticket, at(1ms)).has_value());
        }
    }
    QVERIFY(schedule.firstRoundOver());
    QCOMPARE(schedule.inFlight(), std::size_t(0));
}

void TestProbeSchedule::computesTheLimit()
{
    ProbeSchedule schedule(0, 500);
    schedule.setTimings({8s, 3s}, at(0s));
    QCOMPARE(schedule.inFlightLimit(), std::size_t(64));
    for (std::uint32_t i = 0; i < 1000; ++i) {
        schedule.setTarget(target(i), at(0s));
    }
    QCOMPARE(schedule.inFlightLimit(), std::size_t(453)); // 375 + 4 × √375
    schedule.setTimings({8s, 8s}, at(0s));
    QCOMPARE(schedule.inFlightLimit(), std::size_t(500)); // the open-file limit
}

void TestProbeSchedule::newGenerationStartsAfresh()
{
    ProbeSchedule schedule(0, 1000);
    schedule.setTarget(target(1, 1), at(0s));
    const auto old = starts(schedule, at(0s));
    schedule.setTarget(target(1, 2), at(1s));
    QCOMPARE(schedule.takeDropped(), std::vector<std::uint64_t>{old.at(1)});
    QVERIFY(!schedule.finish(NodeHandle(1), old.at(1), at(1s)).has_value());
    const auto fresh = starts(schedule, at(1s));
    QCOMPARE(fresh.size(), std::size_t(1));
    QCOMPARE(schedule.finish(NodeHandle(1), fresh.at(1), at(2s)).value().generation, std::uint64_t(2));
    const auto third = starts(schedule, at(2s));
    QVERIFY(third.empty());
    schedule.removeTarget(NodeHandle(1));
    QVERIFY(!schedule.nextProbe(NodeHandle(1)).has_value());
    QVERIFY(starts(schedule, at(100s)).empty());
}

void TestProbeSchedule::sameTargetChangesNothing()
{
    ProbeSchedule schedule(0, 1000);
    schedule.setTarget(target(1), at(0s));
    const auto first = starts(schedule, at(0s));
    ProbeTarget same = target(1);
    same.expectedStatuses = {200, 204};
    schedule.setTarget(same, at(1s));
    QVERIFY(schedule.takeDropped().empty());
    const auto ended = schedule.finish(NodeHandle(1), first.at(1), at(1s));
    QVERIFY(ended.has_value());
    QCOMPARE(ended->expectedStatuses, (std::vector<int>{200, 204}));
}

void TestProbeSchedule::probeNowGoesFirst()
{
    ProbeSchedule schedule(1, 1000);
    for (std::uint32_t i = 0; i < 3; ++i) {
        schedule.setTarget(target(i), at(0s));
    }
    const auto first = starts(schedule, at(0s));
    QVERIFY(first.contains(0));
    schedule.probeNow(NodeHandle(0), at(0s)); // under way: that one counts
    schedule.probeNow(NodeHandle(2), at(0s));
    schedule.finish(NodeHandle(0), first.at(0), at(0s));
    const auto second = starts(schedule, at(0s));
    QVERIFY(second.contains(2));
    schedule.finish(NodeHandle(2), second.at(2), at(0s));
    const auto third = starts(schedule, at(0s));
    QVERIFY(third.contains(1));
    schedule.finish(NodeHandle(1), third.at(1), at(0s));
    QVERIFY(starts(schedule, at(0s)).empty()); // node 2 waited once, not twice
    schedule.probeNow(NodeHandle(99), at(0s));
    QVERIFY(starts(schedule, at(0s)).empty());
}

void TestProbeSchedule::shorterIntervalHoldsAtOnce()
{
    ProbeSchedule schedule(0, 1000);
    schedule.setTimings({600s, 3s}, at(0s));
    for (std::uint32_t i = 0; i < 50; ++i) {
        schedule.setTarget(target(i), at(0s));
    }
    for (const auto& [node, ticket] : starts(schedule, at(0s))) {
        schedule.finish(NodeHandle(node), ticket, at(0s));
    }
    schedule.setTimings({2s, 1s}, at(1s));
    std::set<std::uint32_t> seen;
    for (const auto& [node, ticket] : starts(schedule, at(3s))) {
        seen.insert(node);
    }
    QCOMPARE(seen.size(), std::size_t(50));
}

void TestProbeSchedule::tellsWhenTheFirstRoundIsOver()
{
    ProbeSchedule schedule(0, 1000);
    QVERIFY(schedule.firstRoundOver());
    schedule.setTarget(target(1), at(0s));
    schedule.setTarget(target(2), at(0s));
    QVERIFY(!schedule.firstRoundOver());
    const auto first = starts(schedule, at(0s));
    schedule.finish(NodeHandle(1), first.at(1), at(0s));
    QVERIFY(!schedule.firstRoundOver());
    schedule.removeTarget(NodeHandle(2));
    QVERIFY(schedule.firstRoundOver());
    schedule.setTarget(target(1, 2), at(0s));
    QVERIFY(!schedule.firstRoundOver());
}

void TestProbeSchedule::noticesAStall()
{
    ProbeSchedule schedule(0, 1000);
    schedule.setTimings({8s, 3s}, at(0s));
    schedule.setTarget(target(1), at(0s));
    const auto lost = starts(schedule, at(0s)); // its callback never comes
    std::vector<ProbeSchedule::StallChange> changes;
    Instant now = at(0s);
    std::map<std::uint32_t, std::uint64_t> again;
    while (changes.empty() && now < at(60s)) {
        now += 100ms;
        again = starts(schedule, now);
        changes = schedule.takeStallChanges();
    }
    QVERIFY2(now > at(24s) && now <= at(32s), "after three intervals, at the next tick");
    QCOMPARE(changes.size(), std::size_t(1));
    QVERIFY(changes.front().stalled);
    QCOMPARE(schedule.takeDropped(), std::vector<std::uint64_t>{lost.at(1)});
    QVERIFY(again.contains(1)); // and it is asked again
    schedule.finish(NodeHandle(1), again.at(1), now);
    changes = schedule.takeStallChanges();
    QCOMPARE(changes.size(), std::size_t(1));
    QVERIFY(!changes.front().stalled);
}

void TestProbeSchedule::forgetsWhatASuspensionMissed()
{
    ProbeSchedule schedule(0, 1000);
    schedule.setTimings({8s, 3s}, at(0s));
    schedule.setTarget(target(1), at(0s));
    schedule.setTarget(target(2), at(0s));
    const auto before = starts(schedule, at(0s));
    schedule.finish(NodeHandle(1), before.at(1), at(0s));
    schedule.allDueNow(at(500s));
    QCOMPARE(schedule.takeDropped(), std::vector<std::uint64_t>{before.at(2)});
    QVERIFY(!schedule.finish(NodeHandle(2), before.at(2), at(500s)).has_value());
    QCOMPARE(starts(schedule, at(500s)).size(), std::size_t(2));
    QVERIFY(schedule.takeStallChanges().empty());
}

QTEST_GUILESS_MAIN(TestProbeSchedule)
#include "TestProbeSchedule.moc"
