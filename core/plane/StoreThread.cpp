// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/StoreThread.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <future>
#include <set>
#include <string>

namespace weir::plane {
namespace {

constexpr auto kJournalDelay = std::chrono::milliseconds(100);
constexpr auto kAliveEvery = std::chrono::seconds(5);
constexpr auto kRetryAfter = std::chrono::seconds(1);
constexpr auto kBehindAfter = std::chrono::seconds(10);
constexpr std::size_t kMaxBatch = 256;
constexpr std::size_t kMaxPendingSeries = 100'000;
constexpr std::size_t kEventsPerWrite = 5'000;
constexpr auto kRoutineEvery = std::chrono::seconds(1);
constexpr auto kPruneEvery = std::chrono::minutes(1);
constexpr std::int64_t kRowsPerPrune = 500;

// What the commands of one transaction touch.
class Touched {
public:
    bool conflictsWith(const Command& command) const
    {
        if (m_alone || (command.alone && m_any)) {
            return true;
        }
        for (const Touch& touch : command.touches) {
            if (m_changed.contains(touch.key) || (touch.changes && m_read.contains(touch.key))) {
                return true;
            }
        }
        return false;
    }
    void add(const Command& command)
    {
        m_any = true;
        m_alone = command.alone;
        for (const Touch& touch : command.touches) {
            (touch.changes ? m_changed : m_read).insert(touch.key);
        }
    }

private:
    std::set<std::string> m_changed;
    std::set<std::string> m_read;
    bool m_any = false;
    bool m_alone = false;
};

} // namespace

StoreThread::StoreThread(live::LiveFleet& fleet, const Clock& clock, Log& log, Committed committed)
    : m_fleet(fleet)
    , m_clock(clock)
    , m_log(log)
    , m_committed(std::move(committed))
{
}

Result<store::Snapshot> StoreThread::start(const store::DataDirectory& directory)
{
    std::promise<Result<store::Snapshot>> opened;
    auto answer = opened.get_future();
    m_thread = std::thread([this, &directory, &opened] { run(directory, opened); });
    return answer.get();
}

void StoreThread::stop()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void StoreThread::submit(Command command)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_stopped) {
            m_inbox.commands.push_back(std::move(command));
            m_wake.notify_one();
            return;
        }
    }
    command.done(fail("shutting_down", "Weir is shutting down; nothing was changed."));
}

void StoreThread::append(std::vector<journal::Event> events, std::vector<journal::SeriesChange> series, std::vector<RowWrite> rows)
{
    const std::scoped_lock lock(m_mutex);
    m_inbox.events.insert(m_inbox.events.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
    m_inbox.series.insert(m_inbox.series.end(), std::make_move_iterator(series.begin()), std::make_move_iterator(series.end()));
    m_inbox.rows.insert(m_inbox.rows.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    m_wake.notify_one();
}

void StoreThread::appendAudit(std::vector<store::AuditRow> rows)
{
    const std::scoped_lock lock(m_mutex);
    if (m_inbox.audit.size() < kMaxFailedAudit) {
        m_inbox.audit.insert(m_inbox.audit.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    }
    m_wake.notify_one();
}

void StoreThread::afterWrites(std::function<void()> task)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_stopped) {
            m_inbox.tasks.push_back(std::move(task));
            m_wake.notify_one();
            return;
        }
    }
    task();
}

void StoreThread::run(const store::DataDirectory& directory, std::promise<Result<store::Snapshot>>& opened)
{
    auto store = store::Store::open(directory);
    if (!store) {
        refuseFurther();
        opened.set_value(tl::unexpected(store.error())); // `opened` is gone once the value is set
        return;
    }
    auto snapshot = (*store)->load();
    const bool loaded = snapshot.has_value();
    if (!loaded) {
        refuseFurther();
    }
    opened.set_value(std::move(snapshot));
    if (loaded) {
        loop(**store);
    }
}

// Before anybody hears that the start failed: what they hand in from then on would wait for ever.
void StoreThread::refuseFurther()
{
    const std::scoped_lock lock(m_mutex);
    m_stopped = true;
}

