// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/Message.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace weir::http {

namespace detail {

constexpr std::array<bool, 256> makeValueTable()
{
    std::array<bool, 256> table{};
    for (std::size_t c = 0; c < table.size(); ++c) {
        table[c] = c == '\t' || (c >= 0x20 && c != 0x7F);
    }
    return table;
}

inline constexpr auto kValueTable = makeValueTable();

} // namespace detail

/// RFC 9110 `token`: a method or the name of a header.
[[nodiscard]] inline bool isToken(std::string_view text) noexcept
{
    return !text.empty() && std::all_of(text.begin(), text.end(), isTokenCharacter);
}

/// What the value of a header may hold: no control character but the tab.
[[nodiscard]] inline bool isFieldValue(std::string_view text) noexcept
{
    return std::all_of(text.begin(), text.end(), [](char c) { return detail::kValueTable[static_cast<unsigned char>(c)]; });
}

/// Also true of an empty text.
[[nodiscard]] inline bool isDigits(std::string_view text) noexcept
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace weir::http
