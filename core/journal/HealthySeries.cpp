// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/HealthySeries.h"

#include <algorithm>

namespace weir::journal {

void HealthySeries::restore(const SeriesKey& key, const SeriesPoint& last)
{
    m_latest.insert_or_assign(key, last);
}

std::optional<SeriesPoint> HealthySeries::observe(const SeriesKey& key, int healthy, int total, WallTime at)
{
    return record(key, SeriesPoint{at, healthy, total, true});
}

std::vector<SeriesChange> HealthySeries::breakOff(WallTime at)
{
    std::vector<SeriesChange> changes;
    for (auto& [key, latest] : m_latest) {
        if (latest.known) {
            latest = SeriesPoint{std::max(at, latest.at), 0, 0, false};
            changes.push_back({key, latest});
        }
    }
    return changes;
}

std::optional<SeriesPoint> HealthySeries::retire(const SeriesKey& key, WallTime at)
{
    if (!m_latest.contains(key)) {
        return std::nullopt;
    }
    const std::optional<SeriesPoint> last = record(key, SeriesPoint{at, 0, 0, true});
    m_latest.erase(key);
    return last;
}

std::optional<SeriesPoint> HealthySeries::latest(const SeriesKey& key) const
{
    const auto found = m_latest.find(key);
    return found == m_latest.end() ? std::nullopt : std::optional<SeriesPoint>(found->second);
}

std::optional<SeriesPoint> HealthySeries::record(const SeriesKey& key, SeriesPoint point)
{
    const auto [position, isNew] = m_latest.try_emplace(key, point);
    if (isNew) {
        return point;
    }
    SeriesPoint& latest = position->second;
    if (latest.known == point.known && latest.healthy == point.healthy && latest.total == point.total) {
        return std::nullopt;
    }
    point.at = std::max(point.at, latest.at); // the wall clock may have been set back
    latest = point;
    return point;
}

} // namespace weir::journal
