// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Handles.h"
#include "core/plane/Facts.h"
#include "core/plane/HourCounter.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace weir::plane {

/// What is remembered of each node in memory for its page: the last probes and the changes of rotation of the last hour.
/// Thread-safe.
class NodeHistory {
public:
    /// Probes kept of each node; fewer once the fleet is so large that a page's worth would cost too much memory.
    static constexpr std::size_t kProbes = 100;
    static constexpr std::size_t kProbesOfLargeFleet = 20;
    static constexpr std::size_t kLargeFleet = 1'000;

    void addProbe(NodeHandle node, ProbeRecord record);
    void addEjection(NodeHandle node, Instant at, WallTime wall);
    /// Back in rotation after an ejection; the first time in rotation is no revival and is not counted.
    void addRevival(NodeHandle node, Instant at);
    void forget(NodeHandle node);

    /// Newest first.
    [[nodiscard]] std::vector<ProbeRecord> probes(NodeHandle node, std::size_t limit) const;

    /// Fills the part of the row that is kept here.
    void fill(NodeFacts& facts, Instant now) const;

private:
    struct Entry {
        std::deque<ProbeRecord> probes; ///< newest at the front
        HourCounter ejections;
        HourCounter revivals;
        WallTime lastEjection{};
    };

    Entry& entryOf(NodeHandle node);

    mutable std::mutex m_mutex;
    std::unordered_map<NodeHandle, std::unique_ptr<Entry>> m_entries;
};

} // namespace weir::plane
