// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/apps/AppsFleet.h"
#include "ui/client/DemoControl.h"
#include "ui/live/MismatchBanner.h"
#include "ui/shell/MainWindow.h"
#include "ui/shell/NavBar.h"
#include "ui/widgets/LinkLabel.h"

#include <QAction>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

namespace {

class CountingDemo final : public DemoControl {
public:
    int whys = 0;
    DemoView view() const override { return {}; }
    void setPaused(bool) override {}
    void restart() override {}
    void setSpeed(int) override {}
    void skipAct() override {}
    void setSwitch(const QString&, bool) override {}
    void whyAsked() override { ++whys; }
    void reportTaken() override {}
};

} // namespace

/// The Apps page, the banner and the demo's panel as the window puts them together.
class TestAppsInWindow : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void isTheFourthPage();
    void badgeCountsFailClosed();
    void bannerLeadsToTheApps();
    void whyIsToldToTheDemo();

private:
    QTemporaryDir m_directory;
    Theme m_theme;
    CountingDemo m_demo;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<MainWindow> m_window;
};

void TestAppsInWindow::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_demo.whys = 0;
    MainWindowOptions options;
    options.demo = true;
    options.demoControl = &m_demo;
    options.language = QStringLiteral("en");
    options.page = QStringLiteral("overview");
    options.settingsFile = m_directory.filePath(QStringLiteral("window.ini"));
    m_window = std::make_unique<MainWindow>(*m_client, m_theme, options);
    m_client->send(test::appsFleet());
    m_window->store().flushNow();
}

void TestAppsInWindow::cleanup()
{
    m_window.reset();
    m_client.reset();
}

void TestAppsInWindow::isTheFourthPage()
{
    auto* action = m_window->findChild<QAction*>(QStringLiteral("action.apps"));
    QCOMPARE(action->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_4));
    action->trigger();
    QCOMPARE(m_window->currentPage(), QStringLiteral("apps"));
    QVERIFY(m_window->findChild<NavButton*>(QStringLiteral("nav.apps"))->isChecked());
}

void TestAppsInWindow::badgeCountsFailClosed()
{
    const NavBadge badge = m_window->findChild<NavButton*>(QStringLiteral("nav.apps"))->badge();
    QCOMPARE(badge.count, 3);
    QVERIFY(badge.needsAction);
}

void TestAppsInWindow::bannerLeadsToTheApps()
{
    auto* banner = m_window->findChild<MismatchBanner*>();
    for (const char* page : {"overview", "nodepools", "apps"}) {
        m_window->showPage(QLatin1String(page));
        QVERIFY2(!banner->isHidden(), page);
    }
    m_window->showPage(QStringLiteral("nodes"));
    QVERIFY(banner->isHidden());
    m_window->showPage(QStringLiteral("overview"));
    banner->findChild<LinkLabel*>(QStringLiteral("mismatch.show"))->click();
    QCOMPARE(m_window->currentPage(), QStringLiteral("apps"));
    QTRY_COMPARE(m_window->findChild<QTableView*>(QStringLiteral("apps.table"))->model()->rowCount(), 4); // problems only
}

void TestAppsInWindow::whyIsToldToTheDemo()
{
    m_window->showApp(QStringLiteral("app-2"));
    m_client->calls.clear();
    auto* why = m_window->findChild<QAction*>(QStringLiteral("action.why"));
    QCOMPARE(why->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_I));
    why->trigger();
    QCOMPARE(m_demo.whys, 1);
    QVERIFY2(m_client->calls.contains(QStringLiteral("explain app-2 0 1")), qPrintable(m_client->calls.join(QLatin1Char('\n'))));
}

QTEST_MAIN(TestAppsInWindow)
#include "TestAppsInWindow.moc"
