// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/JsonViews.h"

#include "core/plane/ExplanationJson.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

namespace weir::api {
namespace json = boost::json;
namespace {

json::array strings(const std::vector<std::string>& values)
{
    json::array array;
    for (const std::string& value : values) {
        array.emplace_back(value);
    }
    return array;
}

// What a probe's body said, to 200 bytes and no half character.
std::string shortened(const std::string& text)
{
    std::size_t end = std::min<std::size_t>(text.size(), 200);
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end);
}

// Seconds to the millisecond: enough for people and monitors, and readable.
double rounded(double seconds)
{
    return std::round(seconds * 1000) / 1000;
}

std::string_view healthWord(const plane::NodeFacts& node)
{
    if (!node.checked) {
        return "unchecked";
    }
    return node.inRotation ? "healthy" : "unhealthy";
}

json::object toJson(const fleet::Standing& standing)
{
    json::object object{{"candidates", standing.candidates}, {"free", standing.free}, {"verdict", fleet::toText(standing.verdict)}};
    if (standing.verdict == fleet::Verdict::FallsBack) {
        object["fallbackCandidates"] = standing.fallbackCandidates;
    }
    return object;
}

} // namespace

json::object toJson(const plane::NodeFacts& node)
{
    const fleet::NodeSpec& spec = node.spec;
    json::object object{
        {"nodeId", spec.id.text()},
        {"role", toText(spec.role)},
        {"poolId", node.pool},
        {"owner", node.owner},
        {"static", spec.isStatic},
        {"connected", node.connected},
        {"health", healthWord(node)},
        {"inRotation", node.inRotation},
        {"cause", health::toText(node.cause)},
        {"reason", plane::healthReason(node)},
        {"quarantineRemainingSeconds", rounded(toSeconds(node.quarantineRemaining))},
        {"draining", spec.draining},
        {"drainReason", spec.drainReason},
        {"consecutiveFailures", node.consecutiveFailures},
        {"consecutiveSuccesses", node.consecutiveSuccesses},
        {"traffic", {{"ok", node.traffic.ok}, {"transport", node.traffic.transport}, {"status", node.traffic.status}, {"semantic", node.traffic.semantic}}},
        {"capacity", node.capacity},
        {"used", node.used},
        {"inFlight", node.inFlight},
        {"reserved", node.reserved},
        {"free", node.free},
        {"version", spec.version},
        {"region", spec.region},
        {"url", spec.url},
        {"healthUrl", spec.healthUrl},
        {"state", plane::stateWord(node)},
        {"revision", node.revision},
    };
    object["healthPath"] = spec.healthPath;
    object["expectedStatuses"] = json::array(spec.expectedStatuses.begin(), spec.expectedStatuses.end());
    object["webrtcBaseUrl"] = spec.webrtcBaseUrl;
    object["publishUrl"] = spec.publishUrl;
    object["weight"] = spec.weight;
    if (spec.tls != NodeTls()) {
        object["tls"] = json::object{{"ca", spec.tls.caFile}, {"serverName", spec.tls.serverName}, {"verify", spec.tls.verify}};
    }
    if (!spec.isStatic) {
        object["diskSerial"] = spec.diskSerial;
        object["disabled"] = spec.disabled;
        object["licence"] = spec.licence;
        object["abrNegotiationAddr"] = spec.abrNegotiationAddr;
    }
    if (node.lastProbe) {
        object["lastProbe"] = toJson(*node.lastProbe);
    }
    return object;
}

json::object toJson(const plane::ProbeRecord& probe)
{
    json::object object{{"at", toRfc3339(probe.at)}, {"durationSeconds", probe.durationMs / 1000.0}, {"status", probe.status}, {"success", probe.success},
        {"held", probe.held}, {"reason", probe.reason}};
    json::object body;
    if (!probe.bodyStatus.empty()) {
        body["status"] = probe.bodyStatus;
    }
    if (!probe.bodyReason.empty()) {
        body["reason"] = probe.bodyReason;
    }
    if (probe.diskFreeGb) {
        body["diskFreeGb"] = *probe.diskFreeGb;
    }
    if (!probe.deps.empty()) {
        json::object deps;
        for (const auto& [name, fine] : probe.deps) {
            deps[name] = fine;
        }
        body["deps"] = std::move(deps);
    }
    if (!probe.text.empty()) {
        body["text"] = shortened(probe.text);
    }
    if (!body.empty()) {
        object["body"] = std::move(body);
    }
    return object;
}

