// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Handles.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace weir::fleet {

/// Node ids in byte order, each with a 64-bit label that sorts the same way, so that the candidate heaps compare numbers and
/// never strings. A new id takes a label between its neighbours; when there is none left, all labels are given out anew.
class OrderIndex {
public:
    /// Called for every node whose label changed by a new numbering.
    using Relabelled = std::function<void(NodeHandle, std::uint64_t label)>;

    /// Adds an id that is not there yet; returns its label.
    std::uint64_t insert(const std::string& id, NodeHandle node, const Relabelled& relabelled);
    void erase(std::string_view id);
    [[nodiscard]] std::optional<NodeHandle> find(std::string_view id) const;
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }

    /// Visits all nodes in byte order of their ids.
    template <typename Visit>
    void forEach(Visit&& visit) const
    {
        for (const auto& [id, entry] : m_entries) {
            visit(entry.node);
        }
    }

private:
    struct Entry {
        NodeHandle node;
        std::uint64_t label = 0;
    };

    std::map<std::string, Entry, std::less<>> m_entries;
};

} // namespace weir::fleet
