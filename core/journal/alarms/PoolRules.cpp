// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/alarms/PoolRules.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

namespace weir::journal {
namespace {

constexpr auto kHold = std::chrono::seconds(30);
/// Facts and their causes come to the journal on two ways; one of them may be this much later.
constexpr auto kCauseWithin = std::chrono::seconds(1);
constexpr double kCapacityMargin = 5;
constexpr std::array kKinds{AlarmKind::PoolDown, AlarmKind::HealthyBelowMin, AlarmKind::PoolCapacityLow, AlarmKind::LastCandidateLost};

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

AlarmKey keyOf(AlarmKind kind, const std::string& pool, const std::string& role)
{
    return {kind, role, pool, {}, {}, {}};
}

bool heldFor(Instant since, Instant now)
{
    return since != Instant::min() && now - since >= kHold;
}

// Begins to count when `holds` begins to hold, and forgets when it does not.
void follow(Instant& since, bool holds, Instant now)
{
    since = !holds ? Instant::min() : since == Instant::min() ? now : since;
}

} // namespace

void PoolRules::judge(const AlarmInput& input, AlarmBook& book)
{
    noteReasons(input);
    if (input.groups) {
        take(*input.groups, input.at, book);
    }
    for (auto& [key, group] : m_groups) {
        judgeDown(key, group, input.at, book);
        judgeMinimum(key, group, input.at, book);
        judgeCapacity(key, group, input.at, book);
        judgeLast(key, group, input.at, book);
    }
}

void PoolRules::take(const std::vector<GroupFacts>& facts, const Moment& at, AlarmBook& book)
{
    std::set<GroupKey> present;
    for (const GroupFacts& now : facts) {
        const GroupKey key{now.pool, now.role};
        Group& group = m_groups[key];
        present.insert(key);
        if (group.facts.candidates > 0 && now.candidates == 0) {
            group.lostAt = at.now;
        } else if (now.candidates > 0) {
            group.lostAt = Instant::min();
        }
        group.hadNodes = group.hadNodes || now.nodes > 0;
        group.facts = now;
    }
    std::erase_if(m_groups, [&](const auto& entry) { return !present.contains(entry.first); });
    for (const AlarmKind kind : kKinds) {
        for (const AlarmKey& key : book.openOf(kind)) {
            if (key.poolId != kManyNames && !present.contains({key.poolId, key.role})) {
                book.resolve(key, at, "The pool is gone, or has nothing of that role any more.");
            }
        }
    }
}

// What may have taken a pool's last candidate, in the words of whoever has to undo it.
void PoolRules::noteReasons(const AlarmInput& input)
{
    const auto note = [&](const std::string& pool, const std::string& role, std::string reason) {
        if (const auto found = m_groups.find({pool, role}); found != m_groups.end()) {
            found->second.reasonAt = input.at.now;
            found->second.reason = std::move(reason);
        }
    };
    for (const RotationChange& change : input.rotations) {
        if (change.online) {
            continue;
        }
        if (change.cause == RotationCause::Passive) {
            note(change.pool, change.role, sentence("the ejection of %1 (%2; cooldown_seconds is %3)", {change.node, change.outcome, number(input.settings.cooldownSeconds)}));
        } else if (change.outcome == "timeout") {
            note(change.pool, change.role,
                sentence("%1 of %2 in a row that had no whole answer after %3 s (timeout_seconds is %3; unhealthy_threshold is %4)",
                    {counted(static_cast<std::size_t>(std::max(input.settings.unhealthyThreshold, 1)), "probe"), change.node, number(input.settings.probeTimeoutSeconds),
                        std::to_string(input.settings.unhealthyThreshold)}));
        } else {
            note(change.pool, change.role,
                sentence("failed probes of %1 (%2; unhealthy_threshold is %3)", {change.node, change.outcome, std::to_string(input.settings.unhealthyThreshold)}));
        }
    }
    for (const Departure& move : input.departures) {
        note(move.fromPool, move.role, sentence("the move of %1 to %2 by %3", {move.node, move.toPool, move.actor}));
    }
}

void PoolRules::judgeDown(const GroupKey& key, const Group& group, const Moment& at, AlarmBook& book)
{
    const auto& [pool, role] = key;
    const AlarmKey alarm = keyOf(AlarmKind::PoolDown, pool, role);
    const GroupFacts& facts = group.facts;
    if (facts.resolvedTo && facts.nodes > 0 && facts.available == 0) {
        book.ensure({alarm, sentence("None of the %1 of %2 is available.", {counted(facts.nodes, role), pool}), {}, 1, true, {}}, at);
    } else if (facts.available > 0) {
        book.resolve(alarm, at, sentence("%1 is available in %2.", {counted(facts.available, role), pool}));
    } else if (facts.nodes == 0 || !facts.resolvedTo) {
        book.resolve(alarm, at, facts.nodes == 0 ? "The pool has no node of the role any more." : "No app resolves to the pool any more.");
    }
}

void PoolRules::judgeMinimum(const GroupKey& key, Group& group, const Moment& at, AlarmBook& book)
{
    const auto& [pool, role] = key;
    const AlarmKey alarm = keyOf(AlarmKind::HealthyBelowMin, pool, role);
    const GroupFacts& facts = group.facts;
    const bool relevant = facts.nodes > 0 || group.hadNodes || book.isOpen(alarm);
    const bool below = relevant && facts.minAvailable > 0 && facts.available < static_cast<std::size_t>(facts.minAvailable);
    follow(group.staffedSince, !below, at.now);
    if (below) {
        book.ensure({alarm, sentence("%1 has %2 available; min_available is %3.", {pool, counted(facts.available, role), std::to_string(facts.minAvailable)}), {}, 1, true, {}}, at);
    } else if (heldFor(group.staffedSince, at.now)) {
        book.resolve(alarm, at, sentence("%1 has had enough for 30 s.", {pool}));
    }
}

// Without an available node there is no share to speak of: then pool_down says it.
void PoolRules::judgeCapacity(const GroupKey& key, Group& group, const Moment& at, AlarmBook& book)
{
    const auto& [pool, role] = key;
    const AlarmKey alarm = keyOf(AlarmKind::PoolCapacityLow, pool, role);
    const GroupFacts& facts = group.facts;
    const bool judged = facts.available > 0 && facts.availableCapacity > 0;
    const double share = judged ? 100.0 * static_cast<double>(facts.candidateFree) / static_cast<double>(facts.availableCapacity) : 0;
    const bool off = facts.capacityAlarmPercent <= 0;
    follow(group.lowSince, !off && judged && share < facts.capacityAlarmPercent, at.now);
    follow(group.enoughSince, off || (judged && share > facts.capacityAlarmPercent + kCapacityMargin), at.now);
    if (heldFor(group.lowSince, at.now)) {
        book.ensure({alarm, sentence("%1 has %2 of %3 free for the role %4, which is under %5 %%.",
                                {pool, std::to_string(facts.candidateFree), std::to_string(facts.availableCapacity), role, number(facts.capacityAlarmPercent)}), {}, 1, true, {}}, at);
    } else if (off || heldFor(group.enoughSince, at.now)) {
        book.resolve(alarm, at, off ? "The alarm is switched off for the pool." : "There has been room for 30 s.");
    }
}

void PoolRules::judgeLast(const GroupKey& key, Group& group, const Moment& at, AlarmBook& book)
{
    const auto& [pool, role] = key;
    const AlarmKey alarm = keyOf(AlarmKind::LastCandidateLost, pool, role);
    const GroupFacts& facts = group.facts;
    if (facts.candidates > 0 || !facts.resolvedTo) {
        book.resolve(alarm, at, facts.candidates > 0 ? "A candidate is there again." : "No app resolves to the pool any more.");
        group.lostAt = Instant::min();
        return;
    }
    if (group.lostAt == Instant::min()) {
        return;
    }
    const bool known = group.reasonAt != Instant::min() && group.reasonAt >= group.lostAt - kCauseWithin;
    if (known) {
        book.raise({alarm, sentence("The last %1 of %2 that could be chosen was lost by %3.", {role, pool, group.reason}), {}, 1, true, {}}, at);
        group.lostAt = Instant::min();
    } else if (at.now - group.lostAt >= kCauseWithin) {
        group.lostAt = Instant::min(); // full, drained, disconnected: other alarms' business
    }
}

} // namespace weir::journal
