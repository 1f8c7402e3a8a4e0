// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::config {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct CodePoint {
    std::uint32_t value = 0;
    std::size_t length = 0; ///< bytes; 0 where they are not well-formed UTF-8
};

[[nodiscard]] constexpr bool isContinuationByte(char c) noexcept
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// The character that begins at byte `at`: strict (no overlong form, no surrogate, nothing above U+10FFFF).
[[nodiscard]] CodePoint codePointAt(std::string_view text, std::size_t at) noexcept;

/// Offset of the first byte that is not well-formed UTF-8; npos: all is well.
[[nodiscard]] std::size_t firstBrokenByte(std::string_view text) noexcept;

/// Appends a code point up to U+10FFFF that is no surrogate.
void appendUtf8(std::string& text, std::uint32_t codePoint);

/// For error messages: at most `limit` characters, then "…"; control and invisible characters as \uXXXX, so that a terminal
/// obeys none of them and a zero-width space can be seen. `text` is well-formed UTF-8.
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 60);

} // namespace weir::config
