// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "ui/pages/nodepools/NodePoolsPage.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/Theme.h"

#include <QLabel>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestNodePoolsPage : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void startsWithTheDefaultPool();
    void rightPaneShowsTheSelectedPools();
    void filterKeepsPinnedPools();
    void nodesThatMoveLeaveThePane();
    void appLinksAskWhy();
    void whyContextIsTheNodeOrThePool();

private:
    template <typename T>
    T* find(const char* name) const
    {
        return m_page->findChild<T*>(QLatin1String(name));
    }

    Theme m_theme;
    TimeDisplay m_times;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<QWidget> m_window;
    NodePoolsPage* m_page = nullptr;
};

void TestNodePoolsPage::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_window = std::make_unique<QWidget>();
    m_window->resize(1104, 720);
    auto* actions = new NodeActions(*m_store, m_times, *m_window);
    m_page = new NodePoolsPage(*m_store, *actions, m_times, m_theme, m_window.get());
    m_page->resize(1104, 720);
    m_page->setActive(true);
    m_window->show();
    m_client->send(test::sampleFleet(m_client->wallMs, m_client->monoMs));
}

void TestNodePoolsPage::cleanup()
{
    m_window.reset();
    m_store.reset();
    m_client.reset();
}

void TestNodePoolsPage::startsWithTheDefaultPool()
{
    QCOMPARE(m_page->selection(), QStringList{QStringLiteral("default")});
    QCOMPARE(find<TableView>("pools.table")->model()->rowCount(), 13);
    QCOMPARE(find<TableView>("pools.nodes")->model()->rowCount(), 22);
    QCOMPARE(find<QLabel>("pools.drawer.title")->text(), QStringLiteral("default"));
}

void TestNodePoolsPage::rightPaneShowsTheSelectedPools()
{
    m_page->showPool(QStringLiteral("pool-3"));
    auto* nodes = find<TableView>("pools.nodes");
    QCOMPARE(nodes->model()->rowCount(), 12);
    auto* footer = find<TableFooter>("pools.nodes.footer");
    QVERIFY2(footer->left().contains(QStringLiteral("12")) && footer->left().contains(QStringLiteral("pool-3")), qPrintable(footer->left()));
    nodes->selectRow(0);
    nodes->selectionModel()->select(nodes->model()->index(1, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QVERIFY2(footer->left().endsWith(QStringLiteral("2 selected")), qPrintable(footer->left()));
    m_page->setSelection({QStringLiteral("pool-3"), QStringLiteral("pool-4")});
    QCOMPARE(nodes->model()->rowCount(), 13);
}

void TestNodePoolsPage::filterKeepsPinnedPools()
{
    m_page->showPool(QStringLiteral("pool-3"));
    auto* search = find<SearchField>("pools.filter");
    search->setText(QStringLiteral("-role:recorder pool:pool-3"));
    auto* pools = find<TableView>("pools.table");
    QCOMPARE(pools->model()->rowCount(), 3);
    QCOMPARE(pools->model()->index(0, 0).data().toString(), QStringLiteral("default"));
    QCOMPARE(pools->model()->index(2, 0).data().toString(), QStringLiteral("unassigned"));
    QCOMPARE(find<TableView>("pools.nodes")->model()->rowCount(), 10);
    QCOMPARE(m_page->selection(), QStringList{QStringLiteral("pool-3")});
    search->setText(QStringLiteral("-role:recorder poool:x"));
    QCOMPARE(pools->model()->rowCount(), 3);
    QVERIFY(find<TextLine>("pools.filterError")->text().contains(QStringLiteral("poool")));
    QVERIFY(m_page->clearFilter());
    QCOMPARE(pools->model()->rowCount(), 13);
}

void TestNodePoolsPage::nodesThatMoveLeaveThePane()
{
    m_page->showPool(QStringLiteral("pool-3"));
    ChangeBatch batch;
    batch.summary = m_store->summary();
    NodeRow moved = *m_store->node(QStringLiteral("edge-02"));
    moved.pool = QStringLiteral("pool-7");
    batch.nodes = {moved};
    m_client->send(batch);
    m_store->flushNow();
    QCOMPARE(find<TableView>("pools.nodes")->model()->rowCount(), 11);
    m_page->showPool(QStringLiteral("pool-7"));
    QCOMPARE(find<TableView>("pools.nodes")->model()->rowCount(), 1);
}

void TestNodePoolsPage::appLinksAskWhy()
{
    m_page->showPool(QStringLiteral("pool-3"));
    QSignalSpy asked(m_page, &Page::whyRequested);
    auto* link = m_page->findChild<QAbstractButton*>(QStringLiteral("pools.app.app-9"));
    QVERIFY(link != nullptr);
    link->click();
    QCOMPARE(asked.size(), 1);
    const auto context = asked.first().first().value<WhyContext>();
    QCOMPARE(context.app, QStringLiteral("app-9"));
    QCOMPARE(context.pool, QStringLiteral("pool-3"));
}

void TestNodePoolsPage::whyContextIsTheNodeOrThePool()
{
    m_page->showPool(QStringLiteral("pool-4"));
    QCOMPARE(m_page->whyContext().pool, QStringLiteral("pool-4"));
    QCOMPARE(m_page->whyContext().role, Role::Worker);
    auto* nodes = find<TableView>("pools.nodes");
    nodes->selectRow(0);
    QCOMPARE(m_page->whyContext().node, QStringLiteral("gpu-01"));
}

QTEST_MAIN(TestNodePoolsPage)
#include "TestNodePoolsPage.moc"
