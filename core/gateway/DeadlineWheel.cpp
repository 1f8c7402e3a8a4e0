// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/DeadlineWheel.h"

#include <algorithm>
#include <bit>

namespace weir::gateway {

DeadlineWheel::~DeadlineWheel()
{
    for (Entry* first : m_slots) {
        for (Entry* entry = first; entry != nullptr; entry = entry->m_next) {
            entry->m_wheel = nullptr;
        }
    }
}

void DeadlineWheel::set(Entry& entry, Instant at, Instant now)
{
    entry.m_at = at;
    if (m_count == 0) {
        m_done = tickOf(now);
    }
    // One tick later than its own, so that it is over when its slot's time comes.
    const std::uint64_t wanted = std::clamp<std::uint64_t>(tickOf(at) + 1, m_done + 1, m_done + kSlots - 1);
    if (entry.m_wheel != nullptr && entry.m_tick <= wanted) {
        return; // later than its slot: found again when that comes
    }
    if (entry.m_wheel != nullptr) {
        unlink(entry);
    }
    link(entry, wanted);
}

void DeadlineWheel::link(Entry& entry, std::uint64_t tick)
{
    const std::size_t slot = tick % kSlots;
    entry.m_wheel = this;
    entry.m_tick = tick;
    entry.m_previous = nullptr;
    entry.m_next = m_slots[slot];
    if (entry.m_next != nullptr) {
        entry.m_next->m_previous = &entry;
    }
    m_slots[slot] = &entry;
    m_occupied[slot / 64] |= std::uint64_t{1} << (slot % 64);
    ++m_count;
}

void DeadlineWheel::unlink(Entry& entry)
{
    const std::size_t slot = entry.m_tick % kSlots;
    if (entry.m_previous != nullptr) {
        entry.m_previous->m_next = entry.m_next;
    } else {
        m_slots[slot] = entry.m_next;
    }
    if (entry.m_next != nullptr) {
        entry.m_next->m_previous = entry.m_previous;
    }
    if (m_slots[slot] == nullptr) {
        m_occupied[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    }
    entry.m_wheel = nullptr;
    --m_count;
}

std::optional<Instant> DeadlineWheel::next() const
{
    if (m_count == 0) {
        return std::nullopt;
    }
    // From the slot after the last one run, once around.
    const std::uint64_t first = m_done + 1;
    std::uint64_t ahead = 0;
    while (ahead < kSlots) {
        const std::size_t slot = (first + ahead) % kSlots;
        const std::uint64_t word = m_occupied[slot / 64] >> (slot % 64);
        if (word != 0) {
            ahead += static_cast<std::uint64_t>(std::countr_zero(word));
            break;
        }
        ahead += 64 - slot % 64;
    }
    return Instant(Duration(static_cast<std::int64_t>(first + ahead) * kTickNanoseconds));
}

void DeadlineWheel::run(Instant now)
{
    const std::uint64_t until = tickOf(now);
    // After a long pause once around is enough: every slot has then been looked at.
    const std::uint64_t last = until > m_done + kSlots ? m_done + kSlots : until;
    for (std::uint64_t tick = m_done + 1; tick <= last && m_count > 0; ++tick) {
        if ((m_occupied[tick % kSlots / 64] & (std::uint64_t{1} << (tick % 64))) != 0) {
            m_done = tick; // what is set from here on goes behind this slot
            runSlot(tick, now);
        }
    }
    m_done = std::max(m_done, until);
}

void DeadlineWheel::runSlot(std::uint64_t tick, Instant now)
{
    const std::size_t slot = tick % kSlots;
    while (Entry* entry = m_slots[slot]) {
        unlink(*entry);
        if (entry->m_at > now) {
            if (entry->m_at != Instant::max()) {
                set(*entry, entry->m_at, now);
            }
            continue;
        }
        entry->m_at = Instant::max();
        entry->deadlineCame();
    }
}

} // namespace weir::gateway
