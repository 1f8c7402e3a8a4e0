// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/StoreThread.h"

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
constexpr std::size_t kEventsPerWrite = 5'000;
constexpr std::size_t kMaxFailedAudit = 10'000;

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
        Inbox inbox;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, kJournalDelay, [this] { return m_stopping || !m_inbox.commands.empty() || !m_inbox.tasks.empty(); });
            std::swap(inbox, m_inbox);
            stopping = m_stopping;
            m_stopped = stopping; // what comes in from here on is answered at once
        }
        std::deque<Command> commands = std::move(inbox.commands);
        takePending(inbox);
        process(store, std::move(commands));
        writeJournal(store);
        for (const auto& task : inbox.tasks) {
            task();
        }
        markAlive(store);
    }
}

void StoreThread::takePending(Inbox& inbox)
{
    for (journal::Event& event : inbox.events) {
        if (m_pendingEvents.size() >= kMaxPendingEvents) {
            m_lostEvents.fetch_add(1, std::memory_order_relaxed);
            m_behind.store(true, std::memory_order_relaxed);
            continue;
        }
        m_pendingEvents.push_back(std::move(event));
    }
    m_pendingSeries.insert(m_pendingSeries.end(), inbox.series.begin(), inbox.series.end());
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
    return store.inTransaction([&](store::Writer& writer) -> Result<void> {
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
}

void StoreThread::commit(store::Store& store, std::vector<Planned> batch)
{
    std::vector<journal::Event> events = m_pendingEvents;
    for (const Planned& planned : batch) {
        events.insert(events.end(), planned.plan.events.begin(), planned.plan.events.end());
    }
    const Result<void> written = write(store, batch, events, true);
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
    m_committed(std::move(events), true);
    for (const Planned& planned : batch) {
        for (const auto& after : planned.plan.after) {
            after();
        }
        planned.command.done({});
    }
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
            if (m_failingSince == Instant::min()) {
                m_failingSince = now;
                m_log.write(LogLevel::Error, "store_failed", "Events cannot be written and wait: " + written.error().message);
            }
            m_nextTry = now + kRetryAfter;
            m_behind.store(now - m_failingSince >= kBehindAfter || m_lostEvents.load(std::memory_order_relaxed) > 0, std::memory_order_relaxed);
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
    m_failingSince = Instant::min();
    m_behind.store(false, std::memory_order_relaxed);
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

} // namespace weir::plane
