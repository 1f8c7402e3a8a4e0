// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

namespace weir::gateway {

/// Token buckets by key, with a lock-up for those who run dry. At most `kMostKeys`; the key used longest ago makes room for a new one.
class TokenBuckets {
public:
    static constexpr std::size_t kMostKeys = 100'000;

    struct Limits {
        double perSecond = 10;
        double burst = 10;                ///< tokens of a full bucket, at least 1
        Duration lock = Duration::zero(); ///< how long a key that ran dry stays shut; zero: until its next token
    };

    explicit TokenBuckets(const Limits& limits)
        : m_limits(limits)
    {
    }

    /// Takes a token. Zero: there was one; else how long until there may be one again. `now` does not go back.
    [[nodiscard]] Duration take(std::string_view key, Instant now);

    [[nodiscard]] std::size_t size() const { return m_index.size(); }

private:
    struct Bucket {
        std::string key;
        double tokens = 0;
        Instant filled{};
        Instant lockedUntil = Instant::min();
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
    };

    Bucket& bucketOf(std::string_view key, Instant now);

    Limits m_limits;
    std::list<Bucket> m_buckets;                                                                      ///< the one used last in front
    std::unordered_map<std::string_view, std::list<Bucket>::iterator, Hash, std::equal_to<>> m_index; ///< keys lie in the buckets
};

} // namespace weir::gateway
