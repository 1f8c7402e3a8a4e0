// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <cstdint>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace weir {

/// Deadlines in order of time, driven by whoever owns the clock: no thread, no bare timer. Equal deadlines come out in the
/// order they went in. There is no cancel: the owner checks on expiry whether the deadline still means anything, which keeps
/// both operations O(log n).
template <typename T>
class TimerQueue {
public:
    void add(Instant at, T value) { m_heap.push(Entry{at, m_next++, std::move(value)}); }

    [[nodiscard]] std::optional<Instant> next() const
    {
        return m_heap.empty() ? std::nullopt : std::optional<Instant>(m_heap.top().at);
    }

    /// The earliest value whose deadline is at or before `now`, if any.
    [[nodiscard]] std::optional<T> takeDue(Instant now)
    {
        if (m_heap.empty() || m_heap.top().at > now) {
            return std::nullopt;
        }
        T value = m_heap.top().value;
        m_heap.pop();
        return value;
    }

    [[nodiscard]] std::size_t size() const { return m_heap.size(); }

private:
    struct Entry {
        Instant at;
        std::uint64_t order;
        T value;
        friend bool operator>(const Entry& a, const Entry& b) { return std::pair(a.at, a.order) > std::pair(b.at, b.order); }
    };

    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_heap;
    std::uint64_t m_next = 0;
};

} // namespace weir