void StoreThread::loop(store::Store& store)
{
    bool stopping = false;
    while (!stopping) {
        runRoutine(store);
        Inbox inbox;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, kJournalDelay, [this] { return m_stopping || !m_inbox.commands.empty() || !m_inbox.tasks.empty(); });
            stopping = m_stopping;
            if (stopping && m_routine) {
                lock.unlock();
                m_routine(store, true);
                lock.lock();
            }
            std::swap(inbox, m_inbox);
            m_stopped = stopping; // what comes in from here on is answered at once
        }
        std::deque<Command> commands = std::move(inbox.commands);
        takePending(inbox);
        process(store, std::move(commands));
        writeJournal(store);
        m_bufferedEvents.store(m_pendingEvents.size(), std::memory_order_relaxed);
        for (const auto& task : inbox.tasks) {
            task();
        }
        markAlive(store);
        prune(store);
    }
}

// By real time, as flushes are: a plane whose clock stands still has its routine too.
void StoreThread::runRoutine(store::Store& store)
{
    const auto now = std::chrono::steady_clock::now();
    if (m_routine && now >= m_nextRoutine) {
        m_nextRoutine = now + kRoutineEvery;
        m_routine(store, false);
    }
}

void StoreThread::takePending(Inbox& inbox)
{
    for (store::AuditRow& row : inbox.audit) {
        if (m_failedAudit.size() < kMaxFailedAudit) {
            m_failedAudit.push_back(std::move(row));
        }
    }
    for (journal::Event& event : inbox.events) {
        if (m_pendingEvents.size() >= kMaxPendingEvents) {
            m_lostEvents.fetch_add(1, std::memory_order_relaxed);
            m_behind.store(true, std::memory_order_relaxed);
            continue;
        }
        m_pendingEvents.push_back(std::move(event));
    }
    m_pendingSeries.insert(m_pendingSeries.end(), inbox.series.begin(), inbox.series.end());
    if (m_pendingSeries.size() > kMaxPendingSeries) {
        // The later half says how things stand; the time before is drawn with the value that held at its beginning.
        m_pendingSeries.erase(m_pendingSeries.begin(), m_pendingSeries.begin() + static_cast<std::ptrdiff_t>(m_pendingSeries.size() - kMaxPendingSeries / 2));
    }
    for (RowWrite& row : inbox.rows) {
        m_pendingRows.insert_or_assign(row.key, std::move(row));
    }
}

void StoreThread::process(store::Store& store, std::deque<Command> commands)
{
    while (!commands.empty()) {
        std::vector<Planned> batch;
        Touched touched;
        while (!commands.empty() && batch.size() < kMaxBatch && !touched.conflictsWith(commands.front())) {
            Command command = std::move(commands.front());
            commands.pop_front();
            const WallTime wall = m_clock.wall();
            Result<Plan> plan = m_fleet.read([&](const fleet::Fleet& fleet, Instant now) { return command.plan(fleet, CommandTime{now, wall}); });
            if (!plan) {
                command.done(tl::unexpected(plan.error()));
                continue;
            }
            if (plan->writes.empty() && plan->applies.empty() && plan->audit.empty() && plan->events.empty()) {
                // Nothing changes (a registration that brings nothing new): no transaction, and nobody has to wait for one.
                for (const auto& after : plan->after) {
                    after();
                }
                command.done({});
                continue;
            }
            touched.add(command);
            batch.push_back(Planned{std::move(command), std::move(*plan)});
        }
        if (!batch.empty()) {
            commit(store, std::move(batch));
        }
    }
}

Result<void> StoreThread::write(store::Store& store, std::vector<Planned>& batch, std::vector<journal::Event>& events, bool withRows)
{
    const auto begin = std::chrono::steady_clock::now();
    const Result<void> written = store.inTransaction([&](store::Writer& writer) -> Result<void> {
        for (const auto& [key, row] : m_pendingRows) {
            if (!withRows) {
                break;
            }
            if (auto done = row.write(writer); !done) {
                return done;
            }
        }
        for (Planned& planned : batch) {
            for (const auto& step : planned.plan.writes) {
                if (auto done = step(writer); !done) {
                    return done;
                }
            }
            if (auto done = writer.appendAudit(planned.plan.audit); !done) {
                return done;
            }
        }
        if (auto done = writer.appendAudit(m_failedAudit); !done) {
            return done;
        }
        if (auto done = writer.appendSeries(m_pendingSeries); !done) {
            return done;
        }
        return writer.appendEvents(events);
    });
    m_batchLatency.observe(std::chrono::steady_clock::now() - begin);
    return written;
}

