// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ChangeFlow.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <boost/json.hpp>

namespace weir::plane {
namespace json = boost::json;
using journal::EventKind;
namespace {

constexpr auto kCycle = std::chrono::milliseconds(100);
constexpr std::size_t kDirtyAtOnce = 5'000;
constexpr std::size_t kMostNotes = 10'000;

// How many facts a folded event stands for.
int timesOf(const journal::Event& event)
{
    boost::system::error_code error;
    const json::value detail = json::parse(event.detail.empty() ? "{}" : event.detail, error);
    const json::value* count = !error && detail.is_object() ? detail.get_object().if_contains("count") : nullptr;
    return count != nullptr && count->is_int64() ? static_cast<int>(count->get_int64()) : 1;
}

void addTo(JournalEntries& all, JournalEntries more)
{
    all.events.insert(all.events.end(), std::make_move_iterator(more.events.begin()), std::make_move_iterator(more.events.end()));
    all.rows.insert(all.rows.end(), std::make_move_iterator(more.rows.begin()), std::make_move_iterator(more.rows.end()));
}

} // namespace

ChangeFlow::ChangeFlow(live::LiveFleet& fleet, const Clock& clock, Log& log, StoreThread& store, NodeHistory& history, Outside outside)
    : m_fleet(fleet)
    , m_clock(clock)
    , m_log(log)
    , m_store(store)
    , m_history(history)
    , m_outside(std::move(outside))
    , m_reader(fleet)
    , m_folder([this](std::string_view app) { return m_fleet.read([&](const fleet::Fleet& live, Instant) { return live.findApp(app).has_value(); }); })
{
}

void ChangeFlow::restore(const std::vector<journal::SeriesChange>& latest, std::optional<WallTime> lastAlive)
{
    for (const journal::SeriesChange& change : latest) {
        m_series.restore(change.key, change.point);
    }
    if (lastAlive) {
        m_store.append({}, m_series.breakOff(*lastAlive));
    }
}

void ChangeFlow::recount(const std::vector<journal::Event>& lastHour)
{
    const Instant now = m_clock.now();
    const WallTime wall = m_clock.wall();
    for (const journal::Event& event : lastHour) {
        const Instant at = now - std::chrono::duration_cast<Duration>(wall - event.at);
        count(event.kind, event.poolId, at, timesOf(event));
        if (event.kind == EventKind::NodeOffline) {
            if (const auto node = m_fleet.read([&](const fleet::Fleet& live, Instant) { return live.findNode(event.nodeId); })) {
                m_history.addEjection(*node, at, event.at);
            }
        }
    }
    noteEvents(lastHour);
}

void ChangeFlow::restoreObservers(const store::Snapshot& snapshot, store::StoreReader& reader)
{
    JournalEntries all;
    for (JournalObserver* observer : m_observers) {
        addTo(all, observer->restore(snapshot, reader, m_clock.wall()));
    }
    keep(std::move(all));
}

void ChangeFlow::askObservers(const std::vector<journal::Event>& committed, bool last)
{
    JournalTurn turn;
    turn.now = m_clock.now();
    turn.wall = m_clock.wall();
    turn.firstRoundOver = m_outside.firstRoundOver();
    turn.last = last;
    turn.committed = committed;
    turn.changes = m_drained.changes;
    turn.lostChanges = m_drained.lostChanges;
    JournalEntries all;
    for (JournalObserver* observer : m_observers) {
        addTo(all, observer->observe(turn));
    }
    keep(std::move(all));
}

// What the observers of one turn want to be kept is written together or not at all: they speak of one another.
void ChangeFlow::keep(JournalEntries entries)
{
    if (!entries.events.empty() || !entries.rows.empty()) {
        m_store.append(std::move(entries.events), {}, std::move(entries.rows));
    }
}

void ChangeFlow::start()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isRunning = true;
    }
    m_thread = std::thread([this] { run(); });
}

void ChangeFlow::stop()
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

