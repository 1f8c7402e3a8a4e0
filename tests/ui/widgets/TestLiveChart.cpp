// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Theme.h"
#include "ui/widgets/charts/LiveChart.h"

#include <QApplication>
#include <QTest>

using namespace weir::ui;

namespace {

/// Pixels of `color` in `area` of what the widget shows.
int count(QWidget& widget, const QRect& area, const QColor& color)
{
    const QImage image = widget.grab(area).toImage();
    int found = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            found += image.pixelColor(x, y) == color ? 1 : 0;
        }
    }
    return found;
}

} // namespace

class TestLiveChart : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_theme.setMode(Theme::Mode::Light);
        m_theme.apply(*qApp);
    }

    void init()
    {
        m_chart = std::make_unique<LiveChart>(m_theme);
        m_chart->setTimeZone(QTimeZone::utc());
        m_chart->resize(46 + 100 + 90, 240);
        m_chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_chart.get()));
    }

    void aDipOfOneSampleIsVisible()
    {
        constexpr qint64 day = 86'400'000;
        m_chart->setWindow(0, day);
        m_chart->setNow(day);
        m_chart->setPoints({{0, 12, 12, true}, {day / 2, 4, 12, true}, {day / 2 + 1000, 12, 12, true}});
        m_chart->flush();
        const ChartScale scale = m_chart->scale();
        QVERIFY(scale.plot.width() <= 110);
        // The line reaches down half of the way from 12 to 4 only where the dip is.
        const int middle = qRound(scale.y(8));
        const int x = qRound(scale.x(day / 2));
        QVERIFY(count(*m_chart, QRect(x - 2, middle, 6, 1), m_theme.tokens().accent) > 0);
        QCOMPARE(count(*m_chart, QRect(scale.plot.left() + 2, middle, 40, 1), m_theme.tokens().accent), 0);
    }

    void nothingIsDrawnUnderAGap()
    {
        m_chart->setWindow(0, 1000);
        m_chart->setNow(1000);
        m_chart->setPoints({{0, 12, 12, true}, {400, 0, 0, false}, {700, 12, 12, true}});
        m_chart->flush();
        const ChartScale scale = m_chart->scale();
        const auto strip = [&scale](qint64 from, qint64 to) {
            return QRect(qRound(scale.x(from)) + 2, scale.plot.top(), qRound(scale.x(to) - scale.x(from)) - 4, scale.plot.height());
        };
        QVERIFY(count(*m_chart, strip(0, 400), m_theme.tokens().accent) > 0);
        QCOMPARE(count(*m_chart, strip(400, 700), m_theme.tokens().accent), 0);
        QVERIFY(count(*m_chart, strip(700, 1000), m_theme.tokens().accent) > 0);
    }

    void newDataNeverMovesAFixedWindow()
    {
        m_chart->setWindow(1000, 2000);
        m_chart->setNow(5000);
        m_chart->setPoints({{0, 3, 3, true}, {4000, 2, 3, true}});
        m_chart->flush();
        QVERIFY(!m_chart->follows());
        QCOMPARE(m_chart->scale().fromMs, 1000);
        QCOMPARE(m_chart->scale().toMs, 2000);
        m_chart->setFollow(500);
        m_chart->setNow(6000);
        m_chart->flush();
        QCOMPARE(m_chart->scale().fromMs, 5500);
        QCOMPARE(m_chart->scale().toMs, 6000);
    }

    void drawsWithinAQuarterOfASecond()
    {
        m_chart->setWindow(0, 1000);
        m_chart->setNow(1000);
        m_chart->flush();
        m_chart->setPoints({{0, 126, 128, true}});
        QCOMPARE(m_chart->scale().low, 0); // not yet
        QTRY_COMPARE_WITH_TIMEOUT(m_chart->scale().low, 124, 2000);
    }

    void saysWhatItShows()
    {
        m_chart->setWindow(0, 1000);
        m_chart->setNow(1000);
        m_chart->setEmptyText(QStringLiteral("Collecting since 21:29."));
        m_chart->flush();
        QCOMPARE(m_chart->accessibleDescription(), QStringLiteral("Collecting since 21:29."));
        m_chart->setPoints({{1, 126, 128, true}});
        m_chart->flush();
        QVERIFY(m_chart->accessibleDescription().contains(QLatin1String("126 of 128")));
        m_chart->setPoints({{1, 126, 128, true}, {500, 0, 0, false}});
        m_chart->flush();
        QVERIFY(!m_chart->accessibleDescription().contains(QLatin1String("126")));
    }

private:
    Theme m_theme;
    std::unique_ptr<LiveChart> m_chart;
};

QTEST_MAIN(TestLiveChart)
#include "TestLiveChart.moc"
