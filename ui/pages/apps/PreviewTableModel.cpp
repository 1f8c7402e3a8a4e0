// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/PreviewTableModel.h"

#include "ui/live/Words.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/TableRoles.h"

namespace weir::ui {

namespace {

bool isNumber(int column)
{
    return column >= PreviewTableModel::AvailableBefore && column <= PreviewTableModel::FreeAfter;
}

// Short words: two verdicts stand side by side.
ChipSpec verdictOf(const StandingView& standing)
{
    ChipSpec chip = chips::app(standing.verdict);
    if (standing.verdict == AppVerdict::FallsBack) {
        chip.text = PreviewTableModel::tr("%1 (%2)", "verdict, number of nodes in default").arg(chip.text).arg(standing.fallbackCandidates);
    }
    return chip;
}

} // namespace

void PreviewTableModel::setRows(const QList<AppImpactRow>& rows)
{
    if (rows == m_rows) {
        return;
    }
    if (rows.size() != m_rows.size()) {
        beginResetModel();
        m_rows = rows;
        endResetModel();
        return;
    }
    m_rows = rows;
    emit dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, ColumnCount - 1));
}

int PreviewTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PreviewTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PreviewTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const AppImpactRow& row = m_rows.at(index.row());
    const int column = index.column();
    const StandingView& standing = column == AvailableBefore || column == FreeBefore || column == VerdictBefore ? row.before : row.after;
    const bool isVerdict = column == VerdictBefore || column == VerdictAfter;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        switch (column) {
        case App: return row.app;
        case Role: return Words::role(row.role);
        case AvailableBefore:
        case AvailableAfter: return QString::number(standing.candidates);
        case FreeBefore:
        case FreeAfter: return Words::number(standing.free);
        default: return verdictOf(standing).text;
        }
    case Qt::TextAlignmentRole: return isNumber(column) ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
    case ChipRole: return isVerdict ? QVariant::fromValue(verdictOf(standing)) : QVariant();
    case BoldRole: return column == AvailableAfter && row.before.candidates != row.after.candidates;
    case TextLevelRole: return column == Role || column == AvailableBefore || column == FreeBefore ? 2 : 1;
    default: return {};
    }
}

QVariant PreviewTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return isNumber(section) ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case App: return tr("App");
    case Role: return tr("Role");
    case AvailableBefore:
    case FreeBefore:
    case VerdictBefore: return tr("before");
    default: return tr("after");
    }
}

} // namespace weir::ui
