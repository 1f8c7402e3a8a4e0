// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QAbstractTableModel>

namespace weir::ui {

/// The nodes of one explanation: the excluded ones with their first failing filter, then the ranking of the candidates.
class ExplainedNodeModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Node, Pool, Reason, Detail, Also, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setExplanation(const ExplanationView& view);
    /// Row of a node; -1 where the answer does not name it.
    [[nodiscard]] int rowOf(const QString& id) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(const ExplainedNode& node, int column) const;

    QList<ExplainedNode> m_nodes;
    QString m_chosen;
    qsizetype m_ranked = 0; ///< the first rows are candidates, best first
};

} // namespace weir::ui
