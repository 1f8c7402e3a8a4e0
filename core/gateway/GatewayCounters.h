// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace weir::gateway {

/// Figures of one cluster, written by the io thread and read by any. Latencies stand in buckets that grow by the factor two.
struct ClusterCounters {
    static constexpr std::size_t kBuckets = 20;
    /// Upper bound of the first bucket; the last one has none.
    static constexpr Duration kFirstBound = std::chrono::microseconds(250);

    std::array<std::atomic<std::uint64_t>, 6> requests{};          ///< by first digit of the answer's status; [0]: none was given
    std::array<std::atomic<std::uint64_t>, kBuckets> latencies{};  ///< from the head read to the last byte out
    std::atomic<std::uint64_t> latencyMicroseconds{0};             ///< their sum
    std::atomic<std::uint64_t> tries{0};
    std::atomic<std::uint64_t> retries{0};
    std::atomic<std::uint64_t> nodeFailures{0};
    std::atomic<std::uint64_t> replacedLinks{0}; ///< kept connections that had died
    std::atomic<std::uint64_t> waiting{0};       ///< now
    std::atomic<std::uint64_t> waited{0};        ///< that ever waited
    std::atomic<std::uint64_t> waitMicroseconds{0};
    std::atomic<std::uint64_t> queueFull{0};
    std::atomic<std::uint64_t> queueTimeouts{0};

    void count(std::atomic<std::uint64_t>& which, std::uint64_t by = 1) { which.fetch_add(by, std::memory_order_relaxed); }
    void countLatency(Duration took)
    {
        std::size_t bucket = 0;
        for (Duration bound = kFirstBound; bucket + 1 < kBuckets && took > bound; bound *= 2) {
            ++bucket;
        }
        count(latencies[bucket]);
        count(latencyMicroseconds, static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count()));
    }
};

/// Figures of the listener.
struct GatewayCounters {
    std::atomic<std::uint64_t> connections{0}; ///< now
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> refusedHeads{0}; ///< requests that were not proper HTTP
    std::atomic<std::uint64_t> clientsLeft{0};  ///< before their answer was complete
    std::atomic<std::uint64_t> handshakes{0};       ///< of TLS, that stood
    std::atomic<std::uint64_t> failedHandshakes{0}; ///< the client spoke something else, left, or took too long
    std::atomic<std::uint64_t> refusedProxyHeaders{0}; ///< malformed, too long, missing
    std::atomic<std::uint64_t> bytesIn{0};
    std::atomic<std::uint64_t> bytesOut{0};
};

} // namespace weir::gateway
