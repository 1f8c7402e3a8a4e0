// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and figures of the flow of changes: what screens get of the fleet.
#include "core/plane/ChangeFlow.h"

#include <algorithm>
#include <set>

namespace weir::plane {
namespace {

constexpr auto kHeartbeat = std::chrono::seconds(1);
constexpr std::size_t kStarvedNames = 20;

} // namespace

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
