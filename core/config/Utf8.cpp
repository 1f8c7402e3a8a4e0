// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/Utf8.h"

#include <array>
#include <cstdio>

namespace weir::config {
namespace {

struct Form {
    std::size_t length;
    std::uint32_t leadBits;
    std::uint32_t least; ///< below this the form is overlong
};

constexpr Form formOf(unsigned char lead)
{
    if (lead < 0x80) {
        return {1, lead, 0};
    }
    if ((lead & 0xE0U) == 0xC0U) {
        return {2, lead & 0x1FU, 0x80};
    }
    if ((lead & 0xF0U) == 0xE0U) {
        return {3, lead & 0x0FU, 0x800};
    }
    if ((lead & 0xF8U) == 0xF0U) {
        return {4, lead & 0x07U, 0x10000};
    }
    return {0, 0, 0};
}

constexpr bool isSurrogate(std::uint32_t value)
{
    return value >= 0xD800 && value <= 0xDFFF;
}

constexpr bool isInvisible(std::uint32_t value)
{
    const auto within = [value](std::uint32_t first, std::uint32_t last) { return value >= first && value <= last; };
    return value < 0x20 || within(0x7F, 0xA0) || value == 0xAD || within(0x200B, 0x200F) || within(0x2028, 0x202E) || within(0x2060, 0x206F)
        || value == 0xFEFF;
}

constexpr char byteOf(std::uint32_t value)
{
    return static_cast<char>(static_cast<unsigned char>(value));
}

} // namespace

CodePoint codePointAt(std::string_view text, std::size_t at) noexcept
{
    if (at >= text.size()) {
        return {};
    }
    const Form form = formOf(static_cast<unsigned char>(text[at]));
    if (form.length == 0 || form.length > text.size() - at) {
        return {};
    }
    std::uint32_t value = form.leadBits;
    for (std::size_t i = 1; i < form.length; ++i) {
        if (!isContinuationByte(text[at + i])) {
            return {};
        }
        value = (value << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    }
    if (value < form.least || value > 0x10FFFF || isSurrogate(value)) {
        return {};
    }
    return {value, form.length};
}

std::size_t firstBrokenByte(std::string_view text) noexcept
{
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint point = codePointAt(text, i);
        if (point.length == 0) {
            return i;
        }
        i += point.length;
    }
    return std::string_view::npos;
}

void appendUtf8(std::string& text, std::uint32_t codePoint)
{
    if (codePoint < 0x80) {
        text += byteOf(codePoint);
    } else if (codePoint < 0x800) {
        text += byteOf(0xC0U | (codePoint >> 6U));
        text += byteOf(0x80U | (codePoint & 0x3FU));
    } else if (codePoint < 0x10000) {
        text += byteOf(0xE0U | (codePoint >> 12U));
        text += byteOf(0x80U | ((codePoint >> 6U) & 0x3FU));
        text += byteOf(0x80U | (codePoint & 0x3FU));
    } else {
        text += byteOf(0xF0U | (codePoint >> 18U));
        text += byteOf(0x80U | ((codePoint >> 12U) & 0x3FU));
        text += byteOf(0x80U | ((codePoint >> 6U) & 0x3FU));
        text += byteOf(0x80U | (codePoint & 0x3FU));
    }
}

std::string printable(std::string_view text, std::size_t limit)
{
    std::string shown;
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++characters) {
        if (characters == limit) {
            return shown + "…";
        }
        const CodePoint point = codePointAt(text, i);
        if (point.length == 0 || isInvisible(point.value)) {
            std::array<char, 16> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04X", point.length == 0 ? 0xFFFDU : point.value);
            shown += escape.data();
        } else {
            shown += text.substr(i, point.length);
        }
        i += point.length == 0 ? 1 : point.length;
    }
    return shown;
}

} // namespace weir::config