json::object toJson(const plane::PoolFacts& pool, const std::vector<const plane::NodeFacts*>& nodes)
{
    // The totals are summed from the rows of this answer, so that they always add up within it.
    std::array<plane::RoleFacts, kRoleCount> totals{};
    json::array rows;
    for (const plane::NodeFacts* node : nodes) {
        plane::RoleFacts& role = totals[weir::indexOf(node->spec.role)];
        ++role.nodes;
        role.healthy += node->inRotation && node->connected ? 1 : 0;
        role.candidates += node->reason == fleet::Reason::None ? 1 : 0;
        role.capacity += node->capacity;
        role.used += node->used;
        role.free += node->free;
        rows.emplace_back(toJson(*node));
    }
    json::object byRole;
    for (const Role role : kRoles) {
        const plane::RoleFacts& facts = totals[weir::indexOf(role)];
        if (facts.nodes > 0) {
            byRole[toText(role)] = json::object{{"nodes", facts.nodes}, {"healthy", facts.healthy}, {"candidates", facts.candidates}, {"capacity", facts.capacity},
                {"used", facts.used}, {"free", facts.free}};
        }
    }
    return {{"poolId", pool.spec.id.text()}, {"name", pool.spec.name}, {"canary", pool.spec.canary}, {"minAvailable", pool.spec.minAvailable},
        {"capacityAlarmPercent", pool.spec.capacityAlarmPercent}, {"owner", pool.owner}, {"sharedByApps", pool.apps}, {"nodes", std::move(rows)}, {"totals", std::move(byRole)},
        {"revision", pool.revision}};
}

json::object toJson(const plane::AppFacts& app)
{
    json::object object{{"appId", app.id}, {"owner", app.owner}, {"poolId", app.pool}, {"because", fleet::toText(app.because)}, {"fallbackAllowed", app.allowFallback},
        {"verdict", fleet::toText(app.verdict)}, {"why", app.why}, {"revision", app.revision}};
    if (app.binding) {
        object["binding"] = json::object{{"poolId", app.binding->first}, {"allowFallbackToDefault", app.binding->second}};
    }
    return object;
}

json::object toJson(const fleet::Explanation& record, bool own)
{
    return plane::explanationJson(record, own);
}

json::object toJson(const fleet::Impact& impact)
{
    json::array apps;
    for (const fleet::AppImpact& app : impact.apps) {
        apps.emplace_back(json::object{{"appId", app.app}, {"role", toText(app.role)}, {"poolId", app.pool}, {"before", toJson(app.before)}, {"after", toJson(app.after)},
            {"hasTraffic", app.hasTraffic}});
    }
    json::array pools;
    for (const fleet::PoolImpact& pool : impact.pools) {
        pools.emplace_back(json::object{{"poolId", pool.pool}, {"role", toText(pool.role)}, {"before", json::object{{"candidates", pool.candidatesBefore}, {"free", pool.freeBefore}}},
            {"after", json::object{{"candidates", pool.candidatesAfter}, {"free", pool.freeAfter}}}});
    }
    return {{"token", impact.token}, {"tier", static_cast<int>(impact.tier)}, {"apps", std::move(apps)}, {"more", impact.moreApps}, {"pools", std::move(pools)},
        {"failClosed", strings(impact.failClosed)}, {"failClosedCount", impact.failClosedCount}, {"withoutEffect", strings(impact.withoutEffect)},
        {"stranded", strings(impact.stranded)}, {"strandedCount", impact.strandedCount}, {"movedNodes", impact.movedNodes}, {"streams", impact.streams}};
}

json::object toJson(const fleet::Reachability& reach)
{
    json::array starved;
    for (const fleet::StarvedApp& app : reach.starved) {
        starved.emplace_back(json::object{{"appId", app.app}, {"role", toText(app.role)}, {"poolId", app.pool}, {"why", app.why}});
    }
    json::array stranded;
    for (const fleet::StrandedGroup& group : reach.stranded) {
        stranded.emplace_back(json::object{{"poolId", group.pool}, {"role", toText(group.role)}, {"nodes", strings(group.nodes)}, {"count", group.count}});
    }
    return {{"apps", reach.apps}, {"starvedApps", reach.starvedApps}, {"starved", std::move(starved)}, {"stranded", std::move(stranded)}, {"strandedNodes", reach.strandedNodes},
        {"sentence", reach.sentence}};
}

json::array toJson(const std::vector<plane::MoveAnswer::One>& moves)
{
    json::array array;
    for (const plane::MoveAnswer::One& move : moves) {
        array.emplace_back(json::object{{"nodeId", move.nodeId}, {"from", move.from}, {"to", move.to}, {"changed", move.changed}});
    }
    return array;
}

} // namespace weir::api