void StoreThread::commit(store::Store& store, std::vector<Planned> batch)
{
    const Result<void> caughtUp = catchUp(store);
    std::vector<journal::Event> events = caughtUp ? m_pendingEvents : std::vector<journal::Event>();
    for (const Planned& planned : batch) {
        events.insert(events.end(), planned.plan.events.begin(), planned.plan.events.end());
    }
    const Result<void> written = caughtUp ? write(store, batch, events, true) : caughtUp;
    if (!written) {
        m_log.write(LogLevel::Error, "store_failed", "A change could not be written and was not made: " + written.error().message);
        for (Planned& planned : batch) {
            for (store::AuditRow& row : planned.plan.audit) {
                row.outcome = "failed";
                if (m_failedAudit.size() < kMaxFailedAudit) {
                    m_failedAudit.push_back(row);
                }
            }
            planned.command.done(tl::unexpected(written.error()));
        }
        return;
    }
    m_pendingEvents.clear();
    m_pendingSeries.clear();
    m_pendingRows.clear();
    m_failedAudit.clear();
    m_fleet.with([&](fleet::Fleet& fleet, Instant now) {
        for (const Planned& planned : batch) {
            for (const auto& apply : planned.plan.applies) {
                apply(fleet, now);
            }
        }
    });
    for (const Planned& planned : batch) {
        for (const auto& after : planned.plan.after) {
            after();
        }
    }
    m_committed(std::move(events), true); // the turn that this brings about finds all of it done
    for (const Planned& planned : batch) {
        planned.command.done({});
    }
}

// What has gathered while the store could not be written goes before any change, but not with it: one transaction would take too long.
Result<void> StoreThread::catchUp(store::Store& store)
{
    if (m_pendingEvents.size() > kEventsPerWrite) {
        writeJournal(store);
    }
    if (m_pendingEvents.size() > kEventsPerWrite) {
        return fail("store_failed", "The store cannot be written; " + counted(m_pendingEvents.size(), "event") + " from before wait.");
    }
    return {};
}

// Events that belong to no command, in slices so that no statement holds the thread for long.
void StoreThread::writeJournal(store::Store& store)
{
    const Instant now = m_clock.now();
    if (m_failingSince != Instant::min() && now < m_nextTry) {
        return;
    }
    std::vector<Planned> none;
    while (!m_pendingEvents.empty() || !m_pendingSeries.empty() || !m_pendingRows.empty() || !m_failedAudit.empty()) {
        const std::size_t count = std::min(m_pendingEvents.size(), kEventsPerWrite);
        std::vector<journal::Event> events(m_pendingEvents.begin(), m_pendingEvents.begin() + static_cast<std::ptrdiff_t>(count));
        const bool withRows = count == m_pendingEvents.size();
        if (const Result<void> written = write(store, none, events, withRows); !written) {
            writeFailed(written.error(), now);
            return;
        }
        m_pendingEvents.erase(m_pendingEvents.begin(), m_pendingEvents.begin() + static_cast<std::ptrdiff_t>(count));
        m_pendingSeries.clear();
        if (withRows) {
            m_pendingRows.clear();
        }
        m_failedAudit.clear();
        m_committed(std::move(events), false);
    }
    if (m_failingSince != Instant::min()) {
        m_log.write(LogLevel::Info, "store_back", "What waited is written.");
    }
    m_failingSince = Instant::min();
    m_waitingSince.store(kNotWaiting, std::memory_order_relaxed);
    tellLost();
    m_behind.store(false, std::memory_order_relaxed);
}

