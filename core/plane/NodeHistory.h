// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Handles.h"
#include "core/plane/Facts.h"
#include "core/plane/HourCounter.h"
#include "core/plane/ProbeLog.h"

#include <memory>
#include <mutex>
#include <vector>

namespace weir::plane {

/// What is remembered of each node in memory for its page: the last probes and the changes of rotation of the last hour. A fleet has
/// ten thousand of these: results take 16 bytes each, and what most nodes never need is made when it is needed. Thread-safe.
class NodeHistory {
public:
    void addProbe(NodeHandle node, const ProbeRecord& record);
    void addEjection(NodeHandle node, Instant at, WallTime wall);
    /// Back in rotation after an ejection; the first time in rotation is no revival and is not counted.
    void addRevival(NodeHandle node, Instant at);
    void forget(NodeHandle node);

    /// Newest first.
    [[nodiscard]] std::vector<ProbeRecord> probes(NodeHandle node, std::size_t limit) const;

    /// Fills the part of the row that is kept here.
    void fill(NodeFacts& facts, Instant now) const;

private:
    struct Rotations {
        HourCounter ejections;
        HourCounter revivals;
        WallTime lastEjection{};
    };
    struct Entry {
        ProbeLog probes;
        std::unique_ptr<Rotations> rotations; ///< once it was ejected
    };

    Entry& entryOf(NodeHandle node);

    mutable std::mutex m_mutex;
    std::vector<Entry> m_entries; ///< by handle
    ProbeWords m_words;
};

} // namespace weir::plane
