// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/SectionReader.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weir::config {

/// The ids of one kind: those that exist in the store and those that the file declares. Ids are compared byte by byte and
/// must be unique when case is ignored.
class IdRegistry {
public:
    /// What `known` holds must outlive the registry.
    explicit IdRegistry(const std::set<std::string>& known);

    /// Takes an id that the file declares at `node`; reports one that the file has already, or that differs only in case from
    /// another one, with both places. True: taken.
    bool declare(IssueCollector& issues, const JsonNode& node, const std::string& id, const std::string& path);
    /// Byte by byte.
    [[nodiscard]] bool contains(const std::string& id) const;
    /// The id that `id` was most likely meant to be; empty: none. Stops looking after a hundred questions, since it looks at
    /// every id and a file may be wrong in every line.
    [[nodiscard]] std::string nearest(const std::string& id, const std::vector<std::string>& others = {});

private:
    static constexpr int kMaxSuggestions = 100;

    struct Declared {
        std::string id;
        std::string path;
        std::size_t offset = 0;
    };

    const std::set<std::string>& m_known;
    std::unordered_map<std::string, std::string> m_knownFolded;
    std::unordered_map<std::string, Declared> m_declared; ///< by folded id
    int m_suggestions = 0;
};

} // namespace weir::config
