// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ChangeFlow.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <set>

namespace weir::plane {
namespace json = boost::json;
using fleet::ChangeKind;
using journal::EventKind;
namespace {

constexpr auto kCycle = std::chrono::milliseconds(100);
constexpr auto kHeartbeat = std::chrono::seconds(1);
constexpr std::size_t kDirtyAtOnce = 5'000;
constexpr std::size_t kStarvedNames = 20;
constexpr std::size_t kMostNotes = 10'000;

std::string shortNumber(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

EventKind kindOf(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::NodeOnline:
        return EventKind::NodeOnline;
    case ChangeKind::NodeOffline:
        return EventKind::NodeOffline;
    case ChangeKind::QuarantineStarted:
        return EventKind::QuarantineStarted;
    case ChangeKind::QuarantineOver:
        return EventKind::QuarantineOver;
    case ChangeKind::EjectionCapped:
        return EventKind::EjectionCapped;
    case ChangeKind::PoolExhausted:
        return EventKind::PoolExhausted;
    case ChangeKind::PoolFallback:
        return EventKind::PoolFallback;
    case ChangeKind::ReservationExpired:
        return EventKind::ReservationExpired;
    case ChangeKind::NodeConnected:
        return EventKind::NodeConnected;
    case ChangeKind::NodeDisconnected:
    case ChangeKind::ProbeHeld:
    case ChangeKind::PlacedAgain:
        break;
    }
    return EventKind::NodeDisconnected;
}

// How many facts a folded event stands for.
int timesOf(const journal::Event& event)
{
    boost::system::error_code error;
    const json::value detail = json::parse(event.detail.empty() ? "{}" : event.detail, error);
    const json::value* count = !error && detail.is_object() ? detail.get_object().if_contains("count") : nullptr;
    return count != nullptr && count->is_int64() ? static_cast<int>(count->get_int64()) : 1;
}

// Where workers check the caller's token, one client with a bad one would take out node after node: a 401 says so.
std::string passiveSentence(const std::string& node, const std::string& text)
{
    if (text == "status:401") {
        return sentence("%1 is out of rotation: a request failed (%2). Take 401 out of passive_statuses where the callers' tokens are checked there.", {node, text});
    }
    return text.starts_with("rule:") ? sentence("%1 is out of rotation: answers matched the outcome rule %2.", {node, text.substr(5)})
                                     : sentence("%1 is out of rotation: a request failed (%2).", {node, text});
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
    for (JournalObserver* observer : m_observers) {
        JournalEntries entries = observer->restore(snapshot, reader, m_clock.wall());
        if (!entries.events.empty() || !entries.rows.empty()) {
            m_store.append(std::move(entries.events), {}, std::move(entries.rows));
        }
    }
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
    for (JournalObserver* observer : m_observers) {
        JournalEntries entries = observer->observe(turn);
        if (!entries.events.empty() || !entries.rows.empty()) {
            m_store.append(std::move(entries.events), {}, std::move(entries.rows));
        }
    }
}

void ChangeFlow::start()
{
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
    while (!stopping) {
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, kCycle, [this] { return m_stopping || m_poked; });
            m_poked = false;
            stopping = m_stopping;
        }
        cycle(stopping);
    }
}

WallTime ChangeFlow::wallOf(Instant at) const
{
    return m_clock.wall() - std::chrono::duration_cast<std::chrono::milliseconds>(m_clock.now() - at);
}

