// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/apps/AppsFleet.h"
#include "ui/pages/apps/AppTableModel.h"
#include "ui/widgets/TableRoles.h"

#include <QAbstractItemModelTester>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestAppTableModel : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void verdicts_data();
    void verdicts();
    void worstFirst();
    void followsThePool();
    void filters();
    void chains();

private:
    [[nodiscard]] QString cell(const QString& app, int column) const { return m_model->index(m_model->rowOf(app), column).data().toString(); }

    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<AppTableModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void TestAppTableModel::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_model = std::make_unique<AppTableModel>(*m_store);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    connect(m_store.get(), &FleetStore::flushed, m_model.get(), &AppTableModel::apply);
    m_client->send(test::appsFleet());
    m_store->flushNow();
}

void TestAppTableModel::cleanup()
{
    m_tester.reset();
    m_model.reset();
    m_store.reset();
    m_client.reset();
}

void TestAppTableModel::verdicts_data()
{
    QTest::addColumn<QString>("app");
    QTest::addColumn<QString>("word");
    QTest::addColumn<bool>("filled");
    QTest::addColumn<QString>("origins");
    QTest::addColumn<QString>("fallback");
    QTest::newRow("served") << QStringLiteral("app-5") << QStringLiteral("OK") << false << QStringLiteral("2") << QStringLiteral("fail-closed");
    QTest::newRow("default") << QStringLiteral("news") << QStringLiteral("OK") << false << QStringLiteral("4") << QStringLiteral("fail-closed");
    QTest::newRow("falls back") << QStringLiteral("app-12") << QStringLiteral("Would fall back to default (4)") << true << QStringLiteral("0")
                                << QStringLiteral("allowed");
    QTest::newRow("fails closed") << QStringLiteral("app-2") << QStringLiteral("Fails closed") << true << QStringLiteral("0") << QStringLiteral("fail-closed");
    QTest::newRow("empty pool") << QStringLiteral("ghost") << QStringLiteral("Resolves to empty pool") << true << QStringLiteral("–")
                                << QStringLiteral("fail-closed");
}

void TestAppTableModel::verdicts()
{
    QFETCH(QString, app);
    QFETCH(QString, word);
    QFETCH(bool, filled);
    QFETCH(QString, origins);
    QFETCH(QString, fallback);
    const int row = m_model->rowOf(app);
    QVERIFY(row >= 0);
    const auto chip = m_model->index(row, AppTableModel::Verdict).data(ChipRole).value<ChipSpec>();
    QCOMPARE(chip.text, word);
    QCOMPARE(chip.filled, filled);
    QCOMPARE(m_model->isProblem(row), filled);
    QCOMPARE(cell(app, AppTableModel::Origins), origins);
    QCOMPARE(cell(app, AppTableModel::Fallback), fallback);
    const QString spoken = m_model->index(row, 0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(spoken.startsWith(app) && spoken.endsWith(word), qPrintable(spoken));
}

void TestAppTableModel::worstFirst()
{
    m_model->sort(AppTableModel::Verdict, Qt::AscendingOrder);
    QStringList order;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        order.append(m_model->idAt(row));
    }
    QCOMPARE(order, (QStringList{QStringLiteral("ghost"), QStringLiteral("app-2"), QStringLiteral("app-10"), QStringLiteral("app-12"), QStringLiteral("app-5"),
                        QStringLiteral("news")}));
    m_model->sort(AppTableModel::Name, Qt::AscendingOrder);
    QCOMPARE(m_model->idAt(0), QStringLiteral("app-2")); // numbers by value
    QCOMPARE(m_model->idAt(2), QStringLiteral("app-10"));
}

void TestAppTableModel::followsThePool()
{
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    ChangeBatch batch;
    batch.summary = m_store->summary();
    batch.pools = {*m_store->pool(QStringLiteral("pool-2"))};
    batch.pools[0].roles[0].free -= 5; // nothing that this table shows
    m_client->send(batch);
    m_store->flushNow();
    QCOMPARE(changed.size(), 0);
    batch.pools[0].roles[0].available = 1;
    m_client->send(batch);
    m_store->flushNow();
    QCOMPARE(changed.size(), 1);
    QCOMPARE(cell(QStringLiteral("app-5"), AppTableModel::Origins), QStringLiteral("1"));
    // The number in "Would fall back to default (k)" is of another pool than the app's own.
    batch.pools = {*m_store->pool(QStringLiteral("default"))};
    batch.pools[0].roles[0].available = 2;
    m_client->send(batch);
    m_store->flushNow();
    QCOMPARE(cell(QStringLiteral("app-12"), AppTableModel::Verdict), QStringLiteral("Would fall back to default (2)"));
}

void TestAppTableModel::filters()
{
    AppFilter filter;
    filter.problemsOnly = true;
    m_model->setFilter(filter);
    QCOMPARE(m_model->rowCount(), 4);
    QVERIFY(m_model->rowOf(QStringLiteral("news")) < 0);
    filter = {};
    filter.setText(QStringLiteral("POOL-1 app"));
    m_model->setFilter(filter);
    QCOMPARE(m_model->rowCount(), 2);
    filter = {};
    filter.resolutions = {AppFilter::resolutionKey(Resolution::Binding)};
    m_model->setFilter(filter);
    QCOMPARE(m_model->rowCount(), 1);
    QCOMPARE(m_model->idAt(0), QStringLiteral("app-12"));
    filter = {};
    filter.owners = {QString()};
    m_model->setFilter(filter);
    QCOMPARE(m_model->idAt(0), QStringLiteral("news"));
}

void TestAppTableModel::chains()
{
    const auto tip = [this](const char* app) { return m_model->index(m_model->rowOf(QLatin1String(app)), AppTableModel::Resolution).data(Qt::ToolTipRole).toString(); };
    QCOMPARE(tip("app-12"),
        QStringLiteral("1. Explicit binding: to pool-7 — this one decides\n2. Owner's pool: user 7, pool-7; not reached\n3. Default: default; not reached"));
    QCOMPARE(tip("app-2"), QStringLiteral("1. Explicit binding: none\n2. Owner's pool: user 1, so pool-1 — this one decides\n3. Default: default; not reached"));
    QCOMPARE(tip("news"), QStringLiteral("1. Explicit binding: none\n2. Owner's pool: no owner is known\n3. Default: default — this one decides"));
    QCOMPARE(m_model->index(m_model->rowOf(QStringLiteral("app-2")), AppTableModel::Origins).data(Qt::ToolTipRole).toString(),
        QStringLiteral("3 origin(s) − 3 draining = 0"));
}

QTEST_MAIN(TestAppTableModel)
#include "TestAppTableModel.moc"
