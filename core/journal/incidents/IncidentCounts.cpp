// SPDX-License-Identifier: GPL-3.0-or-later
// What an incident counts, how its members are, what resembles it, and what people do to it.
#include "core/journal/incidents/IncidentBook.h"

#include "core/base/Ids.h"
#include "core/base/Sentence.h"
#include "core/journal/incidents/IncidentText.h"

#include <algorithm>

namespace weir::journal {
namespace {

constexpr std::uint64_t kDisagreeingEjections = 3;
constexpr std::size_t kMostCompared = 60;
constexpr int kLatestCompared = 200;

// As membersOf(), without making the set.
bool isMember(const Incident& incident, const Subject& subject)
{
    return incident.triggers.contains(subject)
        || (subject.kind == Subject::Kind::Pool && std::any_of(incident.triggers.begin(), incident.triggers.end(), [&](const Subject& trigger) { return trigger.pool == subject.id; }));
}

std::string jsonDetail(const Incident& incident, std::string_view change)
{
    // Numbers and fixed words: nothing to escape.
    return "{\"incident\":" + std::to_string(incident.number) + ",\"state\":\"" + std::string(toText(incident.state)) + "\",\"severity\":\"" + severityText(incident.severity)
        + "\",\"change\":\"" + std::string(change) + "\"}";
}

} // namespace

std::string IncidentBook::stateKeyOf(const IncidentInput& input)
{
    switch (input.event.kind) {
    case EventKind::NodeOffline:
    case EventKind::NodeOnline:
    case EventKind::NodeRemoved:
    case EventKind::NodeMoved:
        return "node:" + input.event.nodeId;
    case EventKind::AlarmFired:
    case EventKind::AlarmResolved:
        return alarmKeyOf(input);
    default:
        return {};
    }
}

void IncidentBook::count(Incident& incident, const IncidentInput& input, bool isTrigger)
{
    const Event& event = input.event;
    if (event.seq != 0 && event.seq <= incident.lastSeq) {
        return;
    }
    incident.lastSeq = event.seq;
    incident.lastEvent = std::max(incident.lastEvent, event.at);
    ++incident.events;
    incident.triggerEvents += isTrigger ? 1 : 0;
    if (event.kind == EventKind::PoolExhausted || event.kind == EventKind::PoolFallback) {
        const bool refused = event.kind == EventKind::PoolExhausted;
        (refused ? incident.refusals : incident.fallbacks) += input.facts;
        if (incident.apps.contains(event.appId) || incident.apps.size() < Incident::kMostNames) {
            AppImpact& app = incident.apps[event.appId];
            if (app.refusals + app.fallbacks == 0) {
                app.first = event.at;
            }
            (refused ? app.refusals : app.fallbacks) += input.facts;
            app.last = event.at;
            app.role = event.role;
            app.poolId = event.poolId;
        }
        if (refused) {
            incident.evidence = incident.evidence ? incident.evidence : input.evidence;
            raiseSeverity(incident, 1);
        }
    }
    if (event.kind == EventKind::AlarmFired) {
        incident.detected = incident.detected ? incident.detected : std::optional(event.at);
        incident.alarms.insert(input.alarm);
        if (input.alarm == "healthy_below_min" || input.alarm == "health_disagrees") {
            raiseSeverity(incident, 2);
        }
    }
    noteState(incident, input, isTrigger);
}

void IncidentBook::noteState(Incident& incident, const IncidentInput& input, bool isTrigger)
{
    const Event& event = input.event;
    const std::string key = stateKeyOf(input);
    if (event.kind == EventKind::NodeOffline) {
        ++incident.ejections;
        if (incident.nodes.contains(event.nodeId) || incident.nodes.size() < Incident::kMostNames) {
            NodeStory& story = incident.nodes[event.nodeId];
            if (story.ejections + story.probeOutages == 0) {
                story.firstOut = event.at;
            }
            ++(input.cause == "passive" ? story.ejections : story.probeOutages);
            story.lastOut = event.at;
            story.out = true;
            story.outcome = input.outcome;
            story.poolId = event.poolId;
            if (story.ejections >= kDisagreeingEjections) {
                raiseSeverity(incident, 2);
            }
        }
    } else if (event.kind == EventKind::NodeOnline) {
        const auto story = incident.nodes.find(event.nodeId);
        if (story != incident.nodes.end() && story->second.out) {
            story->second.out = false;
            ++story->second.undone;
            story->second.outMs += (event.at - story->second.lastOut).count();
        }
    }
    const bool ends = event.kind == EventKind::NodeOnline || event.kind == EventKind::NodeRemoved || event.kind == EventKind::AlarmResolved
        || (event.kind == EventKind::NodeMoved && event.poolId == kUnassignedPool);
    if (isTrigger) {
        incident.settled = event.at;
        noteDue(incident);
        if (event.kind != EventKind::PoolExhausted && incident.bad.size() < 4 * Incident::kMostNames) {
            incident.bad.insert(key);
            m_byBad[key].insert(incident.number);
        }
    } else if (ends && incident.bad.erase(key) > 0) {
        incident.settled = event.at;
        noteDue(incident);
        if (const auto waiting = m_byBad.find(key); waiting != m_byBad.end()) {
            waiting->second.erase(incident.number);
            if (waiting->second.empty()) {
                m_byBad.erase(waiting);
            }
        }
    }
}

void IncidentBook::raiseSeverity(Incident& incident, int severity)
{
    if (severity >= incident.severity) {
        return;
    }
    incident.severity = severity;
    if (incident.events > 1) { // the first event's severity is told with the opening
        say(EventKind::IncidentChanged, incident, sentence("Incident %1 is %2 now.", {std::to_string(incident.number), severityText(severity)}), "severity");
    }
}

// The resolved incident whose scope had most of these members, as long as it had half of them.
void IncidentBook::findSimilar(Incident& incident)
{
    if (incident.triggers.size() > kMostCompared) {
        return;
    }
    const std::set<Subject> members = membersOf(incident);
    std::optional<Similar> best;
    int compared = 0;
    for (auto at = m_incidents.rbegin(); at != m_incidents.rend() && compared < kLatestCompared; ++at) {
        const Incident& other = at->second;
        if (other.state != IncidentState::Resolved || other.triggers.size() > kMostCompared) {
            continue;
        }
        ++compared;
        const auto matching = static_cast<std::size_t>(std::count_if(members.begin(), members.end(), [&](const Subject& member) { return isMember(other, member); }));
        if (matching * 2 >= members.size() && (!best || matching > best->matching)) {
            best = Similar{other.number, matching, members.size()};
        }
    }
    incident.similar = best;
}

// Rows of what can no longer be reopened are in the store alone; beyond the bound the oldest is forgotten.
void IncidentBook::forgetOld()
{
    for (auto& [number, incident] : m_incidents) {
        if (!incident.isOpen() && incident.hasRows && incident.ended && m_now - *incident.ended > m_limits.reopen) {
            incident.rows.clear();
            incident.hasRows = false;
        }
    }
    for (auto at = m_incidents.begin(); at != m_incidents.end() && m_incidents.size() > m_limits.mostKept + m_open.size();) {
        at = at->second.isOpen() || at->second.hasRows ? std::next(at) : m_incidents.erase(at);
    }
}

void IncidentBook::say(EventKind kind, const Incident& incident, std::string text, std::string_view change, const std::string& actor)
{
    Event event;
    event.at = m_now;
    event.kind = kind;
    event.severity = kind == EventKind::IncidentClosed ? Severity::Info : incident.severity == 1 ? Severity::Critical : Severity::Warning;
    event.actor = actor;
    event.sentence = std::move(text);
    event.detail = jsonDetail(incident, change);
    m_changed.events.push_back(std::move(event));
    m_changed.incidents.insert(incident.number);
}

Result<void> IncidentBook::check(const IncidentAction& action) const
{
    const Incident* incident = find(action.number);
    if (incident == nullptr) {
        return fail("unknown_incident", "There is no incident " + std::to_string(action.number) + " that can still be changed.", "id");
    }
    switch (action.kind) {
    case IncidentAction::Kind::Acknowledge:
    case IncidentAction::Kind::Resolve:
        if (!incident->isOpen()) {
            return fail("already_resolved", "Incident " + std::to_string(incident->number) + " is resolved.", "id");
        }
        break;
    case IncidentAction::Kind::Merge: {
        const Incident* into = find(action.into);
        if (into == nullptr) {
            return fail("invalid_value", "into is " + std::to_string(action.into) + ", which is no incident that can still be changed.", "into");
        }
        if (into == incident) {
            return fail("invalid_value", "An incident cannot be merged into itself.", "into");
        }
        if (!incident->hasRows || !into->hasRows) {
            return fail("incident_too_old", "Incidents that ended more than " + durationText(m_limits.reopen) + " ago are not merged any more.", "into");
        }
        break;
    }
    case IncidentAction::Kind::Note:
        if (incident->notes.size() >= Incident::kMostNotes) {
            return fail("out_of_range", "Incident " + std::to_string(incident->number) + " has " + std::to_string(Incident::kMostNotes) + " notes; it takes no more.", "text");
        }
        break;
    }
    return {};
}

void IncidentBook::doAction(Incident& incident, const IncidentAction& action)
{
    switch (action.kind) {
    case IncidentAction::Kind::Acknowledge:
        incident.state = IncidentState::Acknowledged;
        incident.acknowledgedBy = action.actor;
        incident.acknowledgedAt = action.at;
        break;
    case IncidentAction::Kind::Resolve:
        incident.state = IncidentState::Resolved;
        incident.resolvedBy = action.actor;
        incident.resolveReason = action.text;
        incident.ended = action.at;
        incident.frozenHeadline = headlineOf(incident, action.at);
        break;
    case IncidentAction::Kind::Note:
        incident.notes.push_back({action.noteAt, action.at, action.actor, action.text});
        break;
    case IncidentAction::Kind::Merge:
        break;
    }
}

Incident IncidentBook::preview(const IncidentAction& action) const
{
    Incident incident = *find(action.number);
    incident.rows.clear();
    doAction(incident, action);
    return incident;
}

void IncidentBook::apply(const IncidentAction& action)
{
    const Incident* found = find(action.number);
    if (found == nullptr) {
        return;
    }
    Incident& incident = m_incidents.at(found->number);
    if (action.kind == IncidentAction::Kind::Merge) {
        if (const Incident* into = find(action.into); into != nullptr && into != found) {
            const std::int64_t survivor = into->number; // a person says which one; by itself it is the lower number
            if (incident.isOpen() && !into->isOpen()) {
                reopen(m_incidents.at(survivor));
            }
            mergeInto(incident.number, survivor, action.actor);
        }
        return;
    }
    if (action.kind == IncidentAction::Kind::Resolve) {
        unindex(incident);
        m_open.erase(incident.number);
    }
    doAction(incident, action);
    m_changed.incidents.insert(incident.number);
}

} // namespace weir::journal