void ChangeFlow::cycle(bool last)
{
    m_fleet.drain(m_drained, kDirtyAtOnce);
    if (m_outside.takeTraffic) {
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
    publish(std::move(committed));
}

void ChangeFlow::takeChange(const fleet::FleetChange& change, std::vector<journal::Event>& events)
{
    journal::Event event = eventOf(change);
    logChange(change, event);
    if (change.kind == ChangeKind::ProbeHeld || change.kind == ChangeKind::PlacedAgain) {
        return;
    }
    if (change.kind == ChangeKind::NodeOffline) {
        m_history.addEjection(change.node, change.at, event.at);
        m_ejectionsByCause[static_cast<std::size_t>(change.cause)].fetch_add(1, std::memory_order_relaxed);
    } else if (change.kind == ChangeKind::NodeOnline && change.cause == health::Cause::None) {
        m_history.addRevival(change.node, change.at);
    }
    count(event.kind, event.poolId, change.at, 1);
    if (auto passed = m_folder.add(std::move(event), m_clock.now())) {
        events.push_back(std::move(*passed));
    }
}

journal::Event ChangeFlow::eventOf(const fleet::FleetChange& change) const
{
    journal::Event event;
    event.at = wallOf(change.at);
    event.kind = kindOf(change.kind);
    event.appId = change.app.str();
    event.role = toText(change.role);
    std::string refusal;
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        if (change.node.isValid() && live.isAlive(change.node)) {
            event.nodeId = live.node(change.node).spec.id.text();
        }
        if (change.pool.isValid()) {
            event.poolId = live.pool(change.pool).spec.id.text();
        }
        if (change.kind == ChangeKind::PoolExhausted) {
            fleet::Decision decision;
            decision.role = change.role;
            decision.primary = change.pool;
            decision.appText = change.app;
            decision.fallbackTried = !change.text.isEmpty();
            refusal = live.refusalSentence(decision);
        }
    });
    const std::string& node = event.nodeId;
    const std::string text = change.text.str();
    const std::string figure = shortNumber(change.figure);
    json::object detail;
    switch (change.kind) {
    case ChangeKind::NodeOnline:
        event.sentence = sentence("%1 is in rotation.", {node});
        break;
    case ChangeKind::NodeOffline:
        event.severity = journal::Severity::Warning;
        detail = {{"cause", toText(change.cause)}, {"outcome", text}, {"failures", change.figure}};
        event.sentence = change.cause == health::Cause::Passive ? passiveSentence(node, text)
                                                                : sentence("%1 is out of rotation after %2 (last: %3).", {node, counted(static_cast<std::size_t>(change.figure), "failed probe"), text});
        break;
    case ChangeKind::QuarantineStarted: {
        const auto until = event.at + std::chrono::milliseconds(static_cast<std::int64_t>(change.figure * 1000));
        detail = {{"seconds", change.figure}, {"until", toRfc3339(until)}, {"outcome", text}};
        event.severity = journal::Severity::Warning;
        event.sentence = sentence("%1 is in quarantine for %2 s (%3).", {node, figure, text});
        break;
    }
    case ChangeKind::QuarantineOver:
        event.sentence = sentence("The quarantine of %1 is over.", {node});
        break;
    case ChangeKind::EjectionCapped:
        event.severity = journal::Severity::Warning;
        detail = {{"wouldBePercent", change.figure}, {"outcome", text}};
        event.sentence = sentence("%1 stays in rotation after a failed request (%2): ejecting it would put %3 % of its pool out.", {node, text, figure});
        break;
    case ChangeKind::PoolExhausted:
        event.severity = journal::Severity::Warning;
        event.sentence = sentence("No %1 for app %2: %3", {event.role, event.appId, refusal});
        break;
    case ChangeKind::PoolFallback:
        event.sentence = sentence("App %1 got %2 from default, since %3 has no %4.", {event.appId, node, event.poolId, event.role});
        break;
    case ChangeKind::ReservationExpired:
        event.sentence = sentence("A reservation on %1 ended by itself after %2 s.", {node, figure});
        break;
    case ChangeKind::NodeConnected:
        event.sentence = sentence("%1 is connected.", {node});
        break;
    case ChangeKind::NodeDisconnected:
        event.severity = journal::Severity::Warning;
        event.sentence = sentence("%1 is disconnected.", {node});
        break;
    case ChangeKind::ProbeHeld:
        event.sentence = sentence("The probe of %1 succeeded, but the node is in quarantine for %2 s more.", {node, std::to_string(wholeSecondsUp(change.figure))});
        break;
    case ChangeKind::PlacedAgain:
        break;
    }
    if (!detail.empty()) {
        event.detail = json::serialize(detail);
    }
    return event;
}

