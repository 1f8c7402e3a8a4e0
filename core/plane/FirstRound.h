// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Handles.h"
#include "core/live/LiveFleet.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

namespace weir::plane {

/// Whether the nodes that come to Weir by themselves had the time to come back after a start (journal.md, Alarms: nothing is judged
/// until the first probe round is over). For a node that registered in an earlier run that round is its first heartbeat, or one
/// heartbeat time-out after the start: its session ended with that run, and until it has registered again it counts as disconnected
/// whether it is well or not. Thread-safe.
class FirstRound {
public:
    explicit FirstRound(live::LiveFleet& fleet)
        : m_fleet(fleet)
    {
    }

    /// Before start(): a node of the store that registered once and may do so again.
    void await(std::string_view nodeId);
    /// The time-out runs from now on.
    void start();

    /// Each awaited node is connected, gone or out of time. Never false again after it was true.
    [[nodiscard]] bool isOver();

private:
    struct Awaited {
        NodeHandle node;
        std::uint64_t birth = 0;
    };

    live::LiveFleet& m_fleet;
    std::atomic<bool> m_isOver{true};
    std::mutex m_mutex;
    std::vector<Awaited> m_awaited;
    Instant m_started = Instant::min();
};

} // namespace weir::plane
