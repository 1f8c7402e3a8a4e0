// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/widgets/SampleFleet.h"
#include "ui/pages/overview/OverviewPage.h"
#include "ui/widgets/ContextStrip.h"
#include "ui/widgets/FacetButton.h"
#include "ui/widgets/MessageBar.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/StateLane.h"
#include "ui/widgets/Theme.h"

#include <QApplication>
#include <QPushButton>
#include <QTest>

using namespace weir::ui;

/// No colour of one theme is left in the other.
class TestThemeSwitch : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_theme.setMode(Theme::Mode::Light);
        m_theme.apply(*qApp);
    }

    void lightDarkLight_data()
    {
        QTest::addColumn<std::function<QWidget*(const Theme&)>>("make");
        using Make = std::function<QWidget*(const Theme&)>;
        QTest::newRow("search") << Make([](const Theme& t) { return new SearchField(t); });
        QTest::newRow("facet") << Make([](const Theme& t) { return new FacetButton(t, QStringLiteral("Problems only")); });
        QTest::newRow("button") << Make([](const Theme&) { return new QPushButton(QStringLiteral("Save")); });
        QTest::newRow("message") << Make([](const Theme& t) {
            auto* bar = new MessageBar(t);
            bar->showMessage(MessageBar::Kind::Refused, QStringLiteral("edge-05 no longer exists."), true);
            return bar;
        });
        QTest::newRow("strip") << Make([](const Theme& t) {
            auto* strip = new ContextStrip(t);
            strip->setContext(ContextStrip::Kind::Demo, QStringLiteral("DEMO"), QStringLiteral("simulated fleet"), QStringLiteral("Pause"));
            return strip;
        });
        QTest::newRow("lane") << Make([](const Theme& t) {
            auto* lane = new StateLane(t);
            lane->setSegments({{0, 300, ProbeState::Online}, {300, 600, ProbeState::Quarantined}, {600, 900, ProbeState::NoData}}, {{900, 1000}});
            lane->setWindow(0, 1000);
            return lane;
        });
    }

    void lightDarkLight()
    {
        QFETCH(std::function<QWidget*(const Theme&)>, make);
        m_theme.setMode(Theme::Mode::Light);
        const std::unique_ptr<QWidget> widget(make(m_theme));
        widget->resize(widget->sizeHint().expandedTo({300, 26}));
        widget->show();
        verifyRoundTrip(*widget);
    }

    void overviewPage()
    {
        m_theme.setMode(Theme::Mode::Light);
        RecordingClient client;
        OverviewPage page(client, m_theme);
        page.resize(1104, 720);
        page.show();
        client.start();
        client.send(sampleFleet(client));
        page.setTimeZone(QTimeZone::utc());
        page.findChild<LiveChart*>()->flush();
        verifyRoundTrip(page);
    }

private:
    void verifyRoundTrip(QWidget& widget)
    {
        QApplication::processEvents();
        const QImage before = widget.grab().toImage();
        m_theme.setMode(Theme::Mode::Dark);
        QApplication::processEvents();
        const QImage dark = widget.grab().toImage();
        QVERIFY(before != dark);
        m_theme.setMode(Theme::Mode::Light);
        QApplication::processEvents();
        QCOMPARE(widget.grab().toImage(), before);
    }

    Theme m_theme;
};

QTEST_MAIN(TestThemeSwitch)
#include "TestThemeSwitch.moc"
