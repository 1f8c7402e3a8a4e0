// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "ui/pages/nodepools/PoolTableModel.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/TableRoles.h"

#include <QAbstractItemModelTester>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestPoolTableModel : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void pinnedPoolsKeepTheirPlaces();
    void pinnedPoolsStayUnderAFilter();
    void availabilityExplainsItself();
    void verdictOfAnEmptiedPool();

private:
    void checkPins() const;

    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<PoolTableModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void TestPoolTableModel::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_model = std::make_unique<PoolTableModel>(*m_store);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    connect(m_store.get(), &FleetStore::flushed, m_model.get(), &PoolTableModel::apply);
    m_client->send(test::sampleFleet(m_client->wallMs, m_client->monoMs));
}

void TestPoolTableModel::cleanup()
{
    m_tester.reset();
    m_model.reset();
    m_store.reset();
    m_client.reset();
}

void TestPoolTableModel::checkPins() const
{
    QCOMPARE(m_model->idAt(0), QStringLiteral("default"));
    QCOMPARE(m_model->idAt(m_model->rowCount() - 1), QStringLiteral("unassigned"));
    QVERIFY(m_model->index(0, 0).data(PinLineRole).toBool());
    QVERIFY(m_model->index(m_model->rowCount() - 2, 0).data(PinLineRole).toBool());
}

void TestPoolTableModel::pinnedPoolsKeepTheirPlaces()
{
    QCOMPARE(m_model->rowCount(), 13);
    for (int column = 0; column < PoolTableModel::ColumnCount; ++column) {
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            m_model->sort(column, order);
            checkPins();
            // And while rows come and go under that order.
            ChangeBatch batch;
            batch.summary = m_store->summary();
            batch.pools = {test::poolRow(QStringLiteral("aaa"), {9, 9, 9}, 99, 99, PoolVerdict::Exhausted),
                test::poolRow(QStringLiteral("zzz"), {0, 0, 0}, 0, 0, PoolVerdict::Unused)};
            m_client->send(batch);
            m_store->flushNow();
            QCOMPARE(m_model->rowCount(), 15);
            checkPins();
            batch.pools.clear();
            batch.removedPools = {QStringLiteral("aaa"), QStringLiteral("zzz")};
            m_client->send(batch);
            m_store->flushNow();
            QCOMPARE(m_model->rowCount(), 13);
            checkPins();
        }
    }
}

void TestPoolTableModel::pinnedPoolsStayUnderAFilter()
{
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        m_model->sort(PoolTableModel::Verdict, order);
        m_model->setFilter(true, {QStringLiteral("pool-1")}, {});
        QCOMPARE(m_model->rowCount(), 5); // default, pool-1, pool-12, pool-14, unassigned
        checkPins();
        QVERIFY(m_model->index(0, 0).data(DimmedRole).toBool());
        QCOMPARE(m_model->index(0, 0).data(SecondaryRole).toString(), QStringLiteral("0 of 58 match"));
        QVERIFY(!m_model->index(1, 0).data(DimmedRole).toBool());
        m_model->setFilter(true, {}, {{QStringLiteral("default"), 2}});
        QCOMPARE(m_model->rowCount(), 2);
        QVERIFY(!m_model->index(0, 0).data(DimmedRole).toBool());
        QCOMPARE(m_model->index(1, 0).data(SecondaryRole).toString(), QStringLiteral("0 of 4 match"));
        m_model->setFilter(false, {}, {});
        QCOMPARE(m_model->rowCount(), 13);
    }
}

void TestPoolTableModel::availabilityExplainsItself()
{
    const int row = m_model->rowOf(QStringLiteral("pool-3"));
    QCOMPARE(m_model->index(row, PoolTableModel::Origins).data().toString(), QStringLiteral("1"));
    QCOMPARE(m_model->index(row, PoolTableModel::Workers).data().toString(), QStringLiteral("–"));
    const QString tip = m_model->index(row, PoolTableModel::Edges).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("− 1 quarantined = 6")), qPrintable(tip));
    const int empty = m_model->rowOf(QStringLiteral("pool-9"));
    QVERIFY(m_model->index(empty, PoolTableModel::Origins).data(BoldRole).toBool());
    const QString spoken = m_model->index(row, 0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(spoken.contains(QStringLiteral("pool-3")) && spoken.contains(QStringLiteral("At risk")), qPrintable(spoken));
}

void TestPoolTableModel::verdictOfAnEmptiedPool()
{
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    ChangeBatch batch;
    batch.summary = m_store->summary();
    batch.pools = {test::poolRow(QStringLiteral("pool-3"), {0, 6, -1}, 9, 5, PoolVerdict::Exhausted)};
    m_client->send(batch);
    m_store->flushNow();
    QCOMPARE(changed.size(), 1);
    const int row = m_model->rowOf(QStringLiteral("pool-3"));
    QCOMPARE(changed.first().at(0).toModelIndex().row(), row);
    QCOMPARE(changed.first().at(1).toModelIndex().row(), row);
    const auto chip = m_model->index(row, PoolTableModel::Verdict).data(ChipRole).value<ChipSpec>();
    QVERIFY(chip.filled);
    QVERIFY(m_model->isProblem(row));
    QVERIFY(m_model->index(row, PoolTableModel::Verdict).data(ChangedAtRole).toLongLong() > 0);
}

QTEST_MAIN(TestPoolTableModel)
#include "TestPoolTableModel.moc"
