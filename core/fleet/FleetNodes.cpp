// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes: making, changing, moving and removing them, and keeping the candidate index true.
#include "core/fleet/Fleet.h"

#include <algorithm>

namespace weir::fleet {

namespace {

constexpr std::uint8_t bit(Endpoint endpoint)
{
    return static_cast<std::uint8_t>(1U << weir::indexOf(endpoint));
}

std::uint32_t heapFree(std::int64_t free)
{
    return static_cast<std::uint32_t>(std::min<std::int64_t>(free, 0xFFFF'FFFF));
}

} // namespace

Fleet::Fleet(ChangeSink& sink, health::HealthSettings health, FleetSettings settings)
    : m_sink(sink)
    , m_health(std::move(health))
    , m_settings(settings)
    , m_reservations(settings.firstPlacement)
{
    makePool(PoolSpec{PoolId::trusted(std::string(kDefaultPool)), "", false, 0, 10}, PoolKind::Default, UserHandle());
    makePool(PoolSpec{PoolId::trusted(std::string(kUnassignedPool)), "", false, 0, 0}, PoolKind::Unassigned, UserHandle());
}

Result<NodeHandle> Fleet::addNode(NodeSpec spec, Instant now)
{
    advance(now);
    const std::string folded = foldCase(spec.id.text());
    if (const auto taken = m_foldedNodes.find(folded); taken != m_foldedNodes.end()) {
        return fail("duplicate_id", "A node '" + m_nodes[taken->second].spec.id.text() + "' exists already (ids must differ in more than case).", "nodeId");
    }
    std::uint32_t index = 0;
    if (!m_freeNodes.empty()) {
        index = m_freeNodes.back();
        m_freeNodes.pop_back();
        m_nodes[index] = Node();
        m_cores[index] = NodeCore();
    } else {
        index = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.emplace_back();
        m_cores.emplace_back();
        for (auto& places : m_places) {
            places.push_back(CandidateHeap::kNowhere);
        }
        m_dirtyNodes.reserve(m_cores.capacity());
    }
    const NodeHandle handle(index);
    m_foldedNodes.emplace(folded, index);
    Node& node = m_nodes[index];
    NodeCore& core = m_cores[index];
    node.spec = std::move(spec);
    node.generation = ++m_lastGeneration;
    node.birth = node.generation;
    core.alive = true;
    ++m_identities;
    core.role = node.spec.role;
    core.pool = node.spec.pool;
    core.draining = node.spec.draining;
    core.connected = node.spec.isStatic;
    core.capacity = node.spec.capacity;
    core.free = std::max<std::int64_t>(0, core.capacity);
    core.order = ~m_order.insert(node.spec.id.text(), handle, [this](NodeHandle other, std::uint64_t label) { relabel(other, label); });
    applyOffers(handle);
    attach(handle);
    refresh(handle, now);
    if (isScheduled(core.role)) {
        ++m_nodesOfRole[weir::indexOf(core.role)];
    }
    if (node.spec.owner.isValid()) {
        User& owner = m_users[node.spec.owner.value()];
        ++owner.nodes;
        if (isScheduled(core.role) && ++owner.scheduledNodes == 1) {
            resolveAppsOf(node.spec.owner); // the first node ends the user's implicit fallback
        }
    }
    return handle;
}

void Fleet::changeNode(NodeHandle handle, NodeSpec spec, Instant now)
{
    advance(now);
    Node& node = m_nodes[handle.value()];
    NodeCore& core = m_cores[handle.value()];
    const std::pair address(healthAddress(handle), node.spec.healthPath);
    const bool wasStatic = node.spec.isStatic;
    spec.id = node.spec.id;
    spec.role = node.spec.role;
    spec.pool = node.spec.pool;
    spec.owner = node.spec.owner;
    node.spec = std::move(spec);
    if (std::pair(healthAddress(handle), node.spec.healthPath) != address) {
        node.health.reset();
        node.trouble = NodeTrouble();
        node.generation = ++m_lastGeneration;
    }
    core.draining = node.spec.draining;
    if (node.spec.isStatic != wasStatic) {
        core.connected = node.spec.isStatic; // a node that is to register has not done so yet
    }
    Group& group = groupOf(core);
    // A node that heartbeats reports its capacity; until it does, what is known of it counts.
    const bool reports = !node.spec.isStatic && node.lastHeartbeat != Instant::min();
    if (!reports && core.capacity != node.spec.capacity) {
        group.capacity += node.spec.capacity - core.capacity;
        core.capacity = node.spec.capacity;
    }
    applyOffers(handle);
    setFree(handle);
    refresh(handle, now);
}

Result<void> Fleet::canRemoveNode(NodeHandle handle) const
{
    const NodeCore& core = m_cores[handle.value()];
    if (!core.draining && core.pool != unassignedPool()) {
        return fail("in_use", "Node '" + m_nodes[handle.value()].spec.id.text() + "' is neither draining nor in unassigned; drain it or take it out of scheduling first.");
    }
    return {};
}

void Fleet::removeNode(NodeHandle handle, Instant now)
{
    advance(now);
    NodeCore& core = m_cores[handle.value()];
    Node& node = m_nodes[handle.value()];
    while (core.reservations.first != 0) {
        m_reservations.end(core.reservations.first, core.reservations);
    }
    m_streams.endAllOf(handle);
    detach(handle);
    touch(handle);
    core.alive = false;
    ++m_identities;
    m_order.erase(node.spec.id.text());
    m_foldedNodes.erase(foldCase(node.spec.id.text()));
    if (isScheduled(core.role)) {
        --m_nodesOfRole[weir::indexOf(core.role)];
    }
    if (node.spec.owner.isValid()) {
        User& owner = m_users[node.spec.owner.value()];
        --owner.nodes;
        if (isScheduled(core.role) && --owner.scheduledNodes == 0) {
            resolveAppsOf(node.spec.owner);
        }
    }
}

void Fleet::setDraining(NodeHandle handle, bool draining, std::string reason, std::string by, Instant now)
{
    advance(now);
    NodeSpec& spec = m_nodes[handle.value()].spec;
    spec.draining = draining;
    spec.drainReason = draining ? std::move(reason) : std::string();
    spec.drainedBy = draining ? std::move(by) : std::string();
    m_cores[handle.value()].draining = draining;
    refresh(handle, now);
}

void Fleet::moveNode(NodeHandle handle, PoolHandle to, WallTime at, std::string by, Instant now)
{
    advance(now);
    NodeCore& core = m_cores[handle.value()];
    if (core.pool == to) {
        return;
    }
    detach(handle);
    core.pool = to;
    NodeSpec& spec = m_nodes[handle.value()].spec;
    spec.pool = to;
    spec.poolSince = at;
    spec.movedBy = std::move(by);
    attach(handle);
    refresh(handle, now);
}

// Enters the node into its pool's list and group, as a node with no reason yet (it is counted under WrongRole, which no node of a
// group has, until refresh() finds the real one).
void Fleet::attach(NodeHandle handle)
{
    NodeCore& core = m_cores[handle.value()];
    std::vector<NodeHandle>& nodes = m_pools[core.pool.value()].nodes;
    core.poolSlot = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(handle);
    Group& group = groupOf(core);
    ++group.nodes;
    group.capacity += core.capacity;
    group.used += core.used;
    group.free += core.free;
    group.pending += core.reserved;
    core.countedHealthy = false;
    core.countedEjected = false;
    for (std::size_t endpoint = 0; endpoint < kEndpointCount; ++endpoint) {
        core.reasons[endpoint] = Reason::WrongRole;
        ++group.reasons[endpoint][fleet::indexOf(Reason::WrongRole)];
    }
    touch(core.pool);
}

void Fleet::detach(NodeHandle handle)
{
    NodeCore& core = m_cores[handle.value()];
    std::vector<NodeHandle>& nodes = m_pools[core.pool.value()].nodes;
    nodes[core.poolSlot] = nodes.back();
    m_cores[nodes.back().value()].poolSlot = core.poolSlot;
    nodes.pop_back();
    Group& group = groupOf(core);
    if (core.reasons[0] == Reason::None) {
        group.candidateFree -= core.free;
    }
    for (std::size_t endpoint = 0; endpoint < kEndpointCount; ++endpoint) {
        setReason(handle, group, endpoint, Reason::WrongRole);
        --group.reasons[endpoint][fleet::indexOf(Reason::WrongRole)];
    }
    --group.nodes;
    group.capacity -= core.capacity;
    group.used -= core.used;
    group.free -= core.free;
    group.pending -= core.reserved;
    group.healthy -= core.countedHealthy ? 1 : 0;
    group.ejected -= core.countedEjected ? 1 : 0;
    touch(core.pool);
}

Reason Fleet::reasonOf(NodeHandle handle, Endpoint endpoint, Instant now) const
{
    const NodeCore& core = m_cores[handle.value()];
    const health::HealthState& health = m_nodes[handle.value()].health;
    if (core.draining) {
        return Reason::Draining;
    }
    if (!core.connected) {
        return Reason::Disconnected;
    }
    if (!health.isChecked()) {
        return Reason::Unchecked;
    }
    if (health.inQuarantine(now)) {
        return Reason::Quarantined;
    }
    if (!health.inRotation()) {
        return Reason::Unhealthy;
    }
    if ((core.offers & bit(endpoint)) == 0) {
        return Reason::MissingEndpoint;
    }
    return core.free < 1 ? Reason::NoCapacity : Reason::None;
}

std::vector<Reason> Fleet::allReasonsOf(NodeHandle handle, const Request& request, Instant now) const
{
    const NodeCore& core = m_cores[handle.value()];
    const health::HealthState& health = m_nodes[handle.value()].health;
    std::vector<Reason> reasons;
    const auto addIf = [&](bool holds, Reason reason) {
        if (holds) {
            reasons.push_back(reason);
        }
    };
    const bool checked = health.isChecked();
    const bool quarantined = health.inQuarantine(now);
    addIf(core.role != request.role, Reason::WrongRole);
    addIf(core.draining, Reason::Draining);
    addIf(!core.connected, Reason::Disconnected);
    addIf(!checked, Reason::Unchecked);
    addIf(quarantined, Reason::Quarantined);
    addIf(checked && !quarantined && !health.inRotation(), Reason::Unhealthy);
    addIf((core.offers & bit(request.endpoint)) == 0, Reason::MissingEndpoint);
    addIf(core.free < static_cast<std::int64_t>(request.need), Reason::NoCapacity);
    return reasons;
}

void Fleet::setReason(NodeHandle handle, Group& group, std::size_t endpoint, Reason reason)
{
    NodeCore& core = m_cores[handle.value()];
    const Reason before = core.reasons[endpoint];
    if (before == reason) {
        return;
    }
    const auto landed = [this, endpoint](std::uint32_t node, std::uint32_t position) { m_places[endpoint][node] = position; };
    --group.reasons[endpoint][fleet::indexOf(before)];
    ++group.reasons[endpoint][fleet::indexOf(reason)];
    core.reasons[endpoint] = reason;
    if (!isScheduled(core.role)) {
        return;
    }
    if (before == Reason::None) {
        group.heaps[endpoint].erase(m_places[endpoint][handle.value()], landed);
    } else if (reason == Reason::None) {
        group.heaps[endpoint].insert(CandidateHeap::Entry{heapFree(core.free), handle.value(), core.order}, landed);
    }
}

// Finds the node's reasons anew after any change but one of capacity alone.
void Fleet::refresh(NodeHandle handle, Instant now)
{
    NodeCore& core = m_cores[handle.value()];
    const health::HealthState& health = m_nodes[handle.value()].health;
    Group& group = groupOf(core);
    if (core.reasons[0] == Reason::None) {
        group.candidateFree -= core.free;
    }
    for (std::size_t endpoint = 0; endpoint < kEndpointCount; ++endpoint) {
        setReason(handle, group, endpoint, reasonOf(handle, static_cast<Endpoint>(endpoint), now));
    }
    if (core.reasons[0] == Reason::None) {
        group.candidateFree += core.free;
    }
    const bool healthy = health.inRotation() && core.connected;
    const bool ejected = !health.inRotation() && health.cause() == health::Cause::Passive;
    if (healthy != core.countedHealthy) {
        group.healthy = healthy ? group.healthy + 1 : group.healthy - 1;
        core.countedHealthy = healthy;
    }
    if (ejected != core.countedEjected) {
        group.ejected = ejected ? group.ejected + 1 : group.ejected - 1;
        core.countedEjected = ejected;
    }
    touch(handle);
    touch(core.pool);
}

// Takes over what capacity, use and reservations give now; the fast path of decisions and heartbeats.
void Fleet::setFree(NodeHandle handle)
{
    NodeCore& core = m_cores[handle.value()];
    Group& group = groupOf(core);
    const std::int64_t before = core.free;
    const std::int64_t free = std::max<std::int64_t>(0, core.capacity - std::max(core.used, core.inFlight) - core.reserved);
    touch(handle);
    touch(core.pool);
    if (free == before) {
        return;
    }
    core.free = free;
    group.free += free - before;
    const bool was = core.reasons[0] == Reason::None;
    for (std::size_t endpoint = 0; endpoint < kEndpointCount; ++endpoint) {
        const Reason reason = core.reasons[endpoint];
        if (reason == Reason::None && free >= 1) {
            if (isScheduled(core.role)) {
                group.heaps[endpoint].setFree(m_places[endpoint][handle.value()], heapFree(free),
                    [this, endpoint](std::uint32_t node, std::uint32_t position) { m_places[endpoint][node] = position; });
            }
        } else if (reason == Reason::None) {
            setReason(handle, group, endpoint, Reason::NoCapacity);
        } else if (reason == Reason::NoCapacity && free >= 1) {
            setReason(handle, group, endpoint, Reason::None);
        }
    }
    group.candidateFree -= was ? before : 0;
    group.candidateFree += core.reasons[0] == Reason::None ? free : 0;
}

void Fleet::applyOffers(NodeHandle handle)
{
    const NodeSpec& spec = m_nodes[handle.value()].spec;
    std::uint8_t offers = bit(Endpoint::Any);
    if (!spec.webrtcBaseUrl.empty()) {
        offers |= bit(Endpoint::Whip);
    }
    if (foldCase(spec.publishUrl.substr(0, 4)) == "srt:") {
        offers |= bit(Endpoint::Srt);
    }
    m_cores[handle.value()].offers = offers;
}

void Fleet::relabel(NodeHandle handle, std::uint64_t label)
{
    NodeCore& core = m_cores[handle.value()];
    core.order = ~label;
    Group& group = groupOf(core);
    for (std::size_t endpoint = 0; endpoint < kEndpointCount; ++endpoint) {
        if (m_places[endpoint][handle.value()] != CandidateHeap::kNowhere) {
            group.heaps[endpoint].setOrder(m_places[endpoint][handle.value()], core.order);
        }
    }
}

std::string Fleet::healthAddress(NodeHandle handle) const
{
    const NodeSpec& spec = m_nodes[handle.value()].spec;
    return spec.healthUrl.empty() ? spec.url : spec.healthUrl;
}

void Fleet::touch(NodeHandle handle)
{
    NodeCore& core = m_cores[handle.value()];
    core.revision = ++m_revision;
    if (!core.dirty) {
        core.dirty = true;
        m_dirtyNodes.push_back(handle);
    }
}

void Fleet::touch(PoolHandle handle)
{
    Pool& pool = m_pools[handle.value()];
    pool.revision = ++m_revision;
    if (!pool.dirty) {
        pool.dirty = true;
        m_dirtyPools.push_back(handle);
    }
}

void Fleet::touch(AppHandle handle)
{
    App& app = m_apps[handle.value()];
    app.revision = ++m_revision;
    if (!app.dirty) {
        app.dirty = true;
        m_dirtyApps.push_back(handle);
    }
}

void Fleet::takeDirty(Dirty& into, std::size_t limit)
{
    const auto take = [limit](auto& from, auto& to, auto& things) {
        const auto end = from.begin() + static_cast<std::ptrdiff_t>(std::min(limit, from.size()));
        to.assign(from.begin(), end);
        from.erase(from.begin(), end);
        for (const auto handle : to) {
            things[handle.value()].dirty = false;
        }
    };
    m_freeNodes.insert(m_freeNodes.end(), m_retiredNodes.begin(), m_retiredNodes.end());
    m_retiredNodes.clear();
    take(m_dirtyNodes, into.nodes, m_cores);
    for (const NodeHandle handle : into.nodes) {
        if (!m_cores[handle.value()].alive) {
            m_retiredNodes.push_back(handle.value());
        }
    }
    take(m_dirtyPools, into.pools, m_pools);
    take(m_dirtyApps, into.apps, m_apps);
}

std::vector<NodeHandle> Fleet::nodesInOrder() const
{
    std::vector<NodeHandle> nodes;
    nodes.reserve(m_order.size());
    m_order.forEach([&](NodeHandle node) { nodes.push_back(node); });
    return nodes;
}

} // namespace weir::fleet
