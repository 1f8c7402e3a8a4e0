// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/Ids.h"

#include <array>
#include <cstdio>

namespace weir {
namespace {

constexpr std::size_t kMaxLength = 63;
constexpr std::size_t kMaxStreamBytes = 200;

constexpr bool isLower(unsigned char c) { return c >= 'a' && c <= 'z'; }
constexpr bool isUpper(unsigned char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool isDigit(unsigned char c) { return c >= '0' && c <= '9'; }
constexpr bool isMark(unsigned char c) { return c == '.' || c == '_' || c == '-'; }

constexpr std::string_view kAnyCaseRule = "letters, digits, '.', '_' and '-', beginning with a letter or digit, at most 63 characters";
constexpr std::string_view kLowerRule = "lower-case letters, digits, '.', '_' and '-', beginning with a letter or digit, at most 63 characters";

std::string describeByte(unsigned char c)
{
    std::array<char, 8> text{};
    if (c > 0x20 && c < 0x7F) {
        std::snprintf(text.data(), text.size(), "'%c'", c);
    } else {
        std::snprintf(text.data(), text.size(), "0x%02X", c);
    }
    return text.data();
}

Result<std::string> check(std::string_view text, std::string_view field, bool allowUpper)
{
    const std::string_view rule = allowUpper ? kAnyCaseRule : kLowerRule;
    const auto refuse = [&](const std::string& what) {
        return fail("invalid_id", std::string(field) + " " + what + "; the rule is: " + std::string(rule) + ".", std::string(field));
    };
    if (text.empty()) {
        return refuse("is empty");
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool letterOrDigit = isLower(c) || isDigit(c) || (allowUpper && isUpper(c));
        if (!letterOrDigit && !(i > 0 && isMark(c))) {
            return refuse("has " + describeByte(c) + " at position " + std::to_string(i + 1));
        }
    }
    if (text.size() > kMaxLength) {
        return refuse("has " + std::to_string(text.size()) + " characters");
    }
    return std::string(text);
}

// Length of the UTF-8 sequence at `at`, or 0 where the bytes are not well formed.
std::size_t utf8Length(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    const unsigned char c = byte(at);
    if (c < 0x80) {
        return 1;
    }
    if (c >= 0xC2 && c <= 0xDF && tail(at + 1)) {
        return 2;
    }
    if ((c & 0xF0U) == 0xE0 && tail(at + 1) && tail(at + 2)) {
        const bool overlong = c == 0xE0 && byte(at + 1) < 0xA0;
        const bool surrogate = c == 0xED && byte(at + 1) >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (c >= 0xF0 && c <= 0xF4 && tail(at + 1) && tail(at + 2) && tail(at + 3)) {
        const bool overlong = c == 0xF0 && byte(at + 1) < 0x90;
        const bool tooLarge = c == 0xF4 && byte(at + 1) >= 0x90;
        return overlong || tooLarge ? 0 : 4;
    }
    return 0;
}

} // namespace

template <>
Result<NodeId> NodeId::parse(std::string_view text, std::string_view field)
{
    return check(text, field, true).map([](std::string id) { return trusted(std::move(id)); });
}

template <>
Result<UserId> UserId::parse(std::string_view text, std::string_view field)
{
    return check(text, field, true).map([](std::string id) { return trusted(std::move(id)); });
}

template <>
Result<AppId> AppId::parse(std::string_view text, std::string_view field)
{
    return check(text, field, true).map([](std::string id) { return trusted(std::move(id)); });
}

template <>
Result<PoolId> PoolId::parse(std::string_view text, std::string_view field)
{
    // `pool-<userId>` may carry the upper case of a user's id; every other pool is lower case.
    if (text.starts_with(kUserPoolPrefix)) {
        return check(text.substr(kUserPoolPrefix.size()), field, true).map([&](const std::string&) { return trusted(std::string(text)); });
    }
    return check(text, field, false).map([](std::string id) { return trusted(std::move(id)); });
}

PoolId userPoolOf(const UserId& user)
{
    return PoolId::trusted(std::string(kUserPoolPrefix) + user.text());
}

bool isBuiltInPool(std::string_view poolId) noexcept
{
    return poolId == kDefaultPool || poolId == kUnassignedPool || poolId.starts_with(kUserPoolPrefix);
}

Result<PoolId> parseNamedPool(std::string_view text, std::string_view field)
{
    if (isBuiltInPool(text)) {
        return fail("builtin_pool", "'" + std::string(text) + "' is a built-in pool or the pool of a user; those are not made or removed by hand.", std::string(field));
    }
    return PoolId::parse(text, field);
}

Result<std::string> parseStream(std::string_view text, std::string_view field)
{
    const auto refuse = [&](const std::string& what) {
        return fail("invalid_id", std::string(field) + " " + what + "; the rule is: 1 to 200 bytes of UTF-8 without control characters or '/'.", std::string(field));
    };
    if (text.empty()) {
        return refuse("is empty");
    }
    if (text.size() > kMaxStreamBytes) {
        return refuse("has " + std::to_string(text.size()) + " bytes");
    }
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        const std::size_t length = utf8Length(text, i);
        const bool c1Control = length == 2 && c == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
        if (length == 0 || c < 0x20 || c == 0x7F || c == '/' || c1Control) {
            return refuse("has " + describeByte(c) + " at byte " + std::to_string(i + 1));
        }
        i += length;
    }
    return std::string(text);
}

std::string foldCase(std::string_view id)
{
    std::string folded(id);
    for (char& c : folded) {
        if (isUpper(static_cast<unsigned char>(c))) {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return folded;
}

} // namespace weir
