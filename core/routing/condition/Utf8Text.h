// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::routing {

/// A character of a text in UTF-8.
struct CodePoint {
    std::uint32_t value = 0;
    std::string_view text; ///< its bytes; empty where they are not well-formed
};

/// The character that begins at byte `at`: strict (no overlong form, no surrogate, nothing above U+10FFFF).
[[nodiscard]] CodePoint codePointAt(std::string_view text, std::size_t at) noexcept;

/// Writes a character to `out` (four bytes of room); returns how many it took. U+FFFD for what is none.
std::size_t writeUtf8(std::uint32_t codePoint, char* out) noexcept;

/// Simple upper and lower casing of Unicode 14, character by character; bytes that are not UTF-8 stay as they are. Writes to
/// `out`, which needs room for casedRoom(text.size()) bytes, and returns how many it took.
std::size_t toUpper(std::string_view text, char* out) noexcept;
std::size_t toLower(std::string_view text, char* out) noexcept;

/// A two-byte character may become one of three bytes; no other grows.
[[nodiscard]] constexpr std::size_t casedRoom(std::size_t bytes) noexcept
{
    return bytes + bytes / 2 + 1;
}

} // namespace weir::routing