void StoreThread::writeFailed(const Error& error, Instant now)
{
    if (m_failingSince == Instant::min()) {
        m_failingSince = now;
        m_waitingSince.store(now.time_since_epoch().count(), std::memory_order_relaxed);
        m_log.write(LogLevel::Error, "store_failed", "Events cannot be written and wait: " + error.message);
    }
    m_nextTry = now + kRetryAfter;
    m_behind.store(now - m_failingSince >= kBehindAfter || m_lostEvents.load(std::memory_order_relaxed) > m_toldLost, std::memory_order_relaxed);
}

// Goes out with the next turn, behind all that was kept.
void StoreThread::tellLost()
{
    const std::uint64_t lost = m_lostEvents.load(std::memory_order_relaxed);
    if (lost == m_toldLost) {
        return;
    }
    journal::Event event;
    event.at = m_clock.wall();
    event.kind = journal::EventKind::EventsLost;
    event.severity = journal::Severity::Critical;
    event.sentence = sentence("%1 could not be kept while the store could not be written.", {counted(lost - m_toldLost, "event")});
    event.detail = "{\"count\":" + std::to_string(lost - m_toldLost) + "}";
    m_toldLost = lost;
    m_pendingEvents.push_back(std::move(event));
}

std::optional<Instant> StoreThread::waitingSince() const
{
    const Duration::rep since = m_waitingSince.load(std::memory_order_relaxed);
    return since == kNotWaiting ? std::nullopt : std::optional(Instant(Duration(since)));
}

void StoreThread::markAlive(store::Store& store)
{
    const Instant now = m_clock.now();
    if (m_lastAlive != Instant::min() && now - m_lastAlive < kAliveEvery) {
        return;
    }
    m_lastAlive = now;
    const WallTime wall = m_clock.wall();
    // A failure shows in the events that wait; the mark itself is tried again in five seconds.
    static_cast<void>(store.inTransaction([wall](store::Writer& writer) { return writer.markAlive(wall); }));
}

void StoreThread::setRetention(Retention retention)
{
    const std::scoped_lock lock(m_mutex);
    m_retention = retention;
}

// One step a turn, and none while events or commands wait, so that what is written never waits for what is removed.
void StoreThread::prune(store::Store& store)
{
    const Instant now = m_clock.now();
    Retention retention;
    {
        const std::scoped_lock lock(m_mutex);
        if (now < m_nextPrune || m_stopping || !m_inbox.commands.empty() || !m_inbox.tasks.empty() || !m_pendingEvents.empty()) {
            return;
        }
        retention = m_retention;
    }
    const WallTime wall = m_clock.wall();
    Result<std::int64_t> removed = pruneStep(store, wall - retention.age);
    if (removed && *removed == 0) {
        const auto used = store.usedBytes();
        if (used && *used > retention.bytes) {
            removed = pruneStep(store, wall); // the oldest events, whatever their age
        }
    }
    // A round over the series' keys goes on at once, too.
    m_nextPrune = removed && (*removed > 0 || m_prunedSeries != journal::SeriesKey{}) ? now : now + kPruneEvery;
}

// Incidents and points of the series go with the events of their time.
Result<std::int64_t> StoreThread::pruneStep(store::Store& store, WallTime before)
{
    std::int64_t removed = 0;
    journal::SeriesKey key = m_prunedSeries;
    const Result<void> done = store.inTransaction([&](store::Writer& writer) -> Result<void> {
        const auto events = writer.pruneEvents(before, kRowsPerPrune);
        const auto oldest = events ? writer.oldestEventAt() : Result<std::optional<WallTime>>(tl::unexpected(events.error()));
        if (!oldest) {
            return tl::unexpected(oldest.error());
        }
        const WallTime end = std::min(before, oldest->value_or(before));
        const auto incidents = writer.pruneIncidents(end, kRowsPerPrune);
        const auto points = incidents ? writer.pruneSeries(key, end, kRowsPerPrune) : incidents;
        if (!points) {
            return tl::unexpected(points.error());
        }
        removed = *events + *incidents + *points;
        return {};
    });
    if (!done) {
        return tl::unexpected(done.error());
    }
    m_prunedSeries = key;
    return removed;
}

} // namespace weir::plane
