// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/AppTableModel.h"

#include "ui/live/Words.h"
#include "ui/widgets/TableRoles.h"

namespace weir::ui {

namespace {

bool isAvailability(int column)
{
    return column >= AppTableModel::Origins && column <= AppTableModel::Workers;
}

std::size_t roleIndex(int column)
{
    return static_cast<std::size_t>(column - AppTableModel::Origins);
}

QVariant alignment(int column)
{
    return isAvailability(column) ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
}

} // namespace

AppTableModel::AppTableModel(const FleetStore& store, QObject* parent)
    : RowTableModel(parent)
    , m_store(store)
{
}

int AppTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

void AppTableModel::apply(const FleetDelta& delta)
{
    QSet<QString> ids = delta.apps;
    const bool sharedChanged = delta.pools.contains(QStringLiteral("default"));
    if (!delta.pools.isEmpty()) {
        for (const AppRow& app : m_store.apps()) {
            if (!delta.pools.contains(app.pool) && !(sharedChanged && app.verdict == AppVerdict::FallsBack)) {
                continue;
            }
            // A pool's free capacity changes all the time; what stands in this table seldom does.
            const AppTableRow* row = rowById(app.id);
            if (row != nullptr && row->standing != standingOf(app, m_store)) {
                ids.insert(app.id);
            }
        }
    }
    QList<AppTableRow> rows;
    rows.reserve(ids.size());
    for (const QString& id : std::as_const(ids)) {
        if (const AppRow* app = m_store.app(id)) {
            rows.append({id, *app, standingOf(*app, m_store)});
        }
    }
    applyRows(rows, delta.removedApps.values());
}

void AppTableModel::setFilter(const AppFilter& filter)
{
    m_filter = filter;
    refilter();
}

void AppTableModel::retranslate()
{
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

bool AppTableModel::isProblem(int row) const
{
    return !isGone(row) && rowAt(row).standing.kind != AppStandingKind::Ok;
}

bool AppTableModel::accepts(int slot) const
{
    const AppTableRow& row = rowInSlot(slot);
    return m_filter.accepts(row.app, row.standing);
}

PermutedTableModel::SortKey AppTableModel::sortKey(int slot, int column) const
{
    const AppTableRow& row = rowInSlot(slot);
    if (isAvailability(column)) {
        return {0, row.standing.available[roleIndex(column)], {}};
    }
    switch (column) {
    case Name: return {0, 0, naturalKey(row.id)};
    case Owner: return {0, 0, naturalKey(row.app.owner)};
    case Resolution: return {0, static_cast<int>(row.app.resolution), {}};
    case Pool: return {0, 0, naturalKey(row.app.pool)};
    case Fallback: return {0, row.app.fallbackAllowed ? 1 : 0, {}};
    case Verdict: return {0, -static_cast<int>(row.standing.kind), naturalKey(row.id)}; // worst first, then by name, both upwards
    case Why: return {0, 0, row.app.why};
    default: return {};
    }
}

void AppTableModel::replacing(int slot, const AppTableRow& before, const AppTableRow& now)
{
    const auto at = static_cast<std::size_t>(slot);
    if (m_verdictChangedAt.size() <= at) {
        m_verdictChangedAt.resize(at + 1);
    }
    if (before.id != now.id) {
        m_verdictChangedAt[at] = 0;
    } else if (before.standing.kind != now.standing.kind) {
        m_verdictChangedAt[at] = uiClockMs();
    }
}

QString AppTableModel::text(const AppTableRow& row, int column) const
{
    if (isAvailability(column)) {
        const int available = row.standing.available[roleIndex(column)];
        return available < 0 ? QStringLiteral("–") : Words::number(available);
    }
    switch (column) {
    case Name: return row.id;
    case Owner: return row.app.owner.isEmpty() ? QStringLiteral("–") : row.app.owner;
    case Resolution: return AppWords::resolution(row.app.resolution);
    case Pool: return row.app.pool;
    case Fallback: return AppWords::fallback(row.app);
    case Verdict: return AppWords::verdict(row.standing).text;
    case Why: return row.app.why.isEmpty() ? QStringLiteral("–") : row.app.why;
    default: return {};
    }
}

QString AppTableModel::toolTip(const AppTableRow& row, int column) const
{
    const PoolRow* pool = m_store.pool(row.app.pool);
    if (isAvailability(column)) {
        return pool == nullptr ? QString() : Words::availability(*pool, static_cast<Role>(roleIndex(column)));
    }
    switch (column) {
    case Resolution:
    case Pool: return AppWords::chainText(row.app);
    case Fallback: return AppWords::fallbackSentence(row.app);
    case Verdict: return row.app.why;
    default: return {};
    }
}

QVariant AppTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const AppTableRow& row = rowAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::TextAlignmentRole: return alignment(column);
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole: return toolTip(row, column);
    case Qt::AccessibleTextRole: return column == Name ? AppWords::sentence(row.app, row.standing) : text(row, column);
    case ChipRole: return column == Verdict ? QVariant::fromValue(AppWords::verdict(row.standing)) : QVariant();
    case BoldRole:
        return isAvailability(column) && row.standing.starvedRole && static_cast<std::size_t>(*row.standing.starvedRole) == roleIndex(column)
            && row.standing.available[roleIndex(column)] == 0;
    case TextLevelRole: return column == Name || column == Pool || isAvailability(column) ? 1 : 2;
    case LinkRole: return column == Pool;
    case SentenceRole: return column == Why || column == Resolution;
    case StruckRole: return isGone(index.row());
    case DimmedRole: return m_store.isStale();
    case ChangedAtRole: return column == Verdict ? m_verdictChangedAt[static_cast<std::size_t>(slotAt(index.row()))] : 0;
    case IdRole: return row.id;
    default: return {};
    }
}

QVariant AppTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return alignment(section);
    }
    if (role == Qt::ToolTipRole && isAvailability(section)) {
        return tr("In the resolved pool: role matches, online, not quarantined, not draining, with room");
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Name: return tr("App");
    case Owner: return tr("Owner");
    case Resolution: return tr("Resolution");
    case Pool: return tr("Resolved pool");
    case Fallback: return tr("Fallback");
    case Origins: return tr("origins");
    case Edges: return tr("edges");
    case Workers: return tr("workers");
    case Verdict: return tr("Verdict");
    case Why: return tr("Why");
    default: return {};
    }
}

} // namespace weir::ui
