// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/alarms/PlaneRules.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace weir::journal {
namespace {

constexpr std::size_t kSeveralPools = 2;
constexpr auto kUnreachableFor = std::chrono::seconds(60);
constexpr std::uint64_t kRefusals = 3;
constexpr auto kRefusalWindow = std::chrono::minutes(5);
constexpr auto kRefusalQuiet = std::chrono::minutes(15);
constexpr std::size_t kOriginsKept = 10'000;

AlarmKey planeKey(AlarmKind kind)
{
    return {kind, {}, {}, {}, {}, {}};
}

} // namespace

void IsolationRule::judge(const AlarmInput& input, AlarmBook& book)
{
    if (!input.probes) {
        return;
    }
    std::vector<std::string> pools;
    std::size_t nodes = 0;
    std::size_t lately = 0;
    std::size_t failed = 0;
    for (const PoolProbes& pool : *input.probes) {
        nodes += pool.nodes;
        lately += pool.failedHereLately;
        failed += pool.failedHere;
        if (pool.failedHereLately * 2 > pool.nodes) {
            pools.push_back(pool.pool);
        }
    }
    const AlarmKey key = planeKey(AlarmKind::ControlPlaneIsolated);
    if (pools.size() >= kSeveralPools && lately * 2 > nodes) {
        book.ensure({key, sentence("Weir itself seems cut off: probes of %1 of %2 in %3 fail with errors of this machine's network.",
                             {std::to_string(lately), counted(nodes, "node"), listed(pools, 5)}), {}, 1, true, {}}, input.at);
    } else if (failed * 2 <= nodes) {
        book.resolve(key, input.at, "Probes leave this machine again.");
    }
}

void StallRule::judge(const AlarmInput& input, AlarmBook& book)
{
    if (!input.stalled) {
        return;
    }
    const AlarmKey key = planeKey(AlarmKind::ProbeStalled);
    const std::vector<std::string>& stalled = *input.stalled;
    const std::size_t more = stalled.size() > m_known ? stalled.size() - m_known : 0;
    m_known = stalled.size();
    if (stalled.empty()) {
        book.resolve(key, input.at, "Probes end again.");
    } else if (more > 0) {
        book.raise({key, sentence("No probe of %1 has ended for three intervals.", {listed(stalled)}), {}, more, true, {}}, input.at);
    }
}

void ReachabilityRule::judge(const AlarmInput& input, AlarmBook& book)
{
    if (input.unreachable) {
        m_latest = *input.unreachable;
        const bool any = m_latest.starvedApps > 0 || m_latest.strandedNodes > 0;
        m_since = !any ? Instant::min() : m_since == Instant::min() ? input.at.now : m_since;
    }
    const AlarmKey key = planeKey(AlarmKind::AppsUnreachable);
    if (m_since == Instant::min()) {
        if (input.unreachable) {
            book.resolve(key, input.at, "Every app can be served, and no node is stranded.");
        }
    } else if (input.at.now - m_since >= kUnreachableFor) {
        const std::string text = sentence("%1 cannot be served and %2 stranded for 60 s. %3", {counted(m_latest.starvedApps, "app"),
            sentence(m_latest.strandedNodes == 1 ? "%1 is" : "%1 are", {counted(m_latest.strandedNodes, "healthy node")}), m_latest.sentence});
        book.ensure({key, text, {}, 1, true, {}}, input.at);
    }
}

void RegistrationRule::judge(const AlarmInput& input, AlarmBook& book)
{
    for (const RegistrationRefusal& refusal : input.registrations) {
        AlarmKey key = planeKey(AlarmKind::RegistrationRefused);
        (refusal.nodeId.empty() ? key.address : key.nodeId) = refusal.nodeId.empty() ? refusal.address : refusal.nodeId;
        if (!m_origins.contains(key) && m_origins.size() >= kOriginsKept) {
            key.nodeId.clear();
            key.address = kManyNames;
        }
        auto& refusals = m_origins[key].refusals;
        refusals.emplace_back(input.at.now, refusal.times);
        while (refusals.size() > kRefusals || input.at.now - refusals.front().first > kRefusalWindow) {
            refusals.pop_front();
        }
        const std::uint64_t total = std::accumulate(refusals.begin(), refusals.end(), std::uint64_t{0}, [](std::uint64_t sum, const auto& one) { return sum + one.second; });
        if (book.isOpen(book.keyFor(key, true)) || total >= kRefusals) {
            const std::uint64_t times = book.isOpen(book.keyFor(key, true)) ? refusal.times : total;
            book.raise({key, refusal.sentence, {}, times, true, {}}, input.at);
        }
    }
    std::erase_if(m_origins, [&](const auto& entry) { return input.at.now - entry.second.refusals.back().first > kRefusalWindow; });
    for (const AlarmKey& key : book.openOf(AlarmKind::RegistrationRefused)) {
        if (book.quietFor(key, input.at.now).value_or(Duration::zero()) >= kRefusalQuiet) {
            book.resolve(key, input.at, "None was refused for 15 minutes.");
        }
    }
}

void StoreRule::judge(const AlarmInput& input, AlarmBook& book)
{
    const AlarmKey key = planeKey(AlarmKind::StoreBehind);
    const std::uint64_t lost = input.lostEvents - m_lostBefore;
    m_lostBefore = input.lostEvents;
    if (lost > 0) {
        book.raise({key, sentence("%1 found no room and were lost.", {counted(lost, "event")}), {}, lost, true, {}}, input.at);
    } else if (input.storeBehind) {
        book.ensure({key, "Events wait longer than 10 s to be written.", {}, 1, true, {}}, input.at);
    } else {
        book.resolve(key, input.at, "Events are written again.");
    }
}

} // namespace weir::journal
