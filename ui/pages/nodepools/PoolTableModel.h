// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/PermutedTableModel.h"

#include <QHash>

namespace weir::ui {

/// Pools as a table. `default` is always the first row and `unassigned` always the last one, under every sort column, in both
/// directions and under any filter: a filter dims them and says how many of their nodes match.
class PoolTableModel : public RowTableModel<PoolRow> {
    Q_OBJECT

public:
    enum Column { Name, Origins, Edges, Workers, Nodes, Apps, Verdict, FreeCapacity, Fallback, Exhausted, LastChange, ColumnCount };

    explicit PoolTableModel(const FleetStore& store, QObject* parent = nullptr);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] bool isProblem(int row) const override;

    void apply(const FleetDelta& delta);
    /// While `active`, shows pools of which `matchingNodes` counts a node, and those whose name or owner holds all `words`.
    void setFilter(bool active, const QStringList& words, const QHash<QString, int>& matchingNodes);
    [[nodiscard]] bool isFiltered() const { return m_filtered; }
    void retranslate();

protected:
    [[nodiscard]] SortKey sortKey(int slot, int column) const override;
    [[nodiscard]] bool accepts(int slot) const override;
    void replacing(int slot, const PoolRow& before, const PoolRow& now) override;

private:
    [[nodiscard]] bool matches(const PoolRow& row) const;
    [[nodiscard]] bool isDimmed(const PoolRow& row) const;
    [[nodiscard]] QString text(const PoolRow& row, int column) const;
    [[nodiscard]] QString toolTip(const PoolRow& row, int column) const;

    const FleetStore& m_store;
    std::vector<qint64> m_verdictChangedAt; ///< by slot, on uiClockMs()
    bool m_filtered = false;
    QStringList m_words;
    QHash<QString, int> m_matchingNodes;
};

} // namespace weir::ui
