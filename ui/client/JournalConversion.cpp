// SPDX-License-Identifier: GPL-3.0-or-later
// Alarms and incidents as the console's rows.
#include "core/journal/incidents/IncidentText.h"
#include "ui/client/RowConversion.h"

namespace weir::ui {

namespace {

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString idOrEmpty(std::uint64_t id)
{
    return id == 0 ? QString() : QString::number(id);
}

// What is resolved is over, whatever else may be said of it; somebody who has seen it comes before a silence that nobody may know of.
AlarmStanding standingOf(const plane::AlarmView& view)
{
    if (!view.alarm.isOpen()) {
        return AlarmStanding::Cleared;
    }
    if (view.alarm.state == journal::AlarmState::Acknowledged) {
        return AlarmStanding::Acknowledged;
    }
    if (!view.silencedBy.empty()) {
        return AlarmStanding::Silenced;
    }
    return view.alarm.countedIn != 0 ? AlarmStanding::Counted : AlarmStanding::Firing;
}

} // namespace

AlarmRow toRow(const plane::AlarmView& view, const store::SilenceRecord* silence)
{
    const journal::Alarm& alarm = view.alarm;
    AlarmRow row;
    row.id = QString::number(alarm.id);
    row.kind = text(journal::toText(alarm.key.kind));
    row.severity = static_cast<Severity>(static_cast<int>(alarm.severity));
    row.standing = standingOf(view);
    row.role = text(alarm.key.role);
    row.pool = text(alarm.key.poolId);
    row.app = text(alarm.key.appId);
    row.node = text(alarm.key.nodeId);
    row.address = text(alarm.key.address);
    row.firstMs = toMs(alarm.first);
    row.lastMs = toMs(alarm.last);
    row.firingSinceMs = toMs(alarm.firingSince);
    row.resolvedMs = alarm.isOpen() ? 0 : toMs(alarm.resolvedAt);
    row.count = static_cast<qint64>(alarm.count);
    row.countedIn = idOrEmpty(alarm.countedIn);
    row.stoodFor = static_cast<qint64>(alarm.stoodFor);
    row.incident = alarm.incident;
    row.acknowledgedBy = text(alarm.acknowledgedBy);
    row.acknowledgedMs = alarm.acknowledgedBy.empty() ? 0 : toMs(alarm.acknowledgedAt);
    if (silence != nullptr) {
        row.silence = text(silence->id);
        row.silencedUntilMs = toMs(silence->until);
        row.silencedBy = text(silence->createdBy);
        row.silenceReason = text(silence->reason);
    }
    row.firstSentence = text(alarm.firstExplanation.sentence);
    row.latestMs = toMs(alarm.latestExplanation.at);
    row.latestSentence = text(alarm.latestExplanation.sentence);
    return row;
}

IncidentRow toRow(const journal::Incident& incident, WallTime now)
{
    IncidentRow row;
    row.number = incident.number;
    row.state = incident.state == journal::IncidentState::Open   ? IncidentState::Open
        : incident.state == journal::IncidentState::Acknowledged ? IncidentState::Acknowledged
                                                                 : IncidentState::Resolved;
    row.severity = incident.severity;
    row.headline = text(journal::headlineOf(incident, now));
    row.startedMs = toMs(incident.started);
    row.lastMs = toMs(incident.lastEvent);
    row.endedMs = incident.ended ? toMs(*incident.ended) : 0;
    row.events = static_cast<qint64>(incident.events);
    row.refusals = static_cast<qint64>(incident.refusals);
    row.apps = static_cast<int>(incident.apps.size());
    row.nodes = static_cast<int>(incident.nodes.size());
    for (const std::string& kind : incident.alarms) {
        row.alarmKinds.append(text(kind));
    }
    for (const journal::Subject& subject : journal::membersOf(incident)) {
        QStringList& names = subject.kind == journal::Subject::Kind::Node ? row.memberNodes
            : subject.kind == journal::Subject::Kind::Pool                ? row.memberPools
                                                                          : row.memberApps;
        names.append(text(subject.id));
    }
    return row;
}

} // namespace weir::ui
