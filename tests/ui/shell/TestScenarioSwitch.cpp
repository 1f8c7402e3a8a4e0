// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/ScenarioSwitch.h"
#include "ui/shell/DemoPanel.h"
#include "ui/widgets/Theme.h"

#include <QComboBox>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace weir;

namespace {

class TwoScenarios final : public ui::DemoControl {
    Q_OBJECT

public:
    ui::DemoView view() const override
    {
        ui::DemoView shown;
        shown.scenarios = {{QStringLiteral("a"), QStringLiteral("A")}, {QStringLiteral("b"), QStringLiteral("B")}};
        shown.scenario = QStringLiteral("a");
        shown.speeds = {1};
        return shown;
    }
    void setPaused(bool) override {}
    void restart() override {}
    void setSpeed(int) override {}
    void skipAct() override {}
    void setSwitch(const QString&, bool) override {}
    void whyAsked() override {}
    void reportTaken() override {}
};

} // namespace

/// The choice of another scenario in the panel starts a process: what it is started with is read from the process itself.
class TestScenarioSwitch : public QObject {
    Q_OBJECT

private slots:
    void init();
    void anotherScenarioIsAnotherProcess();
    void theOneThatIsPlayedIsNot();
    void whatCannotBeStartedDoesNotEndTheProgram();
    void argumentsAreUnderstood();

private:
    void choose(const QString& scenario);
    [[nodiscard]] QStringList startedWith() const;

    TwoScenarios m_demo;
    ui::Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_program;
    console::Options m_options;
};

void TestScenarioSwitch::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_program = m_dir->filePath(QStringLiteral("program"));
    QFile file(m_program);
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QString out = m_dir->filePath(QStringLiteral("arguments"));
    // Written under another name first, so that whoever reads it reads all of it.
    const QString script = QStringLiteral("#!/bin/sh\nfor argument in \"$@\"; do echo \"$argument\"; done > OUT.part\nmv OUT.part OUT\n");
    file.write(QString(script).replace(QStringLiteral("OUT"), out).toUtf8());
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    m_options = {};
    m_options.demo = true;
}

void TestScenarioSwitch::choose(const QString& scenario)
{
    ui::DemoPanel panel(m_demo, m_theme);
    auto* combo = panel.findChild<QComboBox*>(QStringLiteral("demo.scenario"));
    const int index = combo->findData(scenario);
    QVERIFY(index >= 0);
    combo->setCurrentIndex(index);
    emit combo->activated(index);
}

QStringList TestScenarioSwitch::startedWith() const
{
    QFile file(m_dir->filePath(QStringLiteral("arguments")));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts) : QStringList();
}

void TestScenarioSwitch::anotherScenarioIsAnotherProcess()
{
    m_options.theme = QStringLiteral("dark");
    m_options.language = QStringLiteral("zh_CN");
    const console::ScenarioSwitch scenarios(m_demo, m_options, m_program);
    QSignalSpy started(&scenarios, &console::ScenarioSwitch::started);
    choose(QStringLiteral("b"));
    QCOMPARE(started.size(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(
        startedWith().join(QLatin1Char(' ')), QStringLiteral("--demo --scenario b --theme dark --language zh_CN"), 10000);
}

void TestScenarioSwitch::theOneThatIsPlayedIsNot()
{
    const console::ScenarioSwitch scenarios(m_demo, m_options, m_program);
    QSignalSpy started(&scenarios, &console::ScenarioSwitch::started);
    choose(QStringLiteral("a"));
    QCOMPARE(started.size(), 0);
}

void TestScenarioSwitch::whatCannotBeStartedDoesNotEndTheProgram()
{
    const console::ScenarioSwitch scenarios(m_demo, m_options, m_dir->filePath(QStringLiteral("no-such-program")));
    QSignalSpy started(&scenarios, &console::ScenarioSwitch::started);
    choose(QStringLiteral("b"));
    QCOMPARE(started.size(), 0);
}

// The program reads what it is started with as it was meant.
void TestScenarioSwitch::argumentsAreUnderstood()
{
    m_options.theme = QStringLiteral("light");
    for (const char* scenario : {"free", "a", "b"}) {
        const QString key = QLatin1String(scenario);
        const console::Options read =
            console::readOptions(QStringList{QStringLiteral("weir")} + console::ScenarioSwitch::argumentsFor(key, m_options));
        QVERIFY2(read.error.isEmpty(), qPrintable(read.error));
        QVERIFY(read.demo);
        QCOMPARE(read.scenario, key);
        QCOMPARE(read.theme, QStringLiteral("light"));
    }
}

QTEST_MAIN(TestScenarioSwitch)
#include "TestScenarioSwitch.moc"
