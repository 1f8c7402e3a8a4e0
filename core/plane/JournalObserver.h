// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/fleet/FleetChange.h"
#include "core/journal/Event.h"
#include "core/plane/RowWrite.h"
#include "core/store/Records.h"
#include "core/store/StoreReader.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace weir::plane {

/// What an observer wants to be kept; both may be empty. They are written in one transaction with everything else that waits,
/// the rows never before the events that were handed in with them or earlier.
struct JournalEntries {
    std::vector<journal::Event> events;
    std::vector<RowWrite> rows;
};

/// One turn of the journal thread, at most ten a second.
struct JournalTurn {
    Instant now{};
    WallTime wall{};
    bool firstRoundOver = false; ///< every node had one probe end; before it nothing should be judged
    bool last = false;           ///< no turn follows; what is returned is still written
    /// Events that are durable since the turn before, in the order of their `seq`. What an observer returned comes back here.
    std::span<const journal::Event> committed;
    /// Facts that left the fleet since the turn before, oldest first and not folded. Their events are committed later.
    std::span<const fleet::FleetChange> changes;
    std::size_t lostChanges = 0; ///< facts that found the ring full and are missing in `changes`
};

/// Something that follows the journal and adds to it: alarms, incidents. Belongs to the ControlPlane; whoever else wants to look
/// inside from another thread finds a lock there.
class JournalObserver {
public:
    JournalObserver() = default;
    JournalObserver(const JournalObserver&) = delete;
    JournalObserver& operator=(const JournalObserver&) = delete;
    virtual ~JournalObserver() = default;

    /// Once, before the first turn, on the reader thread: what the store held, and a reader for what the snapshot leaves out (events
    /// since some time). `lastSeq` of the snapshot is the last event of the run before; later ones come with the turns. Rows and
    /// events that this finds missing are returned.
    [[nodiscard]] virtual JournalEntries restore(const store::Snapshot& snapshot, store::StoreReader& reader, WallTime wall) = 0;

    /// On the journal thread. May read the live fleet; must not wait or do I/O.
    [[nodiscard]] virtual JournalEntries observe(const JournalTurn& turn) = 0;
};

} // namespace weir::plane
