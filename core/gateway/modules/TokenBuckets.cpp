// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/TokenBuckets.h"

#include <algorithm>

namespace weir::gateway {

TokenBuckets::Bucket& TokenBuckets::bucketOf(std::string_view key, Instant now)
{
    if (const auto known = m_index.find(key); known != m_index.end()) {
        m_buckets.splice(m_buckets.begin(), m_buckets, known->second);
        return m_buckets.front();
    }
    if (m_buckets.size() >= kMostKeys) {
        m_index.erase(m_buckets.back().key);
        m_buckets.pop_back();
    }
    m_buckets.push_front({std::string(key), m_limits.burst, now, Instant::min()});
    m_index.emplace(m_buckets.front().key, m_buckets.begin());
    return m_buckets.front();
}

Duration TokenBuckets::take(std::string_view key, Instant now)
{
    Bucket& bucket = bucketOf(key, now);
    if (now < bucket.lockedUntil) {
        return bucket.lockedUntil - now;
    }
    bucket.tokens = std::min(m_limits.burst, bucket.tokens + toSeconds(now - bucket.filled) * m_limits.perSecond);
    bucket.filled = now;
    if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return Duration::zero();
    }
    if (m_limits.lock > Duration::zero()) {
        bucket.lockedUntil = now + m_limits.lock;
        return m_limits.lock;
    }
    // Never zero: that would say there was one.
    return std::max<Duration>(fromSeconds((1 - bucket.tokens) / m_limits.perSecond), std::chrono::milliseconds(1));
}

} // namespace weir::gateway