int ChangeFlow::subscribe(Subscriber subscriber, std::function<bool()> wantsRows)
{
    const std::scoped_lock lock(m_subscriberMutex);
    const int id = m_nextSubscriber++;
    m_subscribers.emplace(id, Subscription{std::move(subscriber), std::move(wantsRows)});
    return id;
}

void ChangeFlow::unsubscribe(int id)
{
    const std::scoped_lock lock(m_subscriberMutex);
    m_subscribers.erase(id);
}

void ChangeFlow::committed(std::vector<journal::Event> events, bool atOnce)
{
    const std::scoped_lock lock(m_mutex);
    m_committed.insert(m_committed.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
    if (atOnce) {
        m_poked = true;
        m_wake.notify_one();
    }
}

void ChangeFlow::note(journal::Event event)
{
    const std::scoped_lock lock(m_mutex);
    if (m_notes.size() < kMostNotes) {
        m_notes.push_back(std::move(event));
    } else {
        ++m_lostNotes;
    }
}

// Folds what was noted since the last turn; gives how many notes found no room.
std::size_t ChangeFlow::takeNotes(std::vector<journal::Event>& events)
{
    std::vector<journal::Event> notes;
    std::size_t lost = 0;
    {
        const std::scoped_lock lock(m_mutex);
        notes.swap(m_notes);
        lost = std::exchange(m_lostNotes, 0);
    }
    for (journal::Event& note : notes) {
        if (auto passed = m_folder.add(std::move(note), m_clock.now())) {
            events.push_back(std::move(*passed));
        }
    }
    return lost;
}

void ChangeFlow::run()
{
    bool stopping = false;
    auto nextPublish = std::chrono::steady_clock::now() + kCycle;
    while (!stopping) {
        std::vector<std::function<void()>> waiting;
        bool publishes = false;
        {
            std::unique_lock lock(m_mutex);
            m_isIdle = true;
            m_wake.wait_until(lock, nextPublish, [this] { return m_stopping || m_poked || !m_waiting.empty(); });
            m_isIdle = false;
            stopping = m_stopping;
            waiting.swap(m_waiting);
            publishes = stopping || m_poked || std::chrono::steady_clock::now() >= nextPublish;
            m_poked = m_poked && !publishes;
        }
        cycle(publishes, stopping);
        if (publishes) {
            nextPublish = std::chrono::steady_clock::now() + kCycle;
        }
        for (const auto& task : waiting) {
            task();
        }
    }
    std::vector<std::function<void()>> late;
    {
        const std::scoped_lock lock(m_mutex);
        m_isRunning = false;
        late.swap(m_waiting);
    }
    for (const auto& task : late) {
        task();
    }
}

// The ring first: when it is empty because a turn has just taken what was in it, that turn is not idle yet or has handed it on.
bool ChangeFlow::isQuiet()
{
    const bool isEmpty = !m_fleet.hasChanges();
    const std::scoped_lock lock(m_mutex);
    return !m_isRunning || (isEmpty && m_isIdle && !m_poked && m_committed.empty() && m_notes.empty() && m_lostNotes == 0);
}

void ChangeFlow::afterTurn(std::function<void()> task)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_isRunning) {
            m_waiting.push_back(std::move(task));
            m_wake.notify_one();
            return;
        }
    }
    task();
}

WallTime ChangeFlow::wallOf(Instant at) const
{
    return m_clock.wall() - std::chrono::duration_cast<std::chrono::milliseconds>(m_clock.now() - at);
}

