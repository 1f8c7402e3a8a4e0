// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/NodeTableModel.h"

#include "ui/live/Words.h"
#include "ui/widgets/TableRoles.h"

namespace weir::ui {

namespace {

bool isNumber(int column)
{
    return column == NodeTableModel::OkErr || column == NodeTableModel::FreeCap || column == NodeTableModel::Streams || column == NodeTableModel::Flaps;
}

qint64 secondsLeft(const NodeRow& row, qint64 nowMonoMs)
{
    return row.quarantinedUntilMonoMs > nowMonoMs ? (row.quarantinedUntilMonoMs - nowMonoMs + 999) / 1000 : 0;
}

/// "status:500" reads "status 500".
QString causeWord(const NodeRow& row)
{
    QString cause = row.causeDetail.isEmpty() ? row.cause : row.causeDetail;
    return cause.replace(QLatin1Char(':'), QLatin1Char(' '));
}

QString orDash(const QString& text)
{
    return text.isEmpty() ? QStringLiteral("–") : text;
}

} // namespace

NodeTableModel::NodeTableModel(const FleetStore& store, ProbeColumn probeColumn, QObject* parent)
    : RowTableModel(parent)
    , m_store(store)
    , m_probeColumn(probeColumn)
{
}

int NodeTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

void NodeTableModel::apply(const FleetDelta& delta)
{
    QList<NodeRow> rows;
    rows.reserve(delta.nodes.size());
    for (const QString& id : delta.nodes) {
        if (const NodeRow* row = m_store.node(id)) {
            rows.append(*row);
        }
    }
    applyRows(rows, delta.removedNodes.values());
}

void NodeTableModel::setFilter(const NodeFilter& filter)
{
    m_filter = filter;
    refilter();
}

void NodeTableModel::setMarks(const QSet<QString>& moving, const QStringList& cut)
{
    const QSet<QString> touched = m_moving + m_cut + moving + QSet<QString>(cut.begin(), cut.end());
    m_moving = moving;
    m_cut = {cut.begin(), cut.end()};
    for (const QString& id : touched) {
        const int row = rowOf(id);
        if (row >= 0) {
            emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
        }
    }
}

void NodeTableModel::retranslate()
{
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

bool NodeTableModel::isProblem(int row) const
{
    return !isGone(row) && Words::severity(rowAt(row), m_store.nowMonoMs()) > 0;
}

bool NodeTableModel::accepts(int slot) const
{
    return m_filter.isEmpty() || m_filter.accepts(rowInSlot(slot), m_store.nowMonoMs());
}

PermutedTableModel::SortKey NodeTableModel::sortKey(int slot, int column) const
{
    const NodeRow& row = rowInSlot(slot);
    switch (column) {
    case Name: return {0, 0, naturalKey(row.id)};
    case Role: return {0, static_cast<qint64>(row.role), {}};
    case Pool: return {0, 0, naturalKey(row.pool)};
    case Owner: return {0, 0, row.owner};
    case Probe: return {0, Words::severity(row, m_store.nowMonoMs()), {}};
    case Quarantine: return {0, row.quarantinedUntilMonoMs, {}};
    case Traffic: return {0, static_cast<qint64>(row.traffic) * 1000 + chips::failedPercent(row), {}};
    case OkErr: return {0, qint64(row.trafficOk) + row.trafficStatus + row.trafficTransport, {}};
    case Schedulable: return {0, static_cast<qint64>(row.schedulable) * 1'000'000 - row.appCount, row.blockedBy};
    case FreeCap: return {0, row.free, {}};
    case Streams: return {0, row.inFlight, {}};
    case LastProbe: return {0, row.lastProbe.atMs, {}};
    case Flaps: return {0, row.flaps1h, {}};
    case Version: return {0, 0, row.version};
    case Region: return {0, 0, row.region};
    case InPoolSince: return {0, row.inPoolSinceMs, {}};
    case MovedBy: return {0, 0, row.movedBy};
    default: return {};
    }
}

void NodeTableModel::replacing(int slot, const NodeRow& before, const NodeRow& now)
{
    const auto at = static_cast<std::size_t>(slot);
    if (m_marks.size() <= at) {
        m_marks.resize(at + 1);
    }
    Marks& marks = m_marks[at];
    if (before.id != now.id) {
        marks = Marks();
        return;
    }
    marks.ageS = -1;
    const qint64 clock = uiClockMs();
    const bool heldChanged = (before.quarantinedUntilMonoMs != 0) != (now.quarantinedUntilMonoMs != 0);
    if (Words::checkState(before) != Words::checkState(now) || before.consecutiveFailures != now.consecutiveFailures || heldChanged) {
        marks.checkAt = clock;
    }
    if (before.traffic != now.traffic) {
        marks.trafficAt = clock;
    }
    if (before.schedulable != now.schedulable || before.blockedBy != now.blockedBy || before.appCount != now.appCount) {
        marks.schedulableAt = clock;
    }
}

bool NodeTableModel::tickSlot(int slot)
{
    const NodeRow& row = rowInSlot(slot);
    Marks& marks = m_marks[static_cast<std::size_t>(slot)];
    const qint64 age = row.lastProbe.atMs == 0 ? 0 : qMax<qint64>(0, m_store.nowWallMs() - row.lastProbe.atMs) / 1000;
    const qint64 left = secondsLeft(row, m_store.nowMonoMs());
    const bool differs = age != marks.ageS || left != marks.leftS;
    marks.ageS = age;
    marks.leftS = left;
    return differs;
}

std::pair<int, int> NodeTableModel::tickColumns() const
{
    return {Probe, LastProbe};
}

QString NodeTableModel::text(const NodeRow& row, int column) const
{
    const qint64 mono = m_store.nowMonoMs();
    switch (column) {
    case Name: return row.id;
    case Role: return m_moving.contains(row.id) ? tr("moving…") : Words::role(row.role);
    case Pool: return row.pool;
    case Owner: return orDash(row.owner);
    case Probe: return m_probeColumn == ProbeColumn::Merged ? Words::probe(row, mono) : Words::check(row);
    case Quarantine: return orDash(Words::quarantineLeft(row, mono));
    case Traffic: return Words::traffic(row);
    case OkErr: {
        const bool counted = row.trafficOk + row.trafficStatus + row.trafficTransport + qMax(0, row.trafficSemantic) > 0;
        const int failed = row.trafficStatus + row.trafficTransport + qMax(0, row.trafficSemantic);
        return counted ? QStringLiteral("%1/%2").arg(Words::number(row.trafficOk), Words::number(failed)) : QString();
    }
    case Schedulable: return Words::schedulable(row);
    case FreeCap: return Words::freeCapacity(row);
    case Streams: return isScheduled(row.role) ? Words::number(row.inFlight) : QStringLiteral("–");
    case LastProbe: return Words::lastProbe(row, m_store.nowWallMs());
    case Flaps: return Words::number(row.flaps1h);
    case Version: return orDash(row.version);
    case Region: return orDash(row.region);
    case InPoolSince: return row.inPoolSinceMs == 0 ? QStringLiteral("–") : Words::duration(qMax<qint64>(0, m_store.nowWallMs() - row.inPoolSinceMs));
    case MovedBy: return orDash(row.movedBy);
    default: return {};
    }
}

ChipSpec NodeTableModel::chip(const NodeRow& row, int column) const
{
    const qint64 mono = m_store.nowMonoMs();
    if (column == Probe) {
        return m_probeColumn == ProbeColumn::Merged ? chips::probe(row, mono)
                                                    : chips::probe(Words::checkState(row), row.consecutiveFailures, row.unhealthyThreshold);
    }
    if (column == Traffic) {
        return chips::traffic(row);
    }
    const QString left = column == Quarantine ? Words::quarantineLeft(row, mono) : QString();
    return left.isEmpty() ? ChipSpec() : ChipSpec{IconName::MarkQuarantined, left, Tone::Quarantined, true};
}

QString NodeTableModel::toolTip(const NodeRow& row, int column) const
{
    switch (column) {
    case Probe: return row.healthReason;
    case Traffic: return Words::trafficSentence(row);
    case Schedulable: return Words::schedulableSentence(row);
    case Quarantine: return row.quarantinedUntilMonoMs == 0 ? QString() : tr("%1 · cause: %2").arg(Words::quarantineLeft(row, m_store.nowMonoMs()), causeWord(row));
    default: return {};
    }
}

qint64 NodeTableModel::changedAt(int slot, int column) const
{
    const Marks& marks = m_marks[static_cast<std::size_t>(slot)];
    return column == Probe ? marks.checkAt : column == Traffic ? marks.trafficAt : column == Schedulable ? marks.schedulableAt : 0;
}

QVariant NodeTableModel::look(const NodeRow& row, int column, int role) const
{
    switch (role) {
    case ChipRole: {
        const ChipSpec spec = chip(row, column);
        return spec.isEmpty() ? QVariant() : QVariant::fromValue(spec);
    }
    case SecondaryRole: return column == Quarantine && row.quarantinedUntilMonoMs != 0 ? causeWord(row) : QVariant();
    case ModifierRole:
        return column == Probe && Words::disagrees(row) ? QVariant(static_cast<int>(IconName::MarkIdle)) : QVariant();
    case TextLevelRole:
        if (column == Schedulable) {
            return row.schedulable == weir::ui::Schedulable::ForApps || row.schedulable == weir::ui::Schedulable::ForUnknownApps ? 1 : 2;
        }
        if (column == Flaps) {
            return row.flaps1h > 0 ? 1 : 3;
        }
        return column == Name || column == FreeCap || column == Streams ? 1 : 2;
    case SentenceRole: return column == Schedulable || column == LastProbe;
    case DimmedRole: return m_store.isStale() || m_cut.contains(row.id);
    default: return {};
    }
}

QVariant NodeTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const NodeRow& row = rowAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::TextAlignmentRole: return isNumber(column) ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole: return toolTip(row, column);
    case Qt::AccessibleTextRole: return column == Name ? Words::nodeSentence(row, m_store.nowMonoMs()) : text(row, column);
    case Qt::AccessibleDescriptionRole: return toolTip(row, column);
    case StruckRole: return isGone(index.row());
    case ChangedAtRole: return changedAt(slotAt(index.row()), column);
    case IdRole: return row.id;
    default: return look(row, column, role);
    }
}

QVariant NodeTableModel::headerData(int section, Qt::Orientation orientation, int role) const
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
    case Name: return m_probeColumn == ProbeColumn::Merged ? tr("Node") : tr("Name");
    case Role: return tr("Role");
    case Pool: return tr("Pool");
    case Owner: return tr("Owner");
    case Probe: return tr("Probe");
    case Quarantine: return tr("Quarantine");
    case Traffic: return m_probeColumn == ProbeColumn::Merged ? tr("Traffic") : tr("Traffic 5 m");
    case OkErr: return tr("ok/err");
    case Schedulable: return tr("Schedulable for");
    case FreeCap: return tr("Free/Cap");
    case Streams: return tr("Streams");
    case LastProbe: return tr("Last probe");
    case Flaps: return tr("Flaps 1 h");
    case Version: return tr("Version");
    case Region: return tr("Region");
    case InPoolSince: return tr("In pool since");
    case MovedBy: return tr("Moved by");
    default: return {};
    }
}

} // namespace weir::ui
