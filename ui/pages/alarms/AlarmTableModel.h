// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/PermutedTableModel.h"
#include "ui/pages/alarms/AlarmFilter.h"

namespace weir::ui {

class TimeDisplay;

/// An alarm with the incident that it belongs to.
struct AlarmTableRow {
    QString id;
    AlarmRow alarm;
    qint64 incident = 0; ///< 0: none
};

/// Alarms as a table, one row an episode. In the State column they are in the order in which somebody should look at them: firing first,
/// then the graver ones, then the latest.
class AlarmTableModel : public RowTableModel<AlarmTableRow> {
    Q_OBJECT

public:
    enum Column { State, Severity, Kind, Role, Pool, App, Node, First, Last, Count, Incident, ColumnCount };

    AlarmTableModel(const FleetStore& store, const TimeDisplay& times, QObject* parent = nullptr);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] bool isProblem(int row) const override;

    void apply(const FleetDelta& delta);
    /// The newest first. Rows find theirs among them.
    void setIncidents(const QList<IncidentRow>& incidents);
    [[nodiscard]] const QList<IncidentRow>& incidents() const { return m_incidents; }
    [[nodiscard]] const AlarmFilter& filter() const { return m_filter; }
    void setFilter(const AlarmFilter& filter);
    void retranslate();

protected:
    [[nodiscard]] SortKey sortKey(int slot, int column) const override;
    [[nodiscard]] bool accepts(int slot) const override;
    void replacing(int slot, const AlarmTableRow& before, const AlarmTableRow& now) override;

private:
    [[nodiscard]] AlarmTableRow tableRowOf(const AlarmRow& alarm) const;
    [[nodiscard]] QString text(const AlarmTableRow& row, int column) const;
    [[nodiscard]] QString toolTip(const AlarmTableRow& row, int column) const;

    const FleetStore& m_store;
    const TimeDisplay& m_times;
    AlarmFilter m_filter;
    QList<IncidentRow> m_incidents;
    std::vector<qint64> m_stateChangedAt; ///< by slot, on uiClockMs()
};

} // namespace weir::ui
