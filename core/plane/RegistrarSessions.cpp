// SPDX-License-Identifier: GPL-3.0-or-later
// Heartbeats and goodbyes, and what is recorded of refusals.
#include "core/plane/Registrar.h"

#include "core/base/Sentence.h"

#include <boost/json.hpp>

namespace weir::plane {
namespace json = boost::json;
using journal::EventKind;

Result<NodeSessions::Key> Registrar::keyOf(const std::string& nodeId) const
{
    return m_fleet.read([&](const fleet::Fleet& live, Instant) -> Result<NodeSessions::Key> {
        const auto node = live.findNode(nodeId);
        return node ? Result<NodeSessions::Key>(NodeSessions::Key{*node, live.node(*node).birth}) : fail("unknown_node", "There is no node '" + nodeId + "'.", "nodeId");
    });
}

Error Registrar::refusalOf(const std::string& nodeId, NodeSessions::Standing standing, const NodeSessions::Key& key, const std::string& address)
{
    if (standing != NodeSessions::Standing::Replaced) {
        return {"unknown_session", "The session is not known (sessions end when Weir restarts); register again.", {}};
    }
    Error error{"session_replaced", "Node '" + nodeId + "' registered anew, which ended this session.", {}};
    noteRefusal(nodeId, address, error, m_sessions.addressOf(key));
    return error;
}

Result<bool> Registrar::heartbeat(const std::string& nodeId, std::string_view token, const HeartbeatReport& report, const std::string& address)
{
    const std::string hash = NodeSessions::hashOf(token);
    std::vector<fleet::StreamName> streams;
    if (report.streams) {
        streams.reserve(report.streams->size());
        for (const ReportedStream& stream : *report.streams) {
            streams.push_back({stream.app, stream.stream});
        }
    }
    const fleet::Heartbeat beat{report.bootId, report.seq, report.capacity, report.used, report.seenPlacement, report.streams ? &streams : nullptr};
    NodeSessions::Key key;
    auto standing = NodeSessions::Standing::Unknown;
    const bool taken = m_fleet.with([&](fleet::Fleet& live, Instant now) {
        const auto node = live.findNode(nodeId);
        if (!node) {
            return false;
        }
        key = {*node, live.node(*node).birth};
        standing = m_sessions.standing(key, hash);
        return standing == NodeSessions::Standing::Current && live.heartbeat(*node, beat, now);
    });
    if (standing != NodeSessions::Standing::Current) {
        return tl::unexpected(refusalOf(nodeId, standing, key, address));
    }
    return taken;
}

Result<void> Registrar::leave(const std::string& nodeId, std::string_view token, const std::string& address)
{
    const std::string hash = NodeSessions::hashOf(token);
    NodeSessions::Key key;
    auto standing = NodeSessions::Standing::Unknown;
    m_fleet.with([&](fleet::Fleet& live, Instant now) {
        if (const auto node = live.findNode(nodeId)) {
            key = {*node, live.node(*node).birth};
            standing = m_sessions.standing(key, hash);
            if (standing == NodeSessions::Standing::Current) {
                live.disconnect(*node, now);
            }
        }
    });
    if (standing != NodeSessions::Standing::Current) {
        return tl::unexpected(refusalOf(nodeId, standing, key, address));
    }
    m_sessions.end(key);
    return {};
}

Error Registrar::refuseHeartbeat(const std::string& nodeId, std::string_view token, const std::string& address, const Error& error)
{
    const auto key = keyOf(nodeId);
    const auto standing = key ? m_sessions.standing(*key, NodeSessions::hashOf(token)) : NodeSessions::Standing::Unknown;
    if (standing != NodeSessions::Standing::Current) {
        return refusalOf(nodeId, standing, key.value_or(NodeSessions::Key{}), address);
    }
    noteRefusal(nodeId, address, error);
    return error;
}

void Registrar::noteRefusal(const std::string& nodeId, const std::string& address, const Error& error, const std::string& currentAddress)
{
    journal::Event event;
    event.at = m_clock.wall();
    event.kind = EventKind::RegistrationRefused;
    event.severity = journal::Severity::Warning;
    event.nodeId = nodeId;
    event.actor = "address:" + address;
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        if (const auto node = nodeId.empty() ? std::nullopt : live.findNode(nodeId)) {
            event.poolId = live.pool(live.core(*node).pool).spec.id.text();
            event.role = toText(live.core(*node).role);
        }
    });
    event.sentence = sentence("%1 from %2 was refused: %3", {nodeId.empty() ? "A registration" : nodeId, address, error.message});
    json::object detail{{"code", error.code}, {"address", address}};
    if (!error.field.empty()) {
        detail["field"] = error.field;
    }
    if (!currentAddress.empty()) {
        detail["currentAddress"] = currentAddress;
    }
    event.detail = json::serialize(detail);
    m_note(std::move(event));
}

void Registrar::noteClaims(const Registration& registration, const store::NodeRecord& record, const std::string& address)
{
    if (registration.poolClaims.empty()) {
        return;
    }
    journal::Event event;
    event.at = m_clock.wall();
    event.kind = EventKind::PoolClaimIgnored;
    event.severity = journal::Severity::Warning;
    event.nodeId = record.id;
    event.poolId = record.pool;
    event.role = record.role;
    event.actor = "node:" + record.id;
    event.sentence = sentence("%1 claimed a pool at registration, which is ignored: its pool is %2.", {record.id, record.pool});
    event.detail = json::serialize(json::object{{"address", address}, {"claimed", json::array(registration.poolClaims.begin(), registration.poolClaims.end())}});
    m_note(std::move(event));
}

} // namespace weir::plane
