// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/FlatObject.h"

namespace weir::http {
namespace {

constexpr std::size_t kMostDigits = 15;

void skipSpace(std::string_view& rest)
{
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\r' || rest.front() == '\t')) {
        rest.remove_prefix(1);
    }
}

bool take(std::string_view& rest, char c)
{
    skipSpace(rest);
    if (rest.empty() || rest.front() != c) {
        return false;
    }
    rest.remove_prefix(1);
    return true;
}

// Behind the opening quote, up to the closing one.
std::optional<std::string_view> takeText(std::string_view& rest)
{
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const auto byte = static_cast<unsigned char>(rest[i]);
        if (byte == '"') {
            const std::string_view text = rest.substr(0, i);
            rest.remove_prefix(i + 1);
            return text;
        }
        if (byte < 0x20 || byte >= 0x80 || byte == '\\') {
            break;
        }
    }
    return std::nullopt;
}

std::optional<std::int64_t> takeNumber(std::string_view& rest)
{
    std::int64_t value = 0;
    std::size_t digits = 0;
    while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') {
        value = digits < kMostDigits ? value * 10 + (rest[digits] - '0') : value;
        ++digits;
    }
    const bool plain = digits > 0 && digits <= kMostDigits && (digits == 1 || rest.front() != '0');
    rest.remove_prefix(digits);
    // What goes on after the digits (".5", "e3") makes it another number.
    const bool ends = rest.empty() || rest.front() == ',' || rest.front() == '}' || rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\r' || rest.front() == '\t';
    return plain && ends ? std::optional(value) : std::nullopt;
}

} // namespace

bool FlatObject::readMembers(std::string_view rest)
{
    if (!take(rest, '{')) {
        return false;
    }
    do {
        Member member;
        if (m_count == kMost || !take(rest, '"')) {
            return false;
        }
        const auto key = takeText(rest);
        if (!key || find(*key) != nullptr || !take(rest, ':')) {
            return false;
        }
        member.key = *key;
        if (take(rest, '"')) {
            const auto text = takeText(rest);
            if (!text) {
                return false;
            }
            member.text = *text;
        } else if (const auto number = takeNumber(rest)) {
            member.number = *number;
        } else {
            return false;
        }
        m_members[m_count++] = member;
    } while (take(rest, ','));
    const bool closed = take(rest, '}');
    skipSpace(rest);
    return closed && rest.empty();
}

std::optional<FlatObject> FlatObject::read(const Request& request)
{
    const std::string_view type = request.header("Content-Type");
    FlatObject object;
    const bool isJson = type.empty() || type == "application/json";
    return isJson && object.readMembers(request.body) ? std::optional(object) : std::nullopt;
}

const FlatObject::Member* FlatObject::find(std::string_view key) const
{
    for (std::size_t i = 0; i < m_count; ++i) {
        if (m_members[i].key == key) {
            return &m_members[i];
        }
    }
    return nullptr;
}

std::optional<std::string_view> FlatObject::text(std::string_view key) const
{
    const Member* member = find(key);
    return member != nullptr && member->number < 0 ? std::optional(member->text) : std::nullopt;
}

std::optional<std::int64_t> FlatObject::number(std::string_view key) const
{
    const Member* member = find(key);
    return member != nullptr && member->number >= 0 ? std::optional(member->number) : std::nullopt;
}

} // namespace weir::http
