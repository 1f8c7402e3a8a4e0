// SPDX-License-Identifier: GPL-3.0-or-later
// What a move would do, before it is made (fleet.md "Moves").
#include "core/fleet/Fleet.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <string_view>

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

/// Worst first, then by app and role.
bool isWorse(const AppImpact& a, const AppImpact& b)
{
    const auto badness = [](const AppImpact& impact) {
        const bool worse = impact.after.verdict > impact.before.verdict;
        return static_cast<int>(impact.after.verdict) * 4 + (worse ? 2 : 0) + (impact.hasTraffic ? 1 : 0);
    };
    return std::tuple(-badness(a), std::string_view(a.app), a.role) < std::tuple(-badness(b), std::string_view(b.app), b.role);
}

std::size_t plus(std::size_t count, std::int64_t delta)
{
    return static_cast<std::size_t>(static_cast<std::int64_t>(count) + delta);
}

/// Works out one impact; reads the fleet and changes nothing.
class MovePreview {
public:
    MovePreview(const Fleet& fleet, std::span<const Move> moves, Instant now)
        : m_fleet(fleet)
        , m_moves(moves)
        , m_now(now)
    {
    }

    Impact impact()
    {
        for (const Move& move : m_moves) {
            if (m_fleet.core(move.node).pool != move.to && m_seen.insert(move.node).second) { // named twice: the first one counts
                addMove(move);
            }
        }
        addPools();
        std::vector<AppImpact> rows = appRows();
        m_impact.token = tokenOver(rows);
        std::sort(rows.begin(), rows.end(), isWorse);
        m_impact.moreApps = rows.size() > Impact::kMostNames ? rows.size() - Impact::kMostNames : 0;
        rows.resize(std::min(rows.size(), Impact::kMostNames));
        m_impact.apps = std::move(rows);
        addStranded();
        m_impact.tier = tier();
        return std::move(m_impact);
    }

private:
    [[nodiscard]] const std::string& idOf(NodeHandle node) const { return m_fleet.node(node).spec.id.text(); }
    [[nodiscard]] const std::string& idOf(PoolHandle pool) const { return m_fleet.pool(pool).spec.id.text(); }
    [[nodiscard]] Delta deltaOf(PoolHandle pool, Role role) const
    {
        const auto at = m_deltas.find({pool, role});
        return at == m_deltas.end() ? Delta{} : at->second;
    }

    void addMove(const Move& move);
    void addPools();
    [[nodiscard]] std::vector<AppHandle> affectedApps() const;
    [[nodiscard]] std::vector<AppImpact> appRows();
    [[nodiscard]] AppImpact rowOf(const App& app, Role role) const;
    std::uint64_t tokenOver(std::vector<AppImpact>& rows) const;
    void addStranded();
    [[nodiscard]] Tier tier() const;

    const Fleet& m_fleet;
    std::span<const Move> m_moves;
    Instant m_now;
    Impact m_impact;
    std::map<GroupKey, Delta> m_deltas;
    std::set<NodeHandle> m_seen;
    std::set<Role> m_roles;
    std::set<PoolHandle> m_touched;
    std::map<PoolHandle, std::vector<NodeHandle>> m_arriving; ///< healthy ones, by target
    bool m_crossesOwners = false;
    bool m_anyCandidate = false;
    bool m_leavesTooFew = false; ///< a pool is left with one candidate or none
    bool m_outage = false;       ///< an app with traffic would newly fail closed
};

void MovePreview::addMove(const Move& move)
{
    const NodeCore& core = m_fleet.core(move.node);
    ++m_impact.movedNodes;
    m_impact.streams += m_fleet.streams().countOn(move.node);
    if (!isScheduled(core.role)) {
        m_impact.withoutEffect.push_back(idOf(move.node));
        return;
    }
    m_roles.insert(core.role);
    m_touched.insert({core.pool, move.to});
    Delta& from = m_deltas[{core.pool, core.role}];
    Delta& to = m_deltas[{move.to, core.role}];
    if (core.reasons[0] == Reason::None) {
        m_anyCandidate = true;
        --from.candidates;
        ++to.candidates;
        from.free -= core.free;
        to.free += core.free;
    }
    if (core.countedHealthy) {
        m_arriving[move.to].push_back(move.node);
    }
    const PoolKind source = m_fleet.pool(core.pool).kind;
    const PoolKind target = m_fleet.pool(move.to).kind;
    const auto sharedOrOwned = [](PoolKind kind) { return kind == PoolKind::User || kind == PoolKind::Default; };
    m_crossesOwners = m_crossesOwners || (source == PoolKind::User && sharedOrOwned(target)) || (target == PoolKind::User && sharedOrOwned(source));
}

void MovePreview::addPools()
{
    for (const auto& [key, delta] : m_deltas) {
        const Group& group = m_fleet.pool(key.first).groups[weir::indexOf(key.second)];
        PoolImpact row{idOf(key.first), key.second, group.candidates(), plus(group.candidates(), delta.candidates), group.candidateFree,
            group.candidateFree + delta.free};
        m_leavesTooFew = m_leavesTooFew || (delta.candidates < 0 && row.candidatesAfter <= 1 && key.first != m_fleet.unassignedPool());
        m_impact.pools.push_back(std::move(row));
    }
}

