// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/NodeFilter.h"
#include "ui/live/PermutedTableModel.h"
#include "ui/widgets/Chip.h"

namespace weir::ui {

/// Nodes as a table, of the Nodes page and of the right pane of Node pools.
class NodeTableModel : public RowTableModel<NodeRow> {
    Q_OBJECT

public:
    enum Column {
        Name, Role, Pool, Owner, Probe, Quarantine, Traffic, OkErr, Schedulable, FreeCap, Streams, LastProbe, Flaps, Version, Region,
        InPoolSince, MovedBy, ColumnCount
    };
    /// CheckOnly: the Probe column says what the check says and the quarantine has its own column. Merged: one column for both.
    enum class ProbeColumn { CheckOnly, Merged };

    NodeTableModel(const FleetStore& store, ProbeColumn probeColumn, QObject* parent = nullptr);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] bool isProblem(int row) const override;

    /// Takes the nodes of a delta from the store.
    void apply(const FleetDelta& delta);
    [[nodiscard]] const NodeFilter& filter() const { return m_filter; }
    void setFilter(const NodeFilter& filter);
    /// Nodes that are being moved say so in place of their role; nodes that are cut are dimmed.
    void setMarks(const QSet<QString>& moving, const QStringList& cut);
    /// Words of the headers and cells changed language.
    void retranslate();

protected:
    [[nodiscard]] SortKey sortKey(int slot, int column) const override;
    [[nodiscard]] bool accepts(int slot) const override;
    void replacing(int slot, const NodeRow& before, const NodeRow& now) override;
    bool tickSlot(int slot) override;
    [[nodiscard]] std::pair<int, int> tickColumns() const override;

private:
    [[nodiscard]] QString text(const NodeRow& row, int column) const;
    [[nodiscard]] ChipSpec chip(const NodeRow& row, int column) const;
    [[nodiscard]] QVariant look(const NodeRow& row, int column, int role) const;
    [[nodiscard]] qint64 changedAt(int slot, int column) const;
    [[nodiscard]] QString toolTip(const NodeRow& row, int column) const;

    const FleetStore& m_store;
    ProbeColumn m_probeColumn;
    NodeFilter m_filter;
    QSet<QString> m_moving;
    QSet<QString> m_cut;
    struct Marks {
        qint64 ageS = -1;      ///< as last shown, to tell whether a tick changes anything
        qint64 leftS = -1;
        qint64 checkAt = 0;    ///< when the verdict last changed, on uiClockMs()
        qint64 trafficAt = 0;
        qint64 schedulableAt = 0;
    };
    std::vector<Marks> m_marks; ///< by slot
};

} // namespace weir::ui
