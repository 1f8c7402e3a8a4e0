// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "ui/live/LiveTable.h"
#include "ui/live/NodeTableModel.h"
#include "ui/widgets/TableRoles.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/Theme.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestLiveTable : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void changesLeaveSelectionCurrentAndScroll();
    void deletedRowsLeaveTheSelection();
    void recreatedObjectIsNotSelected();
    void orderIsHeldUnderThePointer();
    void keyPressHoldsForThreeSeconds();
    void dotAppliesTheOrder();
    void nextProblemGoesAround();

private:
    void send(const QList<NodeRow>& rows, const QStringList& removed = {});
    NodeRow node(const QString& id, qint64 streams) const;

    Theme m_theme;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<NodeTableModel> m_model;
    std::unique_ptr<TableView> m_view;
    LiveTable* m_live = nullptr;
};

NodeRow TestLiveTable::node(const QString& id, qint64 streams) const
{
    NodeRow row = test::healthyNode(id, Role::Edge, QStringLiteral("default"), m_client->wallMs, m_client->monoMs);
    row.inFlight = streams;
    return row;
}

void TestLiveTable::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_model = std::make_unique<NodeTableModel>(*m_store, NodeTableModel::ProbeColumn::Merged);
    connect(m_store.get(), &FleetStore::flushed, m_model.get(), &NodeTableModel::apply);
    m_view = std::make_unique<TableView>(m_theme);
    m_view->setModel(m_model.get());
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(NodeTableModel::Streams, Qt::DescendingOrder);
    m_live = new LiveTable(*m_view, *m_model, *m_store);
    m_view->resize(800, 400);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    ChangeBatch batch;
    batch.reset = true;
    for (int i = 0; i < 200; ++i) {
        batch.nodes.append(node(QStringLiteral("n%1").arg(i, 3, 10, QLatin1Char('0')), i * 10));
    }
    m_client->send(batch);
    QCOMPARE(m_model->rowCount(), 200);
}

void TestLiveTable::cleanup()
{
    m_view.reset();
    m_model.reset();
    m_store.reset();
    m_client.reset();
}

void TestLiveTable::send(const QList<NodeRow>& rows, const QStringList& removed)
{
    ChangeBatch batch;
    batch.nodes = rows;
    batch.removedNodes = removed;
    m_client->send(batch);
    m_store->flushNow();
}

void TestLiveTable::changesLeaveSelectionCurrentAndScroll()
{
    const QStringList chosen{QStringLiteral("n120"), QStringLiteral("n118"), QStringLiteral("n090")};
    m_live->select(chosen);
    m_view->verticalScrollBar()->setValue(81 * m_view->rowHeight(0) + 7);
    QCoreApplication::processEvents();
    const int topRow = m_view->rowAt(0);
    const QString top = m_model->idAt(topRow);
    const int offset = m_view->rowViewportPosition(topRow);
    const QString current = m_live->currentId();
    QCOMPARE(current, chosen.first());

    QSet<QString> untouched(chosen.begin(), chosen.end());
    untouched.insert(top);
    QRandomGenerator random(11);
    for (int round = 0; round < 100; ++round) {
        QList<NodeRow> rows;
        QStringList removed;
        for (int i = 0; i < 12; ++i) {
            const QString id = QStringLiteral("n%1").arg(random.bounded(260), 3, 10, QLatin1Char('0'));
            if (untouched.contains(id)) {
                continue;
            }
            if (random.bounded(3) == 0) {
                removed.append(id);
            } else {
                rows.append(node(id, random.bounded(2000)));
            }
        }
        send(rows, removed);
        if (round % 10 == 0) {
            m_model->applyOrderNow();
        }
        QCoreApplication::processEvents();
        const QStringList selected = m_live->selectedIds();
        QCOMPARE(QSet<QString>(selected.begin(), selected.end()), QSet<QString>(chosen.begin(), chosen.end()));
        QCOMPARE(m_live->currentId(), current);
        const int row = m_view->rowAt(0);
        QCOMPARE(m_model->idAt(row), top);
        QVERIFY(qAbs(m_view->rowViewportPosition(row) - offset) <= 1);
    }
    QSignalSpy opened(m_live, &LiveTable::activated);
    m_view->setFocus();
    QTest::keyClick(m_view.get(), Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.first().first().toString(), current);
}

void TestLiveTable::deletedRowsLeaveTheSelection()
{
    m_live->select({QStringLiteral("n010"), QStringLiteral("n011"), QStringLiteral("n012")});
    QSignalSpy lost(m_live, &LiveTable::selectionLost);
    send({}, {QStringLiteral("n010")});
    QCOMPARE(lost.size(), 1);
    QCOMPARE(lost.first(), (QVariantList{1, 3}));
    QCOMPARE(m_live->selectedIds().size(), 2);
    // It was the current row too; Enter must not open its neighbour.
    QVERIFY(m_live->currentId().isEmpty());
    QSignalSpy opened(m_live, &LiveTable::activated);
    QTest::keyClick(m_view.get(), Qt::Key_Return);
    QCOMPARE(opened.size(), 0);
}

