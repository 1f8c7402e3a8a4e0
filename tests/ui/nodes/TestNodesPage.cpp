// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "ui/live/ReasonDialog.h"
#include "ui/pages/nodes/NodesPage.h"
#include "ui/pages/nodes/ProbeLogModel.h"
#include "ui/widgets/FacetButton.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableRoles.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/Theme.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestNodesPage : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void drawerFollowsTheCurrentRow();
    void countdownTicks();
    void probeNowAsksForTheSelectedNodes();
    void endQuarantineNeedsAReason();
    void drainAndUndrain();
    void rolesDisableWithAReason();
    void refusalsAreShownInTheirOwnWords();
    void staleDisablesActions();
    void togglesAndCounts();
    void emptyTableSaysWhy();
    void columnsSortAndFilterSurvive();
    void probeLogAddsNewRowsOnTop();

private:
    template <typename T>
    T* find(const char* name) const
    {
        return m_page->findChild<T*>(QLatin1String(name));
    }
    /// Acts on the reason dialog that the next event loop opens.
    void answerDialog(const std::function<void(ReasonDialog&)>& answer);

    Theme m_theme;
    TimeDisplay m_times;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<QWidget> m_window;
    NodeActions* m_actions = nullptr;
    NodesPage* m_page = nullptr;
};

void TestNodesPage::init()
{
    m_times.setUtc(true);
    m_client = std::make_unique<test::RecordingClient>();
    m_client->probeLogs.insert(QStringLiteral("gpu-01"), test::sampleProbeLog(m_client->wallMs));
    m_store = std::make_unique<FleetStore>(*m_client);
    m_window = std::make_unique<QWidget>();
    m_window->resize(1104, 720);
    m_actions = new NodeActions(*m_store, m_times, *m_window);
    m_page = new NodesPage(*m_store, *m_actions, m_times, m_theme, m_window.get());
    m_page->resize(1104, 720);
    m_page->setActive(true);
    m_window->show();
    m_client->send(test::sampleFleet(m_client->wallMs, m_client->monoMs));
}

void TestNodesPage::cleanup()
{
    m_window.reset();
    m_store.reset();
    m_client.reset();
}

void TestNodesPage::answerDialog(const std::function<void(ReasonDialog&)>& answer)
{
    QTimer::singleShot(0, m_window.get(), [this, answer] {
        auto* dialog = m_window->findChild<ReasonDialog*>();
        QVERIFY(dialog != nullptr);
        answer(*dialog);
        if (dialog->isVisible()) {
            dialog->reject();
        }
    });
}

void TestNodesPage::drawerFollowsTheCurrentRow()
{
    m_page->showNode(QStringLiteral("gpu-01"));
    QCOMPARE(find<QLabel>("nodes.drawer.title")->text(), QStringLiteral("gpu-01"));
    auto* log = find<TableView>("nodes.probelog");
    QTRY_COMPARE(log->model()->rowCount(), 20);
    QCOMPARE(log->model()->index(0, ProbeLogModel::Result).data().toString(), QStringLiteral("Held"));
    QVERIFY(log->model()->index(5, ProbeLogModel::Body).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("reason disk_free_below_5.0g")));
    QVERIFY(m_client->calls.contains(QStringLiteral("events 5000")));
    m_page->showNode(QStringLiteral("edge-02"));
    QCOMPARE(find<QLabel>("nodes.drawer.title")->text(), QStringLiteral("edge-02"));
    QVERIFY(m_client->calls.contains(QStringLiteral("probelog edge-02")));
}

