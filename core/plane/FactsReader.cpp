// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/FactsReader.h"

#include "core/base/Sentence.h"

#include <algorithm>

namespace weir::plane {
namespace {

constexpr std::size_t kAppNames = 20;

// Runs `copy(fleet, now, handle)` over the handles, a slice per lock.
template <typename Row, typename HandleType, typename Copy>
std::vector<Row> inSlices(live::LiveFleet& live, const std::vector<HandleType>& handles, Copy copy)
{
    std::vector<Row> rows;
    rows.reserve(handles.size());
    for (std::size_t from = 0; from < handles.size(); from += FactsReader::kSlice) {
        const std::size_t to = std::min(handles.size(), from + FactsReader::kSlice);
        live.read([&](const fleet::Fleet& fleet, Instant now) {
            for (std::size_t i = from; i < to; ++i) {
                copy(fleet, now, handles[i], rows);
            }
        });
    }
    return rows;
}

std::string whyNot(const fleet::Group& group, Role role)
{
    const std::string noun = std::string(toText(role)) + (group.nodes == 1 ? "" : "s");
    if (group.nodes == 0) {
        return "no " + noun;
    }
    std::string parts;
    for (std::size_t i = 1; i < fleet::kReasonCount; ++i) {
        const auto reason = static_cast<fleet::Reason>(i);
        if (group.count(reason) > 0) {
            parts += (parts.empty() ? ": " : ", ") + std::string(reason == fleet::Reason::NoCapacity ? "full" : toText(reason));
        }
    }
    return "0 of " + std::to_string(group.nodes) + " " + noun + parts;
}

} // namespace

NodeFacts FactsReader::nodeFacts(const fleet::Fleet& fleet, NodeHandle handle, Instant now)
{
    const fleet::Node& node = fleet.node(handle);
    const fleet::NodeCore& core = fleet.core(handle);
    const fleet::Pool& pool = fleet.pool(core.pool);
    NodeFacts facts;
    facts.handle = handle;
    facts.spec = node.spec;
    facts.pool = pool.spec.id.text();
    facts.owner = node.spec.owner.isValid() ? fleet.user(node.spec.owner).id.text() : std::string();
    facts.connected = core.connected;
    facts.checked = node.health.isChecked();
    facts.inRotation = node.health.inRotation();
    facts.cause = node.health.cause();
    facts.probeReason = node.trouble.probeReason;
    facts.bodyReason = node.trouble.bodyReason;
    facts.passiveOutcome = node.trouble.passiveOutcome;
    if (!facts.inRotation && node.health.hasQuarantine()) {
        facts.quarantinedUntil = node.health.quarantinedUntil();
    }
    facts.quarantineRemaining = node.health.quarantineRemaining(now);
    facts.quarantineLength = node.health.quarantineLength();
    facts.consecutiveFailures = node.health.consecutiveFailures();
    facts.consecutiveSuccesses = node.health.consecutiveSuccesses();
    facts.capacity = core.capacity;
    facts.used = core.used;
    facts.inFlight = core.inFlight;
    facts.reserved = core.reserved;
    facts.free = core.free;
    facts.reason = core.reasons[0];
    facts.poolApps = pool.apps.size();
    facts.hasHealthAddress = !fleet.healthAddress(handle).empty();
    facts.revision = core.revision;
    return facts;
}

PoolFacts FactsReader::poolFacts(const fleet::Fleet& fleet, PoolHandle handle)
{
    const fleet::Pool& pool = fleet.pool(handle);
    PoolFacts facts;
    facts.handle = handle;
    facts.spec = pool.spec;
    facts.kind = pool.kind;
    facts.owner = pool.owner.isValid() ? fleet.user(pool.owner).id.text() : std::string();
    for (std::size_t i = 0; i < kRoleCount; ++i) {
        const fleet::Group& group = pool.groups[i];
        RoleFacts& role = facts.roles[i];
        role.nodes = group.nodes;
        role.healthy = group.healthy;
        role.candidates = group.candidates();
        role.reasons = group.reasons[0];
        role.capacity = group.capacity;
        role.used = group.used;
        role.free = group.free;
    }
    facts.nodes = pool.nodes.size();
    facts.apps = pool.apps.size();
    for (const AppHandle app : pool.apps) {
        facts.appsAllowFallback += fleet.app(app).allowFallback ? 1 : 0;
        facts.appNames.push_back(fleet.app(app).id.text());
        for (std::size_t role = 0; role < kScheduledRoleCount; ++role) {
            facts.rolesUsed[role] = facts.rolesUsed[role] || fleet.app(app).lastAsked[role] != Instant::min();
        }
    }
    std::sort(facts.appNames.begin(), facts.appNames.end());
    facts.appNames.resize(std::min(facts.appNames.size(), kAppNames));
    facts.revision = pool.revision;
    return facts;
}

AppFacts FactsReader::appFacts(const fleet::Fleet& fleet, AppHandle handle)
{
    const fleet::App& app = fleet.app(handle);
    AppFacts facts;
    facts.handle = handle;
    facts.id = app.id.text();
    facts.owner = app.owner.isValid() ? fleet.user(app.owner).id.text() : std::string();
    facts.pool = fleet.pool(app.pool).spec.id.text();
    facts.because = app.because;
    facts.allowFallback = app.allowFallback;
    if (app.binding) {
        facts.binding.emplace(fleet.pool(app.binding->pool).spec.id.text(), app.binding->allowFallback);
    }
    const bool asked = app.everAsked();
    for (const Role role : kScheduledRoles) {
        const fleet::Group& group = fleet.pool(app.pool).groups[weir::indexOf(role)];
        // As reachability counts it: a role nobody asked for yet counts where the fleet has nodes of it, in whatever pool.
        const bool used = asked ? app.lastAsked[weir::indexOf(role)] != Instant::min() : fleet.hasNodes(role);
        const fleet::Verdict verdict = fleet.standing(app, role).verdict;
        if (used && verdict > facts.verdict) {
            facts.verdict = verdict;
            facts.why = whyNot(group, role);
        }
    }
    facts.revision = app.revision;
    return facts;
}

std::vector<NodeFacts> FactsReader::nodes(const std::vector<NodeHandle>& handles) const
{
    return inSlices<NodeFacts>(m_fleet, handles, [](const fleet::Fleet& fleet, Instant now, NodeHandle handle, std::vector<NodeFacts>& rows) {
        if (fleet.isAlive(handle)) {
            rows.push_back(nodeFacts(fleet, handle, now));
        }
    });
}

std::vector<PoolFacts> FactsReader::pools(const std::vector<PoolHandle>& handles) const
{
    return inSlices<PoolFacts>(m_fleet, handles, [](const fleet::Fleet& fleet, Instant, PoolHandle handle, std::vector<PoolFacts>& rows) {
        if (fleet.pool(handle).alive) {
            rows.push_back(poolFacts(fleet, handle));
        }
    });
}

std::vector<AppFacts> FactsReader::apps(const std::vector<AppHandle>& handles) const
{
    return inSlices<AppFacts>(m_fleet, handles, [](const fleet::Fleet& fleet, Instant, AppHandle handle, std::vector<AppFacts>& rows) {
        if (fleet.app(handle).alive) {
            rows.push_back(appFacts(fleet, handle));
        }
    });
}

std::vector<NodeFacts> FactsReader::nodes() const
{
    return nodes(m_fleet.read([](const fleet::Fleet& fleet, Instant) { return fleet.nodesInOrder(); }));
}

std::vector<PoolFacts> FactsReader::pools() const
{
    return pools(m_fleet.read([](const fleet::Fleet& fleet, Instant) { return fleet.poolsInOrder(); }));
}

std::vector<AppFacts> FactsReader::apps() const
{
    return apps(m_fleet.read([](const fleet::Fleet& fleet, Instant) { return fleet.appsInOrder(); }));
}

} // namespace weir::plane
