// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/incidents/IncidentInputs.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>

namespace weir::plane {
namespace json = boost::json;
using journal::EventKind;
using journal::IncidentInput;
using journal::RefusalEvidence;
namespace {

std::string textOf(const json::object& detail, std::string_view key)
{
    const json::value* value = detail.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::int64_t numberOf(const json::object& detail, std::string_view key, std::int64_t fallback)
{
    const json::value* value = detail.if_contains(key);
    return value != nullptr && value->is_int64() ? value->get_int64() : fallback;
}

} // namespace

IncidentInput IncidentInputs::inputOf(const journal::Event& event, bool withFleet)
{
    IncidentInput input;
    input.event = event;
    boost::system::error_code error;
    const json::value parsed = json::parse(event.detail.empty() ? "{}" : event.detail, error);
    if (!error && parsed.is_object()) {
        const json::object& detail = parsed.get_object();
        const bool isAlarm = event.kind == EventKind::AlarmFired || event.kind == EventKind::AlarmChanged || event.kind == EventKind::AlarmResolved;
        input.facts = isAlarm ? 1 : static_cast<std::uint64_t>(std::max<std::int64_t>(numberOf(detail, "count", 1), 1));
        input.cause = textOf(detail, "cause");
        input.outcome = textOf(detail, "outcome");
        input.alarm = isAlarm ? textOf(detail, "kind") : std::string();
        input.alarmId = isAlarm ? std::strtoull(textOf(detail, "alarm").c_str(), nullptr, 10) : 0;
        input.fromPool = event.kind == EventKind::NodeMoved ? textOf(detail, "from") : std::string();
        input.incident = numberOf(detail, "incident", 0);
    }
    if (withFleet) {
        place(input);
    }
    if (withFleet && event.kind == EventKind::PoolExhausted) {
        const auto [known, isNew] = m_evidence.try_emplace({event.role, event.poolId});
        if (isNew) {
            known->second = evidenceOf(event);
        }
        input.evidence = known->second;
        input.evidence->funnel = event.sentence;
    }
    return input;
}

void IncidentInputs::place(IncidentInput& input)
{
    if (input.event.nodeId.empty() && input.event.appId.empty()) {
        return;
    }
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        if (const auto node = live.findNode(input.event.nodeId)) {
            input.nodePool = live.pool(live.core(*node).pool).spec.id.text();
        }
        if (const auto app = live.findApp(input.event.appId)) {
            input.appPool = live.pool(live.app(*app).pool).spec.id.text();
        }
    });
}

RefusalEvidence IncidentInputs::evidenceOf(const journal::Event& event) const
{
    RefusalEvidence evidence;
    evidence.role = event.role;
    evidence.poolId = event.poolId;
    const auto role = roleFromText(event.role);
    if (!role) {
        return evidence;
    }
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        const auto pool = live.findPool(event.poolId);
        if (!pool) {
            return;
        }
        evidence.poolNodes = live.pool(*pool).groups[weir::indexOf(*role)].nodes;
        evidence.poolApps = static_cast<std::uint32_t>(live.pool(*pool).apps.size());
        for (const AppHandle app : live.pool(*pool).apps) {
            evidence.unboundApps += live.app(app).because == fleet::Because::None ? 1 : 0;
        }
        for (const PoolHandle other : live.poolsInOrder()) {
            const std::uint32_t candidates = live.pool(other).groups[weir::indexOf(*role)].candidates();
            if (other != *pool && other != live.unassignedPool() && live.pool(other).apps.empty() && candidates > evidence.elsewhere) {
                evidence.elsewhere = candidates;
                evidence.elsewherePool = live.pool(other).spec.id.text();
            }
        }
    });
    return evidence;
}

} // namespace weir::plane