void TestNodesPage::countdownTicks()
{
    m_page->showNode(QStringLiteral("gpu-01"));
    auto* countdown = find<QLabel>("nodes.drawer.countdown");
    QCOMPARE(countdown->text(), QStringLiteral("42 s"));
    m_client->advance(2000);
    QTRY_COMPARE(countdown->text(), QStringLiteral("40 s"));
    m_client->advance(60'000);
    QTRY_COMPARE(countdown->text(), QStringLiteral("waits for probe"));
}

void TestNodesPage::probeNowAsksForTheSelectedNodes()
{
    QSignalSpy told(m_actions, &NodeActions::message);
    m_client->probed.status = 200;
    m_client->probed.durationMs = 4;
    m_page->showNode(QStringLiteral("edge-02"));
    m_client->calls.clear();
    QTest::mouseClick(find<QPushButton>("nodes.drawer.probe"), Qt::LeftButton);
    QCOMPARE(m_client->calls, QStringList{QStringLiteral("probe edge-02")});
    QTRY_COMPARE(told.size(), 1);
    QVERIFY(told.first().at(1).toString().contains(QStringLiteral("200 in 4 ms")));
}

void TestNodesPage::endQuarantineNeedsAReason()
{
    m_page->showNode(QStringLiteral("edge-02"));
    QVERIFY(!m_actions->endQuarantine()->isEnabled());
    QVERIFY(m_actions->endQuarantine()->toolTip().contains(QStringLiteral("edge-02")));
    m_page->showNode(QStringLiteral("gpu-01"));
    QVERIFY(m_actions->endQuarantine()->isEnabled());
    m_client->calls.clear();
    answerDialog([](ReasonDialog& dialog) {
        QVERIFY(dialog.findChild<QPushButton*>(QStringLiteral("reason.cancel"))->isDefault());
        auto* confirm = dialog.findChild<QPushButton*>(QStringLiteral("reason.confirm"));
        QVERIFY(confirm->text().contains(QStringLiteral("gpu-01")));
        auto* text = dialog.findChild<QLineEdit*>(QStringLiteral("reason.text"));
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(!confirm->isEnabled());
        QTest::keyClicks(text, QStringLiteral("   "));
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(!confirm->isEnabled());
        QVERIFY(dialog.isVisible());
    });
    m_actions->endQuarantine()->trigger();
    QVERIFY(m_client->calls.filter(QStringLiteral("revive")).isEmpty());
    answerDialog([](ReasonDialog& dialog) {
        auto* text = dialog.findChild<QLineEdit*>(QStringLiteral("reason.text"));
        QTest::keyClicks(text, QStringLiteral("disk replaced"));
        QTest::keyClick(text, Qt::Key_Return);
    });
    m_actions->endQuarantine()->trigger();
    QCOMPARE(m_client->calls.filter(QStringLiteral("revive")), QStringList{QStringLiteral("revive gpu-01 disk replaced")});
}

void TestNodesPage::drainAndUndrain()
{
    m_page->setSelection({QStringLiteral("edge-02"), QStringLiteral("edge-03")});
    m_client->calls.clear();
    answerDialog([](ReasonDialog& dialog) {
        QTest::keyClicks(dialog.findChild<QLineEdit*>(QStringLiteral("reason.text")), QStringLiteral("swap"));
        QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("reason.confirm")), Qt::LeftButton);
    });
    m_actions->drain()->trigger();
    QStringList drains = m_client->calls.filter(QStringLiteral("drain "));
    drains.sort();
    QCOMPARE(drains, (QStringList{QStringLiteral("drain edge-02 swap"), QStringLiteral("drain edge-03 swap")}));
    m_page->setSelection({QStringLiteral("origin-12")});
    m_client->calls.clear();
    m_actions->drain()->trigger();
    QVERIFY(m_client->calls.contains(QStringLiteral("undrain origin-12")));
}

void TestNodesPage::rolesDisableWithAReason()
{
    m_client->role = AccessRole::Viewer;
    m_page->showNode(QStringLiteral("gpu-01"));
    auto* probe = find<QPushButton>("nodes.drawer.probe");
    QVERIFY(probe->isVisible() && !probe->isEnabled());
    QCOMPARE(probe->toolTip(), QStringLiteral("You are viewer; this needs operator."));
    QCOMPARE(probe->accessibleDescription(), probe->toolTip());
    m_client->role = AccessRole::Operator;
    m_actions->refresh();
    QVERIFY(probe->isEnabled());
    auto* end = find<QPushButton>("nodes.drawer.endQuarantine");
    QVERIFY(end->isVisible() && !end->isEnabled());
    QCOMPARE(end->toolTip(), QStringLiteral("You are operator; this needs superadmin."));
    QVERIFY(find<QPushButton>("nodes.drawer.why")->isEnabled());
}

void TestNodesPage::refusalsAreShownInTheirOwnWords()
{
    QSignalSpy told(m_actions, &NodeActions::message);
    m_page->showNode(QStringLiteral("gpu-01"));
    m_client->refusal = {QStringLiteral("gateway_timeout"), QStringLiteral("No answer from gpu-01 within 3 s.")};
    m_actions->probe()->trigger();
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told.first().at(0).value<MessageTone>(), MessageTone::Refused);
    QVERIFY(told.first().at(1).toString().contains(QStringLiteral("No answer from gpu-01 within 3 s.")));
}

void TestNodesPage::staleDisablesActions()
{
    m_page->showNode(QStringLiteral("gpu-01"));
    m_client->setState(ControlPlaneClient::State::Stale);
    for (QAction* action : {m_actions->drain(), m_actions->endQuarantine(), m_actions->probe(), m_actions->why()}) {
        QVERIFY(!action->isEnabled());
        QVERIFY2(action->toolTip().startsWith(QStringLiteral("Disconnected since ") + m_times.time(m_client->wallMs)), qPrintable(action->toolTip()));
    }
    auto* table = find<TableView>("nodes.table");
    QVERIFY(table->model()->index(0, 0).data(DimmedRole).toBool());
    m_client->setState(ControlPlaneClient::State::Live);
    QVERIFY(m_actions->probe()->isEnabled());
    QVERIFY(!table->model()->index(0, 0).data(DimmedRole).toBool());
}