// A turn that does not publish leaves the changed rows where they are and keeps the events for the one that does.
void ChangeFlow::cycle(bool publishes, bool last)
{
    m_fleet.drain(m_drained, publishes ? kDirtyAtOnce : 0);
    if (publishes && m_outside.takeTraffic) {
        m_outside.takeTraffic(m_drained.dirty.nodes);
    }
    std::vector<journal::Event> events;
    for (const fleet::FleetChange& change : m_drained.changes) {
        takeChange(change, events);
    }
    const std::size_t lostFacts = m_drained.lostChanges + takeNotes(events);
    if (lostFacts > 0) {
        journal::Event lost;
        lost.at = m_clock.wall();
        lost.kind = EventKind::EventsLost;
        lost.severity = journal::Severity::Critical;
        lost.sentence = sentence("%1 found no room and are only counted.", {counted(lostFacts, "fact")});
        events.push_back(std::move(lost));
    }
    std::vector<journal::Event> due = last ? m_folder.drain(m_clock.now()) : m_folder.flush(m_clock.now());
    events.insert(events.end(), std::make_move_iterator(due.begin()), std::make_move_iterator(due.end()));
    std::vector<journal::SeriesChange> series;
    observeSeries(series);
    if (!events.empty() || !series.empty()) {
        m_store.append(std::move(events), std::move(series));
    }
    std::vector<journal::Event> committed;
    {
        const std::scoped_lock lock(m_mutex);
        committed.swap(m_committed);
    }
    askObservers(committed, last);
    m_unpublished.insert(m_unpublished.end(), std::make_move_iterator(committed.begin()), std::make_move_iterator(committed.end()));
    if (publishes) {
        publish(std::exchange(m_unpublished, {}));
    }
}

void ChangeFlow::count(EventKind kind, const std::string& pool, Instant at, int times)
{
    const std::scoped_lock lock(m_figuresMutex);
    switch (kind) {
    case EventKind::NodeOffline:
        m_ejections.add(at, times);
        break;
    case EventKind::QuarantineOver:
        m_flaps.add(at, times);
        break;
    case EventKind::PoolExhausted:
        m_exhausted.add(at, times);
        m_poolTraces[pool].exhausted.add(at, times);
        break;
    case EventKind::PoolFallback:
        m_fallbacks.add(at, times);
        break;
    default:
        break;
    }
}

// workers_healthy and workers_total per pool and role, and overall; unknown until the first probe round is over.
void ChangeFlow::observeSeries(std::vector<journal::SeriesChange>& series)
{
    if (!m_seriesKnown) {
        m_seriesKnown = m_outside.firstRoundOver();
        if (!m_seriesKnown) {
            return;
        }
    }
    struct Figure {
        journal::SeriesKey key;
        int healthy = 0;
        int total = 0;
    };
    std::vector<Figure> figures;
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        Figure all;
        for (const PoolHandle handle : live.poolsInOrder()) {
            const fleet::Pool& pool = live.pool(handle);
            for (const Role role : kRoles) {
                const fleet::Group& group = pool.groups[weir::indexOf(role)];
                const journal::SeriesKey key{pool.spec.id.text(), std::string(toText(role))};
                if (group.nodes > 0 || m_series.latest(key)) {
                    figures.push_back({key, static_cast<int>(group.healthy), static_cast<int>(group.nodes)});
                }
                if (handle != live.unassignedPool()) {
                    all.healthy += static_cast<int>(group.healthy);
                    all.total += static_cast<int>(group.nodes);
                }
            }
        }
        figures.push_back(all);
    });
    const WallTime now = m_clock.wall();
    for (const Figure& figure : figures) {
        if (const auto point = m_series.observe(figure.key, figure.healthy, figure.total, now)) {
            series.push_back({figure.key, *point});
        }
    }
}

// "Last change" of a pool, from the committed events that changed who is in it or who uses it.
void ChangeFlow::noteEvents(const std::vector<journal::Event>& events)
{
    const std::scoped_lock lock(m_figuresMutex);
    for (const journal::Event& event : events) {
        const bool byPerson = event.kind == EventKind::NodeMoved || event.kind == EventKind::NodeDraining || event.kind == EventKind::NodeUndrained
            || event.kind == EventKind::NodeCreated || event.kind == EventKind::NodeRemoved || event.kind == EventKind::AppBound
            || event.kind == EventKind::AppUnbound || event.kind == EventKind::PoolCreated || event.kind == EventKind::SettingsChanged;
        if (byPerson && !event.poolId.empty()) {
            PoolTrace& trace = m_poolTraces[event.poolId];
            trace.lastChangeAt = event.at;
            trace.lastChange = event.sentence;
        }
    }
}

} // namespace weir::plane
