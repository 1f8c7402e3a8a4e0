// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "ui/shell/Announcer.h"
#include "ui/shell/MainWindow.h"
#include "ui/shell/NavBar.h"
#include "ui/shell/PageHistory.h"
#include "ui/shell/ShellParts.h"
#include "ui/widgets/ContextStrip.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <ctime>

using namespace weir;
using namespace weir::ui;

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void pagesKeepTheirState();
    void badgesCarryCountAndShape();
    void staleHasNoAllClear();
    void pauseFreezesAndCounts();
    void backAndForward();
    void goneSelectionIsSaid();
    void shortcutsAreUniqueAndInMenus();
    void everythingFocusableHasAName();
    void zoneTogglesEverywhere();
    void narrowWindowCollapsesTheNavigation();
    void settingsAreWrittenAfterASecond();
    void demoSaysSo();
    void lockedChangesAreRefusedEverywhere();
    void announcementsKeepTheirDistance();
    void historyGoesBothWays();

private:
    template <typename T>
    T* find(const char* name) const
    {
        return m_window->findChild<T*>(QLatin1String(name));
    }
    void makeWindow(const QString& page, bool demo = false);
    ChangeBatch allGood() const;
    QString visibleText() const;

    std::unique_ptr<QTemporaryDir> m_dir;
    Theme m_theme;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<MainWindow> m_window;
};

void TestMainWindow::makeWindow(const QString& page, bool demo)
{
    MainWindowOptions options;
    options.page = page;
    options.demo = demo;
    options.language = QStringLiteral("en");
    options.settingsFile = m_dir->filePath(QStringLiteral("console.ini"));
    m_window = std::make_unique<MainWindow>(*m_client, m_theme, options);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void TestMainWindow::initTestCase()
{
    qputenv("TZ", "Asia/Shanghai"); // a zone that differs from UTC, whatever the machine has
    tzset();
}

void TestMainWindow::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_client = std::make_unique<test::RecordingClient>();
    makeWindow(QStringLiteral("nodes"));
    m_client->send(test::sampleFleet(m_client->wallMs, m_client->monoMs));
}

void TestMainWindow::cleanup()
{
    m_window.reset();
    m_client.reset();
    m_dir.reset();
}

ChangeBatch TestMainWindow::allGood() const
{
    ChangeBatch batch;
    batch.reset = true;
    batch.atMs = m_client->wallMs;
    for (int i = 0; i < 8; ++i) {
        batch.nodes.append(test::healthyNode(QStringLiteral("n%1").arg(i), Role::Worker, QStringLiteral("default"), m_client->wallMs, m_client->monoMs));
    }
    batch.pools = {test::poolRow(QStringLiteral("default"), {-1, -1, 8}, 8, 3, PoolVerdict::Ok),
        test::poolRow(QStringLiteral("unassigned"), {-1, -1, -1}, 0, 0, PoolVerdict::OutOfScheduling)};
    batch.summary.apps = 3;
    batch.summary.workersTotal = 8;
    batch.summary.workersHealthy = 8;
    return batch;
}

QString TestMainWindow::visibleText() const
{
    QStringList texts;
    const auto widgets = m_window->findChildren<QWidget*>();
    for (const QWidget* widget : widgets) {
        if (!widget->isVisible()) {
            continue;
        }
        texts.append(widget->accessibleName());
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            texts.append(label->text());
        }
    }
    return texts.join(QLatin1Char('\n'));
}

void TestMainWindow::pagesKeepTheirState()
{
    auto* table = find<TableView>("nodes.table");
    table->selectRow(20);
    table->verticalScrollBar()->setValue(100);
    const QString chosen = table->model()->index(20, 0).data().toString();
    find<SearchField>("pools.filter")->setText(QStringLiteral("pool-3"));
    QElapsedTimer timer;
    timer.start();
    m_window->showPage(QStringLiteral("nodepools"));
    m_window->showPage(QStringLiteral("overview"));
    m_window->showPage(QStringLiteral("nodes"));
    qInfo("three page switches: %lld ms", timer.elapsed());
    QCOMPARE(table->verticalScrollBar()->value(), 100);
    const QModelIndexList rows = table->selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.first().data().toString(), chosen);
    QCOMPARE(find<SearchField>("pools.filter")->text(), QStringLiteral("pool-3"));
    m_window->showPage(QStringLiteral("no-such-page"));
    QCOMPARE(m_window->currentPage(), QStringLiteral("nodes"));
}

