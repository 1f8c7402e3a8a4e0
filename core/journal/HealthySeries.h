// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::journal {

/// One line of the chart. Both empty: the whole fleet; an empty one alone: all pools, or all roles.
struct SeriesKey {
    std::string poolId;
    std::string role;

    friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default;
};

/// `workers_healthy` of `workers_total` from `at` on, until the next point. Not known: nobody was there to see (a gap).
struct SeriesPoint {
    WallTime at{};
    int healthy = 0;
    int total = 0;
    bool known = true;

    friend bool operator==(const SeriesPoint&, const SeriesPoint&) = default;
};

/// A point to be stored. A later point of the same key and millisecond takes the place of an earlier one.
struct SeriesChange {
    SeriesKey key;
    SeriesPoint point;

    friend bool operator==(const SeriesChange&, const SeriesChange&) = default;
};

/// Turns current figures into change points: exact and small. Points of one key never go back in time. Not thread-safe.
class HealthySeries {
public:
    /// Takes over the last stored point of a key after a restart, so that an unchanged value makes no second point.
    void restore(const SeriesKey& key, const SeriesPoint& last);

    /// The figures of `key` from `at` on; a point when they differ from the last ones.
    [[nodiscard]] std::optional<SeriesPoint> observe(const SeriesKey& key, int healthy, int total, WallTime at);

    /// From `at` on nothing is known of any key, until it is observed again. One change for each key that was known.
    [[nodiscard]] std::vector<SeriesChange> breakOff(WallTime at);

    /// The pool or role is gone: a last point of 0 of 0, and the key is forgotten.
    [[nodiscard]] std::optional<SeriesPoint> retire(const SeriesKey& key, WallTime at);

    /// The latest point of a key, if it has one.
    [[nodiscard]] std::optional<SeriesPoint> latest(const SeriesKey& key) const;
    [[nodiscard]] std::size_t keyCount() const { return m_latest.size(); }

private:
    [[nodiscard]] std::optional<SeriesPoint> record(const SeriesKey& key, SeriesPoint point);

    std::map<SeriesKey, SeriesPoint> m_latest;
};

} // namespace weir::journal
