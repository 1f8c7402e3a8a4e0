// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Utf8Text.h"

#include "core/routing/condition/CaseTables.h"

#include <algorithm>
#include <array>

namespace weir::routing {
namespace {

struct Lead {
    std::size_t length;
    std::uint32_t bits;
    std::uint32_t least; ///< smaller values have a shorter form
};

Lead leadOf(unsigned char byte) noexcept
{
    if (byte >= 0xC2 && byte <= 0xDF) {
        return {2, byte & 0x1FU, 0x80};
    }
    if (byte >= 0xE0 && byte <= 0xEF) {
        return {3, byte & 0x0FU, 0x800};
    }
    if (byte >= 0xF0 && byte <= 0xF4) {
        return {4, byte & 0x07U, 0x10000};
    }
    return {0, 0, 0};
}

template <typename Ascii, typename Map>
std::size_t casedInto(std::string_view text, char* out, Ascii ascii, Map map) noexcept
{
    char* const begin = out;
    for (std::size_t i = 0; i < text.size();) {
        if (static_cast<unsigned char>(text[i]) < 0x80) {
            *out++ = ascii(text[i++]);
            continue;
        }
        const CodePoint point = codePointAt(text, i);
        if (point.text.empty()) {
            *out++ = text[i++];
            continue;
        }
        out += writeUtf8(map(point.value), out);
        i += point.text.size();
    }
    return static_cast<std::size_t>(out - begin);
}

} // namespace

CodePoint codePointAt(std::string_view text, std::size_t at) noexcept
{
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) {
        return {first, text.substr(at, 1)};
    }
    const Lead lead = leadOf(first);
    if (lead.length == 0 || text.size() - at < lead.length) {
        return {};
    }
    std::uint32_t value = lead.bits;
    for (std::size_t i = 1; i < lead.length; ++i) {
        const auto byte = static_cast<unsigned char>(text[at + i]);
        if ((byte & 0xC0U) != 0x80U) {
            return {};
        }
        value = value << 6 | (byte & 0x3FU);
    }
    if (value < lead.least || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
        return {};
    }
    return {value, text.substr(at, lead.length)};
}

std::size_t writeUtf8(std::uint32_t codePoint, char* out) noexcept
{
    const auto continuation = [](std::uint32_t bits) { return static_cast<char>(0x80U | (bits & 0x3FU)); };
    if (codePoint > 0x10FFFF || (codePoint >= 0xD800 && codePoint < 0xE000)) {
        codePoint = 0xFFFD;
    }
    if (codePoint < 0x80) {
        out[0] = static_cast<char>(codePoint);
        return 1;
    }
    if (codePoint < 0x800) {
        out[0] = static_cast<char>(0xC0U | codePoint >> 6);
        out[1] = continuation(codePoint);
        return 2;
    }
    if (codePoint < 0x10000) {
        out[0] = static_cast<char>(0xE0U | codePoint >> 12);
        out[1] = continuation(codePoint >> 6);
        out[2] = continuation(codePoint);
        return 3;
    }
    out[0] = static_cast<char>(0xF0U | codePoint >> 18);
    out[1] = continuation(codePoint >> 12);
    out[2] = continuation(codePoint >> 6);
    out[3] = continuation(codePoint);
    return 4;
}

std::size_t toUpper(std::string_view text, char* out) noexcept
{
    return casedInto(
        text, out, [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }, simpleUpper);
}

std::size_t toLower(std::string_view text, char* out) noexcept
{
    return casedInto(
        text, out, [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }, simpleLower);
}

} // namespace weir::routing