void TestMainWindow::badgesCarryCountAndShape()
{
    const auto* pools = find<NavButton>("nav.nodepools");
    QCOMPARE(pools->badge(), (NavBadge{3, true}));
    QVERIFY2(pools->accessibleName().startsWith(QStringLiteral("Node pools, 3 need")), qPrintable(pools->accessibleName()));
    QCOMPARE(find<NavButton>("nav.nodes")->badge(), (NavBadge{8, false}));
    m_client->send(allGood());
    m_window->store().flushNow();
    QCOMPARE(find<NavButton>("nav.nodes")->badge().count, 0);
    QCOMPARE(find<NavButton>("nav.nodepools")->accessibleName(), QStringLiteral("Node pools"));
}

void TestMainWindow::staleHasNoAllClear()
{
    m_client->send(allGood());
    m_window->store().flushNow();
    const QStringList pages{QStringLiteral("overview"), QStringLiteral("nodepools"), QStringLiteral("nodes")};
    m_window->showPage(QStringLiteral("nodes"));
    const QRegularExpression allClear(QStringLiteral("\\bAll \\d+|0 app\\(?s?\\)? unschedulable|no problems|all good"), QRegularExpression::CaseInsensitiveOption);
    QVERIFY2(allClear.match(visibleText()).hasMatch(), qPrintable(visibleText())); // live, it may be said
    QVERIFY(!find<ContextStrip>("strip.stale")->isVisible());
    m_client->advance(9000);
    m_client->setState(ControlPlaneClient::State::Stale);
    for (const QString& page : pages) {
        m_window->showPage(page);
        QTRY_VERIFY2(!allClear.match(visibleText()).hasMatch(), qPrintable(visibleText()));
        QVERIFY(find<ContextStrip>("strip.stale")->isVisible());
        QVERIFY(find<ContextStrip>("strip.stale")->accessibleName().startsWith(QStringLiteral("Disconnected ")));
    }
    QCOMPARE(find<StatusLine>("status")->figures().connection, StatusFigures::Connection::Stale);
    QVERIFY(!find<QAction>("action.probe")->isEnabled());
    m_client->setState(ControlPlaneClient::State::Live);
    QVERIFY(!find<ContextStrip>("strip.stale")->isVisible());
}

void TestMainWindow::pauseFreezesAndCounts()
{
    QTest::mouseClick(find<QPushButton>("pause"), Qt::LeftButton);
    QVERIFY(m_window->store().isPaused());
    auto* strip = find<ContextStrip>("strip.paused");
    QVERIFY(strip->isVisible());
    m_client->send(allGood());
    QVERIFY2(strip->accessibleName().contains(QStringLiteral("10 change")), qPrintable(strip->accessibleName()));
    QCOMPARE(find<TableView>("nodes.table")->model()->rowCount(), 37);
    find<QAction>("action.pause")->trigger();
    QVERIFY(!m_window->store().isPaused());
    QVERIFY(!strip->isVisible());
    QTRY_COMPARE(find<TableView>("nodes.table")->model()->rowCount(), 8);
}

void TestMainWindow::backAndForward()
{
    m_window->showNode(QStringLiteral("gpu-01"));
    m_window->showPool(QStringLiteral("pool-3"));
    find<QAction>("action.back")->trigger();
    QCOMPARE(m_window->currentPage(), QStringLiteral("nodepools"));
    while (m_window->currentPage() != QStringLiteral("nodes")) {
        QVERIFY(find<QAction>("action.back")->isEnabled());
        find<QAction>("action.back")->trigger();
    }
    const QModelIndexList rows = find<TableView>("nodes.table")->selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.first().data().toString(), QStringLiteral("gpu-01"));
    QVERIFY(find<QAction>("action.forward")->isEnabled());
    find<QAction>("action.forward")->trigger();
    QCOMPARE(m_window->currentPage(), QStringLiteral("nodepools"));
}

