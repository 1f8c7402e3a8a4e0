// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace weir::routing {

/// Value of a hexadecimal digit, or -1.
[[nodiscard]] constexpr int hexDigitValue(char c) noexcept
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// The byte that the escape at `text[at]` stands for, or -1 when there is no whole escape.
[[nodiscard]] constexpr int escapedByte(std::string_view text, std::size_t at) noexcept
{
    if (text[at] != '%' || at + 2 >= text.size()) {
        return -1;
    }
    const int high = hexDigitValue(text[at + 1]);
    const int low = hexDigitValue(text[at + 2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/// Appends `text` with its whole escapes decoded; a broken one stays as it is.
inline void appendPercentDecoded(std::string_view text, std::string& out)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (const int byte = escapedByte(text, i); byte >= 0) {
            out.push_back(static_cast<char>(byte));
            i += 2;
        } else {
            out.push_back(text[i]);
        }
    }
}

} // namespace weir::routing
