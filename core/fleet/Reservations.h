// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Handles.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace weir::fleet {

/// The reservations that decisions made and nothing has ended yet (fleet.md "Capacity between heartbeats").
///
/// Placement numbers grow by one, and a reservation lives for a bounded time, so the live ones are a window of a ring indexed by
/// the number itself: adding, releasing and expiring are O(1) and take no memory once the ring has grown to the working size.
/// Those of one node are chained through the ring, oldest first.
class Reservations {
public:
    /// Heads of a node's chain; lives in the node.
    struct Chain {
        std::uint64_t first = 0; ///< placement number, 0: none
        std::uint64_t last = 0;
    };

    struct Reservation {
        NodeHandle node;
        std::uint32_t need = 0; ///< 0: ended
        Instant at;
        std::uint64_t previous = 0;
        std::uint64_t next = 0;
    };

    /// At most this many are kept at once; beyond it the oldest is ended as if it had expired.
    static constexpr std::size_t kMost = std::size_t{1} << 22;

    explicit Reservations(std::uint64_t firstNumber = 1);

    /// The number that the next placement gets, also when nothing is reserved for it.
    [[nodiscard]] std::uint64_t takeNumber();

    /// Whether add() would have to end the oldest one first.
    [[nodiscard]] bool isFull() const { return m_ring.size() == kMost && m_next - m_oldest >= kMost; }

    /// Reserves under a number from takeNumber(), which must be the latest one taken.
    void add(std::uint64_t placement, NodeHandle node, std::uint32_t need, Instant at, Chain& chain);

    /// The live reservation with this number, if any.
    [[nodiscard]] const Reservation* find(std::uint64_t placement) const;

    /// Ends a live reservation.
    void end(std::uint64_t placement, Chain& chain);

    /// Number of the oldest live reservation, 0 when there is none.
    [[nodiscard]] std::uint64_t oldest() const { return m_oldest < m_next && m_live > 0 ? m_oldest : 0; }
    [[nodiscard]] std::uint64_t lastNumber() const { return m_next - 1; }
    [[nodiscard]] std::size_t liveCount() const { return m_live; }

private:
    Reservation& slot(std::uint64_t placement) { return m_ring[placement & (m_ring.size() - 1)]; }
    const Reservation& slot(std::uint64_t placement) const { return m_ring[placement & (m_ring.size() - 1)]; }
    void skipEnded();
    void grow();

    std::vector<Reservation> m_ring;
    std::uint64_t m_oldest = 1;
    std::uint64_t m_next = 1;
    std::size_t m_live = 0;
};

} // namespace weir::fleet
