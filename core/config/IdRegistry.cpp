// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/IdRegistry.h"

#include "core/base/Ids.h"
#include "core/base/NearestName.h"

#include <algorithm>

namespace weir::config {

IdRegistry::IdRegistry(const std::set<std::string>& known) : m_known(known)
{
    for (const std::string& id : known) {
        m_knownFolded.emplace(foldCase(id), id);
    }
}

bool IdRegistry::declare(IssueCollector& issues, const JsonNode& node, const std::string& id, const std::string& path)
{
    const std::string folded = foldCase(id);
    const auto [place, isNew] = m_declared.try_emplace(folded, Declared{id, path, node.begin});
    if (!isNew) {
        const Declared& first = place->second;
        const std::string where = " " + first.path + " (" + issues.placeOf(first.offset) + ")";
        issues.error(node, path, "duplicate_id",
            first.id == id ? "given already by" + where : "differs only in case from \"" + first.id + "\" of" + where);
        return false;
    }
    if (m_known.contains(id)) {
        return true;
    }
    if (const auto stored = m_knownFolded.find(folded); stored != m_knownFolded.end()) {
        issues.error(node, path, "duplicate_id", "differs only in case from \"" + stored->second + "\", which exists already");
        return false;
    }
    return true;
}

bool IdRegistry::contains(const std::string& id) const
{
    if (m_known.contains(id)) {
        return true;
    }
    const auto declared = m_declared.find(foldCase(id));
    return declared != m_declared.end() && declared->second.id == id;
}

std::string IdRegistry::nearest(const std::string& id, const std::vector<std::string>& others)
{
    if (++m_suggestions > kMaxSuggestions) {
        return {};
    }
    std::vector<std::string> names = others;
    for (const auto& [folded, declared] : m_declared) {
        names.push_back(declared.id);
    }
    names.insert(names.end(), m_known.begin(), m_known.end());
    // The map has no order of its own, and the answer must not change from run to run.
    std::sort(names.begin(), names.end());
    return nearestName(id, names);
}

} // namespace weir::config
