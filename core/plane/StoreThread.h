// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/journal/HealthySeries.h"
#include "core/live/LiveFleet.h"
#include "core/plane/Command.h"
#include "core/plane/RowWrite.h"
#include "core/store/DataDirectory.h"
#include "core/store/Store.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace weir::plane {

/// The one thread that writes: it takes all commands that wait, checks each against the live state, commits them in one
/// transaction together with the events that are pending, applies them to the live fleet, and answers. Nobody else changes what
/// administrators change, so nothing can change between check and apply.
///
/// A full disk or a locked file stops no decision: commands are answered with an error, events wait in a bounded buffer and are
/// written when the disk is back.
class StoreThread {
public:
    /// Events that are durable, and whether a command's changes came with them.
    using Committed = std::function<void(std::vector<journal::Event>, bool withCommand)>;

    static constexpr std::size_t kMaxPendingEvents = 100'000;

    /// `committed` is called on the store thread with events that are durable and have their `seq`.
    StoreThread(live::LiveFleet& fleet, const Clock& clock, Log& log, Committed committed);
    StoreThread(const StoreThread&) = delete;
    StoreThread& operator=(const StoreThread&) = delete;
    ~StoreThread() { stop(); }

    /// Opens the store on its own thread, to which the connection belongs, and gives what it holds. The directory must outlive
    /// this object.
    [[nodiscard]] Result<store::Snapshot> start(const store::DataDirectory& directory);
    /// Finishes what waits, then joins. Idempotent.
    void stop();

    /// Any thread. After stop() the command is answered with `shutting_down`.
    void submit(Command command);
    /// Events and change points of the series; written at most 100 ms later and before any later command's answer.
    /// So are the rows, in the transaction of the last of these events; a later write of the same key takes the place of one that
    /// still waits.
    void append(std::vector<journal::Event> events, std::vector<journal::SeriesChange> series, std::vector<RowWrite> rows = {});
    /// Runs `task` on the store thread after everything that was handed in before it is written.
    void afterWrites(std::function<void()> task);

    /// Events wait longer than they should, or were lost.
    [[nodiscard]] bool isBehind() const { return m_behind.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t lostEvents() const { return m_lostEvents.load(std::memory_order_relaxed); }

private:
    struct Planned {
        Command command;
        Plan plan;
    };
    struct Inbox {
        std::deque<Command> commands;
        std::vector<journal::Event> events;
        std::vector<journal::SeriesChange> series;
        std::vector<RowWrite> rows;
        std::vector<std::function<void()>> tasks;
    };

    void run(const store::DataDirectory& directory, std::promise<Result<store::Snapshot>>& opened);
    void refuseFurther();
    void loop(store::Store& store);
    void takePending(Inbox& inbox);
    void process(store::Store& store, std::deque<Command> commands);
    void commit(store::Store& store, std::vector<Planned> batch);
    Result<void> write(store::Store& store, std::vector<Planned>& batch, std::vector<journal::Event>& events, bool withRows);
    void writeJournal(store::Store& store);
    void markAlive(store::Store& store);

    live::LiveFleet& m_fleet;
    const Clock& m_clock;
    Log& m_log;
    Committed m_committed;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    Inbox m_inbox;
    bool m_stopping = false;
    bool m_stopped = false;

    // Only on the store thread:
    std::vector<journal::Event> m_pendingEvents;
    std::vector<journal::SeriesChange> m_pendingSeries;
    std::map<std::string, RowWrite> m_pendingRows;
    std::vector<store::AuditRow> m_failedAudit;
    Instant m_lastAlive = Instant::min();
    Instant m_failingSince = Instant::min();
    Instant m_nextTry = Instant::min();

    std::atomic<bool> m_behind{false};
    std::atomic<std::uint64_t> m_lostEvents{0};
    std::thread m_thread;
};

} // namespace weir::plane