// The lines of health.md "What is logged".
void ChangeFlow::logChange(const fleet::FleetChange& change, const journal::Event& event)
{
    switch (change.kind) {
    case ChangeKind::NodeOnline:
        m_log.write(LogLevel::Info, "node_online", event.sentence, {{"node", event.nodeId}, {"pool", event.poolId}});
        break;
    case ChangeKind::NodeOffline:
        if (change.cause == health::Cause::Passive) {
            const double seconds = m_fleet.read([&](const fleet::Fleet& live, Instant) {
                return live.isAlive(change.node) ? toSeconds(live.node(change.node).health.quarantineLength()) : 0.0;
            });
            m_log.write(LogLevel::Warning, "node_offline", event.sentence, {{"node", event.nodeId}, {"cause", "passive"}, {"outcome", change.text.str()}, {"quarantine_seconds", shortNumber(seconds)}});
        } else {
            m_log.write(LogLevel::Warning, "node_offline", event.sentence,
                {{"node", event.nodeId}, {"cause", "probe"}, {"failures", shortNumber(change.figure)}, {"reason", change.text.str()}});
        }
        break;
    case ChangeKind::ProbeHeld:
        m_log.write(LogLevel::Debug, "probe_held", event.sentence, {{"node", event.nodeId}, {"quarantine_remaining_seconds", std::to_string(wholeSecondsUp(change.figure))}});
        break;
    case ChangeKind::PoolFallback:
        m_log.write(LogLevel::Info, "pool_fallback", event.sentence, {{"app", event.appId}, {"pool", event.poolId}, {"node", event.nodeId}});
        break;
    default:
        break;
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

void ChangeFlow::completeNodes(std::vector<NodeFacts>& nodes)
{
    const Instant now = m_clock.now();
    for (NodeFacts& node : nodes) {
        m_history.fill(node, now);
        node.nextProbe = m_outside.nextProbe(node.handle);
        if (m_outside.addTraffic) {
            m_outside.addTraffic(node);
        }
    }
}

void ChangeFlow::completePools(std::vector<PoolFacts>& pools)
{
    const Instant now = m_clock.now();
    const std::scoped_lock lock(m_figuresMutex);
    for (PoolFacts& pool : pools) {
        if (const auto trace = m_poolTraces.find(pool.spec.id.text()); trace != m_poolTraces.end()) {
            pool.exhausted1h = trace->second.exhausted.total(now);
            pool.lastChangeAt = trace->second.lastChangeAt;
            pool.lastChange = trace->second.lastChange;
        }
    }
}

Summary ChangeFlow::summary()
{
    Summary result;
    std::uint64_t decisions = 0;
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        fleet::Reachability reach = live.reachability();
        result.apps = reach.apps;
        result.appsStarved = reach.starvedApps;
        result.strandedNodes = reach.strandedNodes;
        result.strandedSentence = std::move(reach.sentence);
        result.starved = std::move(reach.starved);
        for (const PoolHandle pool : live.poolsInOrder()) {
            for (const fleet::Group& group : live.pool(pool).groups) {
                result.workersTotal += pool == live.unassignedPool() ? 0 : group.nodes;
                result.workersHealthy += pool == live.unassignedPool() ? 0 : group.healthy;
            }
        }
        for (std::size_t role = 0; role < kScheduledRoleCount; ++role) {
            decisions += live.counters().chosen[role] + live.counters().refused[role];
        }
    });
    if (m_outside.alarmCounts) {
        result.alarms = m_outside.alarmCounts();
    }
    const Instant now = m_clock.now();
    const std::scoped_lock lock(m_figuresMutex);
    m_decisions.add(now, static_cast<int>(decisions - m_decisionsSeen));
    m_decisionsSeen = decisions;
    const WallTime wall = m_clock.wall();
    std::map<std::pair<std::string, Role>, WallTime> since;
    for (const fleet::StarvedApp& app : result.starved) {
        const auto known = m_starvedSince.find({app.app, app.role});
        since.emplace(std::pair(app.app, app.role), known == m_starvedSince.end() ? wall : known->second);
    }
    m_starvedSince = std::move(since);
    result.starved.resize(std::min(result.starved.size(), kStarvedNames));
    for (const fleet::StarvedApp& app : result.starved) {
        result.starvedSince.push_back(m_starvedSince.at({app.app, app.role}));
    }
    result.ejections1h = m_ejections.total(now);
    result.flaps1h = m_flaps.total(now);
    result.exhausted1h = m_exhausted.total(now);
    result.fallbacks1h = m_fallbacks.total(now);
    result.decisions1h = m_decisions.total(now);
    result.configVersion = m_outside.configVersion();
    result.storeBehind = m_store.isBehind();
    result.firstRoundOver = m_outside.firstRoundOver();
    return result;
}

