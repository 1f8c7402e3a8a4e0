// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Tokens.h"

#include <QTest>
#include <cmath>

using namespace weir::ui;

namespace {

double channel(double value)
{
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c)
{
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

constexpr double kText = 4.5;
constexpr double kMark = 3.0;

const ProbeState kStates[] = {ProbeState::Online,  ProbeState::Failing,  ProbeState::Quarantined,
                              ProbeState::Offline, ProbeState::Draining, ProbeState::NoData};

} // namespace

/// Every pair that the delegate, the style and the charts put together, by the ratios of WCAG.
class TestTokens : public QObject {
    Q_OBJECT

private slots:
    void pairs_data()
    {
        QTest::addColumn<QColor>("front");
        QTest::addColumn<QColor>("ground");
        QTest::addColumn<double>("least");
        for (const Tokens* tokens : {&Tokens::light(), &Tokens::dark()}) {
            const Tokens& t = *tokens;
            const QByteArray theme = t.isDark ? "dark " : "light ";
            const auto pair = [&theme](const QByteArray& name, const QColor& front, const QColor& ground, double least) {
                QTest::newRow(QByteArray(theme + name).constData()) << front << ground << least;
            };
            const std::pair<const char*, QColor> grounds[] = {{"base", t.base}, {"window", t.window}, {"hover", t.hover}, {"popup", t.popup}};
            for (const auto& [name, ground] : grounds) {
                pair(QByteArray("text on ") + name, t.text, ground, kText);
                pair(QByteArray("text2 on ") + name, t.text2, ground, kText);
                pair(QByteArray("text3 on ") + name, t.text3, ground, kText);
                pair(QByteArray("link on ") + name, t.link, ground, kText);
                pair(QByteArray("accent on ") + name, t.accent, ground, kMark);
            }
            pair("line3 on base", t.line3, t.base, kMark);
            pair("line3 on window", t.line3, t.window, kMark);
            pair("text on selection", t.text, t.selection, kText);
            pair("text2 on selection", t.text2, t.selection, kText);
            pair("third level on selection", t.thirdLevel(true), t.selection, kText);
            pair("link on selection", t.link, t.selection, kText);
            pair("accent on selection", t.accent, t.selection, kMark);
            pair("text on target", t.text, t.target, kText);
            pair("accent on target", t.accent, t.target, kMark);
            pair("text on button", t.text, t.button, kText);
            pair("onAccent on accent", t.onAccent, t.accent, kText);
            pair("onInk on ink", t.onInk, t.ink, kText);
            pair("text on stale strip", t.text, t.staleStrip, kText);
            pair("error by status on base", t.errStatus, t.base, kMark);
            pair("error by meaning on base", t.errSemantic, t.base, kMark);
            for (const ProbeState state : kStates) {
                const QByteArray name = "state " + QByteArray::number(static_cast<int>(state));
                const StateFill fill = t.fill(state);
                pair(name + " label", fill.label, fill.fill, kText);
                pair(name + " on base", fill.fill, t.base, kMark);
                pair(name + " on window", fill.fill, t.window, kMark);
                // On a selected row the fill may fall under 3: there the outline in text colour carries the shape.
                pair(name + " outline", t.text, t.selection, kMark);
            }
        }
    }

    void pairs()
    {
        QFETCH(QColor, front);
        QFETCH(QColor, ground);
        QFETCH(double, least);
        // Two decimals, as the table of the design is rounded.
        const double ratio = std::round(contrast(front, ground) * 100) / 100;
        QVERIFY2(ratio >= least - 0.05, qPrintable(QStringLiteral("%1 is under %2").arg(ratio).arg(least)));
    }

    void tonesMatchStates()
    {
        for (const ProbeState state : kStates) {
            QCOMPARE(Tokens::dark().fill(toneOf(state)).fill, Tokens::dark().fill(state).fill);
        }
        QCOMPARE(Tokens::light().fill(Tone::Neutral).fill, Tokens::light().text3);
    }

    void rowsGrowWithTheFont()
    {
        QCOMPARE(metrics::rowHeight(Density::Normal, 14), 28);
        QCOMPARE(metrics::rowHeight(Density::Compact, 14), 22);
        QCOMPARE(metrics::rowHeight(Density::Large, 14), 44);
        QVERIFY(metrics::rowHeight(Density::Compact, 30) >= 30);
    }
};

QTEST_GUILESS_MAIN(TestTokens)
#include "TestTokens.moc"
