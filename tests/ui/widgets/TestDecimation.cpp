// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/TimeTicks.h"
#include "ui/widgets/charts/ChartScale.h"
#include "ui/widgets/charts/Decimation.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>

using namespace weir::ui;

class TestDecimation : public QObject {
    Q_OBJECT

private slots:
    void oneSampleDipStays()
    {
        // 24 h in 100 columns: a column is 14 minutes, the dip a second.
        const QList<StepPoint> points{{0, 128}, {40'000'000, 127}, {40'001'000, 128}};
        const StepBand band = decimate(points, 0, 86'400'000, 100);
        const auto lowest = std::min_element(band.low.begin(), band.low.end(), [](auto a, auto b) { return a.value < b.value; });
        QCOMPARE(lowest->value, 127);
        QVERIFY(band.banded);
        QCOMPARE(band.low.last().value, 128);
    }

    void atMostTwoChangesAColumn()
    {
        QRandomGenerator random(7);
        QList<StepPoint> points{{0, 50}};
        int lowest = 50;
        int highest = 50;
        for (qint64 at = 10; at < 1'000'000; at += 1 + random.bounded(40)) {
            const int value = random.bounded(100);
            lowest = std::min(lowest, value);
            highest = std::max(highest, value);
            points.append({at, value});
        }
        constexpr int kColumns = 100;
        const StepBand band = decimate(points, 0, 1'000'000, kColumns);
        for (const QList<StepPoint>* course : {&band.low, &band.high}) {
            QVERIFY(course->size() <= 2 * kColumns + 1);
            QVERIFY(std::is_sorted(course->begin(), course->end(), [](auto a, auto b) { return a.atMs < b.atMs; }));
        }
        const auto less = [](const StepPoint& a, const StepPoint& b) { return a.value < b.value; };
        QCOMPARE(std::min_element(band.low.begin(), band.low.end(), less)->value, lowest);
        QCOMPARE(std::max_element(band.high.begin(), band.high.end(), less)->value, highest);
    }

    void sparseChangesStayAsTheyAre()
    {
        const QList<StepPoint> points{{0, 3}, {333, 2}, {777, 3}};
        const StepBand band = decimate(points, 0, 1000, 100);
        QVERIFY(!band.banded);
        QCOMPARE(band.low, points);
        QCOMPARE(band.high, points);
    }

    void gapSplitsTheLine()
    {
        const QList<SeriesPoint> points{{0, 5, 6, true}, {100, 0, 0, false}, {200, 6, 6, true}};
        const QList<SeriesRun> runs = splitRuns(points, 0, 300);
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[0].untilMs, 100);
        QCOMPARE(runs[1].fromMs, 200);
        QCOMPARE(runs[1].untilMs, 300);
        const auto gaps = gapsOf(points, 0, 300);
        QCOMPARE(gaps.size(), 1);
        QCOMPARE(gaps[0], (std::pair<qint64, qint64>(100, 200)));
    }

    void valueBeforeTheWindowCarriesIn()
    {
        const QList<SeriesPoint> points{{0, 5, 6, true}, {50, 4, 6, true}, {500, 3, 6, true}};
        const QList<SeriesRun> runs = splitRuns(points, 100, 400);
        QCOMPARE(runs.size(), 1);
        QCOMPARE(runs[0].healthy, (QList<StepPoint>{{100, 4}}));
        QCOMPARE(runs[0].untilMs, 400);
    }

    void stepsHaveCorners()
    {
        const QList<QPointF> corners = stepCorners({{0, 3}, {10, 2}}, 20);
        QCOMPARE(corners, (QList<QPointF>{{0, 3}, {10, 3}, {10, 2}, {20, 2}}));
    }

    void smallFleetsStartAtZero()
    {
        ChartScale scale{QRect(0, 0, 100, 100), 0, 1000, 0, 1};
        scale.fitValues({{0, 9, 12, true}}, std::nullopt);
        QCOMPARE(scale.low, 0);
        QVERIFY(scale.high > 12);
        scale.fitValues({{0, 126, 128, true}}, 122);
        QCOMPARE(scale.low, 120);
        QVERIFY(scale.high > 128);
        // What ended before the window is not in it, and a gap is not a zero.
        scale.fromMs = 500;
        scale.fitValues({{0, 30, 128, true}, {400, 126, 128, true}, {600, 0, 0, false}}, std::nullopt);
        QCOMPARE(scale.low, 124);
    }

    void ticksAreRoundInTheShownZone()
    {
        const QTimeZone india(5 * 3600 + 1800);
        for (const qint64 tick : timeTicks(1'796'000'123'000, 1'796'003'723'000, 600, 72, india)) {
            QCOMPARE((tick + 19'800'000) % 600'000, 0);
        }
        QVERIFY(timeTicks(0, 3'600'000, 600, 72, QTimeZone::utc()).size() <= 9);
        QCOMPARE(valueTicks(120, 129, 5), (QList<int>{120, 122, 124, 126, 128}));
    }
};

QTEST_GUILESS_MAIN(TestDecimation)
#include "TestDecimation.moc"
