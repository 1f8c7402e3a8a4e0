// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Message.h"

#include <algorithm>

namespace weir::http {
std::string_view Request::header(std::string_view name) const
{
    const auto found =
        std::find_if(headers.begin(), headers.end(), [&](const auto& entry) { return equalsIgnoringCase(entry.first, name); });
    return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<std::string_view> Request::queryValue(std::string_view name) const
{
    const auto found = std::find_if(query.begin(), query.end(), [&](const auto& entry) { return entry.first == name; });
    return found == query.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::string_view trimmed(std::string_view text) noexcept
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isBlank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

} // namespace weir::http
