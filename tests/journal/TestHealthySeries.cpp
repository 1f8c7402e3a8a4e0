// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/HealthySeries.h"

#include <QTest>

#include <rapidcheck.h>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::journal;

namespace {

const WallTime kStart{1'700'000'000'000ms};
const SeriesKey kAll{};
const SeriesKey kEdges{"pool-7", "edge"};

} // namespace

class TestHealthySeries : public QObject {
    Q_OBJECT
private slots:
    void onlyChangesMakePoints();
    void aGapEndsWithTheNextValueEvenIfItIsTheSame();
    void aRestartContinuesTheLine();
    void pointsNeverGoBackInTime();
    void aRetiredKeyEndsAtZero();
    void pointsGiveBackTheWholeCourse();
};

void TestHealthySeries::onlyChangesMakePoints()
{
    HealthySeries series;
    QVERIFY(series.observe(kAll, 0, 0, kStart) == (SeriesPoint{kStart, 0, 0, true}));
    QVERIFY(!series.observe(kAll, 0, 0, kStart + 1s));
    QVERIFY(series.observe(kAll, 2, 3, kStart + 2s) == (SeriesPoint{kStart + 2s, 2, 3, true}));
    QVERIFY(series.observe(kEdges, 2, 3, kStart + 2s));
    QVERIFY(!series.observe(kAll, 2, 3, kStart + 3s));
    QVERIFY(series.observe(kAll, 2, 4, kStart + 4s));
    QVERIFY(series.latest(kEdges) == (SeriesPoint{kStart + 2s, 2, 3, true}));
    QCOMPARE(series.keyCount(), 2U);
}

void TestHealthySeries::aGapEndsWithTheNextValueEvenIfItIsTheSame()
{
    HealthySeries series;
    QVERIFY(series.observe(kAll, 3, 3, kStart));
    QVERIFY(series.observe(kEdges, 1, 1, kStart));
    const std::vector<SeriesChange> gap = series.breakOff(kStart + 5s);
    QCOMPARE(gap.size(), 2U);
    QVERIFY(gap[0] == (SeriesChange{kAll, {kStart + 5s, 0, 0, false}}));
    QVERIFY(gap[1] == (SeriesChange{kEdges, {kStart + 5s, 0, 0, false}}));
    QVERIFY(series.breakOff(kStart + 6s).empty());
    QVERIFY(series.observe(kAll, 3, 3, kStart + 9s) == (SeriesPoint{kStart + 9s, 3, 3, true}));
    QCOMPARE(series.breakOff(kStart + 10s).size(), 1U);
}

void TestHealthySeries::aRestartContinuesTheLine()
{
    HealthySeries series;
    series.restore(kAll, {kStart, 3, 3, true});
    QVERIFY(!series.observe(kAll, 3, 3, kStart + 1s));
    QCOMPARE(series.breakOff(kStart + 2s).size(), 1U);
}

void TestHealthySeries::pointsNeverGoBackInTime()
{
    HealthySeries series;
    QVERIFY(series.observe(kAll, 3, 3, kStart));
    QVERIFY(series.observe(kAll, 2, 3, kStart - 1h) == (SeriesPoint{kStart, 2, 3, true}));
    QVERIFY(series.breakOff(kStart - 1h).at(0).point.at == kStart);
}

void TestHealthySeries::aRetiredKeyEndsAtZero()
{
    HealthySeries series;
    QVERIFY(!series.retire(kEdges, kStart));
    QVERIFY(series.observe(kEdges, 1, 1, kStart));
    QVERIFY(series.retire(kEdges, kStart + 1s) == (SeriesPoint{kStart + 1s, 0, 0, true}));
    QCOMPARE(series.keyCount(), 0U);
    QVERIFY(!series.latest(kEdges));
}

void TestHealthySeries::pointsGiveBackTheWholeCourse()
{
    const bool holds = rc::check("the value at any time can be read from the points, and neighbours differ", [] {
        const auto values = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-1, 4)); // -1: a gap
        HealthySeries series;
        std::vector<SeriesPoint> points;
        for (std::size_t second = 0; second < values.size(); ++second) {
            const WallTime at = kStart + std::chrono::seconds(second);
            if (values[second] < 0) {
                for (const SeriesChange& change : series.breakOff(at)) {
                    points.push_back(change.point);
                }
            } else if (const auto point = series.observe(kAll, values[second], 3, at)) {
                points.push_back(*point);
            }
            if (!points.empty()) {
                RC_ASSERT(points.back().known == (values[second] >= 0));
                RC_ASSERT(!points.back().known || points.back().healthy == values[second]);
            }
        }
        for (std::size_t i = 1; i < points.size(); ++i) {
            RC_ASSERT(points[i - 1].at < points[i].at);
            RC_ASSERT(points[i - 1].known != points[i].known || points[i - 1].healthy != points[i].healthy);
        }
    });
    QVERIFY(holds);
}

QTEST_GUILESS_MAIN(TestHealthySeries)
#include "TestHealthySeries.moc"
