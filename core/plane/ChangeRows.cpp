// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and figures of the flow of changes: what screens get of the fleet.
#include "core/plane/ChangeFlow.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

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

namespace {

// A handle whose thing is gone, or is another thing by now, stood for the id that was published last. `idOf` gives an empty text where
// there is nothing.
template <typename Handles, typename IdOf>
void settle(std::vector<std::string>& published, const Handles& handles, IdOf idOf, std::vector<std::string>* removed)
{
    for (const auto handle : handles) {
        if (published.size() <= handle.value()) {
            published.resize(std::size_t{handle.value()} + 1);
        }
        std::string& before = published[handle.value()];
        const std::string_view now = idOf(handle);
        if (before == now) {
            continue;
        }
        if (removed != nullptr && !before.empty()) {
            removed->push_back(std::move(before));
        }
        before = now;
    }
}

// The ids of rows, by handle.
template <typename Rows, typename IdOf>
auto idsOf(const Rows& rows, IdOf idOf)
{
    std::unordered_map<std::uint32_t, std::string_view> ids;
    for (const auto& row : rows) {
        ids.emplace(row.handle.value(), idOf(row));
    }
    return [ids = std::move(ids)](auto handle) {
        const auto found = ids.find(handle.value());
        return found == ids.end() ? std::string_view() : found->second;
    };
}

} // namespace

void ChangeFlow::fillRemoved(const fleet::Fleet::Dirty& dirty, ChangeBatch& batch)
{
    settle(m_publishedNodes, dirty.nodes, idsOf(batch.nodes, [](const NodeFacts& row) { return std::string_view(row.spec.id.text()); }), &batch.removedNodes);
    settle(m_publishedPools, dirty.pools, idsOf(batch.pools, [](const PoolFacts& row) { return std::string_view(row.spec.id.text()); }), &batch.removedPools);
    settle(m_publishedApps, dirty.apps, idsOf(batch.apps, [](const AppFacts& row) { return std::string_view(row.id); }), &batch.removedApps);
}

// What a later listener may find in its snapshot must be known by its id, so that its end can be told.
void ChangeFlow::keepIds(const fleet::Fleet::Dirty& dirty)
{
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        // What comes between the drain and this look is counted here, but is dirty only in the next turn.
        const bool isSame = live.identities() == m_identities && m_identities == m_identitiesBefore;
        m_identitiesBefore = std::exchange(m_identities, live.identities());
        if (isSame) {
            return;
        }
        const auto nodeId = [&](NodeHandle node) { return live.isAlive(node) ? std::string_view(live.node(node).spec.id.text()) : std::string_view(); };
        const auto poolId = [&](PoolHandle pool) { return live.pool(pool).alive ? std::string_view(live.pool(pool).spec.id.text()) : std::string_view(); };
        const auto appId = [&](AppHandle app) { return live.app(app).alive ? std::string_view(live.app(app).id.text()) : std::string_view(); };
        settle(m_publishedNodes, dirty.nodes, nodeId, nullptr);
        settle(m_publishedPools, dirty.pools, poolId, nullptr);
        settle(m_publishedApps, dirty.apps, appId, nullptr);
    });
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

void ChangeFlow::publish(std::vector<journal::Event> events)
{
    noteEvents(events);
    if (!rowsAreWanted()) {
        // Copying whole rows costs more under load than the decisions that changed them.
        keepIds(m_drained.dirty);
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
