// SPDX-License-Identifier: GPL-3.0-or-later
// Apps that cannot be served and nodes that nobody reaches (fleet.md "Reachability").
#include "core/fleet/Fleet.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <iterator>

namespace weir::fleet {
namespace {

std::string plural(Role role, std::size_t count)
{
    return std::string(toText(role)) + (count == 1 ? "" : "s");
}

// "0 of 3 origins: 2 quarantined, 1 draining", or "no origins".
std::string whyStarved(const Group& group, Role role)
{
    if (group.nodes == 0) {
        return "no " + plural(role, 2);
    }
    std::string parts;
    for (std::size_t i = 1; i < kReasonCount; ++i) {
        const auto reason = static_cast<Reason>(i);
        if (const std::uint32_t count = group.count(reason); count > 0) {
            parts += (parts.empty() ? ": " : ", ") + std::to_string(count) + " " + (reason == Reason::NoCapacity ? "full" : std::string(toText(reason)));
        }
    }
    return sentence("0 of %1 %2%3", {std::to_string(group.nodes), plural(role, group.nodes), parts});
}

} // namespace

// One sentence for each stranded group, naming the pool where most apps miss that role.
std::string Fleet::strandedSentence(const Reachability& result, const std::vector<std::array<std::size_t, kScheduledRoleCount>>& starvedIn) const
{
    std::string all;
    for (const StrandedGroup& group : result.stranded) {
        std::string text = sentence("%1 healthy %2 %3 in %4, which no app resolves to",
            {std::to_string(group.count), plural(group.role, group.count), group.count == 1 ? "is" : "are", group.pool});
        std::size_t most = 0;
        std::size_t worst = 0;
        for (std::size_t pool = 0; pool < starvedIn.size(); ++pool) {
            if (starvedIn[pool][weir::indexOf(group.role)] > most) {
                most = starvedIn[pool][weir::indexOf(group.role)];
                worst = pool;
            }
        }
        if (most > 0) {
            const bool none = m_pools[worst].groups[weir::indexOf(group.role)].nodes == 0;
            text += sentence("; %1 %2 to %3, which has %4",
                {counted(most, "app"), most == 1 ? "resolves" : "resolve", m_pools[worst].spec.id.text(), none ? "none" : "none available"});
        }
        all += (all.empty() ? "" : " ") + text + ".";
    }
    return all;
}

Reachability Fleet::reachability() const
{
    Reachability result;
    // Starved apps per pool and role, for the sentence.
    std::vector<std::array<std::size_t, kScheduledRoleCount>> starvedIn(m_pools.size());
    for (std::uint32_t poolIndex = 0; poolIndex < m_pools.size(); ++poolIndex) {
        const Pool& pool = m_pools[poolIndex];
        for (const AppHandle handle : pool.apps) {
            const App& app = m_apps[handle.value()];
            ++result.apps;
            bool starved = false;
            const bool asked = app.everAsked();
            for (const Role role : kScheduledRoles) {
                const std::size_t index = weir::indexOf(role);
                const bool used = asked ? app.lastAsked[index] != Instant::min() : m_nodesOfRole[index] > 0;
                if (!used || standing(app, role).verdict != Verdict::FailsClosed) {
                    continue;
                }
                starved = true;
                ++starvedIn[poolIndex][index];
                result.starved.push_back({app.id.text(), role, pool.spec.id.text(), whyStarved(pool.groups[index], role)});
            }
            result.starvedApps += starved ? 1 : 0;
        }
        const bool meantToBe = pool.spec.canary || pool.kind == PoolKind::Unassigned || (pool.kind == PoolKind::Default && m_settings.admitUnknownApps);
        if (!pool.alive || !pool.apps.empty() || meantToBe) {
            continue;
        }
        for (const Role role : kScheduledRoles) {
            const Group& group = pool.groups[weir::indexOf(role)];
            if (group.healthy == 0) {
                continue;
            }
            StrandedGroup stranded{pool.spec.id.text(), role, {}, group.healthy};
            std::vector<NodeHandle> healthy;
            std::copy_if(pool.nodes.begin(), pool.nodes.end(), std::back_inserter(healthy),
                [&](NodeHandle node) { return m_cores[node.value()].role == role && m_cores[node.value()].countedHealthy; });
            const auto end = healthy.begin() + static_cast<std::ptrdiff_t>(std::min(healthy.size(), Impact::kMostNames));
            std::partial_sort(healthy.begin(), end, healthy.end(),
                [this](NodeHandle a, NodeHandle b) { return m_cores[a.value()].order > m_cores[b.value()].order; });
            std::for_each(healthy.begin(), end, [&](NodeHandle node) { stranded.nodes.push_back(m_nodes[node.value()].spec.id.text()); });
            result.strandedNodes += stranded.count;
            result.stranded.push_back(std::move(stranded));
        }
    }
    std::sort(result.starved.begin(), result.starved.end(),
        [](const StarvedApp& a, const StarvedApp& b) { return std::tuple(std::string_view(a.app), a.role) < std::tuple(std::string_view(b.app), b.role); });
    std::sort(result.stranded.begin(), result.stranded.end(),
        [](const StrandedGroup& a, const StrandedGroup& b) { return std::tuple(std::string_view(a.pool), a.role) < std::tuple(std::string_view(b.pool), b.role); });

    result.sentence = strandedSentence(result, starvedIn);
    return result;
}

} // namespace weir::fleet
