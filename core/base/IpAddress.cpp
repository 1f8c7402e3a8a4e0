// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/IpAddress.h"

#include <algorithm>
#include <charconv>

namespace weir {
namespace {

constexpr std::size_t kGroups = 8;
constexpr std::array<std::uint8_t, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

// Four decimal numbers without leading zeros into `out`.
bool parseDotted(std::string_view text, std::uint8_t* out) noexcept
{
    for (std::size_t part = 0; part < 4; ++part) {
        unsigned value = 0;
        std::size_t digits = 0;
        while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
            if (digits == 3 || (digits == 1 && text.front() == '0')) {
                return false;
            }
            value = value * 10 + static_cast<unsigned>(text[digits] - '0');
            ++digits;
        }
        if (digits == 0 || value > 255) {
            return false;
        }
        out[part] = static_cast<std::uint8_t>(value);
        text.remove_prefix(digits);
        if (part < 3) {
            if (text.empty() || text.front() != '.') {
                return false;
            }
            text.remove_prefix(1);
        }
    }
    return text.empty();
}

int hexDigit(char c) noexcept
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// One group of one to four hexadecimal digits, taken off `text`.
std::optional<unsigned> takeGroup(std::string_view& text) noexcept
{
    unsigned value = 0;
    std::size_t digits = 0;
    while (digits < text.size() && hexDigit(text[digits]) >= 0) {
        if (digits == 4) {
            return std::nullopt;
        }
        value = value * 16 + static_cast<unsigned>(hexDigit(text[digits]));
        ++digits;
    }
    if (digits == 0) {
        return std::nullopt;
    }
    text.remove_prefix(digits);
    return value;
}

struct Groups {
    std::array<std::uint8_t, 16> bytes{};
    std::size_t count = 0; ///< bytes
};

// Groups up to a "::" or the end, the last one possibly dotted. False on bad text; `text` then begins with what stopped it.
bool takeGroups(std::string_view& text, Groups& groups, std::size_t room) noexcept
{
    while (!text.empty()) {
        const std::size_t end = text.find(':');
        if (end == std::string_view::npos && text.find('.') != std::string_view::npos) {
            if (groups.count + 4 > room || !parseDotted(text, groups.bytes.data() + groups.count)) {
                return false;
            }
            groups.count += 4;
            text = {};
            return true;
        }
        const std::optional<unsigned> group = takeGroup(text);
        if (!group || groups.count + 2 > room) {
            return false;
        }
        groups.bytes[groups.count++] = static_cast<std::uint8_t>(*group >> 8);
        groups.bytes[groups.count++] = static_cast<std::uint8_t>(*group & 0xff);
        if (text.empty() || text.starts_with("::")) {
            return true;
        }
        if (text.front() != ':' || text.size() == 1) {
            return false;
        }
        text.remove_prefix(1);
    }
    return true;
}

std::optional<IpAddress> parseV6(std::string_view text) noexcept
{
    Groups head;
    if (!text.starts_with("::") && !takeGroups(text, head, 16)) {
        return std::nullopt;
    }
    IpAddress::Bytes bytes{};
    std::copy_n(head.bytes.begin(), head.count, bytes.begin());
    if (text.empty()) {
        return head.count == 16 ? std::optional(IpAddress(bytes)) : std::nullopt;
    }
    text.remove_prefix(2); // "::" stands for one group at least
    Groups tail;
    if (head.count > 14 || !takeGroups(text, tail, 14 - head.count) || !text.empty()) {
        return std::nullopt;
    }
    std::copy_n(tail.bytes.begin(), tail.count, bytes.end() - static_cast<std::ptrdiff_t>(tail.count));
    return IpAddress(bytes);
}

// First group and length of the run of zero groups that "::" replaces: the longest, the first of equals, two at least.
std::pair<std::size_t, std::size_t> zeroRun(const std::array<unsigned, kGroups>& groups) noexcept
{
    std::pair<std::size_t, std::size_t> best{kGroups, 1};
    for (std::size_t i = 0; i < kGroups;) {
        std::size_t length = 0;
        while (i + length < kGroups && groups[i + length] == 0) {
            ++length;
        }
        if (length > best.second) {
            best = {i, length};
        }
        i += std::max<std::size_t>(length, 1);
    }
    return best;
}

} // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) noexcept
{
    if (text.find(':') != std::string_view::npos) {
        return parseV6(text);
    }
    std::array<std::uint8_t, 4> parts{};
    if (!parseDotted(text, parts.data())) {
        return std::nullopt;
    }
    return v4(parts[0], parts[1], parts[2], parts[3]);
}

IpAddress IpAddress::v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) noexcept
{
    return IpAddress(Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d});
}

bool IpAddress::isV4() const noexcept
{
    return std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), m_bytes.begin());
}

std::string_view IpAddress::text(Buffer& buffer) const noexcept
{
    char* out = buffer.data();
    char* const end = buffer.data() + buffer.size();
    if (isV4()) {
        for (std::size_t i = 12; i < 16; ++i) {
            if (i > 12) {
                *out++ = '.';
            }
            out = std::to_chars(out, end, static_cast<unsigned>(m_bytes[i])).ptr;
        }
        return {buffer.data(), static_cast<std::size_t>(out - buffer.data())};
    }
    std::array<unsigned, kGroups> groups{};
    for (std::size_t i = 0; i < kGroups; ++i) {
        groups[i] = static_cast<unsigned>(m_bytes[2 * i]) << 8 | m_bytes[2 * i + 1];
    }
    const auto [first, length] = zeroRun(groups);
    for (std::size_t i = 0; i < kGroups; ++i) {
        if (i == first) {
            *out++ = ':';
            *out++ = ':';
            i += length - 1;
            continue;
        }
        if (i > 0 && i != first + length) {
            *out++ = ':';
        }
        out = std::to_chars(out, end, groups[i], 16).ptr;
    }
    return {buffer.data(), static_cast<std::size_t>(out - buffer.data())};
}

std::string IpAddress::text() const
{
    Buffer buffer{};
    return std::string(text(buffer));
}

} // namespace weir
