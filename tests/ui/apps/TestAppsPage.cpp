// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/apps/AppsFleet.h"
#include "ui/live/NodeActions.h"
#include "ui/pages/apps/AppActions.h"
#include "ui/pages/apps/AppsPage.h"
#include "ui/widgets/Theme.h"

#include <QAction>
#include <QLineEdit>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestAppsPage : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void beginsWithTheWorst();
    void whyIsAboutTheApp();
    void problemsOnly();
    void actionsFollowTheSelection();
    void stateSurvivesARestart();

private:
    [[nodiscard]] QTableView* table() const { return m_page->findChild<QTableView*>(QStringLiteral("apps.table")); }

    Theme m_theme;
    TimeDisplay m_times;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<QWidget> m_window;
    NodeActions* m_actions = nullptr;
    AppsPage* m_page = nullptr;
};

void TestAppsPage::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_window = std::make_unique<QWidget>();
    m_actions = new NodeActions(*m_store, m_times, *m_window);
    m_page = new AppsPage(*m_store, *m_actions, m_times, m_theme, m_window.get());
    m_page->setActive(true);
    m_client->send(test::appsFleet());
    m_store->flushNow();
}

void TestAppsPage::cleanup()
{
    m_window.reset();
    m_store.reset();
    m_client.reset();
}

void TestAppsPage::beginsWithTheWorst()
{
    QCOMPARE(table()->model()->rowCount(), 6);
    QCOMPARE(table()->model()->index(0, AppTableModel::Name).data().toString(), QStringLiteral("ghost"));
    QCOMPARE(m_page->selection(), QStringList{QStringLiteral("ghost")}); // so that the drawer says something
    QVERIFY(m_page->toProblem(true));
    QCOMPARE(m_page->selection(), QStringList{QStringLiteral("app-2")});
}

void TestAppsPage::whyIsAboutTheApp()
{
    m_page->showApp(QStringLiteral("app-2"));
    const WhyContext context = m_page->whyContext();
    QCOMPARE(context.app, QStringLiteral("app-2"));
    QCOMPARE(context.pool, QStringLiteral("pool-1"));
    QCOMPARE(context.role, Role::Origin);
}

void TestAppsPage::problemsOnly()
{
    m_page->showProblems();
    QCOMPARE(table()->model()->rowCount(), 4);
    QVERIFY(m_page->clearFilter());
    QCOMPARE(table()->model()->rowCount(), 6);
    QVERIFY(!m_page->clearFilter());
    m_page->findChild<QLineEdit*>(QStringLiteral("apps.filter"))->setText(QStringLiteral("news"));
    QCOMPARE(table()->model()->rowCount(), 1);
    m_page->showApp(QStringLiteral("app-2")); // hidden by the filter, which gives way
    QCOMPARE(m_page->selection(), QStringList{QStringLiteral("app-2")});
}

void TestAppsPage::actionsFollowTheSelection()
{
    QVERIFY(!m_page->actions().removeBinding()->isEnabled());
    m_page->setSelection({QStringLiteral("app-12")});
    QVERIFY(m_page->actions().bind()->isEnabled());
    QVERIFY(m_page->actions().removeBinding()->isEnabled());
    m_page->setSelection({QStringLiteral("app-12"), QStringLiteral("news")});
    QVERIFY(!m_page->actions().bind()->isEnabled());
    QVERIFY(m_page->actions().setOwner()->isEnabled());
    m_client->setState(ControlPlaneClient::State::Stale);
    QVERIFY(!m_page->actions().setOwner()->isEnabled());
    QVERIFY(m_page->actions().setOwner()->toolTip().startsWith(QStringLiteral("Disconnected")));
}

void TestAppsPage::stateSurvivesARestart()
{
    QTemporaryDir directory;
    QSettings settings(directory.filePath(QStringLiteral("page.ini")), QSettings::IniFormat);
    m_page->findChild<QLineEdit*>(QStringLiteral("apps.filter"))->setText(QStringLiteral("pool-1"));
    m_page->toggleDrawer();
    m_page->saveState(settings);
    AppsPage again(*m_store, *m_actions, m_times, m_theme);
    again.restoreState(settings);
    QCOMPARE(again.findChild<QLineEdit*>(QStringLiteral("apps.filter"))->text(), QStringLiteral("pool-1"));
    QCOMPARE(again.findChild<QTableView*>(QStringLiteral("apps.table"))->model()->rowCount(), 3); // pool-1 and pool-10
    QVERIFY(again.findChild<QWidget*>(QStringLiteral("apps.drawer"))->isHidden());
}

QTEST_MAIN(TestAppsPage)
#include "TestAppsPage.moc"
