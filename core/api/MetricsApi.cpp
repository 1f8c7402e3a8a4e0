// SPDX-License-Identifier: GPL-3.0-or-later
// GET /metrics, open without a token.
#include "core/api/Api.h"
#include "core/api/MetricSheet.h"

#include "core/http/Problem.h"
#include "weir_version.h"

#include <array>
#include <map>
#include <tuple>

namespace weir::api {
namespace {

constexpr std::array<std::string_view, 6> kStates{"online", "failing", "quarantined", "offline", "draining", "nodata"};

// Nodes by pool, role and state; a pool's roles that have nodes show all states, so that a series does not come and go.
void writeNodes(MetricSheet& sheet, const std::vector<plane::NodeFacts>& nodes, bool withNodes)
{
    std::map<std::pair<std::string, Role>, std::map<std::string_view, std::size_t>> groups;
    std::size_t total = 0;
    std::size_t healthy = 0;
    std::size_t quarantined = 0;
    for (const plane::NodeFacts& node : nodes) {
        ++groups[{node.pool, node.spec.role}][plane::stateWord(node)];
        quarantined += node.quarantineRemaining > Duration::zero() ? 1 : 0;
        const bool isWorker = node.pool != kUnassignedPool && node.hasHealthAddress; // as in /gateway-health
        total += isWorker ? 1 : 0;
        healthy += isWorker && node.inRotation && node.connected ? 1 : 0;
        if (withNodes) {
            sheet.gauge("weir_node_up", "Whether the node is in rotation and connected.", node.inRotation && node.connected ? 1 : 0, {{"node", node.spec.id.text()}});
        }
    }
    for (const auto& [group, states] : groups) {
        for (const std::string_view state : kStates) {
            const auto at = states.find(state);
            sheet.gauge("weir_nodes", "Nodes by pool, role and state.", at == states.end() ? 0 : static_cast<double>(at->second),
                {{"pool", group.first}, {"role", std::string(toText(group.second))}, {"state", std::string(state)}});
        }
    }
    sheet.gauge("weir_workers_healthy", "Probed nodes outside unassigned that are in rotation and connected.", static_cast<double>(healthy));
    sheet.gauge("weir_workers_total", "Probed nodes outside unassigned.", static_cast<double>(total));
    sheet.gauge("weir_nodes_quarantined", "Nodes in quarantine now.", static_cast<double>(quarantined));
}

void writeDecisions(MetricSheet& sheet, live::LiveFleet& fleet)
{
    const fleet::Fleet::Counters counters = fleet.read([](const fleet::Fleet& live, Instant) { return live.counters(); });
    for (std::size_t i = 0; i < kScheduledRoleCount; ++i) {
        const std::string role(toText(kScheduledRoles[i]));
        const auto count = [&](const char* result, std::uint64_t value) {
            sheet.counter("weir_decisions_total", "Scheduling decisions by role and result; fallback: placed on a node of the default pool.", static_cast<double>(value),
                {{"role", role}, {"result", result}});
        };
        count("placed", counters.chosen[i] - counters.fallback[i]);
        count("fallback", counters.fallback[i]);
        count("refused", counters.refused[i]);
        sheet.counter("weir_fallbacks_total", "Decisions that fell back to the default pool.", static_cast<double>(counters.fallback[i]), {{"role", role}});
        sheet.histogram("weir_decision_seconds", "Time of one decision, without the wait for the lock.", fleet.decisionLatency(kScheduledRoles[i]).snapshot(), {{"role", role}});
    }
    sheet.counter("weir_reservations_expired_total", "Reservations that ended by themselves.", static_cast<double>(counters.reservationsExpired));
}

void writeProbes(MetricSheet& sheet, const plane::ProbeCounters& probes)
{
    for (std::size_t i = 0; i < plane::ProbeCounters::kResults.size(); ++i) {
        sheet.counter("weir_probes_total", "Probes by result; status: a complete answer whose status is not an expected one.", static_cast<double>(probes.count(i)),
            {{"result", std::string(plane::ProbeCounters::kResults[i])}});
    }
    sheet.histogram("weir_probe_seconds", "Time of one probe, from the connection to the last byte.", probes.durations().snapshot());
}

void writeAlarms(MetricSheet& sheet, const plane::AlarmCounts& alarms)
{
    sheet.gauge("weir_alarms_firing", "Alarms that are neither acknowledged nor silenced nor counted in another one.", static_cast<double>(alarms.warning), {{"severity", "warning"}});
    sheet.gauge("weir_alarms_firing", "", static_cast<double>(alarms.critical), {{"severity", "critical"}});
    sheet.gauge("weir_alarms_open", "Alarms that are not resolved.", static_cast<double>(alarms.open));
}

void writeStore(MetricSheet& sheet, const plane::StoreThread& store)
{
    sheet.histogram("weir_store_batch_seconds", "Time of one transaction of the store, failed ones included.", store.batchLatency().snapshot());
    sheet.gauge("weir_store_events_buffered", "Events that wait to be written.", static_cast<double>(store.bufferedEvents()));
    sheet.counter("weir_events_lost_total", "Events that found no room.", static_cast<double>(store.lostEvents()));
}

} // namespace

void Api::addMetrics()
{
    m_control.add("GET", "/metrics", [this](const http::Request& request, const http::Reply& reply) {
        for (const auto& [key, value] : request.query) {
            if (key != "nodeUp" || (value != "true" && value != "false")) {
                reply(http::problem(Error{"unknown_field", "'" + key + "' is not a parameter of /metrics; nodeUp=true adds weir_node_up, a series a node.", key}));
                return;
            }
        }
        MetricSheet sheet;
        sheet.gauge("weir_build_info", "Always 1; the version is in the label.", 1, {{"version", WEIR_VERSION}});
        writeNodes(sheet, m_plane.facts().nodes(), request.queryValue("nodeUp") == "true");
        writeDecisions(sheet, m_plane.fleet());
        writeProbes(sheet, m_plane.probeCounters());
        sheet.counter("weir_ejections_total", "Nodes taken out of rotation, by cause.", static_cast<double>(m_plane.flow().ejections(health::Cause::Probe)), {{"cause", "probe"}});
        sheet.counter("weir_ejections_total", "", static_cast<double>(m_plane.flow().ejections(health::Cause::Passive)), {{"cause", "passive"}});
        writeStore(sheet, m_plane.storeThread());
        writeAlarms(sheet, m_plane.alarms().counts());
        for (const MetricSource& source : m_metricSources) {
            source(sheet);
        }
        http::Response response;
        response.contentType = "text/plain; version=0.0.4; charset=utf-8";
        response.body = sheet.text();
        reply(std::move(response));
    });
}

} // namespace weir::api
