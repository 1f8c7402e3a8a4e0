// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/AlarmWords.h"

#include <algorithm>

namespace weir::ui {

namespace {

/// An alarm fires and the incident takes the event in a moment later.
constexpr qint64 kSlackMs = 2000;

constexpr std::pair<const char*, const char*> kKinds[] = {
    {"pool_exhausted", QT_TRANSLATE_NOOP("AlarmWords", "Pool exhausted")},
    {"pool_down", QT_TRANSLATE_NOOP("AlarmWords", "Pool down")},
    {"healthy_below_min", QT_TRANSLATE_NOOP("AlarmWords", "Too few available")},
    {"pool_capacity_low", QT_TRANSLATE_NOOP("AlarmWords", "Capacity low")},
    {"last_candidate_lost", QT_TRANSLATE_NOOP("AlarmWords", "Last candidate lost")},
    {"health_disagrees", QT_TRANSLATE_NOOP("AlarmWords", "Health disagrees")},
    {"correlated_ejection", QT_TRANSLATE_NOOP("AlarmWords", "Ejected together")},
    {"control_plane_isolated", QT_TRANSLATE_NOOP("AlarmWords", "Plane isolated")},
    {"probe_stalled", QT_TRANSLATE_NOOP("AlarmWords", "Probe stalled")},
    {"node_flapping", QT_TRANSLATE_NOOP("AlarmWords", "Node flapping")},
    {"apps_unreachable", QT_TRANSLATE_NOOP("AlarmWords", "Apps unreachable")},
    {"registration_refused", QT_TRANSLATE_NOOP("AlarmWords", "Registration refused")},
    {"store_behind", QT_TRANSLATE_NOOP("AlarmWords", "Store behind")},
};

bool lasted(const IncidentRow& incident, qint64 atMs)
{
    return atMs >= incident.startedMs - kSlackMs && (incident.endedMs == 0 || atMs <= incident.endedMs + kSlackMs);
}

bool concerns(const IncidentRow& incident, const AlarmRow& alarm)
{
    return incident.alarmKinds.contains(alarm.kind)
        && (incident.memberNodes.contains(alarm.node) || incident.memberPools.contains(alarm.pool)
            || incident.memberApps.contains(alarm.app));
}

} // namespace

QString AlarmWords::kind(const QString& kind)
{
    for (const auto& [key, words] : kKinds) {
        if (kind == QLatin1String(key)) {
            return tr(words);
        }
    }
    return kind;
}

QString AlarmWords::severity(Severity severity)
{
    return severity == Severity::Critical ? tr("Critical") : severity == Severity::Warning ? tr("Warning") : tr("Info");
}

QString AlarmWords::standingKey(AlarmStanding standing)
{
    switch (standing) {
    case AlarmStanding::Firing:
        return QStringLiteral("firing");
    case AlarmStanding::Counted:
        return QStringLiteral("counted");
    case AlarmStanding::Silenced:
        return QStringLiteral("silenced");
    case AlarmStanding::Acknowledged:
        return QStringLiteral("acknowledged");
    case AlarmStanding::Cleared:
        return QStringLiteral("cleared");
    }
    return {};
}

QString AlarmWords::standing(AlarmStanding standing)
{
    switch (standing) {
    case AlarmStanding::Firing:
        return tr("Firing");
    case AlarmStanding::Counted:
        return tr("Counted");
    case AlarmStanding::Silenced:
        return tr("Silenced");
    case AlarmStanding::Acknowledged:
        return tr("Acknowledged");
    case AlarmStanding::Cleared:
        return tr("Cleared");
    }
    return {};
}

ChipSpec AlarmWords::chip(const AlarmRow& row)
{
    const QString word = standing(row.standing);
    switch (row.standing) {
    case AlarmStanding::Firing: {
        const bool critical = row.severity == Severity::Critical;
        return {critical ? IconName::MarkOffline : IconName::MarkFailing, word, critical ? Tone::Offline : Tone::Failing, true};
    }
    case AlarmStanding::Counted:
        return {IconName::MarkIdle, word, Tone::Neutral, false};
    case AlarmStanding::Silenced:
        return {IconName::MarkSlashed, word, Tone::Neutral, false};
    case AlarmStanding::Acknowledged:
        return {IconName::Check, word, Tone::Neutral, false};
    case AlarmStanding::Cleared:
        break;
    }
    return {IconName::MarkOnline, word, Tone::Online, false};
}

QString AlarmWords::subject(const AlarmRow& row)
{
    QStringList parts;
    const auto add = [&parts](const QString& words, const QString& value) {
        if (!value.isEmpty()) {
            parts.append(words.arg(value));
        }
    };
    add(tr("node %1"), row.node);
    add(tr("pool %1"), row.pool);
    if (row.app == QLatin1String("*")) {
        parts.append(tr("several apps"));
    } else {
        add(tr("app %1"), row.app);
    }
    add(tr("role %1"), row.role);
    add(tr("address %1"), row.address);
    return parts.isEmpty() ? tr("the control plane") : parts.join(QStringLiteral(" · "));
}

QString AlarmWords::name(const AlarmRow& row)
{
    return tr("%1: %2", "kind of alarm, what it is about").arg(kind(row.kind), subject(row));
}

QString AlarmWords::sentence(const AlarmRow& row, const QString& last)
{
    return tr(
        "%1, %2, %3, %n time(s), last %4", "name of an alarm, severity, state, time", static_cast<int>(qMin<qint64>(row.count, 1'000'000)))
        .arg(name(row), severity(row.severity), standing(row.standing), last);
}

QString AlarmWords::incidentSeverity(int severity)
{
    return QStringLiteral("SEV%1").arg(severity);
}

QString AlarmWords::incidentState(IncidentState state)
{
    switch (state) {
    case IncidentState::Open:
        return tr("open");
    case IncidentState::Acknowledged:
        return tr("acknowledged");
    case IncidentState::Resolved:
        return tr("resolved");
    }
    return {};
}

QString AlarmWords::incident(const IncidentRow& row)
{
    return tr("#%1 · %2 · %3 · %4", "number, severity, state, headline of an incident")
        .arg(QString::number(row.number), incidentSeverity(row.severity), incidentState(row.state), row.headline);
}

const IncidentRow* AlarmWords::incidentOf(const AlarmRow& row, const QList<IncidentRow>& newestFirst)
{
    if (row.incident != 0) {
        const auto found = std::find_if(newestFirst.begin(), newestFirst.end(), [&](const IncidentRow& incident) { return incident.number == row.incident; });
        return found == newestFirst.end() ? nullptr : &*found;
    }
    for (const qint64 at : {row.firingSinceMs, row.firstMs}) {
        for (const IncidentRow& incident : newestFirst) {
            if (lasted(incident, at) && concerns(incident, row)) {
                return &incident;
            }
        }
    }
    return nullptr;
}

} // namespace weir::ui
