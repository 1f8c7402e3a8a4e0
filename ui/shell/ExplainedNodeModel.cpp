// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/ExplainedNodeModel.h"

#include "ui/live/Words.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/TableRoles.h"

namespace weir::ui {

void ExplainedNodeModel::setExplanation(const ExplanationView& view)
{
    beginResetModel();
    m_chosen = view.chosen;
    m_ranked = view.ranking.size();
    m_nodes = view.ranking + view.nodes;
    endResetModel();
}

int ExplainedNodeModel::rowOf(const QString& id) const
{
    for (qsizetype row = 0; row < m_nodes.size(); ++row) {
        if (m_nodes.at(row).id == id) {
            return static_cast<int>(row);
        }
    }
    return -1;
}

int ExplainedNodeModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_nodes.size());
}

int ExplainedNodeModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ExplainedNodeModel::text(const ExplainedNode& node, int column) const
{
    switch (column) {
    case Node: return node.id;
    case Pool: return node.pool;
    case Reason: return node.reason.isEmpty() ? (node.id == m_chosen ? tr("chosen") : tr("candidate")) : chips::filterWord(node.reason);
    case Detail:
        if (node.reason.isEmpty()) {
            return tr("free %1 of %2, pending %3").arg(Words::number(node.free), Words::number(node.capacity), Words::number(node.pending));
        }
        return node.detail;
    case Also: {
        QStringList words;
        for (const QString& code : node.also) {
            words.append(chips::filterWord(code));
        }
        return words.join(QLatin1String(", "));
    }
    default: return {};
    }
}

QVariant ExplainedNodeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const ExplainedNode& node = m_nodes.at(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(node, column);
    case Qt::AccessibleTextRole:
        return column == Node ? tr("%1, %2, %3, %4", "node, pool, reason, detail").arg(node.id, node.pool, text(node, Reason), text(node, Detail)) : text(node, column);
    case Qt::ToolTipRole: return column == Reason ? node.reason : column == Detail ? text(node, Detail) : QVariant();
    case ChipRole:
        if (column != Reason) {
            return {};
        }
        return QVariant::fromValue(node.reason.isEmpty() ? ChipSpec{IconName::MarkOnline, text(node, Reason), Tone::Online, false}
                                                         : ChipSpec{IconName::MarkSlashed, text(node, Reason), Tone::Neutral, false});
    case BoldRole: return column == Node && node.id == m_chosen && !m_chosen.isEmpty();
    case TextLevelRole: return column == Node ? 1 : 2;
    case SentenceRole: return column == Detail || column == Also;
    default: return {};
    }
}

QVariant ExplainedNodeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Node: return tr("Node");
    case Pool: return tr("Pool");
    case Reason: return tr("Reason");
    case Detail: return tr("Detail");
    case Also: return tr("Also");
    default: return {};
    }
}

} // namespace weir::ui
