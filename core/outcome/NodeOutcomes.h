// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/outcome/OutcomeBook.h"

#include <array>
#include <cstdint>
#include <optional>

namespace weir::outcome {

/// Requests of a while, by how they ended.
struct TrafficCounts {
    std::uint32_t ok = 0; ///< the node did its work; answers that blame the client included
    std::uint32_t transport = 0;
    std::uint32_t status = 0;
    std::uint32_t semantic = 0;

    [[nodiscard]] std::uint32_t failed() const noexcept { return transport + status + semantic; }
    [[nodiscard]] std::uint32_t total() const noexcept { return ok + failed(); }

    friend bool operator==(const TrafficCounts&, const TrafficCounts&) = default;
};

/// What is kept about one node's outcomes: how often each rule has matched in a row, and the counts of the last minutes. In constant
/// memory; time is an argument and does not go back.
class NodeOutcomes {
public:
    static constexpr Duration kWindow = std::chrono::minutes(5);

    struct Step {
        bool isPassiveFailure = false;
        std::optional<std::size_t> rule; ///< that made it one, else the first that matched
    };

    /// Takes one outcome in. A rule that has matched often enough begins anew.
    Step add(const Judged& judged, const OutcomeBook& book, Instant now);

    /// Of the last kWindow, to half a minute.
    [[nodiscard]] TrafficCounts counts(Instant now) const;

    /// Other rules are in force: what matched in a row was of the old ones.
    void forgetRuns() { m_inARow = {}; }

private:
    static constexpr Duration kSlot = std::chrono::seconds(30);
    static constexpr std::size_t kSlots = static_cast<std::size_t>(kWindow / kSlot);

    struct Slot {
        std::int64_t number = -1;
        TrafficCounts counts;
    };

    std::array<std::uint16_t, kMaxRules> m_inARow{};
    std::array<Slot, kSlots> m_slots{};
};

} // namespace weir::outcome
