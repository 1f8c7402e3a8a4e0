// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "ui/live/NodeTableModel.h"
#include "ui/live/Words.h"
#include "ui/widgets/TableRoles.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

} // namespace

class TestNodeTableModel : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void worstFirstThenByName();
    void onlyChangedRowsAreReported();
    void neverResetAfterTheFirstLoad();
    void randomChangesKeepTheOrder();
    void tickSaysNothingOfRowsThatShowTheSame();
    void verdictsStayApart();
    void rowsAreReadAsSentences();
    void largeFleetFlushesFast();

private:
    void send(const QList<NodeRow>& rows, const QStringList& removed = {});
    QStringList shown() const;

    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<NodeTableModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void TestNodeTableModel::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_model = std::make_unique<NodeTableModel>(*m_store, NodeTableModel::ProbeColumn::CheckOnly);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_model->sort(NodeTableModel::Probe, Qt::DescendingOrder);
    connect(m_store.get(), &FleetStore::flushed, m_model.get(), &NodeTableModel::apply);
    m_client->send(test::sampleFleet(m_client->wallMs, m_client->monoMs));
}

void TestNodeTableModel::cleanup()
{
    m_tester.reset();
    m_model.reset();
    m_store.reset();
    m_client.reset();
}

void TestNodeTableModel::send(const QList<NodeRow>& rows, const QStringList& removed)
{
    ChangeBatch batch;
    batch.summary = m_store->summary();
    batch.nodes = rows;
    batch.removedNodes = removed;
    m_client->send(batch);
    m_store->flushNow();
}

QStringList TestNodeTableModel::shown() const
{
    QStringList ids;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        ids.append(m_model->idAt(row));
    }
    return ids;
}

void TestNodeTableModel::worstFirstThenByName()
{
    const QStringList expected{QStringLiteral("origin-21"), QStringLiteral("edge-09"), QStringLiteral("gpu-01"), QStringLiteral("gpu-05"),
        QStringLiteral("edge-19"), QStringLiteral("edge-06"), QStringLiteral("origin-12"), QStringLiteral("edge-31"), QStringLiteral("edge-01")};
    QCOMPARE(shown().first(expected.size()), expected);
    m_model->sort(NodeTableModel::Name, Qt::AscendingOrder);
    QStringList sorted = shown();
    QCOMPARE(sorted.first(), QStringLiteral("edge-01"));
    send({test::healthyNode(QStringLiteral("edge-100"), Role::Edge, QStringLiteral("default"), 0, 0),
        test::healthyNode(QStringLiteral("edge-11"), Role::Edge, QStringLiteral("default"), 0, 0)});
    QVERIFY(m_model->rowOf(QStringLiteral("edge-11")) < m_model->rowOf(QStringLiteral("edge-100")));
    QVERIFY(m_model->rowOf(QStringLiteral("edge-59")) < m_model->rowOf(QStringLiteral("edge-100")));
}

void TestNodeTableModel::onlyChangedRowsAreReported()
{
    m_model->sort(NodeTableModel::Name, Qt::AscendingOrder);
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    QList<NodeRow> rows;
    for (const char* id : {"edge-02", "edge-03", "edge-04", "edge-40"}) {
        NodeRow row = *m_store->node(QLatin1String(id));
        row.inFlight += 1;
        rows.append(row);
    }
    send(rows);
    QCOMPARE(changed.size(), 2); // one run of three neighbours, one row alone
    QCOMPARE(changed.at(0).at(0).toModelIndex().row(), m_model->rowOf(QStringLiteral("edge-02")));
    QCOMPARE(changed.at(0).at(1).toModelIndex().row(), m_model->rowOf(QStringLiteral("edge-04")));
    QCOMPARE(changed.at(1).at(0).toModelIndex().row(), m_model->rowOf(QStringLiteral("edge-40")));
}

void TestNodeTableModel::neverResetAfterTheFirstLoad()
{
    QSignalSpy resets(m_model.get(), &QAbstractItemModel::modelReset);
    ChangeBatch again = test::sampleFleet(m_client->wallMs, m_client->monoMs);
    again.nodes.removeFirst();
    again.nodes.append(test::healthyNode(QStringLiteral("new-1"), Role::Edge, QStringLiteral("default"), 0, 0));
    m_client->send(again);
    m_store->flushNow();
    QVERIFY(m_model->rowOf(QStringLiteral("edge-02")) < 0);
    QVERIFY(m_model->rowOf(QStringLiteral("new-1")) >= 0);
    NodeFilter filter;
    filter.problemsOnly = true;
    m_model->setFilter(filter);
    QCOMPARE(m_model->rowCount(), 8);
    m_model->setFilter({});
    QCOMPARE(m_model->rowCount(), 37);
    QCOMPARE(resets.size(), 0);
}