// A handle whose thing is gone, or is another thing by now, stood for the id that was published last.
void ChangeFlow::fillRemoved(const fleet::Fleet::Dirty& dirty, ChangeBatch& batch)
{
    const auto settle = [](auto& published, const auto& handles, const auto& rows, auto idOf, std::vector<std::string>& removed) {
        std::unordered_map<std::uint32_t, std::string> current;
        for (const auto& row : rows) {
            current.emplace(row.handle.value(), idOf(row));
        }
        for (const auto handle : handles) {
            const auto before = published.find(handle.value());
            const auto now = current.find(handle.value());
            if (before != published.end() && (now == current.end() || now->second != before->second)) {
                removed.push_back(before->second);
                published.erase(before);
            }
            if (now != current.end()) {
                published[handle.value()] = now->second;
            }
        }
    };
    settle(m_publishedNodes, dirty.nodes, batch.nodes, [](const NodeFacts& row) { return row.spec.id.text(); }, batch.removedNodes);
    settle(m_publishedPools, dirty.pools, batch.pools, [](const PoolFacts& row) { return row.spec.id.text(); }, batch.removedPools);
    settle(m_publishedApps, dirty.apps, batch.apps, [](const AppFacts& row) { return row.id; }, batch.removedApps);
}

// Rows say things about their pool: a node for how many apps it can be chosen, an app whether anybody is there. When such a fact
// of a pool changes, the rows that speak of it have changed too.
void ChangeFlow::addDependents(fleet::Fleet::Dirty& dirty)
{
    std::set<NodeHandle> nodes(dirty.nodes.begin(), dirty.nodes.end());
    std::set<AppHandle> apps(dirty.apps.begin(), dirty.apps.end());
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        for (const PoolHandle handle : dirty.pools) {
            const fleet::Pool& pool = live.pool(handle);
            PoolSignature signature{pool.apps.size(), 0};
            for (const Role role : kScheduledRoles) {
                signature.served |= pool.groups[weir::indexOf(role)].candidates() > 0 ? 1U << weir::indexOf(role) : 0U;
            }
            PoolSignature& known = m_poolSignatures[handle.value()];
            if (known.apps != signature.apps) {
                nodes.insert(pool.nodes.begin(), pool.nodes.end());
            }
            if (known.served != signature.served) {
                apps.insert(pool.apps.begin(), pool.apps.end());
                for (const AppHandle app : handle == live.defaultPool() ? live.appsInOrder() : std::vector<AppHandle>()) {
                    if (live.app(app).allowFallback) {
                        apps.insert(app);
                    }
                }
            }
            known = signature;
        }
    });
    dirty.nodes.assign(nodes.begin(), nodes.end());
    dirty.apps.assign(apps.begin(), apps.end());
}

namespace {

// Rows with nothing but who they are.
ChangeBatch idsOf(live::LiveFleet& fleet, const fleet::Fleet::Dirty& dirty)
{
    ChangeBatch batch;
    batch.nodes.reserve(dirty.nodes.size());
    fleet.read([&](const fleet::Fleet& live, Instant) {
        for (const NodeHandle node : dirty.nodes) {
            if (live.isAlive(node)) {
                batch.nodes.emplace_back().handle = node;
                batch.nodes.back().spec.id = live.node(node).spec.id;
            }
        }
        for (const PoolHandle pool : dirty.pools) {
            if (live.pool(pool).alive) {
                batch.pools.emplace_back().handle = pool;
                batch.pools.back().spec.id = live.pool(pool).spec.id;
            }
        }
        for (const AppHandle app : dirty.apps) {
            if (live.app(app).alive) {
                batch.apps.emplace_back().handle = app;
                batch.apps.back().id = live.app(app).id.text();
            }
        }
    });
    return batch;
}

} // namespace

