// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/LatencyHistogram.h"
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
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
    static constexpr std::size_t kMaxFailedAudit = 10'000;

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
    /// Rows of the audit that belong to no command; bounded: while the store cannot be written, at most kMaxFailedAudit wait.
    void appendAudit(std::vector<store::AuditRow> rows);
    /// Before start(): called on the store thread once a second, and with `last` set before it ends.
    void setRoutine(std::function<void(store::Store&, bool last)> routine) { m_routine = std::move(routine); }
    /// Runs `task` on the store thread after everything that was handed in before it is written.
    void afterWrites(std::function<void()> task);

    /// What is kept of the journal; whatever is older, or beyond the size, goes in small steps while nothing else waits.
    struct Retention {
        std::chrono::milliseconds age = std::chrono::days(30);
        std::int64_t bytes = std::int64_t(2) << 30U;
    };
    /// Any thread.
    void setRetention(Retention retention);

    /// Events wait longer than they should, or were lost.
    [[nodiscard]] bool isBehind() const { return m_behind.load(std::memory_order_relaxed); }
    /// Of one transaction, failed ones included.
    [[nodiscard]] const LatencyHistogram& batchLatency() const { return m_batchLatency; }
    /// Events that wait to be written.
    [[nodiscard]] std::size_t bufferedEvents() const { return m_bufferedEvents.load(std::memory_order_relaxed); }
    /// Since when what should have been written waits; nothing while all is written. Any thread.
    [[nodiscard]] std::optional<Instant> waitingSince() const;
    [[nodiscard]] std::uint64_t lostEvents() const { return m_lostEvents.load(std::memory_order_relaxed); }

private:
    static constexpr Duration::rep kNotWaiting = std::numeric_limits<Duration::rep>::min();

    struct Planned {
        Command command;
        Plan plan;
    };
    struct Inbox {
        std::deque<Command> commands;
        std::vector<journal::Event> events;
        std::vector<journal::SeriesChange> series;
        std::vector<store::AuditRow> audit;
        std::vector<RowWrite> rows;
        std::vector<std::function<void()>> tasks;
    };

    void run(const store::DataDirectory& directory, std::promise<Result<store::Snapshot>>& opened);
    void refuseFurther();
    void loop(store::Store& store);
    void runRoutine(store::Store& store);
    void takePending(Inbox& inbox);
    void process(store::Store& store, std::deque<Command> commands);
    void commit(store::Store& store, std::vector<Planned> batch);
    Result<void> write(store::Store& store, std::vector<Planned>& batch, std::vector<journal::Event>& events, bool withRows);
    void writeJournal(store::Store& store);
    Result<void> catchUp(store::Store& store);
    void writeFailed(const Error& error, Instant now);
    void tellLost();
    void markAlive(store::Store& store);
    void prune(store::Store& store);
    [[nodiscard]] Result<std::int64_t> pruneStep(store::Store& store, WallTime before);

    live::LiveFleet& m_fleet;
    const Clock& m_clock;
    Log& m_log;
    Committed m_committed;
    std::function<void(store::Store&, bool)> m_routine;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    Inbox m_inbox;
    bool m_stopping = false;
    bool m_stopped = false;
    Retention m_retention;

    // Only on the store thread:
    std::vector<journal::Event> m_pendingEvents;
    std::vector<journal::SeriesChange> m_pendingSeries;
    std::map<std::string, RowWrite> m_pendingRows;
    std::vector<store::AuditRow> m_failedAudit;
    std::chrono::steady_clock::time_point m_nextRoutine{};
    Instant m_lastAlive = Instant::min();
    Instant m_failingSince = Instant::min();
    Instant m_nextTry = Instant::min();
    std::uint64_t m_toldLost = 0; // of m_lostEvents
    Instant m_nextPrune = Instant::min();
    journal::SeriesKey m_prunedSeries; ///< the last one that was looked at

    std::atomic<bool> m_behind{false};
    std::atomic<std::uint64_t> m_lostEvents{0};
    std::atomic<std::size_t> m_bufferedEvents{0};
    LatencyHistogram m_batchLatency{std::chrono::milliseconds(1), std::chrono::milliseconds(2), std::chrono::milliseconds(5), std::chrono::milliseconds(10), std::chrono::milliseconds(20),
        std::chrono::milliseconds(50), std::chrono::milliseconds(100), std::chrono::milliseconds(250), std::chrono::seconds(1), std::chrono::seconds(5)};
    std::atomic<Duration::rep> m_waitingSince{kNotWaiting};
    std::thread m_thread;
};

} // namespace weir::plane
