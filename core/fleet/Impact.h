// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Handles.h"
#include "core/base/Ids.h"
#include "core/base/Roles.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::fleet {

/// One node of a move, as asked for.
struct Move {
    NodeHandle node;
    PoolHandle to;
    std::optional<PoolHandle> expectedFrom;
};

enum class Verdict : std::uint8_t { Ok, FallsBack, FailsClosed };
[[nodiscard]] std::string_view toText(Verdict verdict) noexcept;

struct Standing {
    std::size_t candidates = 0;         ///< in the app's own pool
    std::int64_t free = 0;
    Verdict verdict = Verdict::Ok;
    std::size_t fallbackCandidates = 0; ///< of `default`, where the app would fall back

    friend bool operator==(const Standing&, const Standing&) = default;
};

struct AppImpact {
    std::string app;
    Role role = Role::Worker;
    std::string pool;
    Standing before;
    Standing after;
    bool hasTraffic = false; ///< asked for this role in the last 5 minutes
};

/// What one pool and role gains or loses.
struct PoolImpact {
    std::string pool;
    Role role = Role::Worker;
    std::size_t candidatesBefore = 0;
    std::size_t candidatesAfter = 0;
    std::int64_t freeBefore = 0;
    std::int64_t freeAfter = 0;
};

/// How much care a move needs (console.md 2.5).
enum class Tier : std::uint8_t { None, Safe, Risky, Outage };

/// What a move does, before it is made (fleet.md "Moves").
struct Impact {
    /// Over the verdicts; the lowest bit says whether an app with traffic would fail closed. See isCoveredBy().
    std::uint64_t token = 0;
    Tier tier = Tier::None;
    std::vector<AppImpact> apps;    ///< at most kMostNames, worst first
    std::size_t moreApps = 0;       ///< beyond those
    std::vector<PoolImpact> pools;
    std::vector<std::string> failClosed; ///< apps that would newly fail closed, at most kMostNames
    std::size_t failClosedCount = 0;
    std::vector<std::string> withoutEffect; ///< nodes whose role no pool scheduling reads
    std::vector<std::string> stranded;      ///< healthy nodes that no app would reach afterwards
    std::size_t strandedCount = 0;
    std::size_t movedNodes = 0;             ///< that really change their pool
    std::size_t streams = 0;                ///< on the moved nodes

    static constexpr std::size_t kMostNames = 20;

    /// Whether who was shown the impact with the token `shown` knew of everything that this one says: the same verdicts, and no
    /// outage that only began to be one since. Traffic that ended meanwhile refuses nothing.
    [[nodiscard]] bool isCoveredBy(std::uint64_t shown) const { return shown >> 1 == token >> 1 && (shown & 1) >= (token & 1); }
};

} // namespace weir::fleet