void TestMainWindow::goneSelectionIsSaid()
{
    auto* table = find<TableView>("nodes.table");
    table->sortByColumn(0, Qt::AscendingOrder);
    table->selectRow(1);
    for (const int row : {2, 3}) {
        table->selectionModel()->select(table->model()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    const QString gone = table->model()->index(2, 0).data().toString();
    ChangeBatch batch;
    batch.summary = m_window->store().summary();
    batch.removedNodes = {gone};
    m_client->send(batch);
    m_window->store().flushNow();
    const StatusFigures& figures = find<StatusLine>("status")->figures();
    QVERIFY2(figures.notice.startsWith(QStringLiteral("1 of 3 selected node")), qPrintable(figures.notice));
    QVERIFY(figures.selected.startsWith(QStringLiteral("2 ")));
}

void TestMainWindow::shortcutsAreUniqueAndInMenus()
{
    QSet<QString> seen;
    int count = 0;
    const auto actions = m_window->actions();
    for (const QAction* action : actions) {
        QVERIFY2(!action->text().isEmpty(), qPrintable(action->objectName()));
        bool inMenu = false;
        const auto owners = action->associatedObjects();
        for (const QObject* owner : owners) {
            inMenu = inMenu || owner->inherits("QMenu");
        }
        QVERIFY2(inMenu, qPrintable(action->objectName()));
        const auto shortcuts = action->shortcuts();
        for (const QKeySequence& key : shortcuts) {
            QVERIFY2(!seen.contains(key.toString()), qPrintable(key.toString()));
            seen.insert(key.toString());
            ++count;
        }
    }
    QVERIFY(count >= 20);
}

void TestMainWindow::everythingFocusableHasAName()
{
    m_window->showNode(QStringLiteral("gpu-01"));
    for (const char* page : {"nodes", "nodepools"}) {
        m_window->showPage(QLatin1String(page));
        int checked = 0;
        const auto widgets = m_window->findChildren<QWidget*>();
        for (const QWidget* widget : widgets) {
            if (!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0 || widget->inherits("QMenuBar") || widget->inherits("QMenu")) {
                continue;
            }
            ++checked;
            const bool named = !widget->accessibleName().isEmpty() || (widget->focusProxy() != nullptr && !widget->focusProxy()->accessibleName().isEmpty());
            QVERIFY2(named, qPrintable(QStringLiteral("%1 %2 on %3").arg(QLatin1String(widget->metaObject()->className()), widget->objectName(), QLatin1String(page))));
        }
        QVERIFY(checked >= 6);
    }
}

void TestMainWindow::zoneTogglesEverywhere()
{
    QCOMPARE(find<QPushButton>("zone")->text(), QStringLiteral("UTC+8"));
    QVERIFY(find<StatusLine>("status")->figures().asOf.endsWith(QStringLiteral("+08")));
    m_window->showNode(QStringLiteral("gpu-01"));
    const auto header = [this] { return find<TableView>("nodes.probelog")->model()->headerData(0, Qt::Horizontal).toString(); };
    QVERIFY2(header().contains(QStringLiteral("UTC+8")), qPrintable(header()));
    find<QAction>("action.utc")->trigger();
    QVERIFY2(header().contains(QStringLiteral("(UTC)")), qPrintable(header()));
    QVERIFY(find<StatusLine>("status")->figures().asOf.endsWith(QStringLiteral("+00")));
    QCOMPARE(find<QPushButton>("zone")->text(), QStringLiteral("UTC"));
}

void TestMainWindow::narrowWindowCollapsesTheNavigation()
{
    m_window->resize(1280, 800);
    QVERIFY(!find<NavBar>("nav")->isCollapsed());
    m_window->resize(1100, 700);
    QTRY_VERIFY(find<NavBar>("nav")->isCollapsed());
    QVERIFY(!find<NavButton>("nav.nodes")->toolTip().isEmpty());
    m_window->resize(1300, 700);
    QTRY_VERIFY(!find<NavBar>("nav")->isCollapsed());
    find<QAction>("action.nav")->trigger();
    QVERIFY(find<NavBar>("nav")->isCollapsed());
}

void TestMainWindow::settingsAreWrittenAfterASecond()
{
    const QString file = m_dir->filePath(QStringLiteral("console.ini"));
    find<TableView>("nodes.table")->sortByColumn(0, Qt::DescendingOrder);
    QTRY_VERIFY_WITH_TIMEOUT(QSettings(file, QSettings::IniFormat).value(QStringLiteral("profile-embedded/nodes.table/sort")).toString() == QStringLiteral("name"), 4000);
    m_window.reset();
    makeWindow({});
    QCOMPARE(m_window->currentPage(), QStringLiteral("nodes"));
    QCOMPARE(find<TableView>("nodes.table")->horizontalHeader()->sortIndicatorSection(), 0);
    QCOMPARE(find<TableView>("nodes.table")->horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
}

void TestMainWindow::demoSaysSo()
{
    QVERIFY(!find<ContextStrip>("strip.context")->isVisible());
    m_window.reset();
    makeWindow(QStringLiteral("nodepools"), true);
    QVERIFY(find<ContextStrip>("strip.context")->isVisible());
    QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("DEMO")));
    QCOMPARE(find<ContextStrip>("strip.context")->accessibleName(), QStringLiteral("DEMO · simulated fleet on this computer · nothing is saved"));
}

void TestMainWindow::lockedChangesAreRefusedEverywhere()
{
    const QString reason = QStringLiteral("Changes are locked. Unlock with Ctrl+L.");
    m_window->showNode(QStringLiteral("gpu-01"));
    const QList<QAction*> changes{find<QAction>("action.moveTo"), find<QAction>("action.takeOut"), find<QAction>("action.drain")};
    for (const QAction* action : changes) {
        QVERIFY2(action->isEnabled(), qPrintable(action->objectName()));
    }
    QCOMPARE(find<QPushButton>("lock")->text(), QStringLiteral("Unlocked"));
    find<QAction>("action.lock")->trigger();
    QVERIFY(find<QAction>("action.lock")->isChecked());
    QCOMPARE(find<QPushButton>("lock")->text(), QStringLiteral("Locked"));
    for (const QAction* action : changes) {
        QVERIFY2(!action->isEnabled(), qPrintable(action->objectName()));
        QCOMPARE(action->toolTip(), reason);
    }
    QVERIFY(find<QAction>("action.probe")->isEnabled()); // asks, changes nothing
    m_window->showApp(QStringLiteral("app-9"));
    for (const char* name : {"action.bindApp", "action.appOwner"}) {
        QVERIFY2(!find<QAction>(name)->isEnabled(), name);
        QCOMPARE(find<QAction>(name)->toolTip(), reason);
    }
    find<QPushButton>("lock")->click();
    QVERIFY(!find<QAction>("action.lock")->isChecked());
    QVERIFY(find<QAction>("action.bindApp")->isEnabled());
}

void TestMainWindow::announcementsKeepTheirDistance()
{
    Announcer announcer(*m_window);
    QSignalSpy told(&announcer, &Announcer::announced);
    QElapsedTimer since;
    since.start();
    announcer.announce(QStringLiteral("first"));
    announcer.announce(QStringLiteral("first"));
    announcer.announce(QStringLiteral("second"));
    announcer.announce(QStringLiteral("third"));
    QCOMPARE(told.size(), 1);
    QCOMPARE(announcer.accessibleName(), QStringLiteral("first"));
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, 3 * Announcer::kLeastGapMs);
    QVERIFY(since.elapsed() >= Announcer::kLeastGapMs - 5);
    QCOMPARE(announcer.accessibleName(), QStringLiteral("third")); // of those that came too soon, the last
}

void TestMainWindow::historyGoesBothWays()
{
    PageHistory history;
    history.visit({QStringLiteral("nodes"), {}});
    history.visit({QStringLiteral("nodes"), {QStringLiteral("a")}});
    QVERIFY(!history.canGoBack());
    history.visit({QStringLiteral("nodepools"), {}});
    history.visit({QStringLiteral("nodepools"), {}});
    QCOMPARE(history.back()->page, QStringLiteral("nodes"));
    QVERIFY(!history.back().has_value());
    QCOMPARE(history.forward()->page, QStringLiteral("nodepools"));
    QVERIFY(!history.canGoForward());
}

QTEST_MAIN(TestMainWindow)
#include "TestMainWindow.moc"