// Apps whose own pool changes, and those that would fall back to a `default` that changes.
std::vector<AppHandle> MovePreview::affectedApps() const
{
    std::vector<AppHandle> apps;
    for (const PoolHandle pool : m_touched) {
        const std::vector<AppHandle>& own = m_fleet.pool(pool).apps;
        apps.insert(apps.end(), own.begin(), own.end());
    }
    if (m_touched.contains(m_fleet.defaultPool())) {
        for (const AppHandle handle : m_fleet.appsInOrder()) {
            const App& app = m_fleet.app(handle);
            if (app.allowFallback && !m_touched.contains(app.pool)) {
                apps.push_back(handle);
            }
        }
    }
    return apps;
}

AppImpact MovePreview::rowOf(const App& app, Role role) const
{
    AppImpact row;
    row.app = app.id.text();
    row.role = role;
    row.pool = idOf(app.pool);
    row.before = m_fleet.standing(app, role);
    row.after = row.before;
    const Delta own = deltaOf(app.pool, role);
    row.after.candidates = plus(row.before.candidates, own.candidates);
    row.after.free += own.free;
    const bool mayFallBack = app.allowFallback && app.pool != m_fleet.defaultPool();
    if (mayFallBack) {
        row.after.fallbackCandidates = plus(row.before.fallbackCandidates, deltaOf(m_fleet.defaultPool(), role).candidates);
    }
    row.after.verdict = verdictOf(static_cast<std::int64_t>(row.after.candidates), mayFallBack, static_cast<std::int64_t>(row.after.fallbackCandidates));
    const Instant asked = app.lastAsked[weir::indexOf(role)];
    row.hasTraffic = asked != Instant::min() && m_now - asked <= kTrafficWindow;
    return row;
}

std::vector<AppImpact> MovePreview::appRows()
{
    std::vector<AppImpact> rows;
    for (const AppHandle handle : affectedApps()) {
        const App& app = m_fleet.app(handle);
        bool newlyClosed = false;
        for (const Role role : m_roles) {
            AppImpact row = rowOf(app, role);
            const bool closes = row.after.verdict == Verdict::FailsClosed && row.before.verdict != Verdict::FailsClosed;
            newlyClosed = newlyClosed || closes;
            m_outage = m_outage || (closes && row.hasTraffic);
            rows.push_back(std::move(row));
        }
        if (newlyClosed && ++m_impact.failClosedCount <= Impact::kMostNames) {
            m_impact.failClosed.push_back(app.id.text());
        }
    }
    return rows;
}

// Over the verdicts and the moves. Of traffic it holds one bit, the outage: figures that come and go in between must not refuse a move,
// but nobody may cause an outage who was not shown it.
std::uint64_t MovePreview::tokenOver(std::vector<AppImpact>& rows) const
{
    std::sort(rows.begin(), rows.end(),
        [](const AppImpact& a, const AppImpact& b) { return std::tuple(std::string_view(a.app), a.role) < std::tuple(std::string_view(b.app), b.role); });
    Fingerprint token;
    for (const AppImpact& row : rows) {
        token.add(row.app);
        token.add(weir::indexOf(row.role));
        token.add(static_cast<std::uint64_t>(row.before.verdict) * 3 + static_cast<std::uint64_t>(row.after.verdict));
    }
    for (const Move& move : m_moves) {
        token.add(idOf(move.node));
        token.add(idOf(move.to));
    }
    return (token.value() & ~std::uint64_t{1}) | (m_outage ? 1U : 0U);
}

void MovePreview::addStranded()
{
    for (const auto& [handle, nodes] : m_arriving) {
        const Pool& target = m_fleet.pool(handle);
        const bool meantToBe = target.spec.canary || target.kind == PoolKind::Unassigned
            || (target.kind == PoolKind::Default && m_fleet.settings().admitUnknownApps);
        if (!target.apps.empty() || meantToBe) {
            continue;
        }
        m_impact.strandedCount += nodes.size();
        for (const NodeHandle node : nodes) {
            m_impact.stranded.push_back(idOf(node));
        }
    }
    std::sort(m_impact.stranded.begin(), m_impact.stranded.end());
    m_impact.stranded.resize(std::min(m_impact.stranded.size(), Impact::kMostNames));
}

Tier MovePreview::tier() const
{
    if (m_outage) {
        return Tier::Outage;
    }
    if (!m_anyCandidate) {
        return Tier::None;
    }
    return m_leavesTooFew || m_impact.movedNodes > kSafeNodes || m_crossesOwners ? Tier::Risky : Tier::Safe;
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

Impact Fleet::previewMoves(std::span<const Move> moves, Instant now) const
{
    return MovePreview(*this, moves, now).impact();
}

} // namespace weir::fleet
