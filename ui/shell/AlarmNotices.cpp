// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/AlarmNotices.h"

#include "ui/live/AlarmWords.h"

#include <algorithm>

namespace weir::ui {

namespace {

constexpr qsizetype kNamedAtMost = 3;

bool isGraver(const AlarmRow& a, const AlarmRow& b)
{
    return a.severity != b.severity ? a.severity > b.severity : a.id.toULongLong() < b.id.toULongLong();
}

} // namespace

AlarmNotices::AlarmNotices(FleetStore& store, QObject* parent)
    : QObject(parent)
    , m_store(store)
{
    connect(&store, &FleetStore::flushed, this, &AlarmNotices::take);
}

QString AlarmNotices::titleOf(const QList<AlarmRow>& fired, const QList<AlarmRow>& worse)
{
    const auto count = static_cast<int>(fired.size() + worse.size());
    if (count > 1) {
        return worse.isEmpty() ? tr("%n alarm(s) fired", nullptr, count) : tr("%n alarm(s) fired or got worse", nullptr, count);
    }
    const AlarmRow& row = fired.isEmpty() ? worse.first() : fired.first();
    const QString name = AlarmWords::name(row);
    return fired.isEmpty()                   ? tr("Worse: %1").arg(name)
        : row.severity == Severity::Critical ? tr("Critical: %1").arg(name)
                                             : tr("Warning: %1").arg(name);
}

void AlarmNotices::take(const FleetDelta& delta)
{
    for (const QString& id : delta.removedAlarms) {
        m_told.remove(id);
    }
    QList<AlarmRow> fired;
    QList<AlarmRow> worse;
    for (const QString& id : delta.alarms) {
        const AlarmRow* row = m_store.alarm(id);
        if (row == nullptr || !row->needsSomebody()) {
            continue;
        }
        const auto known = m_told.constFind(id);
        if (known == m_told.cend()) {
            fired.append(*row);
        } else if (row->severity > *known) {
            worse.append(*row);
        } else {
            continue; // a repeat, or back on the way down
        }
        m_told.insert(id, row->severity);
    }
    if (!std::exchange(m_hasLooked, true) || (fired.isEmpty() && worse.isEmpty())) {
        return;
    }
    QList<AlarmRow> all = fired + worse;
    std::sort(all.begin(), all.end(), isGraver);
    QStringList lines;
    for (const AlarmRow& row : std::as_const(all)) {
        if (lines.size() < kNamedAtMost) {
            lines.append(all.size() == 1 ? row.latestSentence : AlarmWords::name(row));
        }
    }
    if (all.size() > kNamedAtMost) {
        lines.append(tr("and %n more", nullptr, static_cast<int>(all.size() - kNamedAtMost)));
    }
    emit told(titleOf(fired, worse), lines.join(QLatin1Char('\n')), all.first().id, all.first().severity == Severity::Critical);
}

} // namespace weir::ui
