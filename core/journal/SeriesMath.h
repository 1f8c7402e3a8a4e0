// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/HealthySeries.h"

#include <cstddef>
#include <vector>

namespace weir::journal {

/// Lowest and last point of each of `maxPoints` / 2 slices of the window, in order of time: an outage is never hidden, and the value
/// that goes on into the next slice is right. What is unknown counts as lower than 0. Points come and go one at a time.
class SeriesThinner {
public:
    SeriesThinner(WallTime since, WallTime until, std::size_t maxPoints, std::vector<SeriesPoint>& points);

    void add(const SeriesPoint& point);
    void finish();

private:
    [[nodiscard]] static int value(const SeriesPoint& point) { return point.known ? point.healthy : -1; }

    std::vector<SeriesPoint>& m_points;
    WallTime m_since;
    std::int64_t m_slices;
    std::int64_t m_length;
    std::int64_t m_slice = -1;
    std::optional<SeriesPoint> m_lowest;
    std::optional<SeriesPoint> m_last;
};

/// The sum of several series, each in order of time: at every moment of the window the values that are known then. Where none is known
/// the sum is not known either.
[[nodiscard]] std::vector<SeriesPoint> sumOf(const std::vector<std::vector<SeriesPoint>>& series);

} // namespace weir::journal
