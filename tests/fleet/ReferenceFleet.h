// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Roles.h"
#include "core/fleet/Reason.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weir::fleet {

/// The rules of scheduling and health once more, as slowly and obviously as they can be written: every question scans all nodes,
/// nothing is kept that can be worked out. Shares no code with the fleet it is compared with. Times are milliseconds.
class ReferenceFleet {
public:
    struct Settings {
        int unhealthyThreshold = 2;
        int healthyThreshold = 1;
        std::int64_t cooldown = 60'000;
        double multiplier = 1;
        std::int64_t maxCooldown = 300'000;
        std::int64_t memory = 600'000;
        std::optional<double> cap;
        std::int64_t settle = 2'000;
        std::int64_t ttl = 30'000;
        std::int64_t silence = 30'000;
    };
    struct Node {
        Role role = Role::Worker;
        std::string pool;
        std::string owner;
        bool isStatic = true;
        bool hasAddress = true;
        bool whip = false;
        bool srt = false;
        bool draining = false;
        std::int64_t capacity = 1;
        std::int64_t used = 0;
        std::int64_t inFlight = 0;
        // connection
        std::optional<std::int64_t> lastBeat;
        bool hungUp = false;
        std::string boot;
        std::uint64_t seq = 0;
        std::set<std::string> oldBoots;
        // health
        bool checked = false;
        bool inRotation = false;
        bool passive = false; ///< out because of a passive failure
        int failures = 0;
        int successes = 0;
        int ejections = 0;
        bool clean = false;
        std::optional<std::int64_t> quarantinedUntil;
        std::optional<std::int64_t> lastChange;
    };
    struct App {
        std::string owner;
        std::optional<std::string> boundTo;
        bool bindingAllowsFallback = false;
    };
    struct Reservation {
        std::string node;
        std::int64_t need = 0;
        std::int64_t at = 0;
    };
    struct Answer {
        std::string node; ///< empty: refused
        bool fallback = false;
        std::string primary;
        friend bool operator==(const Answer&, const Answer&) = default;
    };
    struct Totals {
        std::map<Reason, std::uint32_t> reasons;
        std::uint32_t nodes = 0;
        std::uint32_t healthy = 0;
        std::uint32_t ejected = 0;
        std::int64_t free = 0;
        std::int64_t candidateFree = 0;
        std::int64_t pending = 0;
        std::int64_t capacity = 0;
        std::int64_t used = 0;
    };

    void passTime(std::int64_t milliseconds);
    void probe(const std::string& id, bool success, std::int64_t started);
    /// 0 ejected, 1 already out, 2 capped.
    int passiveFailure(const std::string& id);
    bool heartbeat(const std::string& id, const std::string& boot, std::uint64_t seq, std::int64_t capacity, std::int64_t used,
        std::optional<std::uint64_t> seen);
    void remove(const std::string& id);
    void changeAddress(const std::string& id);
    void setCooldown(std::int64_t cooldown);

    [[nodiscard]] Answer preview(const std::string& app, Role role, std::int64_t need, Endpoint endpoint) const;
    Answer decide(const std::string& app, Role role, std::int64_t need, Endpoint endpoint);
    bool release(std::uint64_t placement);

    [[nodiscard]] std::string poolOf(const std::string& app) const;
    [[nodiscard]] bool mayFallBack(const std::string& app) const;
    [[nodiscard]] bool isConnected(const Node& node) const;
    [[nodiscard]] bool inQuarantine(const Node& node) const;
    [[nodiscard]] std::int64_t free(const std::string& id) const;
    /// The first filter that holds, of those after the role.
    [[nodiscard]] Reason reason(const std::string& id, std::int64_t need, Endpoint endpoint) const;
    [[nodiscard]] Totals totals(const std::string& pool, Role role, Endpoint endpoint) const;

    std::map<std::string, Node> nodes;
    std::map<std::string, App> apps;
    std::map<std::uint64_t, Reservation> reservations;
    std::uint64_t lastPlacement = 0;
    std::int64_t now = 0;
    Settings settings;

private:
    void changeRotation(Node& node, bool in);
    void judge(Node& node, bool success);
    [[nodiscard]] std::string bestOf(const std::string& pool, Role role, std::int64_t need, Endpoint endpoint) const;
};

} // namespace weir::fleet
