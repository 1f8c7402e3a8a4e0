// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Ids.h"
#include "core/base/Handles.h"
#include "core/base/NodeTls.h"
#include "core/base/Roles.h"
#include "core/fleet/CandidateHeap.h"
#include "core/fleet/Reason.h"
#include "core/fleet/Reservations.h"
#include "core/health/HealthState.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::fleet {

/// What is said about a node when it is made; everything but role and id can be changed later.
struct NodeSpec {
    NodeId id;
    Role role = Role::Worker;
    PoolHandle pool;
    UserHandle owner; ///< invalid: nobody's
    bool isStatic = true; ///< judged by probes alone; a registered node also has a connection
    std::string url;
    std::string healthUrl;  ///< empty: `url`
    std::string healthPath; ///< empty: the global one
    std::vector<int> expectedStatuses; ///< empty: the global ones
    std::string webrtcBaseUrl;
    std::string publishUrl;
    std::int64_t capacity = 1;
    int weight = 10;
    std::string region;
    std::string version;
    bool draining = false;
    std::string drainReason;
    std::string drainedBy;
    WallTime poolSince{};
    std::string movedBy;
    // Of a node that registers:
    std::string diskSerial; ///< that its credential is bound to
    bool disabled = false;  ///< its registrations are refused
    std::string licence;    ///< that made it
    std::string abrNegotiationAddr;
    NodeTls tls; ///< of https addresses

    friend bool operator==(const NodeSpec&, const NodeSpec&) = default;
};

/// The part of a node that decisions touch, apart from the rest: two cache lines, what decisions read in the first.
struct alignas(64) NodeCore {
    PoolHandle pool;
    std::uint32_t poolSlot = 0; ///< place in Pool::nodes
    Role role = Role::Worker;
    std::uint8_t offers = 0; ///< bit per Endpoint
    bool alive = false;
    bool draining = false;
    bool connected = true; ///< static nodes have no connection and count as connected
    bool dirty = false;    ///< changed since the last ChangeBatch
    std::array<Reason, kEndpointCount> reasons{};
    std::int64_t capacity = 1;
    std::int64_t used = 0;
    std::int64_t inFlight = 0;
    std::int64_t reserved = 0;
    std::int64_t free = 0; ///< capacity − max(used, in flight) − reserved, never below 0
    std::uint64_t order = 0;
    Reservations::Chain reservations;
    std::uint64_t revision = 0;
    bool countedHealthy = false; ///< stands in Group::healthy
    bool countedEjected = false; ///< stands in Group::ejected
};
static_assert(sizeof(NodeCore) == 128);

/// The last thing that took a node out or kept it out, in words of the prober or the outcome rules.
struct NodeTrouble {
    std::string probeReason;    ///< "timeout", "status:503", …; of the latest failed probe
    std::string bodyReason;     ///< "degraded: dep_down:comfyui"; of the latest probe that said one
    std::string passiveOutcome; ///< "status:500", "refused"; of the latest ejection
};

struct Node {
    NodeSpec spec;
    health::HealthState health;
    NodeTrouble trouble;
    std::uint64_t generation = 0; ///< grows when the health address changes; probes carry it
    Instant lastHeartbeat = Instant::min();
    std::uint64_t birth = 0;   ///< generation at the time it was added; tells it from a later node with the same handle
    bool lapseArmed = false;   ///< one entry of the heartbeat timers is its own
    std::string bootId;
    std::uint64_t heartbeatSeq = 0;
    std::vector<std::string> replacedBoots; ///< boot ids that are never accepted again, newest last, bounded
};

/// Counters of one pool and role. `reasons[endpoint][reason]` counts each node once; reasons[..][None] are the candidates.
struct Group {
    std::array<CandidateHeap, kEndpointCount> heaps;
    std::array<std::array<std::uint32_t, kReasonCount>, kEndpointCount> reasons{};
    std::uint32_t nodes = 0;
    std::uint32_t healthy = 0; ///< in rotation and connected
    std::uint32_t ejected = 0; ///< out with cause passive
    std::int64_t capacity = 0;
    std::int64_t used = 0;
    std::int64_t free = 0;          ///< of all nodes
    std::int64_t candidateFree = 0; ///< of the candidates
    std::int64_t pending = 0;       ///< reserved and not reported yet

    [[nodiscard]] std::uint32_t candidates(Endpoint endpoint = Endpoint::Any) const { return reasons[weir::indexOf(endpoint)][0]; }
    [[nodiscard]] std::uint32_t count(Reason reason, Endpoint endpoint = Endpoint::Any) const
    {
        return reasons[weir::indexOf(endpoint)][fleet::indexOf(reason)];
    }
};

enum class PoolKind : std::uint8_t { Default, Unassigned, User, Named };

struct PoolSpec {
    PoolId id;
    std::string name;
    bool canary = false;
    int minAvailable = 0;
    double capacityAlarmPercent = 10;

    friend bool operator==(const PoolSpec&, const PoolSpec&) = default;
};

struct Pool {
    PoolSpec spec;
    PoolKind kind = PoolKind::Named;
    UserHandle owner; ///< of a user pool
    bool alive = false;
    bool dirty = false;
    std::array<Group, kRoleCount> groups;
    std::vector<NodeHandle> nodes; ///< in no order
    std::vector<AppHandle> apps; ///< that resolve to it
    std::uint64_t revision = 0;
};

struct User {
    UserId id;
    std::string name;
    bool alive = false;
    PoolHandle pool;
    std::uint32_t scheduledNodes = 0; ///< nodes of pool-scheduled roles with this owner, in whatever pool
    std::uint32_t nodes = 0;
    std::vector<AppHandle> apps;
};

/// Which rule of fleet.md "Which pool an app uses" gave the pool.
enum class Because : std::uint8_t { Binding, Owner, None };
[[nodiscard]] std::string_view toText(Because because) noexcept;

struct Binding {
    PoolHandle pool;
    bool allowFallback = false;
    friend bool operator==(const Binding&, const Binding&) = default;
};

struct App {
    AppId id;
    UserHandle owner;
    std::optional<Binding> binding;
    bool alive = false;
    bool dirty = false;
    // What resolution gives; kept up to date on every change that bears on it.
    PoolHandle pool;
    bool allowFallback = false;
    Because because = Because::None;
    std::array<Instant, kScheduledRoleCount> lastAsked{Instant::min(), Instant::min(), Instant::min()};
    std::uint64_t revision = 0;

    [[nodiscard]] bool everAsked() const
    {
        for (const Instant at : lastAsked) {
            if (at != Instant::min()) {
                return true;
            }
        }
        return false;
    }
};

} // namespace weir::fleet
