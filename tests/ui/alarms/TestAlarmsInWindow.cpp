// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/alarms/AlarmsFleet.h"
#include "ui/client/DemoControl.h"
#include "ui/pages/alarms/AlarmActions.h"
#include "ui/pages/alarms/AlarmsPage.h"
#include "ui/shell/MainWindow.h"
#include "ui/shell/NavBar.h"
#include "ui/shell/ReportDialog.h"
#include "ui/widgets/MessageBar.h"

#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

namespace {

class ReportDemo final : public DemoControl {
    Q_OBJECT

public:
    int reports = 0;

    DemoView view() const override { return {}; }
    void setPaused(bool) override {}
    void restart() override {}
    void setSpeed(int) override {}
    void skipAct() override {}
    void setSwitch(const QString&, bool) override {}
    void whyAsked() override {}
    void reportTaken() override { ++reports; }
};

} // namespace

/// Alarms as the window puts them together: page, badge, notification, report.
class TestAlarmsInWindow : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void badgeHasCountAndShape();
    void pageByKeyAndName();
    void acknowledgeIsInTheMenu();
    void withoutATrayTheBarTells();
    void demoTellsNobody();
    void reportIsTaken();

private:
    template <typename T>
    T* find(const char* name) const
    {
        return m_window->findChild<T*>(QLatin1String(name));
    }
    void makeWindow(DemoControl* demo);
    void send(const QList<AlarmRow>& alarms, bool reset = false);

    std::unique_ptr<QTemporaryDir> m_dir;
    Theme m_theme;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<ReportDemo> m_demo;
    std::unique_ptr<MainWindow> m_window;
};

void TestAlarmsInWindow::makeWindow(DemoControl* demo)
{
    MainWindowOptions options;
    options.language = QStringLiteral("en");
    options.demo = demo != nullptr;
    options.demoControl = demo;
    options.settingsFile = m_dir->filePath(QStringLiteral("console.ini"));
    m_window = std::make_unique<MainWindow>(*m_client, m_theme, options);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void TestAlarmsInWindow::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_client = std::make_unique<test::RecordingClient>();
    m_client->incidents = test::sampleIncidents(m_client->wallMs);
    m_client->reports = {{42, QStringLiteral("# Incident 42\n")}, {41, QStringLiteral("# Incident 41\n")}};
    m_demo = std::make_unique<ReportDemo>();
    makeWindow(nullptr);
}

void TestAlarmsInWindow::cleanup()
{
    m_window.reset();
    m_demo.reset();
    m_client.reset();
    m_dir.reset();
}

void TestAlarmsInWindow::send(const QList<AlarmRow>& alarms, bool reset)
{
    ChangeBatch batch;
    batch.reset = reset;
    batch.alarms = alarms;
    m_client->send(batch);
    m_window->store().flushNow();
}

void TestAlarmsInWindow::badgeHasCountAndShape()
{
    send({}, true);
    auto* button = find<NavButton>("nav.alarms");
    QCOMPARE(button->badge(), NavBadge());
    QCOMPARE(button->accessibleName(), QStringLiteral("Alarms"));
    send({test::sampleAlarms(m_client->wallMs).at(0)});
    QCOMPARE(button->badge(), (NavBadge{1, false}));
    QVERIFY2(button->accessibleName().contains(QStringLiteral("attention")), qPrintable(button->accessibleName()));
    send(test::sampleAlarms(m_client->wallMs)); // what is counted, silenced, acknowledged or cleared needs nobody
    QCOMPARE(button->badge(), (NavBadge{3, true}));
    QVERIFY2(button->accessibleName().contains(QStringLiteral("action")), qPrintable(button->accessibleName()));
}

void TestAlarmsInWindow::pageByKeyAndName()
{
    send(test::sampleAlarms(m_client->wallMs), true);
    QTest::keyClick(m_window.get(), Qt::Key_7, Qt::ControlModifier);
    QCOMPARE(m_window->currentPage(), QStringLiteral("alarms"));
    m_window->showPage(QStringLiteral("nodes"));
    m_window->showAlarm(QStringLiteral("5"));
    QCOMPARE(m_window->currentPage(), QStringLiteral("alarms"));
    QCOMPARE(find<AlarmsPage>("page.alarms")->selection(), QStringList{QStringLiteral("5")});
}

void TestAlarmsInWindow::acknowledgeIsInTheMenu()
{
    send(test::sampleAlarms(m_client->wallMs), true);
    QAction* acknowledge = find<AlarmsPage>("page.alarms")->actions().acknowledge();
    QVERIFY(!acknowledge->isEnabled()); // its page is not shown
    m_window->showPage(QStringLiteral("alarms"));
    QVERIFY(acknowledge->isEnabled());
    QTest::keyClick(m_window.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(m_client->calls.contains(QStringLiteral("acknowledge 2")));
    auto* bar = find<MessageBar>("message");
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->message().startsWith(QStringLiteral("Acknowledged")), qPrintable(bar->message()));
}

void TestAlarmsInWindow::withoutATrayTheBarTells()
{
    if (m_window->findChild<QObject*>(QStringLiteral("tray")) != nullptr) {
        QSKIP("This platform has a tray; there the notification is the desktop's.");
    }
    send({}, true);
    auto* bar = find<MessageBar>("message.alarm");
    QVERIFY(!bar->isVisible());
    send({test::sampleAlarms(m_client->wallMs).at(1)});
    QVERIFY(bar->isVisible());
    QVERIFY2(bar->message().contains(QStringLiteral("Critical: Pool exhausted")), qPrintable(bar->message()));
    bar->findChild<QPushButton*>(QStringLiteral("show"))->click();
    QCOMPARE(m_window->currentPage(), QStringLiteral("alarms"));
    QCOMPARE(find<AlarmsPage>("page.alarms")->selection(), QStringList{QStringLiteral("2")});
}

void TestAlarmsInWindow::demoTellsNobody()
{
    m_window.reset();
    makeWindow(m_demo.get());
    send({}, true);
    send(test::sampleAlarms(m_client->wallMs));
    QVERIFY(!find<MessageBar>("message.alarm")->isVisible());
    QVERIFY(m_window->findChild<QObject*>(QStringLiteral("tray")) == nullptr);
    QCOMPARE(find<NavButton>("nav.alarms")->badge(), (NavBadge{3, true}));
}

void TestAlarmsInWindow::reportIsTaken()
{
    m_window.reset();
    makeWindow(m_demo.get());
    send({}, true);
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
    auto* dialog = find<ReportDialog>("report.dialog");
    QVERIFY(dialog != nullptr);
    auto* copy = dialog->findChild<QPushButton*>(QStringLiteral("report.copy"));
    QTRY_VERIFY(copy->isEnabled());
    QCOMPARE(m_demo->reports, 0); // looking at it is not taking it
    copy->click();
    QCOMPARE(m_demo->reports, 1);
    QVERIFY(find<MessageBar>("message")->message().contains(QStringLiteral("copied")));
    const QString file = m_dir->filePath(QStringLiteral("out.md"));
    dialog->setFileChooser([&file](const QString&) { return file; });
    dialog->findChild<QPushButton*>(QStringLiteral("report.save"))->click();
    QCOMPARE(m_demo->reports, 2);
    QVERIFY(QFile::exists(file));
}

QTEST_MAIN(TestAlarmsInWindow)
#include "TestAlarmsInWindow.moc"
