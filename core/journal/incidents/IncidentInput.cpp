// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/incidents/IncidentInput.h"

#include "core/base/Ids.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace weir::journal {
namespace {

// Other alarms tell of what triggers say already, or of Weir itself.
constexpr std::array<std::string_view, 3> kTriggerAlarms{"healthy_below_min", "health_disagrees", "node_flapping"};

} // namespace

EventClass classOf(const IncidentInput& input)
{
    switch (input.event.kind) {
    case EventKind::NodeOffline:
    case EventKind::PoolExhausted:
        return EventClass::Trigger;
    case EventKind::AlarmFired:
        return std::find(kTriggerAlarms.begin(), kTriggerAlarms.end(), input.alarm) != kTriggerAlarms.end() ? EventClass::Trigger : EventClass::Join;
    case EventKind::AlarmChanged:
    case EventKind::AlarmResolved:
    case EventKind::NodeOnline:
    case EventKind::QuarantineStarted:
    case EventKind::QuarantineOver:
    case EventKind::QuarantineDroppedByRestart:
    case EventKind::EjectionCapped:
    case EventKind::PoolFallback:
    case EventKind::NodeConnected:
    case EventKind::NodeDisconnected:
    case EventKind::NodeDraining:
    case EventKind::NodeUndrained:
        return EventClass::Join;
    case EventKind::NodeMoved:
    case EventKind::NodeCreated:
    case EventKind::NodeChanged:
    case EventKind::NodeRemoved:
    case EventKind::PoolCreated:
    case EventKind::PoolRemoved:
    case EventKind::AppChanged:
    case EventKind::AppBound:
    case EventKind::AppUnbound:
    case EventKind::ConfigLoaded:
    case EventKind::ConfigRejected:
    case EventKind::SettingsChanged:
    case EventKind::Started:
    case EventKind::Stopped:
        return EventClass::Context;
    default:
        return EventClass::None;
    }
}

std::vector<Subject> subjectsOf(const IncidentInput& input)
{
    const Event& event = input.event;
    std::vector<Subject> subjects;
    const auto addPool = [&](const std::string& pool) {
        if (!pool.empty() && pool != kUnassignedPool) {
            subjects.push_back({Subject::Kind::Pool, pool, {}});
        }
    };
    // An app got a node of another pool: the event is about the app and the pool that had none, not about that node.
    const bool aboutApp = event.kind == EventKind::PoolExhausted || event.kind == EventKind::PoolFallback;
    if (!event.nodeId.empty() && !aboutApp) {
        // About a node alone, not its pool: a shared pool must not draw all its nodes into one story.
        subjects.push_back({Subject::Kind::Node, event.nodeId, input.nodePool.empty() ? event.poolId : input.nodePool});
        if (event.kind == EventKind::NodeMoved) {
            addPool(input.fromPool);
            addPool(event.poolId);
        }
        return subjects;
    }
    if (!event.appId.empty() && event.appId != "*") {
        subjects.push_back({Subject::Kind::App, event.appId, input.appPool.empty() ? event.poolId : input.appPool});
    }
    addPool(event.poolId);
    return subjects;
}

std::string alarmKeyOf(const IncidentInput& input)
{
    const Event& event = input.event;
    return "alarm:" + input.alarm + ":" + event.role + ":" + event.poolId + ":" + event.appId + ":" + event.nodeId;
}

} // namespace weir::journal
