// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <array>
#include <cstdint>

namespace weir::plane {

/// How often something happened in the last hour, to the minute, in constant memory.
class HourCounter {
public:
    void add(Instant at, int count = 1)
    {
        const std::int64_t minute = minuteOf(at);
        Bucket& bucket = m_buckets[static_cast<std::size_t>(minute % kBuckets)];
        if (bucket.minute != minute) {
            bucket = Bucket{minute, 0};
        }
        bucket.count += count;
    }

    [[nodiscard]] int total(Instant now) const
    {
        const std::int64_t minute = minuteOf(now);
        int sum = 0;
        for (const Bucket& bucket : m_buckets) {
            sum += bucket.minute > minute - kBuckets && bucket.minute <= minute ? bucket.count : 0;
        }
        return sum;
    }

private:
    static constexpr std::int64_t kBuckets = 60;
    struct Bucket {
        std::int64_t minute = -kBuckets - 1;
        int count = 0;
    };

    // Instants may lie before the clock's origin (events of the last hour read back at start), so minutes are kept positive.
    static std::int64_t minuteOf(Instant at)
    {
        return std::chrono::floor<std::chrono::minutes>(at.time_since_epoch()).count() + (std::int64_t{1} << 32);
    }

    std::array<Bucket, static_cast<std::size_t>(kBuckets)> m_buckets{};
};

} // namespace weir::plane
