// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/widgets/SampleFleet.h"
#include "ui/pages/overview/OverviewFigures.h"

#include <QTest>

using namespace weir::ui;

namespace {

TileFigures figures(TileKind kind, const FleetSummary& summary = {}, const TrafficTotals& traffic = {})
{
    return tileFigures(kind, summary, traffic, {});
}

QString word(TargetWord target)
{
    return chips::target(target).text;
}

} // namespace

class TestOverviewFigures : public QObject {
    Q_OBJECT

private slots:
    void absentDataIsSaid()
    {
        for (std::size_t i = 0; i < kTileCount; ++i) {
            const TileFigures shown = figures(static_cast<TileKind>(i));
            QCOMPARE(shown.value, QStringLiteral("–"));
            QCOMPARE(shown.chip.text, word(TargetWord::NoData));
            QVERIFY(!shown.why.isEmpty());
            QVERIFY(!tileValue(static_cast<TileKind>(i), {}, {}).has_value());
        }
        QCOMPARE(unknownFigures().value, QStringLiteral("–"));
    }

    void noRequestIsNotAHundredPercent()
    {
        TrafficTotals idle;
        idle.measured = true;
        const TileFigures shown = figures(TileKind::RequestSuccess, {}, idle);
        QCOMPARE(shown.value, QStringLiteral("–"));
        QVERIFY(shown.why.contains(QLatin1String("5 minutes")));
    }

    void oneFailureInAMillionIsNotAHundredPercent()
    {
        const TileFigures shown = figures(TileKind::RequestSuccess, {}, {999'999, 1, true});
        QVERIFY2(shown.value.startsWith(QLatin1String("99.9")), qPrintable(shown.value));
        QVERIFY(figures(TileKind::RequestSuccess, {}, {10, 0, true}).value.startsWith(QLatin1String("100.0")));
    }

    void words()
    {
        FleetSummary s;
        s.apps = 41;
        s.workersTotal = 128;
        s.workersHealthy = 126;
        s.decisions1h = 1000;
        QCOMPARE(figures(TileKind::SchedulableApps, s).chip.text, word(TargetWord::Met));
        s.appsStarved = 2;
        QCOMPARE(figures(TileKind::SchedulableApps, s).value, QStringLiteral("39"));
        QCOMPARE(figures(TileKind::SchedulableApps, s).chip.text, word(TargetWord::Missed));
        QVERIFY(figures(TileKind::WorkersHealthy, s).chip.isEmpty()); // nobody said how many are enough
        s.minHealthy = 126;
        QCOMPARE(figures(TileKind::WorkersHealthy, s).chip.text, word(TargetWord::AtRisk));
        s.minHealthy = 127;
        QCOMPARE(figures(TileKind::WorkersHealthy, s).chip.text, word(TargetWord::Missed));
        QCOMPARE(figures(TileKind::PoolExhausted, s).chip.text, word(TargetWord::Met));
        s.exhausted1h = 1;
        QCOMPARE(figures(TileKind::PoolExhausted, s).chip.text, word(TargetWord::Missed));
        s.fallbacks1h = 9;
        QCOMPARE(figures(TileKind::FallbackShare, s).chip.text, word(TargetWord::AtRisk));
        s.fallbacks1h = 11;
        QCOMPARE(figures(TileKind::FallbackShare, s).chip.text, word(TargetWord::Missed));
        s.ejections1h = 7;
        QCOMPARE(figures(TileKind::Ejections, s).chip.text, word(TargetWord::AtRisk));
    }

    void unmeasuredNodesAddNothing()
    {
        TrafficTotals totals;
        NodeRow node = healthyNode(QStringLiteral("n1"), QStringLiteral("default"));
        node.traffic = Traffic::NotMeasured;
        totals.add(node);
        QVERIFY(!totals.measured);
        node.traffic = Traffic::Ok;
        node.trafficSemantic = -1;
        totals.add(node);
        QVERIFY(totals.measured);
        QCOMPARE(totals.failed, 0);
        QCOMPARE(totals.ok, 300);
    }
};

QTEST_GUILESS_MAIN(TestOverviewFigures)
#include "TestOverviewFigures.moc"
