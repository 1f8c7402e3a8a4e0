// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/NodeHistory.h"

#include <algorithm>

namespace weir::plane {

NodeHistory::Entry& NodeHistory::entryOf(NodeHandle node)
{
    std::unique_ptr<Entry>& entry = m_entries[node];
    if (!entry) {
        entry = std::make_unique<Entry>();
    }
    return *entry;
}

void NodeHistory::addProbe(NodeHandle node, ProbeRecord record)
{
    const std::scoped_lock lock(m_mutex);
    Entry& entry = entryOf(node);
    entry.probes.push_front(std::move(record));
    const std::size_t most = m_entries.size() > kLargeFleet ? kProbesOfLargeFleet : kProbes;
    while (entry.probes.size() > most) {
        entry.probes.pop_back();
    }
}

void NodeHistory::addEjection(NodeHandle node, Instant at, WallTime wall)
{
    const std::scoped_lock lock(m_mutex);
    Entry& entry = entryOf(node);
    entry.ejections.add(at);
    entry.lastEjection = wall;
}

void NodeHistory::addRevival(NodeHandle node, Instant at)
{
    const std::scoped_lock lock(m_mutex);
    Entry& entry = entryOf(node);
    if (entry.lastEjection != WallTime{}) {
        entry.revivals.add(at);
    }
}

void NodeHistory::forget(NodeHandle node)
{
    const std::scoped_lock lock(m_mutex);
    m_entries.erase(node);
}

std::vector<ProbeRecord> NodeHistory::probes(NodeHandle node, std::size_t limit) const
{
    const std::scoped_lock lock(m_mutex);
    const auto at = m_entries.find(node);
    if (at == m_entries.end()) {
        return {};
    }
    const std::deque<ProbeRecord>& probes = at->second->probes;
    return {probes.begin(), probes.begin() + static_cast<std::ptrdiff_t>(std::min(limit, probes.size()))};
}

void NodeHistory::fill(NodeFacts& facts, Instant now) const
{
    const std::scoped_lock lock(m_mutex);
    const auto at = m_entries.find(facts.handle);
    if (at == m_entries.end()) {
        return;
    }
    const Entry& entry = *at->second;
    if (!entry.probes.empty()) {
        facts.lastProbe = entry.probes.front();
    }
    facts.flaps1h = entry.revivals.total(now);
    facts.ejections1h = entry.ejections.total(now);
    facts.lastEjection = entry.lastEjection;
}

} // namespace weir::plane
