// SPDX-License-Identifier: GPL-3.0-or-later
// What a move would do, before it is made (fleet.md "Moves").
#include "core/fleet/Fleet.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace weir::fleet {
namespace {

constexpr auto kTrafficWindow = std::chrono::minutes(5);
constexpr std::size_t kSafeNodes = 5;

using GroupKey = std::pair<PoolHandle, Role>;

struct Delta {
    std::int64_t candidates = 0;
    std::int64_t free = 0;
};

class Fingerprint {
public:
    void add(std::string_view text)
    {
        for (const char c : text) {
            add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
        }
        add(std::uint64_t{0x1F});
    }
    void add(std::uint64_t value)
    {
        m_hash = (m_hash ^ value) * 0x100000001B3ULL; // FNV-1a
    }
    // Kept under 2^53 so that it survives any JSON reader as a number.
    [[nodiscard]] std::uint64_t value() const { return (m_hash ^ (m_hash >> 53)) & ((std::uint64_t{1} << 53) - 1); }

private:
    std::uint64_t m_hash = 0xCBF29CE484222325ULL;
};

Verdict verdictOf(std::int64_t candidates, bool allowFallback, std::int64_t fallbackCandidates)
{
    if (candidates > 0) {
        return Verdict::Ok;
    }
    return allowFallback && fallbackCandidates > 0 ? Verdict::FallsBack : Verdict::FailsClosed;
}

int badness(const AppImpact& impact)
{
    const bool worse = impact.after.verdict > impact.before.verdict;
    return static_cast<int>(impact.after.verdict) * 4 + (worse ? 2 : 0) + (impact.hasTraffic ? 1 : 0);
}

} // namespace

Standing Fleet::standing(const App& app, Role role) const
{
    const Group& group = m_pools[app.pool.value()].groups[weir::indexOf(role)];
    const Group& fallback = m_pools[defaultPool().value()].groups[weir::indexOf(role)];
    Standing standing;
    standing.candidates = group.candidates();
    standing.free = group.candidateFree;
    const bool mayFallBack = app.allowFallback && app.pool != defaultPool();
    standing.fallbackCandidates = mayFallBack ? fallback.candidates() : 0;
    standing.verdict = verdictOf(group.candidates(), mayFallBack, fallback.candidates());
    return standing;
}

// Over the verdicts and the moves alone: traffic that comes and goes in between must not refuse a move.
std::uint64_t Fleet::tokenOver(std::vector<AppImpact>& rows, std::span<const Move> moves) const
{
    std::sort(rows.begin(), rows.end(),
        [](const AppImpact& a, const AppImpact& b) { return std::tuple(std::string_view(a.app), a.role) < std::tuple(std::string_view(b.app), b.role); });
    Fingerprint token;
    for (const AppImpact& row : rows) {
        token.add(row.app);
        token.add(weir::indexOf(row.role));
        token.add(static_cast<std::uint64_t>(row.before.verdict) * 3 + static_cast<std::uint64_t>(row.after.verdict));
    }
    for (const Move& move : moves) {
        token.add(m_nodes[move.node.value()].spec.id.text());
        token.add(m_pools[move.to.value()].spec.id.text());
    }
    return token.value();
}