void TestNodesPage::togglesAndCounts()
{
    auto* table = find<TableView>("nodes.table");
    QCOMPARE(find<FacetButton>("nodes.problemsOnly")->count(), 8);
    QCOMPARE(find<FacetButton>("nodes.disagreementOnly")->count(), 2);
    QTest::mouseClick(find<FacetButton>("nodes.problemsOnly"), Qt::LeftButton);
    QCOMPARE(table->model()->rowCount(), 8);
    QTest::mouseClick(find<FacetButton>("nodes.disagreementOnly"), Qt::LeftButton);
    QCOMPARE(table->model()->rowCount(), 2);
    QVERIFY(m_page->clearFilter());
    QCOMPARE(table->model()->rowCount(), 37);
    QVERIFY(!m_page->clearFilter());
}

void TestNodesPage::emptyTableSaysWhy()
{
    auto* search = find<SearchField>("nodes.filter");
    search->setText(QStringLiteral("nothing-like-this"));
    auto* table = find<TableView>("nodes.table");
    QCOMPARE(table->model()->rowCount(), 0);
    QStringList texts;
    const auto labels = table->findChildren<QLabel*>();
    for (const QLabel* label : labels) {
        texts.append(label->text());
    }
    QVERIFY2(texts.join(QLatin1Char('|')).contains(QStringLiteral("0 of 37")), qPrintable(texts.join(QLatin1Char('|'))));
    m_page->showNode(QStringLiteral("gpu-01")); // a link to a hidden node drops the filter
    QCOMPARE(m_page->selection(), QStringList{QStringLiteral("gpu-01")});
    QVERIFY(search->text().isEmpty());
}

void TestNodesPage::columnsSortAndFilterSurvive()
{
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("state.ini"));
    auto* header = find<TableView>("nodes.table")->horizontalHeader();
    header->resizeSection(NodeTableModel::Pool, 133);
    header->setSectionHidden(NodeTableModel::Flaps, true);
    header->setSectionHidden(NodeTableModel::Version, false);
    header->moveSection(header->visualIndex(NodeTableModel::Pool), 1);
    find<TableView>("nodes.table")->sortByColumn(NodeTableModel::FreeCap, Qt::DescendingOrder);
    find<SearchField>("nodes.filter")->setText(QStringLiteral("edge"));
    {
        QSettings settings(file, QSettings::IniFormat);
        m_page->saveState(settings);
        settings.setValue(QStringLiteral("nodes.table/role/width"), QStringLiteral("not a number"));
        settings.remove(QStringLiteral("nodes.table/traffic"));
    }
    cleanup();
    init();
    QSettings settings(file, QSettings::IniFormat);
    m_page->restoreState(settings);
    auto* view = find<TableView>("nodes.table");
    header = view->horizontalHeader();
    QCOMPARE(header->sectionSize(NodeTableModel::Pool), 133);
    QVERIFY(header->isSectionHidden(NodeTableModel::Flaps));
    QVERIFY(!header->isSectionHidden(NodeTableModel::Version));
    QCOMPARE(header->visualIndex(NodeTableModel::Pool), 1);
    QVERIFY(!header->isSectionHidden(NodeTableModel::Traffic));
    QCOMPARE(header->sectionSize(NodeTableModel::Role), 62);
    QCOMPARE(header->sortIndicatorSection(), int(NodeTableModel::FreeCap));
    QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
    QCOMPARE(find<SearchField>("nodes.filter")->text(), QStringLiteral("edge"));
    QVERIFY(view->model()->rowCount() < 37);
}

void TestNodesPage::probeLogAddsNewRowsOnTop()
{
    ProbeLogModel log(m_times);
    QAbstractItemModelTester tester(&log, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QList<ProbeEntry> entries = test::sampleProbeLog(m_client->wallMs);
    log.setLog(QStringLiteral("a"), entries);
    QSignalSpy resets(&log, &QAbstractItemModel::modelReset);
    QSignalSpy inserts(&log, &QAbstractItemModel::rowsInserted);
    ProbeEntry fresh = entries.first();
    fresh.atMs += 8000;
    fresh.success = false;
    fresh.status = 0;
    fresh.reason = QStringLiteral("refused");
    fresh.bodyStatus.clear();
    entries.prepend(fresh);
    entries.removeLast();
    log.setLog(QStringLiteral("a"), entries);
    QCOMPARE(resets.size(), 0);
    QCOMPARE(inserts.size(), 1);
    QCOMPARE(log.rowCount(), 20);
    QCOMPARE(log.index(0, ProbeLogModel::Code).data().toString(), QStringLiteral("–"));
    QVERIFY(log.index(0, ProbeLogModel::Body).data(Qt::AccessibleTextRole).toString().startsWith(QStringLiteral("error refused")));
    QVERIFY(log.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString().contains(QStringLiteral("UTC")));
}

QTEST_MAIN(TestNodesPage)
#include "TestNodesPage.moc"
