// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/ShortTableModel.h"
#include "ui/widgets/TableRoles.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using namespace weir::ui;

namespace {

ShortRow row(const QString& id, const QString& text)
{
    ShortCell cell;
    cell.text = text;
    return {id, {cell, cell}};
}

QStringList ids(const ShortTableModel& model)
{
    QStringList out;
    for (int i = 0; i < model.rowCount(); ++i) {
        out.append(model.index(i, 0).data(IdRole).toString());
    }
    return out;
}

} // namespace

class TestShortTableModel : public QObject {
    Q_OBJECT

private slots:
    void tellsOnlyWhatIsDifferent()
    {
        ShortTableModel model(2);
        model.setRows({row(QStringLiteral("a"), QStringLiteral("1")), row(QStringLiteral("b"), QStringLiteral("2"))});
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        model.setRows({row(QStringLiteral("a"), QStringLiteral("1")), row(QStringLiteral("b"), QStringLiteral("3"))});
        QCOMPARE(inserted.count(), 0);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toModelIndex().row(), 1);
        model.setRows({row(QStringLiteral("a"), QStringLiteral("1")), row(QStringLiteral("b"), QStringLiteral("3"))});
        QCOMPARE(changed.count(), 1);
    }

    void keepsIndexesThroughAnyOrder()
    {
        ShortTableModel model(2);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QRandomGenerator random(11);
        QList<ShortRow> rows{row(QStringLiteral("keep"), {})};
        model.setRows(rows);
        const QPersistentModelIndex kept = model.index(0, 0);
        for (int round = 0; round < 200; ++round) {
            rows = {row(QStringLiteral("keep"), QString::number(round))};
            for (int id = 0; id < 12; ++id) {
                if (random.bounded(2) == 0) {
                    rows.insert(random.bounded(rows.size() + 1), row(QString::number(id), QString::number(random.bounded(5))));
                }
            }
            model.setRows(rows);
            QStringList wanted;
            for (const ShortRow& wantedRow : rows) {
                wanted.append(wantedRow.id);
            }
            QCOMPARE(ids(model), wanted);
            QCOMPARE(kept.data(IdRole).toString(), QStringLiteral("keep"));
            QCOMPARE(kept.data().toString(), QString::number(round));
        }
        QCOMPARE(reset.count(), 0);
    }

    void chipsAreReadAsWords()
    {
        ShortTableModel model(1);
        ShortCell cell;
        cell.chip = chips::probe(ProbeState::Offline);
        model.setRows({{QStringLiteral("a"), {cell}}});
        QCOMPARE(model.index(0, 0).data(Qt::AccessibleTextRole).toString(), QStringLiteral("Offline"));
        QCOMPARE(model.index(0, 0).data(ChipRole).value<ChipSpec>(), cell.chip);
    }
};

QTEST_MAIN(TestShortTableModel)
#include "TestShortTableModel.moc"
