// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/alarms/AlarmsFleet.h"
#include "ui/live/TimeDisplay.h"
#include "ui/pages/alarms/AlarmTableModel.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/TableRoles.h"

#include <QAbstractItemModelTester>
#include <QtTest>
#include <random>

using namespace weir;
using namespace weir::ui;

class TestAlarmTableModel : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void mostUrgentFirst();
    void onlyWhatFiresIsFilled();
    void incidentsAreFound();
    void filters();
    void neverReset();
    void readOutWhole();

private:
    void send(const QList<AlarmRow>& alarms, const QStringList& removed = {});
    [[nodiscard]] QStringList ids() const;

    TimeDisplay m_times;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<AlarmTableModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void TestAlarmTableModel::init()
{
    m_times.setUtc(true);
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_model = std::make_unique<AlarmTableModel>(*m_store, m_times);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    connect(m_store.get(), &FleetStore::flushed, m_model.get(), [this](const FleetDelta& delta) { m_model->apply(delta); });
    m_model->sort(AlarmTableModel::State, Qt::AscendingOrder);
    send(test::sampleAlarms(m_client->wallMs));
}

void TestAlarmTableModel::cleanup()
{
    m_tester.reset();
    m_model.reset();
    m_store.reset();
    m_client.reset();
}

void TestAlarmTableModel::send(const QList<AlarmRow>& alarms, const QStringList& removed)
{
    ChangeBatch batch;
    batch.alarms = alarms;
    batch.removedAlarms = removed;
    m_client->send(batch);
    m_store->flushNow();
}

QStringList TestAlarmTableModel::ids() const
{
    QStringList all;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        all.append(m_model->idAt(row));
    }
    return all;
}

void TestAlarmTableModel::mostUrgentFirst()
{
    // Firing by severity and then the latest, then what is counted, silenced, acknowledged, cleared.
    QCOMPARE(ids().join(QLatin1Char(' ')), QStringLiteral("2 3 1 4 5 6 7"));
    QVERIFY(m_model->isProblem(2));
    QVERIFY(!m_model->isProblem(3));
    // Equal data in another order shows the same: ties go by id.
    QList<AlarmRow> twins;
    for (const char* id : {"20", "21", "22"}) {
        twins.append(
            test::alarmRow(QLatin1String(id), QStringLiteral("probe_stalled"), Severity::Critical, AlarmStanding::Cleared, 5000, 5000));
    }
    send(twins);
    const QStringList before = ids();
    std::reverse(twins.begin(), twins.end());
    send(twins);
    QCOMPARE(ids(), before);
    m_model->sort(AlarmTableModel::Count, Qt::DescendingOrder);
    QCOMPARE(m_model->idAt(0), QStringLiteral("2"));
}

void TestAlarmTableModel::onlyWhatFiresIsFilled()
{
    const auto chip = [this](const char* id) {
        return m_model->index(m_model->rowOf(QLatin1String(id)), AlarmTableModel::State).data(ChipRole).value<ChipSpec>();
    };
    QVERIFY(chip("2").filled);
    QCOMPARE(chip("2").tone, Tone::Offline);
    QVERIFY(chip("1").filled);
    QCOMPARE(chip("1").tone, Tone::Failing);
    for (const char* quiet : {"4", "5", "6", "7"}) {
        QVERIFY2(!chip(quiet).filled, quiet);
        QVERIFY2(!chip(quiet).text.isEmpty() && chip(quiet).mark != IconName::None, quiet);
    }
}

