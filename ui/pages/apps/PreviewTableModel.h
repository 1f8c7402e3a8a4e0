// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QAbstractTableModel>

namespace weir::ui {

/// How apps stand before and after a change, a row for each app and role, as the control plane foretells it.
class PreviewTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { App, Role, AvailableBefore, AvailableAfter, FreeBefore, FreeAfter, VerdictBefore, VerdictAfter, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(const QList<AppImpactRow>& rows);
    [[nodiscard]] const QList<AppImpactRow>& rows() const { return m_rows; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<AppImpactRow> m_rows;
};

} // namespace weir::ui