Impact Fleet::previewMoves(std::span<const Move> moves, Instant now) const
{
    Impact impact;
    std::map<GroupKey, Delta> deltas;
    std::set<NodeHandle> seen;
    std::set<Role> roles;
    std::set<PoolHandle> touched;
    bool crossesOwners = false;
    bool anyCandidate = false;
    std::unordered_map<PoolHandle, std::vector<NodeHandle>> arriving;
    for (const Move& move : moves) {
        const NodeCore& core = m_cores[move.node.value()];
        if (core.pool == move.to || !seen.insert(move.node).second) {
            continue; // named twice: the first one counts
        }
        ++impact.movedNodes;
        if (!isScheduled(core.role)) {
            impact.withoutEffect.push_back(m_nodes[move.node.value()].spec.id.text());
            continue;
        }
        roles.insert(core.role);
        touched.insert({core.pool, move.to});
        const bool candidate = core.reasons[0] == Reason::None;
        anyCandidate = anyCandidate || candidate;
        Delta& from = deltas[{core.pool, core.role}];
        Delta& to = deltas[{move.to, core.role}];
        if (candidate) {
            --from.candidates;
            ++to.candidates;
            from.free -= core.free;
            to.free += core.free;
        }
        if (core.countedHealthy) {
            arriving[move.to].push_back(move.node);
        }
        const Pool& source = m_pools[core.pool.value()];
        const Pool& target = m_pools[move.to.value()];
        const bool sourceOwned = source.kind == PoolKind::User;
        const bool targetOwned = target.kind == PoolKind::User;
        crossesOwners = crossesOwners || (sourceOwned && targetOwned) || (sourceOwned && target.kind == PoolKind::Default)
            || (targetOwned && source.kind == PoolKind::Default);
    }
    const auto deltaOf = [&](PoolHandle pool, Role role) {
        const auto at = deltas.find({pool, role});
        return at == deltas.end() ? Delta{} : at->second;
    };

    bool drops = false;
    for (const auto& [key, delta] : deltas) {
        const Group& group = m_pools[key.first.value()].groups[weir::indexOf(key.second)];
        PoolImpact row{m_pools[key.first.value()].spec.id.text(), key.second, group.candidates(), 0, group.candidateFree, group.candidateFree + delta.free};
        row.candidatesAfter = static_cast<std::size_t>(static_cast<std::int64_t>(group.candidates()) + delta.candidates);
        drops = drops || (delta.candidates < 0 && row.candidatesAfter <= 1 && key.first != unassignedPool());
        impact.pools.push_back(std::move(row));
    }

    // Apps whose own pool changes, and those that would fall back to a `default` that changes.
    std::vector<AppHandle> apps;
    for (const PoolHandle pool : touched) {
        apps.insert(apps.end(), m_pools[pool.value()].apps.begin(), m_pools[pool.value()].apps.end());
    }
    if (touched.contains(defaultPool())) {
        for (std::uint32_t i = 0; i < m_apps.size(); ++i) {
            if (m_apps[i].alive && m_apps[i].allowFallback && !touched.contains(m_apps[i].pool)) {
                apps.push_back(AppHandle(i));
            }
        }
    }
    bool outage = false;
    std::vector<AppImpact> rows;
    for (const AppHandle handle : apps) {
        const App& app = m_apps[handle.value()];
        bool newlyClosed = false;
        for (const Role role : roles) {
            AppImpact row;
            row.app = app.id.text();
            row.role = role;
            row.pool = m_pools[app.pool.value()].spec.id.text();
            row.before = standing(app, role);
            row.after = row.before;
            const Delta own = deltaOf(app.pool, role);
            const Delta shared = deltaOf(defaultPool(), role);
            row.after.candidates = static_cast<std::size_t>(static_cast<std::int64_t>(row.before.candidates) + own.candidates);
            row.after.free += own.free;
            const bool mayFallBack = app.allowFallback && app.pool != defaultPool();
            if (mayFallBack) {
                row.after.fallbackCandidates = static_cast<std::size_t>(static_cast<std::int64_t>(row.before.fallbackCandidates) + shared.candidates);
            }
            row.after.verdict = verdictOf(static_cast<std::int64_t>(row.after.candidates), mayFallBack, static_cast<std::int64_t>(row.after.fallbackCandidates));
            const Instant asked = app.lastAsked[weir::indexOf(role)];
            row.hasTraffic = asked != Instant::min() && now - asked <= kTrafficWindow;
            const bool closes = row.after.verdict == Verdict::FailsClosed && row.before.verdict != Verdict::FailsClosed;
            newlyClosed = newlyClosed || closes;
            outage = outage || (closes && row.hasTraffic);
            rows.push_back(std::move(row));
        }
        if (newlyClosed) {
            ++impact.failClosedCount;
            if (impact.failClosed.size() < Impact::kMostNames) {
                impact.failClosed.push_back(app.id.text());
            }
        }
    }
    const std::uint64_t token = tokenOver(rows, moves);
    std::sort(rows.begin(), rows.end(), [](const AppImpact& a, const AppImpact& b) {
        return std::tuple(-badness(a), std::string_view(a.app), a.role) < std::tuple(-badness(b), std::string_view(b.app), b.role);
    });

    for (auto& [pool, nodes] : arriving) {
        const Pool& target = m_pools[pool.value()];
        const bool meantToBe = target.spec.canary || target.kind == PoolKind::Unassigned || (target.kind == PoolKind::Default && m_settings.admitUnknownApps);
        if (!target.apps.empty() || meantToBe) {
            continue;
        }
        for (const NodeHandle node : nodes) {
            ++impact.strandedCount;
            if (impact.stranded.size() < Impact::kMostNames) {
                impact.stranded.push_back(m_nodes[node.value()].spec.id.text());
            }
        }
    }
    std::sort(impact.stranded.begin(), impact.stranded.end());

    if (outage) {
        impact.tier = Tier::Outage;
    } else if (impact.movedNodes > 0 && anyCandidate && (drops || impact.movedNodes > kSafeNodes || crossesOwners)) {
        impact.tier = Tier::Risky;
    } else if (anyCandidate) {
        impact.tier = Tier::Safe;
    }
    impact.token = token;
    impact.moreApps = rows.size() > Impact::kMostNames ? rows.size() - Impact::kMostNames : 0;
    rows.resize(std::min(rows.size(), Impact::kMostNames));
    impact.apps = std::move(rows);
    return impact;
}

} // namespace weir::fleet
