// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/LiveFleet.h"

namespace weir::live {

LiveFleet::LiveFleet(
    const Clock& clock, const health::HealthSettings& health, const fleet::FleetSettings& settings, std::size_t ringCapacity)
    : m_clock(clock)
    , m_ringCapacity(ringCapacity)
    , m_fleet(*this, health, settings)
{
    m_ring.reserve(m_ringCapacity);
}

void LiveFleet::changed(const fleet::FleetChange& change) noexcept
{
    if (m_ring.size() < m_ringCapacity) {
        m_ring.push_back(change);
    } else {
        ++m_lostChanges;
    }
}

void LiveFleet::drain(Drained& into, std::size_t dirtyLimit)
{
    into.changes.clear();
    into.changes.reserve(m_ringCapacity); // outside the lock: what is handed in becomes the next ring
    const std::scoped_lock lock(m_mutex);
    into.changes.swap(m_ring);
    into.lostChanges = std::exchange(m_lostChanges, 0);
    m_fleet.takeDirty(into.dirty, dirtyLimit);
}

} // namespace weir::live
