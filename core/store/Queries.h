// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/journal/Event.h"
#include "core/journal/HealthySeries.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::store {

/// No answer has more rows than this, whatever is asked.
inline constexpr std::size_t kMostRows = 10'000;

/// Which events: those that meet every condition that is set. Empty text and an empty list set none. Times are inclusive.
struct EventFilter {
    std::vector<journal::EventKind> kinds;
    std::string nodeId;
    std::string poolId;
    std::string appId;
    std::string role;
    std::optional<WallTime> since;
    std::optional<WallTime> until;
    std::optional<std::int64_t> afterSeq;  ///< greater than this
    std::optional<std::int64_t> beforeSeq; ///< smaller than this: the next page when the newest come first
    std::size_t limit = 200;
    bool newestFirst = true;
};

/// As EventFilter, for the audit.
struct AuditFilter {
    std::string actor;
    std::string action;
    std::string target;
    std::string outcome;
    std::optional<WallTime> since;
    std::optional<WallTime> until;
    std::optional<std::int64_t> afterId;
    std::optional<std::int64_t> beforeId;
    std::size_t limit = 200;
    bool newestFirst = true;
};

/// A window of one healthy-worker series.
struct SeriesQuery {
    journal::SeriesKey key;
    WallTime since{};
    WallTime until{};
    std::size_t maxPoints = 4'000; ///< beyond it, each of maxPoints / 2 slices of the window keeps its lowest and its last point
};

} // namespace weir::store
