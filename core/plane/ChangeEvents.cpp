// SPDX-License-Identifier: GPL-3.0-or-later
// What the fleet found, as events and lines of the log.
#include "core/plane/ChangeFlow.h"

#include "core/base/Sentence.h"

#include <boost/json.hpp>
#include <cstdio>

namespace weir::plane {
namespace json = boost::json;
using fleet::ChangeKind;
using journal::EventKind;
namespace {

std::string shortNumber(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

EventKind kindOf(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::NodeOnline:
        return EventKind::NodeOnline;
    case ChangeKind::NodeOffline:
        return EventKind::NodeOffline;
    case ChangeKind::QuarantineStarted:
        return EventKind::QuarantineStarted;
    case ChangeKind::QuarantineOver:
        return EventKind::QuarantineOver;
    case ChangeKind::EjectionCapped:
        return EventKind::EjectionCapped;
    case ChangeKind::PoolExhausted:
        return EventKind::PoolExhausted;
    case ChangeKind::PoolFallback:
        return EventKind::PoolFallback;
    case ChangeKind::ReservationExpired:
        return EventKind::ReservationExpired;
    case ChangeKind::NodeConnected:
        return EventKind::NodeConnected;
    case ChangeKind::NodeDisconnected:
    case ChangeKind::ProbeHeld:
    case ChangeKind::PlacedAgain:
        break;
    }
    return EventKind::NodeDisconnected;
}

// Where workers check the caller's token, one client with a bad one would take out node after node: a 401 says so.
std::string passiveSentence(const std::string& node, const std::string& text)
{
    if (text == "status:401") {
        return sentence("%1 is out of rotation: a request failed (%2). Take 401 out of passive_statuses where the callers' tokens are checked there.", {node, text});
    }
    return text.starts_with("rule:") ? sentence("%1 is out of rotation: answers matched the outcome rule %2.", {node, text.substr(5)})
                                     : sentence("%1 is out of rotation: a request failed (%2).", {node, text});
}

} // namespace

void ChangeFlow::takeChange(const fleet::FleetChange& change, std::vector<journal::Event>& events)
{
    journal::Event event = eventOf(change);
    logChange(change, event);
    if (change.kind == ChangeKind::ProbeHeld || change.kind == ChangeKind::PlacedAgain) {
        return;
    }
    if (change.kind == ChangeKind::NodeOffline) {
        m_history.addEjection(change.node, change.at, event.at);
        m_ejectionsByCause[static_cast<std::size_t>(change.cause)].fetch_add(1, std::memory_order_relaxed);
    } else if (change.kind == ChangeKind::NodeOnline && change.cause == health::Cause::None) {
        m_history.addRevival(change.node, change.at);
    }
    count(event.kind, event.poolId, change.at, 1);
    if (auto passed = m_folder.add(std::move(event), m_clock.now())) {
        events.push_back(std::move(*passed));
    }
}

journal::Event ChangeFlow::eventOf(const fleet::FleetChange& change) const
{
    journal::Event event;
    event.at = wallOf(change.at);
    event.kind = kindOf(change.kind);
    event.appId = change.app.str();
    event.role = toText(change.role);
    std::string refusal;
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        if (change.node.isValid() && live.isAlive(change.node)) {
            event.nodeId = live.node(change.node).spec.id.text();
        }
        if (change.pool.isValid()) {
            event.poolId = live.pool(change.pool).spec.id.text();
        }
        if (change.kind == ChangeKind::PoolExhausted) {
            fleet::Decision decision;
            decision.role = change.role;
            decision.primary = change.pool;
            decision.appText = change.app;
            decision.fallbackTried = !change.text.isEmpty();
            refusal = live.refusalSentence(decision);
        }
    });
    const std::string& node = event.nodeId;
    const std::string text = change.text.str();
    const std::string figure = shortNumber(change.figure);
    json::object detail;
    switch (change.kind) {
    case ChangeKind::NodeOnline:
        event.sentence = sentence("%1 is in rotation.", {node});
        break;
    case ChangeKind::NodeOffline:
        event.severity = journal::Severity::Warning;
        detail = {{"cause", toText(change.cause)}, {"outcome", text}, {"failures", change.figure}};
        event.sentence = change.cause == health::Cause::Passive ? passiveSentence(node, text)
                                                                : sentence("%1 is out of rotation after %2 (last: %3).", {node, counted(static_cast<std::size_t>(change.figure), "failed probe"), text});
        break;
    case ChangeKind::QuarantineStarted: {
        const auto until = event.at + std::chrono::milliseconds(static_cast<std::int64_t>(change.figure * 1000));
        detail = {{"seconds", change.figure}, {"until", toRfc3339(until)}, {"outcome", text}};
        event.severity = journal::Severity::Warning;
        event.sentence = sentence("%1 is in quarantine for %2 s (%3).", {node, figure, text});
        break;
    }
    case ChangeKind::QuarantineOver:
        event.sentence = sentence("The quarantine of %1 is over.", {node});
        break;
    case ChangeKind::EjectionCapped:
        event.severity = journal::Severity::Warning;
        detail = {{"wouldBePercent", change.figure}, {"outcome", text}};
        event.sentence = sentence("%1 stays in rotation after a failed request (%2): ejecting it would put %3 % of its pool out.", {node, text, figure});
        break;
    case ChangeKind::PoolExhausted:
        event.severity = journal::Severity::Warning;
        event.sentence = sentence("No %1 for app %2: %3", {event.role, event.appId, refusal});
        break;
    case ChangeKind::PoolFallback:
        event.sentence = sentence("App %1 got %2 from default, since %3 has no %4.", {event.appId, node, event.poolId, event.role});
        break;
    case ChangeKind::ReservationExpired:
        event.sentence = sentence("A reservation on %1 ended by itself after %2 s.", {node, figure});
        break;
    case ChangeKind::NodeConnected:
        event.sentence = sentence("%1 is connected.", {node});
        break;
    case ChangeKind::NodeDisconnected:
        event.severity = journal::Severity::Warning;
        event.sentence = sentence("%1 is disconnected.", {node});
        break;
    case ChangeKind::ProbeHeld:
        event.sentence = sentence("The probe of %1 succeeded, but the node is in quarantine for %2 s more.", {node, std::to_string(wholeSecondsUp(change.figure))});
        break;
    case ChangeKind::PlacedAgain:
        break;
    }
    if (!detail.empty()) {
        event.detail = json::serialize(detail);
    }
    return event;
}

