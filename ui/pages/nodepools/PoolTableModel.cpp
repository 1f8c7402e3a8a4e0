// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/nodepools/PoolTableModel.h"

#include "ui/live/NodeFilter.h"
#include "ui/live/Words.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/TableRoles.h"

#include <algorithm>

namespace weir::ui {

namespace {

bool isNumber(int column)
{
    switch (column) {
    case PoolTableModel::Name:
    case PoolTableModel::Verdict:
    case PoolTableModel::Fallback:
    case PoolTableModel::LastChange: return false;
    default: return true;
    }
}

/// The role behind an availability column; columns Origins to Workers only.
Role roleOf(int column)
{
    return static_cast<Role>(column - PoolTableModel::Origins);
}

bool isAvailability(int column)
{
    return column >= PoolTableModel::Origins && column <= PoolTableModel::Workers;
}

const RoleCounts& countsOf(const PoolRow& row, Role role)
{
    return row.roles[static_cast<std::size_t>(role)];
}

qint64 freeOf(const PoolRow& row)
{
    qint64 free = 0;
    for (int role = 0; role < kScheduledRoleCount; ++role) {
        free += row.roles[static_cast<std::size_t>(role)].free;
    }
    return free;
}

} // namespace

PoolTableModel::PoolTableModel(const FleetStore& store, QObject* parent)
    : RowTableModel(parent)
    , m_store(store)
{
}

int PoolTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

void PoolTableModel::apply(const FleetDelta& delta)
{
    QList<PoolRow> rows;
    rows.reserve(delta.pools.size());
    for (const QString& id : delta.pools) {
        if (const PoolRow* row = m_store.pool(id)) {
            rows.append(*row);
        }
    }
    applyRows(rows, delta.removedPools.values());
}

void PoolTableModel::setFilter(bool active, const QStringList& words, const QHash<QString, int>& matchingNodes)
{
    if (!active && !m_filtered) {
        return;
    }
    m_filtered = active;
    m_words = words;
    m_matchingNodes = matchingNodes;
    refilter();
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1)); // the pinned rows' "0 of 6 match"
    }
}

