// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/PermutedTableModel.h"
#include "ui/pages/apps/AppFilter.h"

namespace weir::ui {

/// An app with what its pool has for it.
struct AppTableRow {
    QString id;
    AppRow app;
    AppStanding standing;
};

/// Apps as a table. A row follows both its app and the pool that the app resolves to.
class AppTableModel : public RowTableModel<AppTableRow> {
    Q_OBJECT

public:
    enum Column { Name, Owner, Resolution, Pool, Fallback, Origins, Edges, Workers, Verdict, Why, ColumnCount };

    explicit AppTableModel(const FleetStore& store, QObject* parent = nullptr);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] bool isProblem(int row) const override;

    void apply(const FleetDelta& delta);
    [[nodiscard]] const AppFilter& filter() const { return m_filter; }
    void setFilter(const AppFilter& filter);
    void retranslate();

protected:
    [[nodiscard]] SortKey sortKey(int slot, int column) const override;
    [[nodiscard]] bool accepts(int slot) const override;
    void replacing(int slot, const AppTableRow& before, const AppTableRow& now) override;

private:
    [[nodiscard]] QString text(const AppTableRow& row, int column) const;
    [[nodiscard]] QString toolTip(const AppTableRow& row, int column) const;

    const FleetStore& m_store;
    AppFilter m_filter;
    std::vector<qint64> m_verdictChangedAt; ///< by slot, on uiClockMs()
};

} // namespace weir::ui