void TestAlarmTableModel::incidentsAreFound()
{
    const auto incident = [this](const char* id) {
        return m_model->index(m_model->rowOf(QLatin1String(id)), AlarmTableModel::Incident).data().toString();
    };
    QCOMPARE(incident("2"), QStringLiteral("–"));
    m_model->setIncidents(test::sampleIncidents(m_client->wallMs));
    QCOMPARE(incident("2"), QStringLiteral("#42"));
    QCOMPARE(incident("6"), QStringLiteral("#42"));
    QCOMPARE(incident("1"), QStringLiteral("#41"));
    QCOMPARE(incident("5"), QStringLiteral("–")); // another pool, another kind
    QCOMPARE(incident("7"), QStringLiteral("–")); // long before
    QVERIFY(m_model->index(m_model->rowOf(QStringLiteral("2")), AlarmTableModel::Incident).data(LinkRole).toBool());
    // What the alarm itself says goes before what its times would tell, also of an incident that is not in the list.
    QList<AlarmRow> rows = test::sampleAlarms(m_client->wallMs);
    for (AlarmRow& row : rows) {
        row.incident = row.id == QStringLiteral("1") ? 42 : row.id == QStringLiteral("5") ? 7 : 0;
    }
    send(rows);
    QCOMPARE(incident("1"), QStringLiteral("#42"));
    QCOMPARE(incident("5"), QStringLiteral("#7"));
    QCOMPARE(incident("2"), QStringLiteral("#42"));
}

void TestAlarmTableModel::filters()
{
    AlarmFilter filter;
    filter.setText(QStringLiteral("POOL-9 origin"));
    m_model->setFilter(filter);
    QCOMPARE(ids().join(QLatin1Char(' ')), QStringLiteral("2 3 6"));
    filter.firingOnly = true;
    m_model->setFilter(filter);
    QCOMPARE(ids().join(QLatin1Char(' ')), QStringLiteral("2 3"));
    filter = {};
    filter.setText(QStringLiteral("wrong secret")); // the explanation counts too
    m_model->setFilter(filter);
    QCOMPARE(ids(), QStringList{QStringLiteral("7")});
    filter = {};
    filter.standings = {QStringLiteral("silenced"), QStringLiteral("acknowledged")};
    m_model->setFilter(filter);
    QCOMPARE(ids().join(QLatin1Char(' ')), QStringLiteral("5 6"));
    QVERIFY(!filter.isEmpty());
}

void TestAlarmTableModel::neverReset()
{
    QSignalSpy resets(m_model.get(), &QAbstractItemModel::modelReset);
    std::mt19937 random(7);
    QList<AlarmRow> rows = test::sampleAlarms(m_client->wallMs);
    for (int round = 0; round < 200; ++round) {
        AlarmRow& row = rows[static_cast<qsizetype>(random() % static_cast<unsigned>(rows.size()))];
        row.standing = static_cast<AlarmStanding>(random() % 5);
        row.severity = random() % 2 == 0 ? Severity::Warning : Severity::Critical;
        row.lastMs += static_cast<qint64>(random() % 5000);
        row.count += 3;
        const AlarmRow other = rows.at(static_cast<qsizetype>(random() % static_cast<unsigned>(rows.size())));
        send({row}, random() % 4 == 0 ? QStringList{other.id} : QStringList());
        m_client->advance(100);
    }
    send(rows);
    QCOMPARE(resets.size(), 0);
    QCOMPARE(m_model->rowCount(), rows.size());
    m_model->sort(AlarmTableModel::State, Qt::AscendingOrder);
    int last = -1;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const int standing = static_cast<int>(m_model->rowAt(row).alarm.standing);
        QVERIFY(standing >= last);
        last = standing;
    }
}

void TestAlarmTableModel::readOutWhole()
{
    const QModelIndex state = m_model->index(m_model->rowOf(QStringLiteral("2")), AlarmTableModel::State);
    const QString said = state.data(Qt::AccessibleTextRole).toString();
    for (const char* part : {"Pool exhausted", "pool-9", "app-14", "Critical", "Firing"}) {
        QVERIFY2(said.contains(QLatin1String(part)), qPrintable(said));
    }
    for (int column = 0; column < AlarmTableModel::ColumnCount; ++column) {
        QVERIFY(!m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        QVERIFY(!m_model->index(0, column).data(Qt::AccessibleTextRole).toString().isEmpty());
    }
    QVERIFY(m_model->headerData(AlarmTableModel::Last, Qt::Horizontal, Qt::DisplayRole).toString().contains(QStringLiteral("UTC")));
}

QTEST_MAIN(TestAlarmTableModel)
#include "TestAlarmTableModel.moc"
