// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alarms/AlarmTableModel.h"

#include "ui/live/AlarmWords.h"
#include "ui/live/TimeDisplay.h"
#include "ui/live/Words.h"
#include "ui/widgets/TableRoles.h"

namespace weir::ui {

namespace {

/// Later than any time: a rank and a time make one number, and the latest of a rank comes first.
constexpr qint64 kEndOfTime = qint64(1) << 50;

qint64 urgency(const AlarmRow& alarm)
{
    const qint64 rank = static_cast<qint64>(alarm.standing) * 3 + (2 - static_cast<qint64>(alarm.severity));
    return rank * kEndOfTime + (kEndOfTime - 1 - alarm.lastMs);
}

QVariant alignment(int column)
{
    const bool right = column == AlarmTableModel::Count;
    return int((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

QString orDash(const QString& text)
{
    return text.isEmpty() ? QStringLiteral("–") : text;
}

} // namespace

AlarmTableModel::AlarmTableModel(const FleetStore& store, const TimeDisplay& times, QObject* parent)
    : RowTableModel(parent)
    , m_store(store)
    , m_times(times)
{
    connect(&times, &TimeDisplay::changed, this, &AlarmTableModel::retranslate);
}

int AlarmTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

AlarmTableRow AlarmTableModel::tableRowOf(const AlarmRow& alarm) const
{
    const IncidentRow* incident = AlarmWords::incidentOf(alarm, m_incidents);
    return {alarm.id, alarm, incident == nullptr ? alarm.incident : incident->number};
}

void AlarmTableModel::apply(const FleetDelta& delta)
{
    QList<AlarmTableRow> rows;
    rows.reserve(delta.alarms.size());
    for (const QString& id : delta.alarms) {
        if (const AlarmRow* alarm = m_store.alarm(id)) {
            rows.append(tableRowOf(*alarm));
        }
    }
    applyRows(rows, delta.removedAlarms.values());
}

void AlarmTableModel::setIncidents(const QList<IncidentRow>& incidents)
{
    m_incidents = incidents;
    QList<AlarmTableRow> rows;
    for (const AlarmRow& alarm : m_store.alarms()) {
        const AlarmTableRow* known = rowById(alarm.id);
        const AlarmTableRow row = tableRowOf(alarm);
        if (known != nullptr && known->incident != row.incident) {
            rows.append(row);
        }
    }
    if (!rows.isEmpty()) {
        applyRows(rows, {});
    }
}

void AlarmTableModel::setFilter(const AlarmFilter& filter)
{
    m_filter = filter;
    refilter();
}

void AlarmTableModel::retranslate()
{
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

bool AlarmTableModel::isProblem(int row) const
{
    return !isGone(row) && rowAt(row).alarm.needsSomebody();
}

bool AlarmTableModel::accepts(int slot) const
{
    return m_filter.accepts(rowInSlot(slot).alarm);
}

PermutedTableModel::SortKey AlarmTableModel::sortKey(int slot, int column) const
{
    const AlarmTableRow& row = rowInSlot(slot);
    const AlarmRow& alarm = row.alarm;
    switch (column) {
    case State:
        return {0, urgency(alarm), {}};
    case Severity:
        return {0, -static_cast<qint64>(alarm.severity), {}};
    case Kind:
        return {0, 0, alarm.kind};
    case Role:
        return {0, 0, alarm.role};
    case Pool:
        return {0, 0, naturalKey(alarm.pool)};
    case App:
        return {0, 0, naturalKey(alarm.app)};
    case Node:
        return {0, 0, naturalKey(alarm.node)};
    case First:
        return {0, alarm.firstMs, {}};
    case Last:
        return {0, alarm.lastMs, {}};
    case Count:
        return {0, alarm.count, {}};
    case Incident:
        return {0, row.incident, {}};
    default:
        return {};
    }
}

void AlarmTableModel::replacing(int slot, const AlarmTableRow& before, const AlarmTableRow& now)
{
    const auto at = static_cast<std::size_t>(slot);
    if (m_stateChangedAt.size() <= at) {
        m_stateChangedAt.resize(at + 1);
    }
    if (before.id != now.id) {
        m_stateChangedAt[at] = 0;
    } else if (before.alarm.standing != now.alarm.standing || before.alarm.severity != now.alarm.severity) {
        m_stateChangedAt[at] = uiClockMs();
    }
}

QString AlarmTableModel::text(const AlarmTableRow& row, int column) const
{
    const AlarmRow& alarm = row.alarm;
    switch (column) {
    case State:
        return AlarmWords::standing(alarm.standing);
    case Severity:
        return AlarmWords::severity(alarm.severity);
    case Kind:
        return AlarmWords::kind(alarm.kind);
    case Role:
        return orDash(alarm.role);
    case Pool:
        return orDash(alarm.pool);
    case App:
        return alarm.app == QLatin1String("*") ? tr("several") : orDash(alarm.app);
    case Node:
        return orDash(alarm.node);
    case First:
        return m_times.dateTime(alarm.firstMs);
    case Last:
        return m_times.dateTime(alarm.lastMs);
    case Count:
        return Words::number(alarm.count);
    case Incident:
        return row.incident == 0 ? QStringLiteral("–") : QStringLiteral("#%1").arg(row.incident);
    default:
        return {};
    }
}

QString AlarmTableModel::toolTip(const AlarmTableRow& row, int column) const
{
    const AlarmRow& alarm = row.alarm;
    switch (column) {
    case State:
        switch (alarm.standing) {
        case AlarmStanding::Counted:
            return tr("Alarm %1 stands for it; it is not told by itself.").arg(alarm.countedIn);
        case AlarmStanding::Silenced:
            return tr("Silenced until %1: %2").arg(m_times.dateTimeZone(alarm.silencedUntilMs), alarm.silenceReason);
        case AlarmStanding::Acknowledged:
            return tr("Acknowledged by %1").arg(alarm.acknowledgedBy);
        default:
            return alarm.latestSentence;
        }
    case Kind:
        return QStringLiteral("%1 %2").arg(AlarmWords::kind(alarm.kind), alarm.kind);
    case First:
        return m_times.dateTimeZone(alarm.firstMs);
    case Last:
        return m_times.dateTimeZone(alarm.lastMs);
    case Incident:
        for (const IncidentRow& incident : m_incidents) {
            if (incident.number == row.incident) {
                return AlarmWords::incident(incident);
            }
        }
        return {};
    default:
        return {};
    }
}

QVariant AlarmTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const AlarmTableRow& row = rowAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::TextAlignmentRole:
        return alignment(column);
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
        return toolTip(row, column);
    case Qt::AccessibleTextRole:
        return column == State ? AlarmWords::sentence(row.alarm, m_times.dateTimeZone(row.alarm.lastMs)) : text(row, column);
    case ChipRole:
        return column == State ? QVariant::fromValue(AlarmWords::chip(row.alarm)) : QVariant();
    case BoldRole:
        return column == Severity && row.alarm.needsSomebody() && row.alarm.severity == weir::ui::Severity::Critical;
    case TextLevelRole:
        return column == Kind || column == Count || (column == Severity && row.alarm.needsSomebody()) ? 1 : 2;
    case LinkRole:
        return (column == Pool && !row.alarm.pool.isEmpty()) || (column == Node && !row.alarm.node.isEmpty())
            || (column == Incident && row.incident != 0)
            || (column == App && !row.alarm.app.isEmpty() && row.alarm.app != QLatin1String("*"));
    case SentenceRole:
        return column == Kind || column == Severity;
    case StruckRole:
        return isGone(index.row());
    case DimmedRole:
        return m_store.isStale();
    case ChangedAtRole:
        return column == State ? m_stateChangedAt[static_cast<std::size_t>(slotAt(index.row()))] : 0;
    case IdRole:
        return row.id;
    default:
        return {};
    }
}

QVariant AlarmTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return alignment(section);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case State:
        return tr("State");
    case Severity:
        return tr("Severity");
    case Kind:
        return tr("Kind");
    case Role:
        return tr("Role");
    case Pool:
        return tr("Pool");
    case App:
        return tr("App");
    case Node:
        return tr("Node");
    case First:
        return tr("First (%1)", "time zone").arg(m_times.zoneName(m_store.nowWallMs()));
    case Last:
        return tr("Last (%1)", "time zone").arg(m_times.zoneName(m_store.nowWallMs()));
    case Count:
        return tr("Count");
    case Incident:
        return tr("Incident");
    default:
        return {};
    }
}

} // namespace weir::ui
