// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/SeriesMath.h"

#include <algorithm>
#include <utility>

namespace weir::journal {

SeriesThinner::SeriesThinner(WallTime since, WallTime until, std::size_t maxPoints, std::vector<SeriesPoint>& points)
    : m_points(points)
    , m_since(since)
    , m_slices(static_cast<std::int64_t>(std::max<std::size_t>(maxPoints / 2, 1)))
    , m_length((until - since).count() + 1)
{
}

void SeriesThinner::add(const SeriesPoint& point)
{
    const auto slice =
        static_cast<std::int64_t>(static_cast<double>((point.at - m_since).count()) / static_cast<double>(m_length) * static_cast<double>(m_slices));
    if (slice != m_slice) {
        finish();
        m_slice = slice;
        m_lowest = point;
    } else if (value(point) < value(*m_lowest)) {
        m_lowest = point;
    }
    m_last = point;
}

void SeriesThinner::finish()
{
    if (m_lowest && m_lowest != m_last) {
        m_points.push_back(*m_lowest);
    }
    if (m_last) {
        m_points.push_back(*m_last);
    }
    m_lowest.reset();
    m_last.reset();
}

std::vector<SeriesPoint> sumOf(const std::vector<std::vector<SeriesPoint>>& series)
{
    std::vector<std::pair<SeriesPoint, std::size_t>> changes;
    for (std::size_t i = 0; i < series.size(); ++i) {
        for (const SeriesPoint& point : series[i]) {
            changes.emplace_back(point, i);
        }
    }
    std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.first.at < b.first.at; });
    std::vector<SeriesPoint> current(series.size(), SeriesPoint{WallTime{}, 0, 0, false});
    SeriesPoint sum{WallTime{}, 0, 0, false};
    int known = 0;
    std::vector<SeriesPoint> points;
    for (const auto& [point, index] : changes) {
        const SeriesPoint before = std::exchange(current[index], point);
        known += (point.known ? 1 : 0) - (before.known ? 1 : 0);
        sum.healthy += (point.known ? point.healthy : 0) - (before.known ? before.healthy : 0);
        sum.total += (point.known ? point.total : 0) - (before.known ? before.total : 0);
        sum.known = known > 0;
        sum.at = point.at;
        if (!points.empty() && points.back().at == sum.at) {
            points.back() = sum;
        } else {
            points.push_back(sum);
        }
    }
    // Changes that cancel each other out within a millisecond, or that only move between series, are none.
    const auto same = [](const SeriesPoint& a, const SeriesPoint& b) { return a.known == b.known && a.healthy == b.healthy && a.total == b.total; };
    points.erase(std::unique(points.begin(), points.end(), same), points.end());
    return points;
}

} // namespace weir::journal
