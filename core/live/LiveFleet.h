// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/LatencyHistogram.h"
#include "core/base/Roles.h"
#include "core/fleet/Fleet.h"

#include <array>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace weir::live {

/// The one object that threads share: a lock around the Fleet. It is held for microseconds, never across I/O, a callback or an
/// unbounded allocation. Facts leave through a preallocated ring; when it is full the entity is still marked changed, so that a
/// reader misses only the steps between.
class LiveFleet final : private fleet::ChangeSink {
public:
    LiveFleet(
        const Clock& clock, const health::HealthSettings& health, const fleet::FleetSettings& settings, std::size_t ringCapacity = 65'536);

    /// Runs `use(fleet, now)` under the lock, after everything that was due by now has happened. `use` must be short: no I/O, no
    /// waiting, and no call of this class.
    template <typename Use>
    decltype(auto) with(Use&& use)
    {
        const std::scoped_lock lock(m_mutex);
        const Instant now = m_clock.now();
        m_fleet.advance(now);
        return std::forward<Use>(use)(m_fleet, now);
    }

    /// The same for reads.
    template <typename Use>
    decltype(auto) read(Use&& use)
    {
        return with([&use](const fleet::Fleet& fleet, Instant now) -> decltype(auto) { return std::forward<Use>(use)(fleet, now); });
    }

    /// The scheduler's answer, one lock.
    [[nodiscard]] fleet::Decision decide(const fleet::Request& request)
    {
        const std::scoped_lock lock(m_mutex);
        return decideIn(m_fleet, request, m_clock.now());
    }

    /// The same from inside with(), for those who read more under the same lock.
    [[nodiscard]] fleet::Decision decideIn(fleet::Fleet& fleet, const fleet::Request& request, Instant now)
    {
        fleet::Decision decision = fleet.decide(request, now);
        if (isScheduled(request.role)) {
            m_decisionLatency[static_cast<std::size_t>(request.role)].observe(m_clock.now() - now);
        }
        return decision;
    }

    /// Of a role that is scheduled; without the wait for the lock.
    [[nodiscard]] const LatencyHistogram& decisionLatency(Role role) const { return m_decisionLatency[static_cast<std::size_t>(role)]; }

    /// Whether facts wait to be drained.
    [[nodiscard]] bool hasChanges()
    {
        const std::scoped_lock lock(m_mutex);
        m_fleet.advance(m_clock.now());
        return !m_ring.empty() || m_lostChanges > 0;
    }

    /// What left the fleet since the last call.
    struct Drained {
        std::vector<fleet::FleetChange> changes; ///< oldest first
        fleet::Fleet::Dirty dirty;               ///< entities that changed, at most `dirtyLimit` of each kind; ask again for more
        std::size_t lostChanges = 0;             ///< facts that found the ring full
    };
    /// Takes the facts and the changed entities out; `into` is reused, so that a steady state allocates nothing.
    void drain(Drained& into, std::size_t dirtyLimit);

private:
    static LatencyHistogram emptyLatency();
    void changed(const fleet::FleetChange& change) noexcept override;

    const Clock& m_clock;
    std::array<LatencyHistogram, kScheduledRoleCount> m_decisionLatency{emptyLatency(), emptyLatency(), emptyLatency()};
    std::mutex m_mutex;
    std::vector<fleet::FleetChange> m_ring; ///< capacity fixed at construction
    std::size_t m_ringCapacity;
    std::size_t m_lostChanges = 0;
    fleet::Fleet m_fleet;
};

} // namespace weir::live