void ChangeFlow::publish(std::vector<journal::Event> events)
{
    noteEvents(events);
    if (!rowsAreWanted()) {
        // Copying whole rows costs more under load than the decisions that changed them. What a later listener may find in its
        // snapshot must be known by its id all the same, so that its end can be told.
        ChangeBatch ids = idsOf(m_fleet, m_drained.dirty);
        fillRemoved(m_drained.dirty, ids);
        const Instant unheard = m_clock.now();
        const bool isDue = m_lastBatch == Instant::min() || unheard - m_lastBatch >= kHeartbeat;
        if (isDue) {
            m_lastBatch = unheard;
            static_cast<void>(summary()); // keeps the figures that count over time
        }
        const bool hasRows = !m_drained.dirty.nodes.empty() || !m_drained.dirty.pools.empty() || !m_drained.dirty.apps.empty();
        if (isDue || hasRows || !events.empty()) {
            ChangeBatch batch;
            batch.isWithoutRows = true;
            batch.events = std::move(events);
            batch.at = m_clock.wall();
            batch.revision = m_fleet.read([](const fleet::Fleet& live, Instant) { return live.revision(); });
            tell(batch);
        }
        return;
    }
    addDependents(m_drained.dirty);
    const fleet::Fleet::Dirty& dirty = m_drained.dirty;
    const Instant now = m_clock.now();
    const bool changed = !dirty.nodes.empty() || !dirty.pools.empty() || !dirty.apps.empty() || !events.empty();
    if (!changed && m_lastBatch != Instant::min() && now - m_lastBatch < kHeartbeat) {
        return;
    }
    m_lastBatch = now;
    ChangeBatch batch;
    batch.nodes = m_reader.nodes(dirty.nodes);
    batch.pools = m_reader.pools(dirty.pools);
    batch.apps = m_reader.apps(dirty.apps);
    fillRemoved(dirty, batch);
    completeNodes(batch.nodes);
    completePools(batch.pools);
    batch.events = std::move(events);
    batch.at = m_clock.wall();
    batch.revision = m_fleet.read([](const fleet::Fleet& live, Instant) { return live.revision(); });
    batch.summary = summary();
    tell(batch);
}

void ChangeFlow::tell(const ChangeBatch& batch)
{
    const std::scoped_lock lock(m_subscriberMutex);
    for (const auto& [id, subscription] : m_subscribers) {
        subscription.tell(batch);
    }
}

bool ChangeFlow::rowsAreWanted()
{
    const std::scoped_lock lock(m_subscriberMutex);
    return std::any_of(m_subscribers.begin(), m_subscribers.end(), [](const auto& one) { return !one.second.wantsRows || one.second.wantsRows(); });
}

std::vector<NodeFacts> ChangeFlow::nodeFacts()
{
    std::vector<NodeFacts> nodes = m_reader.nodes();
    completeNodes(nodes);
    return nodes;
}

std::vector<NodeFacts> ChangeFlow::nodeFacts(const std::vector<NodeHandle>& handles)
{
    std::vector<NodeFacts> nodes = m_reader.nodes(handles);
    completeNodes(nodes);
    return nodes;
}

ChangeBatch ChangeFlow::snapshot()
{
    ChangeBatch batch;
    batch.revision = m_fleet.read([](const fleet::Fleet& live, Instant) { return live.revision(); });
    batch.nodes = nodeFacts();
    batch.pools = m_reader.pools();
    completePools(batch.pools);
    batch.apps = m_reader.apps();
    batch.at = m_clock.wall();
    batch.summary = summary();
    return batch;
}

} // namespace weir::plane
