// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::fleet {

/// The candidates of one pool, role and endpoint: an indexed 4-ary heap whose top has the most free capacity and, among
/// equals, the smallest node id. Every operation is O(log n); memory is only taken when the heap grows beyond what it held.
///
/// `Positions` is called with (node, position) whenever an entry lands somewhere, so that the owner can hand the position back.
class CandidateHeap {
public:
    struct Entry {
        std::uint32_t free = 0;
        std::uint32_t node = 0;
        std::uint64_t order = 0; ///< greater is earlier in the byte order of ids

        [[nodiscard]] bool beats(const Entry& other) const
        {
            return free != other.free ? free > other.free : order > other.order;
        }
    };

    static constexpr std::uint32_t kNowhere = 0xFFFF'FFFFU;

    [[nodiscard]] bool isEmpty() const { return m_entries.empty(); }
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] const Entry& top() const { return m_entries.front(); }
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }

    template <typename Positions>
    void insert(const Entry& entry, Positions&& landed)
    {
        m_entries.push_back(entry);
        siftUp(m_entries.size() - 1, landed);
    }

    /// Gives the entry at `at` another free capacity.
    template <typename Positions>
    void setFree(std::size_t at, std::uint32_t free, Positions&& landed)
    {
        const bool better = free > m_entries[at].free;
        m_entries[at].free = free;
        if (better) {
            siftUp(at, landed);
        } else {
            siftDown(at, landed);
        }
    }

    /// Labels were given out anew; the order among entries is as before, so nothing moves.
    void setOrder(std::size_t at, std::uint64_t order) { m_entries[at].order = order; }

    template <typename Positions>
    void erase(std::size_t at, Positions&& landed)
    {
        const std::uint32_t gone = m_entries[at].node;
        const Entry last = m_entries.back();
        m_entries.pop_back();
        landed(gone, kNowhere);
        if (at == m_entries.size()) {
            return;
        }
        const bool better = last.beats(m_entries[at]);
        m_entries[at] = last;
        if (better) {
            siftUp(at, landed);
        } else {
            siftDown(at, landed);
        }
    }

private:
    static constexpr std::size_t kArity = 4;

    template <typename Positions>
    void siftUp(std::size_t at, Positions& landed)
    {
        const Entry entry = m_entries[at];
        while (at > 0) {
            const std::size_t parent = (at - 1) / kArity;
            if (!entry.beats(m_entries[parent])) {
                break;
            }
            place(at, m_entries[parent], landed);
            at = parent;
        }
        place(at, entry, landed);
    }

    template <typename Positions>
    void siftDown(std::size_t at, Positions& landed)
    {
        const Entry entry = m_entries[at];
        const std::size_t count = m_entries.size();
        while (true) {
            const std::size_t first = at * kArity + 1;
            if (first >= count) {
                break;
            }
            std::size_t best = first;
            for (std::size_t child = first + 1; child < std::min(first + kArity, count); ++child) {
                if (m_entries[child].beats(m_entries[best])) {
                    best = child;
                }
            }
            if (!m_entries[best].beats(entry)) {
                break;
            }
            place(at, m_entries[best], landed);
            at = best;
        }
        place(at, entry, landed);
    }

    template <typename Positions>
    void place(std::size_t at, const Entry& entry, Positions& landed)
    {
        m_entries[at] = entry;
        landed(entry.node, static_cast<std::uint32_t>(at));
    }

    std::vector<Entry> m_entries;
};

} // namespace weir::fleet
