// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/DemoPanel.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/Theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QtTest>

using namespace weir::ui;

namespace {

class PlayedDemo final : public DemoControl {
    Q_OBJECT

public:
    DemoView shown;
    QStringList calls;

    void tell() { emit changed(); }
    DemoView view() const override { return shown; }
    void setPaused(bool paused) override
    {
        calls.append(paused ? QStringLiteral("pause") : QStringLiteral("start"));
        shown.paused = paused;
        emit changed();
    }
    void restart() override { calls.append(QStringLiteral("restart")); }
    void setSpeed(int speed) override { calls.append(QStringLiteral("speed %1").arg(speed)); }
    void skipAct() override { calls.append(QStringLiteral("skip")); }
    void setSwitch(const QString& key, bool on) override { calls.append(QStringLiteral("switch %1 %2").arg(key, on ? QStringLiteral("on") : QStringLiteral("off"))); }
    void whyAsked() override { calls.append(QStringLiteral("why")); }
    void reportTaken() override { calls.append(QStringLiteral("report")); }
};

} // namespace

class TestDemoPanel : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void showsActsAndLessons();
    void buttonsCommand();
    void freePlayHasNoActs();
    void switchesSayWhatTheyDo();

private:
    [[nodiscard]] QString sentence() const { return m_panel->findChild<QLabel*>(QStringLiteral("demo.sentence"))->text(); }

    Theme m_theme;
    std::unique_ptr<PlayedDemo> m_demo;
    std::unique_ptr<DemoPanel> m_panel;
};

void TestDemoPanel::init()
{
    m_demo = std::make_unique<PlayedDemo>();
    m_demo->shown.scenarios = {{QStringLiteral("free"), QStringLiteral("Free play")}, {QStringLiteral("b"), QStringLiteral("B")}};
    m_demo->shown.scenario = QStringLiteral("b");
    m_demo->shown.speeds = {1, 2, 5, 10};
    m_demo->shown.acts = {{QStringLiteral("One"), QStringLiteral("Look."), QStringLiteral("Seen."), false},
        {QStringLiteral("Two"), QStringLiteral("Do."), QStringLiteral("Learnt."), false}};
    m_panel = std::make_unique<DemoPanel>(*m_demo, m_theme);
}

void TestDemoPanel::cleanup()
{
    m_panel.reset();
    m_demo.reset();
}

void TestDemoPanel::showsActsAndLessons()
{
    const auto chips = m_panel->findChildren<ChipLabel*>();
    QCOMPARE(chips.size(), 2);
    QCOMPARE(chips[0]->accessibleName(), QStringLiteral("1. One, under way"));
    QCOMPARE(sentence(), QStringLiteral("Look."));
    m_demo->shown.acts[0].done = true;
    m_demo->shown.act = 1;
    m_demo->tell();
    QCOMPARE(chips[0]->accessibleName(), QStringLiteral("1. One, done"));
    QCOMPARE(chips[0]->spec().mark, IconName::MarkOnline);
    QCOMPARE(sentence(), QStringLiteral("Seen. Now: Do."));
    m_demo->shown.acts[1].done = true;
    m_demo->shown.act = 2;
    m_demo->tell();
    QCOMPARE(sentence(), QStringLiteral("Learnt."));
    QVERIFY(!m_panel->findChild<QPushButton*>(QStringLiteral("demo.skip"))->isEnabled());
}

void TestDemoPanel::buttonsCommand()
{
    auto* pause = m_panel->findChild<QPushButton*>(QStringLiteral("demo.pause"));
    QCOMPARE(pause->text(), QStringLiteral("Pause"));
    pause->click();
    QCOMPARE(pause->text(), QStringLiteral("Start"));
    pause->click();
    m_panel->findChild<QPushButton*>(QStringLiteral("demo.restart"))->click();
    m_panel->findChild<QPushButton*>(QStringLiteral("demo.skip"))->click();
    auto* speed = m_panel->findChild<QComboBox*>(QStringLiteral("demo.speed"));
    emit speed->activated(speed->findData(5));
    QCOMPARE(m_demo->calls, (QStringList{QStringLiteral("pause"), QStringLiteral("start"), QStringLiteral("restart"), QStringLiteral("skip"), QStringLiteral("speed 5")}));
    QSignalSpy requested(m_demo.get(), &DemoControl::scenarioRequested);
    auto* scenario = m_panel->findChild<QComboBox*>(QStringLiteral("demo.scenario"));
    QCOMPARE(scenario->currentData().toString(), QStringLiteral("b"));
    emit scenario->activated(1); // the one that is played already
    QCOMPARE(requested.size(), 0);
    emit scenario->activated(0);
    QCOMPARE(requested.size(), 1);
    QCOMPARE(requested.first().first().toString(), QStringLiteral("free"));
}

void TestDemoPanel::switchesSayWhatTheyDo()
{
    const auto* row = m_panel->findChild<QWidget*>(QStringLiteral("demo.switches"));
    QVERIFY(row->isHidden()); // a scenario without
    m_demo->shown.switches = {{QStringLiteral("quarantine"), QStringLiteral("Quarantine"), QStringLiteral("Holds it back"), false},
        {QStringLiteral("deep"), QStringLiteral("Deep check"), QStringLiteral("Looks at the disk"), true}};
    m_demo->tell();
    QVERIFY(!row->isHidden());
    auto* quarantine = m_panel->findChild<QCheckBox*>(QStringLiteral("demo.switch.quarantine"));
    auto* deep = m_panel->findChild<QCheckBox*>(QStringLiteral("demo.switch.deep"));
    QVERIFY(quarantine != nullptr && deep != nullptr);
    QVERIFY(!quarantine->isChecked() && deep->isChecked());
    QCOMPARE(quarantine->toolTip(), QStringLiteral("Holds it back"));
    quarantine->click();
    QVERIFY(quarantine->isChecked());
    m_demo->shown.figures = QStringLiteral("a figure moved before the demo heard of the click");
    m_demo->tell();
    QVERIFY(quarantine->isChecked());
    m_demo->shown.switches[0].on = true;
    m_demo->tell();
    deep->click();
    QCOMPARE(m_demo->calls, (QStringList{QStringLiteral("switch quarantine on"), QStringLiteral("switch deep off")}));
    m_demo->shown.switches.clear();
    m_demo->tell();
    QVERIFY(row->isHidden());
}

void TestDemoPanel::freePlayHasNoActs()
{
    m_demo->shown.acts.clear();
    m_demo->tell();
    QVERIFY(sentence().startsWith(QStringLiteral("Free play")));
    QVERIFY(m_panel->findChild<QPushButton*>(QStringLiteral("demo.skip"))->isHidden());
    for (const ChipLabel* chip : m_panel->findChildren<ChipLabel*>()) {
        QVERIFY(chip->isHidden());
    }
}

QTEST_MAIN(TestDemoPanel)
#include "TestDemoPanel.moc"
