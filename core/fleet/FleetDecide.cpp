// SPDX-License-Identifier: GPL-3.0-or-later
// One decision, from request to answer (fleet.md "One decision").
#include "core/fleet/Fleet.h"

#include <algorithm>

namespace weir::fleet {

// The best candidate of a pool, or nullptr. The heap's top has the most free capacity, so if it has too little, all have.
const CandidateHeap::Entry* Fleet::best(PoolHandle pool, const Request& request) const
{
    const CandidateHeap& heap = m_pools[pool.value()].groups[weir::indexOf(request.role)].heaps[weir::indexOf(request.endpoint)];
    return heap.isEmpty() || heap.top().free < request.need ? nullptr : &heap.top();
}

Decision Fleet::choose(const Request& request, const Resolved& resolved, Instant now) const
{
    Decision decision;
    decision.role = request.role;
    decision.endpoint = request.endpoint;
    decision.need = std::max<std::uint32_t>(1, request.need);
    decision.app = resolved.app;
    decision.appText.assign(request.app);
    decision.primary = resolved.pool;
    decision.at = now;
    if (!isScheduled(request.role)) {
        decision.code = Code::RoleNotScheduled;
        return decision;
    }
    if (!resolved.known) {
        decision.code = Code::UnknownApp;
        return decision;
    }
    const CandidateHeap::Entry* entry = best(resolved.pool, request);
    decision.pool = resolved.pool;
    if (entry == nullptr && resolved.allowFallback && resolved.pool != defaultPool()) {
        decision.fallbackTried = true;
        entry = best(defaultPool(), request);
        if (entry != nullptr) {
            decision.fallback = true;
            decision.pool = defaultPool();
        }
    }
    if (entry != nullptr) {
        decision.code = Code::Ok;
        decision.node = NodeHandle(entry->node);
    }
    return decision;
}

void Fleet::place(Decision& decision, Instant now)
{
    if (m_reservations.isFull()) {
        endReservation(m_reservations.oldest());
        ++m_counters.reservationsExpired;
    }
    decision.placement = m_reservations.takeNumber();
    if (!m_settings.reservations) {
        return;
    }
    NodeCore& core = m_cores[decision.node.value()];
    m_reservations.add(decision.placement, decision.node, decision.need, now, core.reservations);
    core.reserved += decision.need;
    groupOf(core).pending += decision.need;
    setFree(decision.node);
}

void Fleet::remember(const Decision& decision)
{
    m_recent[m_recentCount++ % kRecentDecisions] = decision;
}

void Fleet::watchPlacement(Role role, std::string_view app)
{
    auto& refused = m_refusedApps[weir::indexOf(role)];
    if (!refused.contains(app) && refused.size() < kMostRefusedApps) {
        refused.emplace(app);
    }
}

void Fleet::placedAgain(const Decision& decision, Instant now)
{
    auto& refused = m_refusedApps[weir::indexOf(decision.role)];
    const auto found = refused.find(decision.appText.view());
    if (found == refused.end()) {
        return;
    }
    refused.erase(found);
    FleetChange change;
    change.kind = ChangeKind::PlacedAgain;
    change.at = now;
    change.role = decision.role;
    change.pool = decision.primary;
    change.node = decision.node;
    change.app = decision.appText;
    m_sink.changed(change);
}

Decision Fleet::decide(const Request& request, Instant now)
{
    advance(now);
    const Resolved resolved = resolveText(request.app);
    Decision decision = choose(request, resolved, now);
    if (decision.code == Code::RoleNotScheduled || decision.code == Code::UnknownApp) {
        return decision;
    }
    const std::size_t role = weir::indexOf(request.role);
    if (resolved.app.isValid()) {
        App& app = m_apps[resolved.app.value()];
        if (app.lastAsked[role] == Instant::min()) {
            touch(resolved.app);
        }
        app.lastAsked[role] = now;
    }
    if (decision.code == Code::Ok) {
        place(decision, now);
        ++m_counters.chosen[role];
        if (!decision.fallback && !m_refusedApps[role].empty()) {
            placedAgain(decision, now);
        }
    } else {
        ++m_counters.refused[role];
        watchPlacement(request.role, request.app);
    }
    if (decision.code != Code::Ok || decision.fallback) {
        FleetChange change;
        change.kind = decision.fallback ? ChangeKind::PoolFallback : ChangeKind::PoolExhausted;
        change.at = now;
        change.role = request.role;
        change.pool = resolved.pool;
        change.node = decision.node;
        change.app = decision.appText;
        if (decision.fallbackTried && !decision.fallback) {
            change.text.assign("default had none either");
        }
        m_counters.fallback[role] += decision.fallback ? 1 : 0;
        m_sink.changed(change);
    }
    remember(decision);
    return decision;
}

Decision Fleet::preview(const Request& request, Instant now) const
{
    return choose(request, resolveText(request.app), now);
}

std::vector<NodeHandle> Fleet::ranking(const Request& request, std::size_t limit, Instant now) const
{
    const Decision decision = preview(request, now);
    if (decision.code != Code::Ok) {
        return {};
    }
    const Group& group = m_pools[decision.pool.value()].groups[weir::indexOf(request.role)];
    std::vector<CandidateHeap::Entry> entries = group.heaps[weir::indexOf(request.endpoint)].entries();
    std::erase_if(entries, [&](const CandidateHeap::Entry& entry) { return entry.free < decision.need; });
    const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(limit, entries.size()));
    std::partial_sort(entries.begin(), end, entries.end(), [](const CandidateHeap::Entry& a, const CandidateHeap::Entry& b) { return a.beats(b); });
    std::vector<NodeHandle> nodes;
    nodes.reserve(static_cast<std::size_t>(end - entries.begin()));
    std::for_each(entries.begin(), end, [&](const CandidateHeap::Entry& entry) { nodes.emplace_back(entry.node); });
    return nodes;
}

bool Fleet::release(std::uint64_t placement, Instant now)
{
    advance(now);
    if (m_reservations.find(placement) == nullptr) {
        return false;
    }
    endReservation(placement);
    return true;
}

std::vector<Decision> Fleet::recentDecisions() const
{
    std::vector<Decision> decisions;
    const std::size_t count = std::min(m_recentCount, kRecentDecisions);
    decisions.reserve(count);
    for (std::size_t i = m_recentCount - count; i < m_recentCount; ++i) {
        decisions.push_back(m_recent[i % kRecentDecisions]);
    }
    return decisions;
}

} // namespace weir::fleet
