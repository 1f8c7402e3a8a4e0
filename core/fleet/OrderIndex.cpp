// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fleet/OrderIndex.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace weir::fleet {
namespace {

constexpr std::uint64_t kFirst = std::uint64_t{1} << 63;
constexpr std::uint64_t kGap = std::uint64_t{1} << 32;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

} // namespace

std::uint64_t OrderIndex::insert(const std::string& id, NodeHandle node, const Relabelled& relabelled)
{
    const auto [at, added] = m_entries.emplace(id, Entry{node, 0});
    const auto after = std::next(at);
    const bool hasBefore = at != m_entries.begin();
    const bool hasAfter = after != m_entries.end();
    const std::uint64_t low = hasBefore ? std::prev(at)->second.label : 0;
    const std::uint64_t high = hasAfter ? after->second.label : kMax;

    std::uint64_t label = low + std::min((high - low) / 2, kGap); // a run of ascending ids in the middle keeps its room too
    if (!hasBefore && !hasAfter) {
        label = kFirst;
    } else if (!hasAfter && kMax - low > kGap) {
        label = low + kGap; // ids often come in ascending order: leave room instead of halving it
    } else if (!hasBefore && high > kGap) {
        label = high - kGap;
    }
    if (label != low && label != high) {
        at->second.label = label;
        return label;
    }

    const std::uint64_t step = kMax / (m_entries.size() + 1);
    std::uint64_t next = step;
    for (auto& [key, entry] : m_entries) {
        entry.label = next;
        if (entry.node != node) {
            relabelled(entry.node, next);
        }
        next += step;
    }
    return at->second.label;
}

void OrderIndex::erase(std::string_view id)
{
    if (const auto at = m_entries.find(id); at != m_entries.end()) {
        m_entries.erase(at);
    }
}

std::optional<NodeHandle> OrderIndex::find(std::string_view id) const
{
    const auto at = m_entries.find(id);
    return at == m_entries.end() ? std::nullopt : std::optional<NodeHandle>(at->second.node);
}

} // namespace weir::fleet