void TestLiveTable::recreatedObjectIsNotSelected()
{
    m_live->select({QStringLiteral("n010"), QStringLiteral("n011"), QStringLiteral("n012")});
    // Deleted and created again between two flushes, then while the order is held.
    ChangeBatch batch;
    batch.removedNodes = {QStringLiteral("n010")};
    m_client->send(batch);
    send({node(QStringLiteral("n010"), 5)});
    QStringList selected = m_live->selectedIds();
    QVERIFY(!selected.contains(QStringLiteral("n010")));
    QCOMPARE(selected.size(), 2);
    m_live->setForcedHold(true);
    send({}, {QStringLiteral("n011")});
    QVERIFY(m_model->index(m_model->rowOf(QStringLiteral("n011")), 0).data(StruckRole).toBool());
    send({node(QStringLiteral("n011"), 5)});
    QVERIFY(!m_model->index(m_model->rowOf(QStringLiteral("n011")), 0).data(StruckRole).toBool());
    m_live->setForcedHold(false);
    selected = m_live->selectedIds();
    QCOMPARE(selected, QStringList{QStringLiteral("n012")});
}

void TestLiveTable::orderIsHeldUnderThePointer()
{
    QTest::mouseMove(m_view->viewport(), QPoint(40, 60));
    QTest::mouseMove(m_view->viewport(), QPoint(42, 61));
    QTRY_VERIFY(m_model->isHeld());
    const QString under = m_model->idAt(m_view->rowAt(61));
    const int y = m_view->rowViewportPosition(m_model->rowOf(under));
    for (int i = 0; i < 50; ++i) {
        send({node(under, 5000 + i), node(QStringLiteral("n%1").arg(i, 3, 10, QLatin1Char('0')), 9000 + i), node(QStringLiteral("x%1").arg(i), 9999)});
        QCOMPARE(m_view->rowViewportPosition(m_model->rowOf(under)), y);
    }
    QCOMPARE(m_model->rowById(under)->inFlight, 5049);
    QCOMPARE(m_model->rowCount(), 200);
    QVERIFY(m_model->wouldMove() > 50);
    QVERIFY2(m_live->holdText().contains(QString::number(m_model->wouldMove())), qPrintable(m_live->holdText()));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(m_view->viewport(), &leave);
    QVERIFY(!m_model->isHeld());
    QCOMPARE(m_model->rowCount(), 250);
    QCOMPARE(m_model->rowById(m_model->idAt(0))->inFlight, 9999);
    QVERIFY(m_live->holdText().isEmpty());
}

void TestLiveTable::keyPressHoldsForThreeSeconds()
{
    m_view->setFocus();
    QTest::keyClick(m_view.get(), Qt::Key_Down);
    QVERIFY(m_model->isHeld());
    QElapsedTimer timer;
    timer.start();
    QTRY_VERIFY_WITH_TIMEOUT(!m_model->isHeld(), 5000);
    QVERIFY(timer.elapsed() > 2500);
}

void TestLiveTable::dotAppliesTheOrder()
{
    m_live->setForcedHold(true);
    send({node(QStringLiteral("n000"), 99'999)}, {QStringLiteral("n100")});
    QCOMPARE(m_model->wouldMove(), 2);
    QVERIFY(m_model->rowOf(QStringLiteral("n000")) > 0);
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    QCOMPARE(m_model->rowOf(QStringLiteral("n000")), 0);
    QCOMPARE(m_model->rowOf(QStringLiteral("n100")), -1);
    QVERIFY(m_model->isHeld());
    QCOMPARE(m_model->wouldMove(), 0);
    m_live->setForcedHold(false);
}

void TestLiveTable::nextProblemGoesAround()
{
    QVERIFY(!m_live->toProblem(true));
    NodeRow bad = node(QStringLiteral("n150"), 1500);
    bad.consecutiveFailures = 1;
    NodeRow worse = node(QStringLiteral("n020"), 200);
    worse.draining = true;
    send({bad, worse});
    QVERIFY(m_live->toProblem(true));
    QCOMPARE(m_live->currentId(), QStringLiteral("n150"));
    QVERIFY(m_live->toProblem(true));
    QCOMPARE(m_live->currentId(), QStringLiteral("n020"));
    QVERIFY(m_live->toProblem(true));
    QCOMPARE(m_live->currentId(), QStringLiteral("n150"));
    QVERIFY(m_live->toProblem(false));
    QCOMPARE(m_live->currentId(), QStringLiteral("n020"));
}

QTEST_MAIN(TestLiveTable)
#include "TestLiveTable.moc"
