// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/widgets/SampleFleet.h"
#include "ui/widgets/Chip.h"

#include <QPainter>
#include <QTest>

using namespace weir::ui;

namespace {

QList<ChipSpec> allChips()
{
    QList<ChipSpec> specs;
    for (int state = 0; state < 6; ++state) {
        specs.append(chips::probe(static_cast<ProbeState>(state), 1, 2, 42));
    }
    for (int verdict = 0; verdict < 5; ++verdict) {
        specs.append(chips::pool(static_cast<PoolVerdict>(verdict)));
        specs.append(chips::schedulable(static_cast<Schedulable>(verdict), 5, QStringLiteral("no_capacity")));
    }
    for (int traffic = 0; traffic < 6; ++traffic) {
        specs.append(chips::traffic(static_cast<Traffic>(traffic), 62));
    }
    for (int i = 0; i < 3; ++i) {
        specs.append(chips::app(static_cast<AppVerdict>(i)));
        specs.append(chips::severity(static_cast<Severity>(i)));
    }
    for (int i = 0; i < 4; ++i) {
        specs.append(chips::target(static_cast<TargetWord>(i)));
    }
    return specs;
}

QImage painted(const ChipSpec& spec, int cellWidth, const Tokens& tokens, ChipFlags flags = {})
{
    QImage image(400, 28, QImage::Format_RGB32);
    image.fill(tokens.base);
    QPainter painter(&image);
    paintChip(painter, QRect(0, 0, cellWidth, 28), spec, tokens, flags);
    return image;
}

} // namespace

class TestChip : public QObject {
    Q_OBJECT

private slots:
    void everyStateIsWordAndShape()
    {
        for (const ChipSpec& spec : allChips()) {
            QVERIFY(!spec.text.isEmpty());
            const bool plain = spec.text.startsWith(QLatin1String("Blocked"));
            QVERIFY2(plain || spec.mark != IconName::None, qPrintable(spec.text));
        }
    }

    void everyMarkHasADrawing()
    {
        for (int name = 1; name <= static_cast<int>(IconName::Server); ++name) {
            const QImage image = icons::pixmap(static_cast<IconName>(name), Qt::red, 16, 1).toImage();
            int inked = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    inked += image.pixelColor(x, y).alpha() > 128 ? 1 : 0;
                }
            }
            QVERIFY2(inked > 5, qPrintable(QStringLiteral("icon %1 is empty").arg(name)));
        }
    }

    void neverElides()
    {
        for (const ChipSpec& spec : allChips()) {
            const QFont font;
            QVERIFY(chipWidth(spec, QFontMetrics(font)) > QFontMetrics(font).horizontalAdvance(spec.text));
            // A narrower cell changes nothing of what is drawn.
            QCOMPARE(painted(spec, 10, Tokens::light()), painted(spec, 390, Tokens::light()));
        }
    }

    void goodIsQuiet()
    {
        QVERIFY(!chips::probe(ProbeState::Online).filled);
        QVERIFY(!chips::traffic(Traffic::Ok).filled);
        QVERIFY(!chips::traffic(Traffic::Idle).filled);
        QVERIFY(!chips::pool(PoolVerdict::Unused).filled);
        QVERIFY(!chips::target(TargetWord::Met).filled);
        QVERIFY(chips::probe(ProbeState::Offline).filled);
        QVERIFY(chips::target(TargetWord::NoData).filled);
    }

    void probeWords()
    {
        NodeRow node = healthyNode(QStringLiteral("n1"), QStringLiteral("default"));
        QCOMPARE(chips::probe(node, 0).text, QStringLiteral("Online"));
        node.consecutiveFailures = 1;
        QCOMPARE(chips::probe(node, 0).text, QStringLiteral("Failing 1/2"));
        node.inRotation = false;
        node.cause = QStringLiteral("passive");
        node.consecutiveFailures = 0;
        node.quarantinedUntilMonoMs = 42'000;
        QCOMPARE(chips::probe(node, 1).text, QStringLiteral("Quarantined 42 s"));
        QCOMPARE(chips::probe(node, 41'999).text, QStringLiteral("Quarantined 1 s"));
        QCOMPARE(chips::probe(node, 42'000).text, QStringLiteral("Awaits a probe"));
    }

    void failedShareIsNeverRoundedAway()
    {
        NodeRow node;
        QCOMPARE(chips::failedPercent(node), 0);
        node.trafficOk = 9999;
        node.trafficStatus = 1;
        QCOMPARE(chips::failedPercent(node), 1);
        node.trafficOk = 80;
        node.trafficStatus = 47;
        node.trafficSemantic = 84;
        QCOMPARE(chips::failedPercent(node), 62);
        node.trafficSemantic = -1; // not measured, not minus one
        QCOMPARE(chips::failedPercent(node), 37);
    }

    void selectionDrawsAnOutline()
    {
        const ChipSpec spec = chips::probe(ProbeState::Offline);
        QVERIFY(painted(spec, 390, Tokens::dark()) != painted(spec, 390, Tokens::dark(), {true, false}));
        const ChipSpec quiet = chips::probe(ProbeState::Online);
        QVERIFY(painted(quiet, 390, Tokens::dark()) != painted(quiet, 390, Tokens::dark(), {true, false}));
    }
};

QTEST_MAIN(TestChip)
#include "TestChip.moc"
