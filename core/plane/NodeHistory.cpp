// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/NodeHistory.h"

#include <algorithm>

namespace weir::plane {

NodeHistory::Entry& NodeHistory::entryOf(NodeHandle node)
{
    if (node.value() >= m_entries.size()) {
        m_entries.resize(node.value() + 1);
    }
    return m_entries[node.value()];
}

void NodeHistory::addProbe(NodeHandle node, const ProbeRecord& record)
{
    const std::scoped_lock lock(m_mutex);
    entryOf(node).probes.add(record, m_words);
}

void NodeHistory::addEjection(NodeHandle node, Instant at, WallTime wall)
{
    const std::scoped_lock lock(m_mutex);
    std::unique_ptr<Rotations>& rotations = entryOf(node).rotations;
    if (!rotations) {
        rotations = std::make_unique<Rotations>();
    }
    rotations->ejections.add(at);
    rotations->lastEjection = wall;
}

void NodeHistory::addRevival(NodeHandle node, Instant at)
{
    const std::scoped_lock lock(m_mutex);
    if (Entry& entry = entryOf(node); entry.rotations) {
        entry.rotations->revivals.add(at);
    }
}

void NodeHistory::forget(NodeHandle node)
{
    const std::scoped_lock lock(m_mutex);
    if (node.value() < m_entries.size()) {
        m_entries[node.value()].probes.clear(m_words);
        m_entries[node.value()].rotations.reset();
    }
}

std::vector<ProbeRecord> NodeHistory::probes(NodeHandle node, std::size_t limit) const
{
    std::vector<ProbeRecord> records;
    const std::scoped_lock lock(m_mutex);
    if (node.value() < m_entries.size()) {
        const ProbeLog& log = m_entries[node.value()].probes;
        for (std::size_t age = 0; age < std::min(limit, log.size()); ++age) {
            records.push_back(log.at(age, m_words));
        }
    }
    return records;
}

void NodeHistory::fill(NodeFacts& facts, Instant now) const
{
    const std::scoped_lock lock(m_mutex);
    if (facts.handle.value() >= m_entries.size()) {
        return;
    }
    const Entry& entry = m_entries[facts.handle.value()];
    if (entry.probes.size() > 0) {
        facts.lastProbe = entry.probes.at(0, m_words);
    }
    if (entry.rotations) {
        facts.flaps1h = entry.rotations->revivals.total(now);
        facts.ejections1h = entry.rotations->ejections.total(now);
        facts.lastEjection = entry.rotations->lastEjection;
    }
}

} // namespace weir::plane