void PoolTableModel::retranslate()
{
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

bool PoolTableModel::isProblem(int row) const
{
    const PoolVerdict verdict = rowAt(row).verdict;
    return !isGone(row) && (verdict == PoolVerdict::AtRisk || verdict == PoolVerdict::Exhausted);
}

bool PoolTableModel::matches(const PoolRow& row) const
{
    if (!m_filtered || m_matchingNodes.value(row.id) > 0) {
        return true;
    }
    const QString text = NodeFilter::folded(row.id + QLatin1Char('\n') + row.name + QLatin1Char('\n') + row.owner);
    return !m_words.isEmpty() && std::all_of(m_words.begin(), m_words.end(), [&text](const QString& word) { return text.contains(word); });
}

bool PoolTableModel::isDimmed(const PoolRow& row) const
{
    return m_store.isStale() || !matches(row);
}

bool PoolTableModel::accepts(int slot) const
{
    const PoolRow& row = rowInSlot(slot);
    return row.isDefault() || row.isUnassigned() || matches(row);
}

PermutedTableModel::SortKey PoolTableModel::sortKey(int slot, int column) const
{
    const PoolRow& row = rowInSlot(slot);
    const int pin = row.isDefault() ? -1 : row.isUnassigned() ? 1 : 0;
    if (isAvailability(column)) {
        const RoleCounts& counts = countsOf(row, roleOf(column));
        return {pin, counts.nodes == 0 ? -1 : counts.available, {}};
    }
    switch (column) {
    case Name: return {pin, 0, naturalKey(row.id)};
    case Nodes: return {pin, row.nodes, {}};
    case Apps: return {pin, row.apps, {}};
    case Verdict: {
        const int order = row.verdict == PoolVerdict::Exhausted ? 3 : row.verdict == PoolVerdict::AtRisk ? 2 : row.verdict == PoolVerdict::Unused ? 1 : 0;
        return {pin, order, {}};
    }
    case FreeCapacity: return {pin, freeOf(row), {}};
    case Fallback: return {pin, row.appsFailClosed, {}};
    case Exhausted: return {pin, row.exhausted1h, {}};
    case LastChange: return {pin, row.lastChangeMs, {}};
    default: return {pin, 0, {}};
    }
}

void PoolTableModel::replacing(int slot, const PoolRow& before, const PoolRow& now)
{
    const auto at = static_cast<std::size_t>(slot);
    if (m_verdictChangedAt.size() <= at) {
        m_verdictChangedAt.resize(at + 1);
    }
    if (before.id != now.id) {
        m_verdictChangedAt[at] = 0;
    } else if (before.verdict != now.verdict || before.atRiskAvailable != now.atRiskAvailable) {
        m_verdictChangedAt[at] = uiClockMs();
    }
}

QString PoolTableModel::text(const PoolRow& row, int column) const
{
    if (isAvailability(column)) {
        const RoleCounts& counts = countsOf(row, roleOf(column));
        return counts.nodes == 0 || row.isUnassigned() ? QStringLiteral("–") : Words::number(counts.available);
    }
    switch (column) {
    case Name: return row.id;
    case Nodes: return Words::number(row.nodes);
    case Apps: return row.isUnassigned() ? QStringLiteral("–") : Words::number(row.apps);
    case Verdict: return Words::poolVerdict(row);
    case FreeCapacity: return Words::number(freeOf(row));
    case Fallback: return row.apps == 0 ? QStringLiteral("–") : tr("%1 allow / %2 fail-closed").arg(row.appsAllowFallback).arg(row.appsFailClosed);
    case Exhausted: return Words::number(row.exhausted1h);
    case LastChange: return row.lastChange.isEmpty() ? QStringLiteral("–") : row.lastChange;
    default: return {};
    }
}

QString PoolTableModel::toolTip(const PoolRow& row, int column) const
{
    if (isAvailability(column) && !row.isUnassigned()) {
        return Words::availability(row, roleOf(column));
    }
    if (column == Verdict && row.isUnassigned()) {
        return tr("Processes keep running and heartbeats continue; no app is sent here.");
    }
    return column == Verdict ? row.verdictRole : QString();
}

QVariant PoolTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const PoolRow& row = rowAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::TextAlignmentRole: return isNumber(column) ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole: return toolTip(row, column);
    case Qt::AccessibleTextRole: return column == Name ? Words::poolSentence(row) : text(row, column);
    case Qt::AccessibleDescriptionRole: return toolTip(row, column);
    case SecondaryRole:
        if (column != Name) {
            return {};
        }
        if (m_filtered && !matches(row)) {
            return tr("0 of %1 match").arg(row.nodes);
        }
        return row.isDefault() ? tr("shared") : row.owner.isEmpty() ? QVariant() : tr("user %1").arg(row.owner);
    case ChipRole: return column == Verdict ? QVariant::fromValue(chips::pool(row)) : QVariant();
    case BoldRole: return isAvailability(column) && countsOf(row, roleOf(column)).nodes > 0 && countsOf(row, roleOf(column)).available == 0 && row.apps > 0;
    case TextLevelRole: return column == Fallback || column == LastChange ? 2 : 1;
    case SentenceRole: return column == LastChange || column == Fallback;
    case StruckRole: return isGone(index.row());
    case DimmedRole: return isDimmed(row);
    case PinLineRole: return row.isDefault() || (index.row() + 1 < rowCount() && rowAt(index.row() + 1).isUnassigned());
    case ChangedAtRole: return column == Verdict ? m_verdictChangedAt[static_cast<std::size_t>(slotAt(index.row()))] : 0;
    case IdRole: return row.id;
    default: return {};
    }
}

QVariant PoolTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return isNumber(section) ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && isAvailability(section)) {
        return tr("Role matches, online, not quarantined, not draining, with room");
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Name: return tr("Pool");
    case Origins: return tr("origins");
    case Edges: return tr("edges");
    case Workers: return tr("workers");
    case Nodes: return tr("Nodes");
    case Apps: return tr("Apps");
    case Verdict: return tr("Verdict");
    case FreeCapacity: return tr("Free capacity");
    case Fallback: return tr("Fallback rule");
    case Exhausted: return tr("Exhausted 1 h");
    case LastChange: return tr("Last change");
    default: return {};
    }
}

} // namespace weir::ui
