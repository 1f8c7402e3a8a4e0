// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/nodes/ProbeLogModel.h"

#include "ui/live/Words.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/Theme.h"

#include <QPainter>

namespace weir::ui {

ProbeLogModel::ProbeLogModel(const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent)
    , m_times(times)
{
    connect(&times, &TimeDisplay::changed, this, &ProbeLogModel::timesChanged);
}

void ProbeLogModel::timesChanged()
{
    emit headerDataChanged(Qt::Horizontal, Time, Time);
    if (!m_entries.isEmpty()) {
        emit dataChanged(index(0, Time), index(rowCount() - 1, Time));
    }
}

void ProbeLogModel::setLog(const QString& node, const QList<ProbeEntry>& entries)
{
    if (node != m_node || m_entries.isEmpty() || entries.isEmpty()) {
        beginResetModel();
        m_node = node;
        m_entries = entries;
        endResetModel();
        return;
    }
    const qint64 newest = m_entries.first().atMs;
    qsizetype fresh = 0;
    while (fresh < entries.size() && entries.at(fresh).atMs > newest) {
        ++fresh;
    }
    if (fresh > 0) {
        beginInsertRows({}, 0, static_cast<int>(fresh) - 1);
        m_entries = entries.first(fresh) + m_entries;
        endInsertRows();
    }
    if (m_entries.size() > entries.size()) {
        beginRemoveRows({}, static_cast<int>(entries.size()), rowCount() - 1);
        m_entries = m_entries.first(entries.size());
        endRemoveRows();
    }
}

void ProbeLogModel::setStale(bool stale)
{
    if (m_stale != stale) {
        m_stale = stale;
        if (!m_entries.isEmpty()) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        }
    }
}

int ProbeLogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int ProbeLogModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

ProbeLogModel::Fields ProbeLogModel::fieldsOf(const ProbeEntry& entry)
{
    Fields fields;
    if (!entry.success && entry.status == 0) {
        fields.append({QStringLiteral("error"), Words::probeReason(entry.reason, entry.status)}); // no answer, so no body either
    }
    if (!entry.bodyStatus.isEmpty()) {
        fields.append({QStringLiteral("status"), entry.bodyStatus});
    }
    if (!entry.bodyReason.isEmpty()) {
        fields.append({QStringLiteral("reason"), entry.bodyReason});
    }
    if (entry.diskFreeGb.has_value()) {
        fields.append({QStringLiteral("disk_free_gb"), QString::number(*entry.diskFreeGb, 'f', 1)});
    }
    QStringList deps;
    for (const auto& [name, ok] : entry.deps) {
        deps.append(name + (ok ? QStringLiteral("=true") : QStringLiteral("=false")));
    }
    if (!deps.isEmpty()) {
        fields.append({QStringLiteral("deps"), deps.join(QLatin1String(", "))});
    }
    if (!entry.text.isEmpty()) {
        fields.append({QString(), entry.text});
    }
    return fields;
}

QString ProbeLogModel::text(const ProbeEntry& entry, int column) const
{
    switch (column) {
    case Time: return m_times.timeMs(entry.atMs);
    case Code: return entry.status > 0 ? QString::number(entry.status) : QStringLiteral("–");
    case Duration: return QString::number(entry.durationMs);
    case Result:
        return entry.held ? tr("Held") : entry.success ? tr("OK") : tr("Failed");
    default: return {};
    }
}

QVariant ProbeLogModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const ProbeEntry& entry = m_entries.at(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(entry, column);
    case Qt::TextAlignmentRole: return column == Code || column == Duration ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
    case ChipRole:
        if (column != Result) {
            return {};
        }
        return QVariant::fromValue(ChipSpec{entry.held ? IconName::MarkQuarantined : entry.success ? IconName::MarkOnline : IconName::MarkOffline,
            text(entry, column), entry.held ? Tone::Quarantined : entry.success ? Tone::Online : Tone::Offline, false});
    case FieldsRole: return column == Body ? QVariant::fromValue(fieldsOf(entry)) : QVariant();
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        if (column != Body) {
            return role == Qt::ToolTipRole ? QVariant() : text(entry, column);
        }
        QStringList parts;
        const Fields fields = fieldsOf(entry);
        for (const auto& [name, value] : fields) {
            parts.append(name.isEmpty() ? value : name + QLatin1Char(' ') + value);
        }
        return parts.join(QStringLiteral(" · "));
    }
    case DimmedRole: return m_stale;
    default: return {};
    }
}

QVariant ProbeLogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return section == Code || section == Duration ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Time: return tr("Time (%1)").arg(m_times.zoneName(m_entries.isEmpty() ? 0 : m_entries.first().atMs));
    case Code: return tr("Code");
    case Duration: return tr("ms");
    case Result: return tr("Result");
    case Body: return tr("Body fields");
    default: return {};
    }
}

BodyFieldsDelegate::BodyFieldsDelegate(const Theme& theme, QObject* parent)
    : TableDelegate(theme, parent)
    , m_theme(theme)
{
}

void BodyFieldsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    TableDelegate::paint(painter, option, index);
    const auto fields = index.data(ProbeLogModel::FieldsRole).value<ProbeLogModel::Fields>();
    const Tokens& t = m_theme.tokens();
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    const bool dimmed = index.data(DimmedRole).toBool();
    const QFontMetrics fm(option.font);
    painter->save();
    painter->setClipRect(option.rect);
    painter->setFont(option.font);
    int x = option.rect.left() + metrics::kCellPadding;
    const int right = option.rect.right() - metrics::kCellPadding;
    const int y = option.rect.top() + (option.rect.height() - 1 - fm.height()) / 2 + fm.ascent();
    for (const auto& [name, value] : fields) {
        painter->setPen(t.thirdLevel(selected));
        painter->drawText(x, y, name);
        x += name.isEmpty() ? 0 : fm.horizontalAdvance(name) + 5;
        painter->setPen(dimmed ? t.thirdLevel(selected) : t.text);
        painter->drawText(x, y, fm.elidedText(value, Qt::ElideRight, qMax(0, right - x)));
        x += fm.horizontalAdvance(value) + 13;
        if (x > right) {
            break;
        }
    }
    painter->restore();
}

} // namespace weir::ui
