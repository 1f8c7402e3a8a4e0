// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Target.h"

#include <algorithm>

namespace weir::http {
namespace {

int hexValue(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Length of the well-formed UTF-8 sequence at the start of `text`; 0: there is none.
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto tails = [&](std::size_t count) {
        for (std::size_t i = 1; i <= count; ++i) {
            if ((byte(i) & 0xC0U) != 0x80U) {
                return false;
            }
        }
        return true;
    };
    const unsigned first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first <= 0xDF) {
        return tails(1) ? 2 : 0;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) >= 0xA0;
        return tails(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool tooLarge = first == 0xF4 && byte(1) >= 0x90;
        return tails(3) && !overlong && !tooLarge ? 4 : 0;
    }
    return 0;
}

tl::unexpected<Error> malformed(std::string message)
{
    return fail("malformed_target", std::move(message));
}

Result<NamedValues> parseQuery(std::string_view text)
{
    NamedValues values;
    while (!text.empty()) {
        const std::string_view pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(text.size(), pair.size() + 1));
        if (pair.empty()) {
            continue;
        }
        const std::size_t equals = pair.find('=');
        auto name = percentDecode(pair.substr(0, equals), true);
        auto value = percentDecode(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
        if (!name || !value) {
            return malformed("The query has a broken percent-encoding.");
        }
        values.emplace_back(std::move(*name), std::move(*value));
    }
    return values;
}

// Cuts `http://authority` off; what is left is the origin form.
Result<std::string> takeAuthority(std::string_view& text)
{
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (text.size() > scheme.size() && equalsIgnoringCase(text.substr(0, scheme.size()), scheme)) {
            text.remove_prefix(scheme.size());
            const std::string authority(text.substr(0, text.find_first_of("/?")));
            text.remove_prefix(authority.size());
            if (authority.empty() || authority.find('@') != std::string::npos) {
                return malformed("The target names no host, or names a user.");
            }
            return authority;
        }
    }
    return malformed("The target is neither a path nor a URL.");
}

} // namespace

bool isUtf8(std::string_view text) noexcept
{
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

std::optional<std::string> percentDecode(std::string_view text, bool plusIsSpace)
{
    std::string decoded;
    decoded.reserve(text.size());
    bool ascii = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const int high = i + 2 < text.size() ? hexValue(text[i + 1]) : -1;
            const int low = high >= 0 ? hexValue(text[i + 2]) : -1;
            if (low < 0 || (high == 0 && low == 0)) {
                return std::nullopt;
            }
            c = static_cast<char>(high * 16 + low);
            i += 2;
        } else if (c == '+' && plusIsSpace) {
            c = ' ';
        }
        ascii = ascii && static_cast<unsigned char>(c) < 0x80;
        decoded.push_back(c);
    }
    if (!ascii && !isUtf8(decoded)) {
        return std::nullopt;
    }
    return decoded;
}

Result<Target> parseTarget(std::string_view text, std::string_view method)
{
    Target target;
    if (text == "*") {
        if (method != "OPTIONS") {
            return malformed("The target '*' goes with OPTIONS only.");
        }
        target.path = "*";
        return target;
    }
    if (text.empty() || text.find('#') != std::string_view::npos) {
        return malformed("The target is empty or has a fragment.");
    }
    if (text.front() != '/') {
        auto authority = takeAuthority(text);
        if (!authority) {
            return tl::unexpected(std::move(authority.error()));
        }
        target.authority = std::move(*authority);
    }
    const std::size_t mark = text.find('?');
    const std::string_view path = text.substr(0, mark);
    if (path.find('%') != std::string_view::npos && !percentDecode(path)) {
        return malformed("The path has a broken percent-encoding.");
    }
    target.path = path.empty() ? "/" : std::string(path);
    if (mark != std::string_view::npos) {
        auto query = parseQuery(text.substr(mark + 1));
        if (!query) {
            return tl::unexpected(std::move(query.error()));
        }
        target.query = std::move(*query);
    }
    return target;
}

} // namespace weir::http
