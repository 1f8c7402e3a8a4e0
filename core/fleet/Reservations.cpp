// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fleet/Reservations.h"

#include <algorithm>

namespace weir::fleet {

Reservations::Reservations(std::uint64_t firstNumber)
    : m_ring(1024)
    , m_oldest(std::max<std::uint64_t>(1, firstNumber))
    , m_next(m_oldest)
{
}

std::uint64_t Reservations::takeNumber()
{
    // The slot of a number that carries no reservation still has to read as ended.
    if (m_next - m_oldest >= m_ring.size()) {
        grow();
    }
    const std::uint64_t placement = m_next++;
    slot(placement) = Reservation{};
    if (m_live == 0) {
        m_oldest = placement;
    }
    return placement;
}

void Reservations::add(std::uint64_t placement, NodeHandle node, std::uint32_t need, Instant at, Chain& chain)
{
    Reservation& entry = slot(placement);
    entry = Reservation{node, need, at, chain.last, 0};
    if (chain.last != 0) {
        slot(chain.last).next = placement;
    } else {
        chain.first = placement;
    }
    chain.last = placement;
    ++m_live;
}

const Reservations::Reservation* Reservations::find(std::uint64_t placement) const
{
    if (placement < m_oldest || placement >= m_next) {
        return nullptr;
    }
    const Reservation& entry = slot(placement);
    return entry.need == 0 ? nullptr : &entry;
}

void Reservations::end(std::uint64_t placement, Chain& chain)
{
    Reservation& entry = slot(placement);
    if (entry.previous != 0) {
        slot(entry.previous).next = entry.next;
    } else {
        chain.first = entry.next;
    }
    if (entry.next != 0) {
        slot(entry.next).previous = entry.previous;
    } else {
        chain.last = entry.previous;
    }
    entry = Reservation{};
    --m_live;
    skipEnded();
}

void Reservations::skipEnded()
{
    if (m_live == 0) {
        m_oldest = m_next;
        return;
    }
    while (m_oldest < m_next && slot(m_oldest).need == 0) {
        ++m_oldest;
    }
}

void Reservations::grow()
{
    if (m_ring.size() >= kMost) {
        return; // the owner ended the oldest one first (isFull)
    }
    std::vector<Reservation> larger(m_ring.size() * 2);
    for (std::uint64_t placement = m_oldest; placement < m_next; ++placement) {
        larger[placement & (larger.size() - 1)] = slot(placement);
    }
    m_ring.swap(larger);
}

} // namespace weir::fleet
