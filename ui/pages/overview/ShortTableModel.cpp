// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/ShortTableModel.h"

#include "ui/widgets/TableRoles.h"

#include <QSet>

namespace weir::ui {

ShortTableModel::ShortTableModel(int columns, QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(columns)
{
}

void ShortTableModel::setHeaders(const QStringList& headers, const QList<int>& rightAligned)
{
    m_headers = headers;
    m_rightAligned = rightAligned;
    emit headerDataChanged(Qt::Horizontal, 0, m_columns - 1);
}

int ShortTableModel::rowOf(const QString& id, int from) const
{
    for (int row = from; row < m_rows.size(); ++row) {
        if (m_rows[row].id == id) {
            return row;
        }
    }
    return -1;
}

void ShortTableModel::setRows(const QList<ShortRow>& rows)
{
    QSet<QString> wanted;
    for (const ShortRow& row : rows) {
        wanted.insert(row.id);
    }
    for (int row = static_cast<int>(m_rows.size()) - 1; row >= 0; --row) {
        if (!wanted.contains(m_rows[row].id)) {
            beginRemoveRows({}, row, row);
            m_rows.removeAt(row);
            endRemoveRows();
        }
    }
    for (int row = 0; row < rows.size(); ++row) {
        const int at = rowOf(rows[row].id, row);
        if (at < 0) {
            beginInsertRows({}, row, row);
            m_rows.insert(row, rows[row]);
            endInsertRows();
            continue;
        }
        if (at != row) {
            beginMoveRows({}, at, at, {}, row);
            m_rows.move(at, row);
            endMoveRows();
        }
        if (!(m_rows[row] == rows[row])) {
            m_rows[row] = rows[row];
            emit dataChanged(index(row, 0), index(row, m_columns - 1));
        }
    }
}

void ShortTableModel::setDimmed(bool dimmed)
{
    if (dimmed == m_dimmed) {
        return;
    }
    m_dimmed = dimmed;
    if (!m_rows.isEmpty()) {
        emit dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, m_columns - 1), {DimmedRole});
    }
}

int ShortTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ShortTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_columns;
}

QVariant ShortTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const ShortRow& row = m_rows[index.row()];
    const ShortCell& cell = row.cells[index.column()];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return cell.chip.isEmpty() ? cell.text : cell.chip.text;
    case Qt::TextAlignmentRole:
        return cell.right ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case Qt::ToolTipRole:
        return cell.toolTip.isEmpty() ? QVariant() : QVariant(cell.toolTip);
    case ChipRole:
        return cell.chip.isEmpty() ? QVariant() : QVariant::fromValue(cell.chip);
    case IconRole:
        return static_cast<int>(cell.icon);
    case IconToneRole:
        return cell.iconTone ? QVariant(static_cast<int>(*cell.iconTone)) : QVariant();
    case TextLevelRole:
        return cell.level;
    case LinkRole:
        return cell.link;
    case SentenceRole:
        return cell.sentence;
    case DimmedRole:
        return m_dimmed;
    case IdRole:
        return row.id;
    default:
        return {};
    }
}

QVariant ShortTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section >= m_headers.size()) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return m_headers[section];
    }
    if (role == Qt::TextAlignmentRole) {
        return int((m_rightAligned.contains(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

} // namespace weir::ui
