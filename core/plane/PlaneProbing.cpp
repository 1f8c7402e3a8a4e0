// SPDX-License-Identifier: GPL-3.0-or-later
// ControlPlane: what it asks of the prober, and what it does with its answers.
#include "core/plane/ControlPlane.h"

#include "core/probe/HealthUrl.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace weir::plane {
namespace {

// "degraded: disk_free_below_5.0g (1.2 GB)".
std::string bodyReasonOf(const probe::ProbeBody& body)
{
    std::string text = body.status == "ok" && body.reason.empty() ? std::string() : body.status;
    if (!body.reason.empty()) {
        text += (text.empty() ? "" : ": ") + body.reason;
    }
    if (!text.empty() && body.diskFreeGb && body.reason.starts_with("disk")) {
        char figure[32];
        std::snprintf(figure, sizeof figure, " (%.1f GB)", *body.diskFreeGb);
        text += figure;
    }
    return text;
}

ProbeRecord recordOf(const probe::ProbeResult& result, bool held)
{
    ProbeRecord record;
    record.at = result.at;
    record.durationMs = static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(result.ended - result.started).count());
    record.status = result.status;
    record.success = result.success;
    record.held = held;
    record.reason = result.reason;
    record.bodyStatus = result.body.status;
    record.bodyReason = result.body.reason;
    record.diskFreeGb = result.body.diskFreeGb;
    record.deps = result.body.deps;
    record.text = result.body.text;
    return record;
}

} // namespace

void ControlPlane::probeNow(const std::string& nodeId, Done<ProbeRecord> done)
{
    bool hasAddress = false;
    const auto node = m_fleet.read([&](const fleet::Fleet& live, Instant) {
        const auto found = live.findNode(nodeId);
        hasAddress = found && !live.healthAddress(*found).empty();
        return found;
    });
    if (!node) {
        done(fail("unknown_node", "There is no node '" + nodeId + "'.", "nodeId"));
        return;
    }
    if (!hasAddress) {
        done(fail("no_health_address", "Node '" + nodeId + "' has no health address; its heartbeats are its health.", "nodeId"));
        return;
    }
    {
        const std::unique_lock lock(m_waitingMutex);
        if (!m_stopped) {
            m_waiting.emplace(*node, std::move(done));
            done = {};
        }
    }
    if (done) {
        done(fail("shutting_down", "Weir is shutting down."));
        return;
    }
    m_prober.probeNow(*node);
    // The node may have gone before it was noted that somebody waits; nobody else would tell them.
    if (!m_fleet.read([&](const fleet::Fleet& live, Instant) { return live.isAlive(*node); })) {
        endWaiting(*node, {"unknown_node", "The node was removed while its probe was under way.", "nodeId"});
    }
}

std::vector<Done<ProbeRecord>> ControlPlane::takeWaiting(NodeHandle node)
{
    std::vector<Done<ProbeRecord>> waiting;
    const std::scoped_lock lock(m_waitingMutex);
    const auto [from, to] = m_waiting.equal_range(node);
    for (auto at = from; at != to; ++at) {
        waiting.push_back(std::move(at->second));
    }
    m_waiting.erase(from, to);
    return waiting;
}

void ControlPlane::endWaiting(NodeHandle node, const Error& error)
{
    for (const auto& done : takeWaiting(node)) {
        done(tl::unexpected(error));
    }
}

void ControlPlane::probeEnded(const probe::ProbeResult& result)
{
    m_probeCounters.add(result);
    const std::string bodyReason = bodyReasonOf(result.body);
    const health::Transition transition = m_fleet.with([&](fleet::Fleet& live, Instant now) {
        return live.probeEnded({result.node, result.generation, result.started, result.success, result.reason, bodyReason}, now);
    });
    if (transition != health::Transition::Dropped) {
        m_alarms.sources().probeEnded(result.node, result.success, result.localError);
    }
    const ProbeRecord record = recordOf(result, transition == health::Transition::Held);
    if (transition != health::Transition::Dropped) {
        m_history.addProbe(result.node, record);
    }
    for (const auto& done : takeWaiting(result.node)) {
        done(record);
    }
}

void ControlPlane::probeStalled(NodeHandle node, bool stalled)
{
    m_alarms.sources().probeStalled(node, stalled);
    const std::string id = m_fleet.read([&](const fleet::Fleet& live, Instant) { return live.isAlive(node) ? live.node(node).spec.id.text() : std::string(); });
    if (stalled) {
        m_log.write(LogLevel::Error, "probe_stalled", "No probe of " + id + " has ended for three intervals.", {{"node", id}});
    } else {
        m_log.write(LogLevel::Info, "probe_stalled_over", "Probes of " + id + " end again.", {{"node", id}});
    }
}

void ControlPlane::setTarget(NodeHandle node)
{
    probe::ProbeTarget target;
    std::string base;
    std::string path;
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        if (!live.isAlive(node)) {
            return;
        }
        const fleet::Node& entry = live.node(node);
        base = live.healthAddress(node);
        path = entry.spec.healthPath.empty() ? live.healthSettings().path : entry.spec.healthPath;
        target.node = node;
        target.generation = entry.generation;
        target.tls = entry.spec.tls;
        target.expectedStatuses = entry.spec.expectedStatuses.empty() ? live.healthSettings().expectedStatuses : entry.spec.expectedStatuses;
    });
    if (base.empty()) {
        m_prober.removeTarget(node);
        endWaiting(node, {"no_health_address", "The node has no health address that can be probed.", "nodeId"});
        return;
    }
    auto url = probe::joinHealthUrl(base, path);
    if (!url) {
        m_log.write(LogLevel::Error, "probe_address", "A node's health address cannot be used: " + url.error().message);
        m_prober.removeTarget(node);
        endWaiting(node, {"no_health_address", "The node has no health address that can be probed.", "nodeId"});
        return;
    }
    target.url = std::move(*url);
    m_prober.setTarget(std::move(target));
}

void ControlPlane::setAllTargets()
{
    for (const NodeHandle node : m_fleet.read([](const fleet::Fleet& live, Instant) { return live.nodesInOrder(); })) {
        setTarget(node);
    }
}

} // namespace weir::plane
