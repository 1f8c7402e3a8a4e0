// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/journal/alarms/AlarmBook.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the alarm rules look at, as plain values; nothing here reaches back into a fleet.
namespace weir::journal {

/// One pool and role as it is now.
struct GroupFacts {
    std::string pool;
    std::string role;
    bool resolvedTo = false; ///< apps resolve to the pool
    std::size_t nodes = 0;
    std::size_t available = 0;  ///< candidates, and nodes that lack nothing but free capacity
    std::size_t candidates = 0;
    int minAvailable = 0;                ///< 0: none set
    double capacityAlarmPercent = 10;    ///< 0: off
    std::int64_t availableCapacity = 0;  ///< of the available nodes
    std::int64_t candidateFree = 0;
};

/// Decisions of one (role, pool, app) that were refused since the turn before.
struct Refusals {
    std::string role;
    std::string pool;
    std::string app;
    bool appDeclared = true;
    std::vector<Instant> at; ///< oldest first; more than ten may be left out here
    std::uint64_t times = 1;
    std::string sentence;
    std::string detail;
};

/// An app was asked for and got a node elsewhere (fallback), or from its primary pool again after a refusal.
struct Placement {
    std::string role;
    std::string app;
    bool appDeclared = true;
    bool inPrimary = true;
};

enum class RotationCause : std::uint8_t { None, Probe, Passive };

/// A node went out of rotation or came back.
struct RotationChange {
    Instant at{};
    std::string node;
    std::string pool;
    std::string role;
    bool online = false;
    RotationCause cause = RotationCause::None;
    std::string outcome; ///< of a probe or a request
    std::string app;     ///< whose request it was, where it is known
    bool appDeclared = true;
};

/// A node left a pool by a move.
struct Departure {
    std::string node;
    std::string fromPool;
    std::string toPool;
    std::string role;
    std::string actor;
};

/// How requests to one node ended in one probe interval.
struct OutcomeCounts {
    std::string node;
    bool probeOk = true; ///< its latest probe succeeded
    std::uint64_t requests = 0;
    std::uint64_t transport = 0;
    std::uint64_t status = 0;
    std::uint64_t semantic = 0;

    [[nodiscard]] std::uint64_t failed() const { return transport + status + semantic; }
};

/// The latest probes of one pool's nodes.
struct PoolProbes {
    std::string pool;
    std::size_t nodes = 0;
    std::size_t failedHere = 0;      ///< the latest probe failed with an error of this machine
    std::size_t failedHereLately = 0; ///< of those, the ones that ended within one interval
};

struct RegistrationRefusal {
    std::string nodeId;  ///< of the credential; empty: unknown
    std::string address;
    std::string code;
    std::string sentence;
    std::uint64_t times = 1;
};

struct Unreachability {
    std::size_t starvedApps = 0;
    std::size_t strandedNodes = 0;
    std::string sentence;
};

/// Settings that rules name or use; they may change from turn to turn.
struct AlarmSettings {
    Duration probeInterval = std::chrono::seconds(8);
    int unhealthyThreshold = 2;
    double cooldownSeconds = 60;
    int flapTransitions = 4;
    Duration flapWindow = std::chrono::minutes(5);
    double probeTimeoutSeconds = 3;
};

/// One turn. Members that hold a state (`groups`, `probes`, `unreachable`, `stalled`) and are not set are as they were.
struct AlarmInput {
    Moment at;
    bool firstRoundOver = false;
    AlarmSettings settings;
    std::vector<Refusals> refusals;
    std::vector<Placement> placements;
    std::vector<RotationChange> rotations;
    std::vector<Departure> departures;
    std::vector<RegistrationRefusal> registrations;
    std::optional<std::vector<GroupFacts>> groups;
    std::optional<std::vector<PoolProbes>> probes;
    std::optional<Unreachability> unreachable;
    std::optional<std::vector<std::string>> stalled; ///< nodes whose probe does not end
    /// Once an interval: of each node that had requests in it or has an open `health_disagrees`.
    std::optional<std::vector<OutcomeCounts>> outcomes;
    bool storeBehind = false;
    std::uint64_t lostEvents = 0;
};

} // namespace weir::journal
