// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::routing {

/// What a request carries with it: names with texts that modules set and conditions read, and tables of tags. A handful of
/// entries, so both are searched one by one.
class Context {
public:
    /// Sets or replaces.
    void set(std::string_view name, std::string_view value)
    {
        for (auto& [key, text] : m_values) {
            if (key == name) {
                text = value;
                return;
            }
        }
        m_values.emplace_back(name, value);
    }

    [[nodiscard]] std::optional<std::string_view> value(std::string_view name) const noexcept
    {
        for (const auto& [key, text] : m_values) {
            if (key == name) {
                return text;
            }
        }
        return std::nullopt;
    }

    void clear() noexcept
    {
        m_values.clear();
        m_tags.clear();
    }

    void addTag(std::string_view table, std::string_view tag) { m_tags.emplace_back(table, tag); }

    /// True when `table` holds `tag`; what follows the first ':' of a stored tag (its time to live) does not count.
    [[nodiscard]] bool hasTag(std::string_view table, std::string_view tag) const noexcept
    {
        return std::any_of(m_tags.begin(), m_tags.end(), [&](const auto& entry) {
            const std::string_view stored = entry.second;
            return entry.first == table && stored.substr(0, stored.find(':')) == tag;
        });
    }

private:
    std::vector<std::pair<std::string, std::string>> m_values;
    std::vector<std::pair<std::string, std::string>> m_tags; ///< table, tag
};

} // namespace weir::routing
