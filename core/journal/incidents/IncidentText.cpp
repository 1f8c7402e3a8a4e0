// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/incidents/IncidentText.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

namespace weir::journal {
namespace {

using std::chrono::milliseconds;

constexpr auto kStillGoing = std::chrono::seconds(60);
constexpr std::uint64_t kFlapping = 3;

std::string standing(const Incident& incident)
{
    if (incident.isOpen()) {
        return " Ongoing.";
    }
    return incident.resolvedBy.empty() ? " Resolved." : " Resolved by " + std::string(personOf(incident.resolvedBy)) + ".";
}

// The first that is short enough, or the last one cut.
std::string firstFitting(const std::vector<std::string>& candidates)
{
    for (const std::string& candidate : candidates) {
        if (characterCount(candidate) <= kHeadlineCharacters) {
            return candidate;
        }
    }
    std::string text;
    std::size_t characters = 0;
    for (const char byte : candidates.back()) {
        const bool begins = (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
        characters += begins ? 1 : 0;
        if (characters >= kHeadlineCharacters) {
            break;
        }
        text += byte;
    }
    return text + "…";
}

std::string_view refusalCode(std::string_view role)
{
    return role == "origin" ? "no_healthy_origin" : role == "edge" ? "no_healthy_edge" : "no_candidate";
}

std::string timesText(std::uint64_t count, std::string_view what)
{
    return groupedNumber(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

struct Refused {
    std::size_t apps = 0;
    std::size_t fellBack = 0;
    std::set<std::string> pools;
    std::string oneApp;
    WallTime first = WallTime::max();
    WallTime last = WallTime::min();
};

Refused refusedOf(const Incident& incident)
{
    Refused refused;
    for (const auto& [app, impact] : incident.apps) {
        refused.fellBack += impact.fallbacks > 0 ? 1 : 0;
        if (impact.refusals == 0) {
            continue;
        }
        ++refused.apps;
        refused.pools.insert(impact.poolId);
        refused.oneApp = app;
        refused.first = std::min(refused.first, impact.first);
        refused.last = std::max(refused.last, impact.last);
    }
    return refused;
}

std::string lastingText(const Incident& incident, WallTime from, WallTime last, WallTime at)
{
    const WallTime until = incident.isOpen() && at - last <= kStillGoing ? at : last;
    return until - from < std::chrono::seconds(1) ? std::string() : " for " + durationText(until - from);
}

std::string appsText(const Refused& refused, const RefusalEvidence& evidence, bool withBinding)
{
    const bool all = evidence.poolApps >= 2 && refused.apps == evidence.poolApps;
    std::string text = refused.apps == 1 ? "App " + refused.oneApp
        : all                            ? "All " + timesText(refused.apps, "app")
        : evidence.poolApps > refused.apps ? groupedNumber(refused.apps) + " of " + timesText(evidence.poolApps, "app")
                                           : timesText(refused.apps, "app");
    if (withBinding && evidence.poolApps > 0 && evidence.unboundApps == evidence.poolApps) {
        text += " without a binding";
    }
    return text;
}

// Somewhere else there are nodes: say where the apps look and where the nodes are.
std::vector<std::string> misplaced(const Incident& incident, const Refused& refused, const RefusalEvidence& evidence, WallTime at)
{
    const std::string got = " got 503 " + std::string(refusalCode(evidence.role)) + lastingText(incident, refused.first, refused.last, at);
    const std::string nodes = evidence.poolNodes == 0 ? "0 nodes" : "0 of " + timesText(evidence.poolNodes, evidence.role);
    const std::string here = std::string(refused.apps == 1 ? "; it resolves to `" : "; they resolve to `") + evidence.poolId + "` (" + nodes + ")";
    const std::string there = " while " + timesText(evidence.elsewhere, "available " + evidence.role) + (evidence.elsewhere == 1 ? " sits in `" : " sit in `") + evidence.elsewherePool + "`.";
    const std::string shortThere = " while " + timesText(evidence.elsewhere, "available " + evidence.role) + (evidence.elsewhere == 1 ? " sits elsewhere." : " sit elsewhere.");
    return {appsText(refused, evidence, true) + got + here + there + standing(incident), appsText(refused, evidence, false) + got + here + there + standing(incident),
        appsText(refused, evidence, false) + got + here + shortThere + standing(incident), appsText(refused, evidence, false) + got + ";" + shortThere + standing(incident),
        timesText(refused.apps, "app") + got + "." + standing(incident)};
}

std::vector<std::string> exhausted(const Incident& incident, const Refused& refused, const RefusalEvidence& evidence, WallTime at)
{
    const std::string effect = refused.apps == 1 && refused.fellBack == 0 ? "; app " + refused.oneApp + " failed closed."
                                                                         : "; " + timesText(refused.apps, "app") + " failed closed"
            + (refused.fellBack > 0 ? ", " + groupedNumber(refused.fellBack) + " fell back." : std::string("."));
    const std::string shortEffect = "; " + timesText(refused.apps, "app") + " failed closed.";
    const std::string lasting = lastingText(incident, refused.first, refused.last, at);
    const std::string none = refused.pools.size() > 1 ? groupedNumber(refused.pools.size()) + " pools had no available " + evidence.role
                                                      : "`" + evidence.poolId + "` had no available " + evidence.role;
    std::vector<std::string> candidates;
    if (incident.move && incident.move->from == evidence.poolId && refused.pools.size() == 1) {
        const std::string move = " after " + std::string(personOf(incident.move->actor)) + " moved " + incident.move->nodeId + " to " + incident.move->to;
        candidates.push_back(none + lasting + move + effect + standing(incident));
        candidates.push_back(none + lasting + move + effect + (incident.isOpen() ? " Ongoing." : " Resolved."));
        candidates.push_back(none + lasting + move + shortEffect + standing(incident));
    }
    std::string out;
    for (const auto& [id, story] : incident.nodes) {
        out += story.out ? (out.empty() ? "" : ", ") + id : std::string();
    }
    if (!out.empty()) {
        candidates.push_back(none + lasting + " while out of rotation: " + out + effect + standing(incident));
    }
    candidates.push_back(none + lasting + effect + standing(incident));
    candidates.push_back("No available " + evidence.role + lasting + shortEffect + standing(incident));
    return candidates;
}

std::vector<std::string> flapping(const Incident& incident, const std::string& node, const NodeStory& story, WallTime at)
{
    const std::string lasting = durationText(std::max(incident.isOpen() && at - story.lastOut <= std::chrono::minutes(5) ? at : story.lastOut, story.firstOut) - story.firstOut);
    const auto mean = story.undone == 0 ? 0 : story.outMs / static_cast<std::int64_t>(story.undone);
    const std::string undone = "; " + groupedNumber(story.undone) + " of " + timesText(story.ejections, "ejection") + " undone after ≈ " + durationText(milliseconds(mean)) + " each.";
    const std::string who = node + " kept failing requests while its health check said OK, ";
    return {who + lasting + undone + standing(incident), node + " kept failing requests, " + lasting + undone + standing(incident), node + " was ejected " + timesText(story.ejections, "time") + "." + standing(incident)};
}

std::vector<std::string> oneNode(const Incident& incident, const std::string& node, const NodeStory& story, WallTime at)
{
    const WallTime until = story.out ? (incident.isOpen() ? at : incident.lastEvent) : story.firstOut + milliseconds(story.outMs);
    const std::string lasting = " for " + durationText(std::max(until, story.firstOut) - story.firstOut);
    const bool probes = story.probeOutages > 0;
    const std::string why = probes ? " after failed probes" : " after a failed request";
    const std::string outcome = story.outcome.empty() ? "" : " (" + story.outcome + ")";
    const std::string place = story.poolId.empty() ? "" : " of `" + story.poolId + "`";
    return {node + place + " was out of rotation" + lasting + why + outcome + "." + standing(incident), node + " was out of rotation" + lasting + why + "." + standing(incident)};
}

std::vector<std::string> severalNodes(const Incident& incident, WallTime at)
{
    std::string names;
    std::size_t out = 0;
    for (const auto& [id, story] : incident.nodes) {
        names += (names.empty() ? "" : ", ") + id;
        out += story.out ? 1 : 0;
    }
    const std::string lasting = durationText((incident.isOpen() ? at : incident.lastEvent) - incident.started);
    const std::string what = timesText(incident.nodes.size(), "node") + " went out of rotation in " + lasting;
    const std::string still = incident.isOpen() ? ", " + groupedNumber(out) + (out == 1 ? " is" : " are") + " out now" : std::string();
    return {what + still + ": " + names + "." + standing(incident), what + still + "." + standing(incident)};
}

std::vector<std::string> alarmed(const Incident& incident, WallTime at)
{
    std::string subject = "The fleet";
    for (const Subject& one : incident.triggers) {
        subject = one.kind == Subject::Kind::Pool ? "`" + one.id + "`" : one.id;
    }
    std::string alarms;
    for (const std::string& alarm : incident.alarms) {
        alarms += (alarms.empty() ? "" : ", ") + alarm;
    }
    const std::string lasting = durationText((incident.isOpen() ? at : incident.lastEvent) - incident.started);
    if (incident.alarms.contains("healthy_below_min") && incident.alarms.size() == 1) {
        return {subject + " had fewer available nodes than its minimum for " + lasting + "." + standing(incident)};
    }
    if (incident.alarms.contains("health_disagrees")) {
        return {subject + " failed more than half of its requests while its probes succeeded, since " + clockText(incident.started) + " UTC." + standing(incident)};
    }
    return {subject + ": " + alarms + " since " + clockText(incident.started) + " UTC." + standing(incident), subject + " has alarms." + standing(incident)};
}

} // namespace

std::string durationText(milliseconds duration)
{
    const auto seconds = std::max<std::int64_t>((duration.count() + 500) / 1000, 0);
    char text[48];
    if (seconds < 120) {
        std::snprintf(text, sizeof text, "%lld s", static_cast<long long>(seconds));
    } else if (seconds < 3600) {
        std::snprintf(text, sizeof text, "%lld min", static_cast<long long>(seconds / 60));
    } else if (seconds < 2 * 86'400) {
        std::snprintf(text, sizeof text, "%lld h %02lld min", static_cast<long long>(seconds / 3600), static_cast<long long>(seconds % 3600 / 60));
    } else {
        std::snprintf(text, sizeof text, "%lld d %02lld h", static_cast<long long>(seconds / 86'400), static_cast<long long>(seconds % 86'400 / 3600));
    }
    return text;
}

std::string groupedNumber(std::uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) {
        text.insert(at - 3, " ");
    }
    return text;
}

std::string clockText(WallTime time)
{
    return toRfc3339(time).substr(11, 8);
}

std::string_view personOf(std::string_view actor)
{
    const std::size_t colon = actor.find(':');
    return colon == std::string_view::npos || colon + 1 == actor.size() ? actor : actor.substr(colon + 1);
}

std::size_t characterCount(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::string severityText(int severity)
{
    return "SEV" + std::to_string(severity);
}

std::string headlineOf(const Incident& incident, WallTime now)
{
    if (!incident.frozenHeadline.empty()) {
        return incident.frozenHeadline;
    }
    const Refused refused = refusedOf(incident);
    if (refused.apps > 0) {
        const RefusalEvidence evidence = incident.evidence.value_or(RefusalEvidence{"node", *refused.pools.begin(), 0, 0, 0, {}, 0, {}});
        const bool isMisplaced = evidence.elsewhere > 0 && refused.pools.size() == 1 && !incident.move;
        return firstFitting(isMisplaced ? misplaced(incident, refused, evidence, now) : exhausted(incident, refused, evidence, now));
    }
    const auto worst = std::max_element(incident.nodes.begin(), incident.nodes.end(), [](const auto& a, const auto& b) { return a.second.ejections < b.second.ejections; });
    if (worst != incident.nodes.end() && worst->second.ejections >= kFlapping) {
        return firstFitting(flapping(incident, worst->first, worst->second, now));
    }
    if (incident.nodes.size() == 1) {
        return firstFitting(oneNode(incident, worst->first, worst->second, now));
    }
    return firstFitting(incident.nodes.empty() ? alarmed(incident, now) : severalNodes(incident, now));
}

} // namespace weir::journal
