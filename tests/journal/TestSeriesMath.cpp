// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/SeriesMath.h"

#include <QTest>

#include <rapidcheck.h>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::journal;

namespace {

using Points = std::vector<SeriesPoint>;

const WallTime kStart{std::chrono::seconds(1700000000)};

// The value that holds at a time.
SeriesPoint valueAt(const Points& points, WallTime at)
{
    SeriesPoint value{at, 0, 0, false};
    for (const SeriesPoint& point : points) {
        if (point.at <= at) {
            value = point;
        }
    }
    value.at = at;
    return value;
}

rc::Gen<Points> anySeries()
{
    return rc::gen::map(rc::gen::container<std::vector<std::tuple<int, int, bool>>>(rc::gen::tuple(rc::gen::inRange(1, 20), rc::gen::inRange(0, 5), rc::gen::arbitrary<bool>())),
        [](const std::vector<std::tuple<int, int, bool>>& steps) {
            Points points;
            WallTime at = kStart;
            for (const auto& [wait, healthy, known] : steps) {
                at += std::chrono::seconds(wait);
                points.push_back(known ? SeriesPoint{at, healthy, 5, true} : SeriesPoint{at, 0, 0, false});
            }
            return points;
        });
}

} // namespace

class TestSeriesMath : public QObject {
    Q_OBJECT

private slots:
    void theSumHoldsAtEveryMoment();
    void aGapOfAllIsAGapOfTheSum();
    void thinningKeepsTheLowestAndTheLast();
};

void TestSeriesMath::theSumHoldsAtEveryMoment()
{
    QVERIFY(rc::check("at every second the sum is the sum of what is known", [] {
        const auto series = *rc::gen::container<std::vector<Points>>(anySeries());
        const Points sum = sumOf(series);
        for (int second = 0; second < 200; ++second) {
            const WallTime at = kStart + std::chrono::seconds(second);
            SeriesPoint expected{at, 0, 0, false};
            for (const Points& points : series) {
                if (const SeriesPoint value = valueAt(points, at); value.known) {
                    expected = {at, expected.healthy + value.healthy, expected.total + value.total, true};
                }
            }
            RC_ASSERT(valueAt(sum, at) == expected);
        }
    }));
}

void TestSeriesMath::aGapOfAllIsAGapOfTheSum()
{
    const Points a{{kStart, 2, 3, true}, {kStart + 10s, 0, 0, false}, {kStart + 20s, 3, 3, true}};
    const Points b{{kStart, 1, 1, true}, {kStart + 10s, 0, 0, false}, {kStart + 25s, 1, 1, true}};
    QVERIFY(sumOf({a, b}) == (Points{{kStart, 3, 4, true}, {kStart + 10s, 0, 0, false}, {kStart + 20s, 3, 3, true}, {kStart + 25s, 4, 4, true}}));
    QVERIFY(sumOf({}).empty());
}

void TestSeriesMath::thinningKeepsTheLowestAndTheLast()
{
    Points points;
    SeriesThinner thinner(kStart, kStart + 99s, 4, points); // two slices
    for (int second = 0; second < 100; ++second) {
        const bool gap = second == 70;
        thinner.add({kStart + std::chrono::seconds(second), gap ? 0 : second == 20 ? 1 : 5, 5, !gap});
    }
    thinner.finish();
    QVERIFY(points == (Points{{kStart + 20s, 1, 5, true}, {kStart + 49s, 5, 5, true}, {kStart + 70s, 0, 5, false}, {kStart + 99s, 5, 5, true}}));
}

QTEST_APPLESS_MAIN(TestSeriesMath)
#include "TestSeriesMath.moc"
