// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Message.h"

#include <algorithm>
#include <array>

namespace weir::http {
namespace {

constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr std::array<bool, 256> makeTokenTable()
{
    std::array<bool, 256> table{};
    for (std::size_t c = 0; c < table.size(); ++c) {
        table[c] = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }
    for (const char c : std::string_view("!#$%&'*+-.^_`|~")) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}

constexpr auto kTokenTable = makeTokenTable();

} // namespace

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

bool equalsIgnoringCase(std::string_view a, std::string_view b) noexcept
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

bool isTokenCharacter(char c) noexcept
{
    return kTokenTable[static_cast<unsigned char>(c)];
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
