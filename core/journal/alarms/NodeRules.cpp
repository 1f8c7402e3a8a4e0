// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/alarms/NodeRules.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <set>
#include <vector>

namespace weir::journal {
namespace {

constexpr std::uint64_t kEnoughRequests = 20;
constexpr auto kNoRequests = std::chrono::minutes(5);
constexpr auto kTogether = std::chrono::seconds(10);
constexpr auto kNoFurtherEjection = std::chrono::minutes(5);
constexpr std::size_t kEjectionsKept = 1'000; ///< of one app, within ten seconds
constexpr std::size_t kAppsKept = 10'000;
constexpr std::size_t kChangesKept = 1'000;
constexpr auto kSweep = std::chrono::seconds(10);

AlarmKey nodeKey(AlarmKind kind, const std::string& node)
{
    return {kind, {}, {}, {}, node, {}};
}

} // namespace

void DisagreementRule::judge(const AlarmInput& input, AlarmBook& book)
{
    if (input.outcomes) {
        m_slot = (m_slot + 1) % kIntervals;
        for (auto& [node, buckets] : m_nodes) {
            buckets[m_slot] = OutcomeCounts{};
        }
        for (const OutcomeCounts& latest : *input.outcomes) {
            m_nodes[latest.node][m_slot] = latest;
            judgeNode(latest, input, book);
        }
        std::erase_if(m_nodes, [](const auto& entry) {
            return std::all_of(entry.second.begin(), entry.second.end(), [](const OutcomeCounts& bucket) { return bucket.requests == 0; });
        });
    }
    for (const AlarmKey& key : book.openOf(AlarmKind::HealthDisagrees)) {
        if (book.quietFor(key, input.at.now).value_or(Duration::zero()) >= kNoRequests) {
            book.resolve(key, input.at, "No request failed for five minutes.");
        }
    }
}

void DisagreementRule::judgeNode(const OutcomeCounts& latest, const AlarmInput& input, AlarmBook& book)
{
    OutcomeCounts sum;
    for (const OutcomeCounts& bucket : m_nodes[latest.node]) {
        sum.requests += bucket.requests;
        sum.transport += bucket.transport;
        sum.status += bucket.status;
        sum.semantic += bucket.semantic;
    }
    const AlarmKey key = nodeKey(AlarmKind::HealthDisagrees, latest.node);
    if (book.isOpen(key)) {
        if (!latest.probeOk) {
            book.resolve(key, input.at, "Its probes fail too now.");
        } else if (latest.requests > 0 && latest.failed() == 0) {
            book.resolve(key, input.at, "Every request of the last interval succeeded.");
            m_nodes[latest.node] = Buckets{}; // what was before does not open it again
        } else if (latest.failed() > 0) {
            book.keepAlive(key, input.at);
        }
        return;
    }
    if (latest.probeOk && sum.requests >= kEnoughRequests && sum.failed() * 2 > sum.requests) {
        const std::string text = sentence("The probe of %1 succeeds, and %2 of %3 requests failed: %4 by transport, %5 by status, %6 by their content.",
            {latest.node, std::to_string(sum.failed()), std::to_string(sum.requests), std::to_string(sum.transport), std::to_string(sum.status), std::to_string(sum.semantic)});
        book.raise({key, text, {}, 1, true, {}}, input.at);
    }
}

void FlappingRule::judge(const AlarmInput& input, AlarmBook& book)
{
    for (const RotationChange& change : input.rotations) {
        auto& changes = m_changes[change.node];
        changes.push_back(change.at);
        while (changes.size() > kChangesKept || (!changes.empty() && change.at - changes.front() > input.settings.flapWindow)) {
            changes.pop_front();
        }
        const AlarmKey key = nodeKey(AlarmKind::NodeFlapping, change.node);
        if (book.isOpen(key) || changes.size() >= static_cast<std::size_t>(input.settings.flapTransitions)) {
            const std::string text = sentence("%1 changed its rotation %2 in %3 s.",
                {change.node, counted(changes.size(), "time"), std::to_string(wholeSecondsUp(toSeconds(input.settings.flapWindow)))});
            book.raise({key, text, {}, 1, true, {}}, input.at);
        }
    }
    if (input.at.now - m_swept >= kSweep) { // for the memory only; with thousands of nodes too much for every turn
        m_swept = input.at.now;
        std::erase_if(m_changes, [&](const auto& entry) { return entry.second.empty() || input.at.now - entry.second.back() > input.settings.flapWindow; });
    }
    for (const AlarmKey& key : book.openOf(AlarmKind::NodeFlapping)) {
        if (book.quietFor(key, input.at.now).value_or(Duration::zero()) >= input.settings.flapWindow) {
            book.resolve(key, input.at, "Its rotation has not changed for one window.");
        }
    }
}

void CorrelationRule::judge(const AlarmInput& input, AlarmBook& book)
{
    for (const RotationChange& change : input.rotations) {
        const std::pair<std::string, std::string> group{change.role, change.app};
        if (change.online || change.cause != RotationCause::Passive || change.app.empty() || (!m_ejections.contains(group) && m_ejections.size() >= kAppsKept)) {
            continue;
        }
        auto& ejections = m_ejections[group];
        ejections.push_back({change.at, change.node, change.outcome});
        while (ejections.size() > kEjectionsKept || change.at - ejections.front().at > kTogether) {
            ejections.pop_front();
        }
        std::set<std::string> nodes;
        std::transform(ejections.begin(), ejections.end(), std::inserter(nodes, nodes.end()), [](const Ejection& ejection) { return ejection.node; });
        const AlarmKey key = book.keyFor({AlarmKind::CorrelatedEjection, change.role, {}, change.app, {}, {}}, change.appDeclared);
        if (nodes.size() < 2 && !book.isOpen(key)) {
            continue;
        }
        const std::vector<std::string> names(nodes.begin(), nodes.end());
        const std::string text = nodes.size() < 2
            ? sentence("A request of %1 took %2 out as well (%3).", {change.app, change.node, change.outcome})
            : sentence("Requests of %1 took %2 out within 10 s (last: %3): look at the request, or at what all of them need, before the nodes.",
                {change.app, listed(names), change.outcome});
        book.raise({{AlarmKind::CorrelatedEjection, change.role, {}, change.app, {}, {}}, text, {}, 1, change.appDeclared, {}}, input.at);
    }
    std::erase_if(m_ejections, [&](const auto& entry) { return input.at.now - entry.second.back().at > kTogether; });
    for (const AlarmKey& key : book.openOf(AlarmKind::CorrelatedEjection)) {
        if (book.quietFor(key, input.at.now).value_or(Duration::zero()) >= kNoFurtherEjection) {
            book.resolve(key, input.at, "No further node was ejected for five minutes.");
        }
    }
}

} // namespace weir::journal
