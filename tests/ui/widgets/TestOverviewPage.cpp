// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/widgets/SampleFleet.h"
#include "ui/pages/overview/OverviewPage.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/TableRoles.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/Theme.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QSignalSpy>
#include <QTest>

using namespace weir::ui;
using Level = FleetVerdict::Level;

class TestOverviewPage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_theme.setMode(Theme::Mode::Light);
        m_theme.apply(*qApp);
    }

    void init()
    {
        m_page.reset();
        m_client = std::make_unique<RecordingClient>();
        m_page = std::make_unique<OverviewPage>(*m_client, m_theme);
        m_page->setTimeZone(QTimeZone::utc());
        m_page->resize(1104, 720);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }

    void nothingIsWellBeforeTheFirstBatch()
    {
        QVERIFY(m_page->verdict().level != Level::Good);
        m_client->start();
        QVERIFY(m_page->verdict().level != Level::Good);
        for (const Tile* tile : m_page->findChildren<Tile*>()) {
            QCOMPARE(tile->figures().value, QStringLiteral("–"));
            QCOMPARE(tile->figures().chip, chips::target(TargetWord::NoData));
        }
        for (const TableView* table : m_page->findChildren<TableView*>()) {
            QVERIFY(table->emptyState()->sentence().contains(QLatin1String("Not known")));
        }
    }

    void allClearOnlyWhileLive()
    {
        m_client->start();
        m_client->send(quiet());
        QTRY_COMPARE(m_page->verdict().level, Level::Good);
        m_client->setState(ControlPlaneClient::State::Stale);
        QVERIFY(m_page->verdict().level != Level::Good); // at once, not with the next flush
        for (const Tile* tile : m_page->findChildren<Tile*>()) {
            QCOMPARE(tile->figures().chip, chips::target(TargetWord::NoData));
        }
        m_client->setState(ControlPlaneClient::State::Live);
        QCOMPARE(m_page->verdict().level, Level::Good);
    }

    void troublesAreListedWorstFirst()
    {
        m_client->start();
        m_client->send(sampleFleet(*m_client));
        auto* attention = table("needsAttention");
        const QAbstractItemModelTester tester(attention->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTRY_COMPARE(attention->model()->rowCount(), 5);
        const auto id = [attention](int row) { return attention->model()->index(row, 0).data(IdRole).toString(); };
        QCOMPARE(id(0), QStringLiteral("gpu-01"));
        QCOMPARE(id(1), QStringLiteral("origin-21"));
        QCOMPARE(id(2), QStringLiteral("edge-02"));
        QCOMPARE(table("greenButFailing")->model()->rowCount(), 1);
        QCOMPARE(table("starvedApps")->model()->rowCount(), 2);
        QCOMPARE(table("recentChanges")->model()->rowCount(), 8);
        QCOMPARE(m_page->verdict().level, Level::Bad);
        QVERIFY(m_page->verdict().headline.startsWith(QLatin1String("2 of 41")));
    }

    void countdownTicks()
    {
        m_client->start();
        m_client->send(sampleFleet(*m_client));
        auto* model = table("needsAttention")->model();
        QTRY_COMPARE(model->rowCount(), 5);
        QCOMPARE(model->index(2, 1).data().toString(), QStringLiteral("Quarantined 42 s"));
        m_client->monotonicMs += 10'000;
        QTRY_COMPARE(model->index(2, 1).data().toString(), QStringLiteral("Quarantined 32 s"));
    }

    void linksNameWhatTheyOpen()
    {
        m_client->start();
        m_client->send(sampleFleet(*m_client));
        QTRY_COMPARE(table("starvedApps")->model()->rowCount(), 2);
        QSignalSpy apps(m_page.get(), &OverviewPage::appActivated);
        QSignalSpy pools(m_page.get(), &OverviewPage::poolActivated);
        QSignalSpy nodes(m_page.get(), &OverviewPage::nodeActivated);
        click(*table("starvedApps"), 0, 0);
        click(*table("starvedApps"), 0, 1);
        click(*table("needsAttention"), 1, 0);
        QCOMPARE(apps.value(0).value(0).toString(), QStringLiteral("app-14"));
        QCOMPARE(pools.value(0).value(0).toString(), QStringLiteral("pool-9"));
        QCOMPARE(nodes.value(0).value(0).toString(), QStringLiteral("origin-21"));
    }

    void historyComesBackAfterARestart()
    {
        m_client->start();
        m_client->send(sampleFleet(*m_client));
        QVERIFY(m_client->asked.contains(QStringLiteral("series  %1").arg(m_client->wallMs - kHourMs)));
        auto* chart = m_page->findChild<LiveChart*>();
        QTRY_COMPARE(chart->scale().low, 120); // the minimum of 122 and what was before this page existed
        QVERIFY(chart->accessibleDescription().contains(QLatin1String("126 of 128")));
    }

    void liveBatchesExtendTheHistory()
    {
        OverviewState state;
        state.setState(ControlPlaneClient::State::Live, 0);
        ChangeBatch batch = quiet();
        state.apply(batch);
        batch.reset = false;
        batch.atMs += 1000;
        batch.summary.workersHealthy = 3;
        state.apply(batch);
        state.mergeSeries({{batch.atMs - 60'000, 2, 4, true}, {batch.atMs - 1000, 4, 4, true}});
        QCOMPARE(state.series().size(), 3);
        QCOMPARE(state.series().first().healthy, 2);
        QCOMPARE(state.series().last().healthy, 3);
        state.setState(ControlPlaneClient::State::Stale, batch.atMs + 500);
        QVERIFY(!state.series().last().known);
        // An hour later only the value that holds at the left edge is kept of it.
        batch.atMs += 2 * kHourMs;
        state.apply(batch);
        QVERIFY(state.series().size() <= 2);
    }

    void removedNodesGo()
    {
        m_client->start();
        m_client->send(sampleFleet(*m_client));
        auto* model = table("needsAttention")->model();
        QTRY_COMPARE(model->rowCount(), 5);
        ChangeBatch batch;
        batch.atMs = m_client->wallMs + 1;
        batch.removedNodes = {QStringLiteral("origin-21")};
        m_client->send(batch);
        QTRY_COMPARE(model->rowCount(), 4);
    }

    void everythingFocusableHasAName()
    {
        for (const QWidget* widget : m_page->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || qobject_cast<const QAbstractButton*>(widget) == nullptr) {
                continue;
            }
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            QVERIFY(!button->text().isEmpty() || !button->accessibleName().isEmpty());
        }
        for (const TableView* view : m_page->findChildren<TableView*>()) {
            QVERIFY2(!view->accessibleName().isEmpty(), qPrintable(view->objectName()));
        }
    }

private:
    static ChangeBatch quiet()
    {
        ChangeBatch batch;
        batch.reset = true;
        batch.atMs = 1'796'000'000'000;
        for (int i = 0; i < 4; ++i) {
            batch.nodes.append(healthyNode(QStringLiteral("n%1").arg(i), QStringLiteral("default")));
        }
        batch.summary.apps = 3;
        batch.summary.workersTotal = batch.summary.workersHealthy = 4;
        return batch;
    }

    [[nodiscard]] TableView* table(const char* name) const { return m_page->findChild<TableView*>(QLatin1String(name)); }

    static void click(TableView& view, int row, int column)
    {
        const QRect cell = view.visualRect(view.model()->index(row, column));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 16, cell.center().y()));
    }

    Theme m_theme;
    std::unique_ptr<RecordingClient> m_client;
    std::unique_ptr<OverviewPage> m_page;
};

QTEST_MAIN(TestOverviewPage)
#include "TestOverviewPage.moc"