// The lines of health.md "What is logged".
void ChangeFlow::logChange(const fleet::FleetChange& change, const journal::Event& event)
{
    switch (change.kind) {
    case ChangeKind::NodeOnline:
        m_log.write(LogLevel::Info, "node_online", event.sentence, {{"node", event.nodeId}, {"pool", event.poolId}});
        break;
    case ChangeKind::NodeOffline:
        if (change.cause == health::Cause::Passive) {
            const double seconds = m_fleet.read([&](const fleet::Fleet& live, Instant) {
                return live.isAlive(change.node) ? toSeconds(live.node(change.node).health.quarantineLength()) : 0.0;
            });
            m_log.write(LogLevel::Warning, "node_offline", event.sentence, {{"node", event.nodeId}, {"cause", "passive"}, {"outcome", change.text.str()}, {"quarantine_seconds", shortNumber(seconds)}});
        } else {
            m_log.write(LogLevel::Warning, "node_offline", event.sentence,
                {{"node", event.nodeId}, {"cause", "probe"}, {"failures", shortNumber(change.figure)}, {"reason", change.text.str()}});
        }
        break;
    case ChangeKind::ProbeHeld:
        m_log.write(LogLevel::Debug, "probe_held", event.sentence, {{"node", event.nodeId}, {"quarantine_remaining_seconds", std::to_string(wholeSecondsUp(change.figure))}});
        break;
    case ChangeKind::PoolFallback:
        m_log.write(LogLevel::Info, "pool_fallback", event.sentence, {{"app", event.appId}, {"pool", event.poolId}, {"node", event.nodeId}});
        break;
    default:
        break;
    }
}

} // namespace weir::plane
