// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/IncidentViews.h"

#include "core/journal/incidents/IncidentText.h"
#include "core/journal/incidents/IncidentTimeline.h"

#include <boost/json.hpp>
#include <cmath>

namespace weir::api {
namespace json = boost::json;
using journal::Incident;
namespace {

constexpr std::size_t kMostNames = 100;

json::value timeOrNull(const std::optional<WallTime>& time)
{
    return time ? json::value(toRfc3339(*time)) : json::value(nullptr);
}

json::value textOrNull(const std::string& text)
{
    return text.empty() ? json::value(nullptr) : json::value(text);
}

double seconds(std::chrono::milliseconds duration)
{
    return static_cast<double>(duration.count()) / 1000;
}

// Names up to a bound; the counts beside them are exact.
json::object scopeOf(const Incident& incident)
{
    json::array nodes;
    json::array pools;
    json::array apps;
    std::size_t members = 0;
    for (const journal::Subject& subject : membersOf(incident)) {
        json::array& list = subject.kind == journal::Subject::Kind::Node ? nodes : subject.kind == journal::Subject::Kind::Pool ? pools : apps;
        if (list.size() < kMostNames) {
            list.emplace_back(subject.id);
        }
        ++members;
    }
    return {{"nodes", std::move(nodes)}, {"pools", std::move(pools)}, {"apps", std::move(apps)}, {"members", members}};
}

json::object countsOf(const Incident& incident)
{
    return {{"events", incident.events}, {"triggers", incident.triggerEvents}, {"refusals", incident.refusals}, {"fallbacks", incident.fallbacks}, {"ejections", incident.ejections},
        {"apps", incident.apps.size()}, {"nodes", incident.nodes.size()}, {"notWell", incident.bad.size()}, {"notes", incident.notes.size()}, {"reopened", incident.reopened}};
}

json::array appsOf(const Incident& incident)
{
    json::array list;
    for (const auto& [id, app] : incident.apps) {
        if (list.size() == kMostNames) {
            break;
        }
        list.emplace_back(json::object{{"appId", id}, {"role", app.role}, {"poolId", app.poolId}, {"refusals", app.refusals}, {"fallbacks", app.fallbacks}, {"first", toRfc3339(app.first)},
            {"last", toRfc3339(app.last)}, {"durationSeconds", seconds(app.last - app.first)}});
    }
    return list;
}

json::array nodesOf(const Incident& incident)
{
    json::array list;
    for (const auto& [id, node] : incident.nodes) {
        if (list.size() == kMostNames) {
            break;
        }
        list.emplace_back(json::object{{"nodeId", id}, {"poolId", node.poolId}, {"out", node.out}, {"ejections", node.ejections}, {"probeOutages", node.probeOutages}, {"undone", node.undone},
            {"outSeconds", static_cast<double>(node.outMs) / 1000}, {"firstOut", toRfc3339(node.firstOut)}, {"lastOut", toRfc3339(node.lastOut)}, {"outcome", node.outcome}});
    }
    return list;
}

json::array notesOf(const Incident& incident)
{
    json::array list;
    for (const journal::IncidentNote& note : incident.notes) {
        list.emplace_back(json::object{{"at", toRfc3339(note.at)}, {"written", toRfc3339(note.written)}, {"author", note.author}, {"text", note.text}});
    }
    return list;
}

json::value evidenceOf(const Incident& incident)
{
    if (!incident.evidence) {
        return nullptr;
    }
    const journal::RefusalEvidence& e = *incident.evidence;
    return json::object{{"role", e.role}, {"poolId", e.poolId}, {"poolNodes", e.poolNodes}, {"poolApps", e.poolApps}, {"unboundApps", e.unboundApps}, {"elsewherePool", textOrNull(e.elsewherePool)},
        {"elsewhere", e.elsewhere}, {"sentence", e.funnel}};
}

} // namespace

json::object toJson(const Incident& incident, WallTime now)
{
    json::object object{{"id", std::to_string(incident.number)}, {"headline", headlineOf(incident, now)}, {"state", toText(incident.state)}, {"severity", journal::severityText(incident.severity)},
        {"started", toRfc3339(incident.started)}, {"detected", timeOrNull(incident.detected)}, {"ended", timeOrNull(incident.ended)},
        {"durationSeconds", seconds(incident.ended.value_or(now) - incident.started)}, {"lastEvent", toRfc3339(incident.lastEvent)}, {"scope", scopeOf(incident)}, {"counts", countsOf(incident)},
        {"acknowledgedBy", textOrNull(incident.acknowledgedBy)}, {"acknowledgedAt", timeOrNull(incident.acknowledgedAt)}, {"resolvedBy", textOrNull(incident.resolvedBy)},
        {"resolveReason", textOrNull(incident.resolveReason)}};
    json::array aliases;
    for (const std::int64_t alias : incident.aliases) {
        aliases.emplace_back(std::to_string(alias));
    }
    object["aliases"] = std::move(aliases);
    object["similar"] = incident.similar
        ? json::value{{"id", std::to_string(incident.similar->number)}, {"matching", incident.similar->matching}, {"members", incident.similar->members}}
        : json::value(nullptr);
    return object;
}

json::object detailsOf(const Incident& incident, const std::optional<journal::SeriesPoint>& lowest, WallTime now)
{
    json::object object = toJson(incident, now);
    object["apps"] = appsOf(incident);
    object["nodes"] = nodesOf(incident);
    object["notes"] = notesOf(incident);
    object["firstRefusal"] = evidenceOf(incident);
    object["lowest"] = lowest ? json::value{{"at", toRfc3339(lowest->at)}, {"healthy", lowest->healthy}, {"total", lowest->total}} : json::value(nullptr);
    return object;
}

json::object toJson(const journal::IncidentRow& row)
{
    return {{"seq", row.firstSeq}, {"lastSeq", row.lastSeq}, {"at", toRfc3339(row.firstAt)}, {"lastAt", toRfc3339(row.lastAt)}, {"kind", toText(row.kind)}, {"severity", toText(row.severity)},
        {"relation", toText(row.relation)}, {"why", row.why}, {"nodeId", row.nodeId}, {"poolId", row.poolId}, {"appId", row.appId}, {"role", row.role}, {"actor", row.actor},
        {"text", rowText(row)}, {"events", row.events}, {"count", row.facts}, {"cycles", row.cycles >= 2 ? row.cycles : 0}, {"key", isKeyMoment(row)}};
}

} // namespace weir::api
