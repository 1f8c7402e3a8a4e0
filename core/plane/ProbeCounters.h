// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/LatencyHistogram.h"
#include "core/probe/ProbeTypes.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace weir::plane {

/// How probes ended since the start. Any thread.
class ProbeCounters {
public:
    /// `success`, and the reasons of ProbeResult; every status that is not expected is one.
    static constexpr std::array<std::string_view, 9> kResults{"success", "timeout", "refused", "reset", "dns", "tls", "malformed", "unreachable", "status"};

    void add(const probe::ProbeResult& result);
    [[nodiscard]] std::uint64_t count(std::size_t result) const { return m_counts[result].load(std::memory_order_relaxed); }
    [[nodiscard]] const LatencyHistogram& durations() const { return m_durations; }

private:
    std::array<std::atomic<std::uint64_t>, kResults.size()> m_counts{};
    LatencyHistogram m_durations{std::chrono::milliseconds(1), std::chrono::milliseconds(2), std::chrono::milliseconds(5), std::chrono::milliseconds(10), std::chrono::milliseconds(25),
        std::chrono::milliseconds(50), std::chrono::milliseconds(100), std::chrono::milliseconds(250), std::chrono::milliseconds(500), std::chrono::seconds(1), std::chrono::seconds(2),
        std::chrono::seconds(3), std::chrono::seconds(5), std::chrono::seconds(10)};
};

} // namespace weir::plane
