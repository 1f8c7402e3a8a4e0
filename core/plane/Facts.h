// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Handles.h"
#include "core/base/Roles.h"
#include "core/fleet/Entities.h"
#include "core/fleet/Reachability.h"
#include "core/journal/Event.h"
#include "core/outcome/NodeOutcomes.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What screens and lists see of the fleet: plain copies, one struct a row, made under the lock and used without it.
namespace weir::plane {

/// One probe as the node's page shows it.
struct ProbeRecord {
    WallTime at{};
    int durationMs = 0;
    int status = 0;
    bool success = false;
    bool held = false; ///< a success that a quarantine kept from bringing the node back
    std::string reason;
    std::string bodyStatus;
    std::string bodyReason;
    std::optional<double> diskFreeGb;
    std::vector<std::pair<std::string, bool>> deps;
    std::string text;
};

struct NodeFacts {
    NodeHandle handle;
    fleet::NodeSpec spec;
    std::string pool;
    std::string owner;
    bool connected = true;
    bool checked = false;
    bool inRotation = false;
    health::Cause cause = health::Cause::None;
    std::string probeReason;
    std::string bodyReason;
    std::string passiveOutcome;
    std::optional<Instant> quarantinedUntil;
    Duration quarantineRemaining{0};
    Duration quarantineLength{0};
    int consecutiveFailures = 0;
    int consecutiveSuccesses = 0;
    std::int64_t capacity = 0;
    std::int64_t used = 0;
    std::int64_t inFlight = 0;
    std::int64_t reserved = 0;
    std::int64_t free = 0;
    fleet::Reason reason = fleet::Reason::None; ///< first failing filter, None: a candidate
    std::size_t poolApps = 0;                   ///< apps that resolve to its pool
    bool hasHealthAddress = true;
    std::uint64_t revision = 0;
    // Kept by the plane beside the fleet:
    std::optional<ProbeRecord> lastProbe;
    std::optional<Instant> nextProbe;
    int flaps1h = 0;
    int ejections1h = 0;
    WallTime lastEjection{};
    outcome::TrafficCounts traffic; ///< of the last five minutes
};

/// The one word for a node (api.md `state`), derived from facts that stay apart: online, failing, quarantined, offline,
/// draining, nodata.
[[nodiscard]] std::string_view stateWord(const NodeFacts& node);

/// Why a node is not well, in one short text: what its body said, else the probe's reason, else the outcome that ejected it.
[[nodiscard]] std::string healthReason(const NodeFacts& node);

struct RoleFacts {
    std::uint32_t nodes = 0;
    std::uint32_t healthy = 0;
    std::uint32_t candidates = 0;
    std::array<std::uint32_t, fleet::kReasonCount> reasons{};
    std::int64_t capacity = 0;
    std::int64_t used = 0;
    std::int64_t free = 0;
};

struct PoolFacts {
    PoolHandle handle;
    fleet::PoolSpec spec;
    fleet::PoolKind kind = fleet::PoolKind::Named;
    std::string owner;
    std::array<RoleFacts, kRoleCount> roles{};
    std::size_t nodes = 0;
    std::size_t apps = 0;
    std::size_t appsAllowFallback = 0;
    std::vector<std::string> appNames; ///< first 20 by id
    std::array<bool, kScheduledRoleCount> rolesUsed{}; ///< an app that resolves here uses the role
    std::uint64_t revision = 0;
    // Kept by the plane:
    int exhausted1h = 0;
    WallTime lastChangeAt{};
    std::string lastChange;
};

struct AppFacts {
    AppHandle handle;
    std::string id;
    std::string owner;
    std::string pool;
    fleet::Because because = fleet::Because::None;
    bool allowFallback = false;
    std::optional<std::pair<std::string, bool>> binding; ///< pool, fallback
    fleet::Verdict verdict = fleet::Verdict::Ok;          ///< worst over the roles it uses
    std::string why;
    std::uint64_t revision = 0;
};

/// Open alarms, for badges.
struct AlarmCounts {
    std::size_t warning = 0; ///< firing, and neither acknowledged nor silenced nor counted in another one
    std::size_t critical = 0;
    std::size_t open = 0; ///< all that are not resolved

    friend bool operator==(const AlarmCounts&, const AlarmCounts&) = default;
};

/// Figures of the whole fleet, from one state.
struct Summary {
    std::size_t apps = 0;
    std::size_t appsStarved = 0;
    std::size_t workersTotal = 0;   ///< probed nodes of any role outside `unassigned`
    std::size_t workersHealthy = 0;
    std::size_t strandedNodes = 0;
    std::string strandedSentence;
    std::vector<fleet::StarvedApp> starved; ///< first 20
    std::vector<WallTime> starvedSince;     ///< of each of those
    int ejections1h = 0;
    int flaps1h = 0;
    int exhausted1h = 0;
    int decisions1h = 0;
    int fallbacks1h = 0;
    AlarmCounts alarms;
    std::uint64_t configVersion = 0;
    bool storeBehind = false;
    bool firstRoundOver = false;

    friend bool operator==(const Summary& a, const Summary& b)
    {
        return a.apps == b.apps && a.appsStarved == b.appsStarved && a.workersTotal == b.workersTotal && a.workersHealthy == b.workersHealthy
            && a.strandedNodes == b.strandedNodes && a.ejections1h == b.ejections1h && a.flaps1h == b.flaps1h && a.exhausted1h == b.exhausted1h
            && a.decisions1h == b.decisions1h && a.fallbacks1h == b.fallbacks1h && a.configVersion == b.configVersion && a.storeBehind == b.storeBehind
            && a.firstRoundOver == b.firstRoundOver && a.alarms == b.alarms;
    }
};

/// The latest value of every row that changed since the batch before, and the events that were committed meanwhile. Rows carry
/// their revision: an older one never overwrites a newer one.
struct ChangeBatch {
    std::uint64_t revision = 0;
    WallTime at{};
    std::vector<NodeFacts> nodes;
    std::vector<std::string> removedNodes;
    std::vector<PoolFacts> pools;
    std::vector<std::string> removedPools;
    std::vector<AppFacts> apps;
    std::vector<std::string> removedApps;
    std::vector<journal::Event> events;
    Summary summary;
    bool isWithoutRows = false; ///< nobody wanted rows and the summary when it was made
};

} // namespace weir::plane