void TestNodeTableModel::randomChangesKeepTheOrder()
{
    QRandomGenerator random(7);
    m_model->sort(NodeTableModel::Streams, Qt::DescendingOrder);
    for (int round = 0; round < 200; ++round) {
        QList<NodeRow> rows;
        QStringList removed;
        for (int i = 0; i < 30; ++i) {
            const QString id = QStringLiteral("n%1").arg(random.bounded(90));
            if (random.bounded(4) == 0) {
                removed.append(id);
            } else {
                NodeRow row = test::healthyNode(id, Role::Edge, QStringLiteral("default"), 0, 0);
                row.inFlight = random.bounded(20);
                rows.append(row);
            }
        }
        m_model->setHeld(random.bounded(3) == 0);
        send(rows, removed);
    }
    m_model->setHeld(false);
    m_model->sort(NodeTableModel::Streams, Qt::DescendingOrder);
    QCOMPARE(m_model->rowCount(), int(m_store->nodes().size()));
    QCOMPARE(m_model->totalCount(), int(m_store->nodes().size()));
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const NodeRow& now = m_model->rowAt(row);
        QCOMPARE(now.inFlight, m_store->node(now.id)->inFlight);
        QCOMPARE(m_model->rowOf(now.id), row);
        if (row > 0) {
            const NodeRow& before = m_model->rowAt(row - 1);
            QVERIFY(before.inFlight > now.inFlight || (before.inFlight == now.inFlight && before.id < now.id));
        }
    }
}

void TestNodeTableModel::tickSaysNothingOfRowsThatShowTheSame()
{
    m_model->tickRows(0, m_model->rowCount() - 1); // from now on the model knows what is shown
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_model->tickRows(0, m_model->rowCount() - 1);
    QCOMPARE(changed.size(), 0);
    m_client->advance(1000);
    m_model->tickRows(2, 4);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex().row(), 2);
    QCOMPARE(changed.first().at(1).toModelIndex().row(), 4);
    QVERIFY(changed.first().at(0).toModelIndex().column() > NodeTableModel::Name);
    changed.clear();
    const int never = m_model->rowOf(QStringLiteral("edge-31"));
    m_model->tickRows(never, never);
    QCOMPARE(changed.size(), 0); // no probe has ended: no age
    QCOMPARE(m_model->index(m_model->rowOf(QStringLiteral("gpu-01")), NodeTableModel::Quarantine).data().toString(), QStringLiteral("41 s"));
}

void TestNodeTableModel::verdictsStayApart()
{
    const auto cell = [this](const char* id, int column) { return m_model->index(m_model->rowOf(QLatin1String(id)), column).data().toString(); };
    QCOMPARE(cell("gpu-01", NodeTableModel::Probe), QStringLiteral("Online"));
    QVERIFY(cell("gpu-01", NodeTableModel::Traffic).startsWith(QStringLiteral("Failing 62")));
    QCOMPARE(cell("gpu-01", NodeTableModel::OkErr), QStringLiteral("80/131"));
    QCOMPARE(cell("edge-31", NodeTableModel::Traffic), QStringLiteral("Not measured"));
    QCOMPARE(cell("edge-31", NodeTableModel::OkErr), QString());
    QVERIFY(cell("origin-21", NodeTableModel::LastProbe).endsWith(QStringLiteral("refused")));
    NodeTableModel merged(*m_store, NodeTableModel::ProbeColumn::Merged);
    FleetDelta delta;
    delta.nodes = {QStringLiteral("gpu-01")};
    merged.apply(delta);
    QCOMPARE(merged.index(0, NodeTableModel::Probe).data().toString(), QStringLiteral("Quarantined 42 s"));
}

void TestNodeTableModel::rowsAreReadAsSentences()
{
    const auto spoken = [this](const char* id) { return m_model->index(m_model->rowOf(QLatin1String(id)), 0).data(Qt::AccessibleTextRole).toString(); };
    const QString gpu = spoken("gpu-01");
    for (const char* part : {"gpu-01", "pool-4", "probe online", "traffic failing 62", "42 s", "quarantined"}) {
        QVERIFY2(gpu.contains(QLatin1String(part)), qPrintable(gpu));
    }
    QVERIFY2(spoken("edge-31").contains(QStringLiteral("traffic not measured")), qPrintable(spoken("edge-31")));
    QVERIFY2(spoken("edge-05").contains(QStringLiteral("schedulable for 5 app")), qPrintable(spoken("edge-05")));
}

void TestNodeTableModel::largeFleetFlushesFast()
{
    m_tester.reset(); // it walks the whole model on every signal
    QRandomGenerator random(3);
    QList<NodeRow> rows;
    for (int i = 0; i < 5000; ++i) {
        NodeRow row = test::healthyNode(QStringLiteral("load-%1").arg(i, 5, 10, QLatin1Char('0')), Role::Edge, QStringLiteral("pool-%1").arg(i % 200), m_client->wallMs, m_client->monoMs);
        rows.append(row);
    }
    send(rows);
    QCOMPARE(m_model->rowCount(), 5037);
    m_model->sort(NodeTableModel::LastProbe, Qt::DescendingOrder);
    qint64 worst = 0;
    qint64 total = 0;
    constexpr int kRounds = 40;
    for (int round = 0; round < kRounds; ++round) {
        QList<NodeRow> changed;
        for (int i = 0; i < 125; ++i) { // 500 updates a second in four flushes
            NodeRow& row = rows[random.bounded(5000)];
            row.lastProbe.atMs += random.bounded(8000);
            changed.append(row);
        }
        QElapsedTimer timer;
        timer.start();
        send(changed);
        m_model->sort(NodeTableModel::LastProbe, Qt::DescendingOrder);
        worst = qMax(worst, timer.nsecsElapsed());
        total += timer.nsecsElapsed();
    }
    qInfo("5000 nodes, 125 changes and a sort a flush: mean %.2f ms, worst %.2f ms", double(total) / kRounds / 1e6, double(worst) / 1e6);
    if (!kSanitized) {
        QVERIFY(worst < 50'000'000);
    }
}

QTEST_MAIN(TestNodeTableModel)
#include "TestNodeTableModel.moc"
