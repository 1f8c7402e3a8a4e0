// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace weir {

/// How often durations fell below which bounds. Counting costs two relaxed additions and no lock, so that it can stand on a hot
/// path. Any thread.
class LatencyHistogram {
public:
    static constexpr std::size_t kMostBounds = 15;

    struct Snapshot {
        std::vector<double> bounds;        ///< s, rising
        std::vector<std::uint64_t> counts; ///< of each bound alone, and of what is over the last one
        double sum = 0;                    ///< s
    };

    /// `bounds` rise; at most kMostBounds are taken.
    explicit LatencyHistogram(std::initializer_list<Duration> bounds)
        : m_size(std::min(bounds.size(), kMostBounds))
    {
        std::copy_n(bounds.begin(), m_size, m_bounds.begin());
    }

    void observe(Duration duration) noexcept
    {
        std::size_t at = 0;
        while (at < m_size && duration > m_bounds[at]) {
            ++at;
        }
        m_counts[at].fetch_add(1, std::memory_order_relaxed);
        m_sum.fetch_add(duration.count(), std::memory_order_relaxed);
    }

    [[nodiscard]] Snapshot snapshot() const
    {
        Snapshot snapshot;
        for (std::size_t i = 0; i < m_size; ++i) {
            snapshot.bounds.push_back(toSeconds(m_bounds[i]));
        }
        for (std::size_t i = 0; i <= m_size; ++i) {
            snapshot.counts.push_back(m_counts[i].load(std::memory_order_relaxed));
        }
        snapshot.sum = toSeconds(Duration(m_sum.load(std::memory_order_relaxed)));
        return snapshot;
    }

private:
    std::size_t m_size;
    std::array<Duration, kMostBounds> m_bounds{};
    std::array<std::atomic<std::uint64_t>, kMostBounds + 1> m_counts{};
    std::atomic<Duration::rep> m_sum{0};
};

} // namespace weir
