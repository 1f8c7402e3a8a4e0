// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/QueryValues.h"

#include "core/base/Roles.h"

#include <charconv>

namespace weir::api {
namespace {

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

Result<std::optional<WallTime>> timeOf(const http::Request& request, std::string_view name)
{
    const auto text = request.queryValue(name);
    if (!text) {
        return std::nullopt;
    }
    const auto time = fromRfc3339(*text);
    if (!time) {
        // A plus sign that was not encoded arrives as a space, which is worth saying.
        return fail("invalid_value", std::string(name) + " is '" + std::string(*text) + "'; it must be a time such as 2026-01-31T08:15:00.000Z (in an address a '+' is written %2B).",
            std::string(name));
    }
    return time;
}

Result<std::int64_t> integerOf(const http::Request& request, std::string_view name, std::int64_t fallback, std::int64_t min, std::int64_t max)
{
    const auto text = request.queryValue(name);
    if (!text) {
        return fallback;
    }
    const auto number = wholeNumber(*text);
    if (!number || *number < min || *number > max) {
        return fail("out_of_range", std::string(name) + " is '" + std::string(*text) + "'; it must be a whole number from " + std::to_string(min) + " to " + std::to_string(max) + ".",
            std::string(name));
    }
    return *number;
}

Result<std::string> roleOf(const http::Request& request)
{
    const std::string role(request.queryValue("role").value_or(""));
    if (!role.empty() && !roleFromText(role)) {
        return fail("invalid_value", "role is '" + role + "'; it must be origin, edge, worker, recorder, forward or standalone.", "role");
    }
    return role;
}

Result<std::vector<journal::EventKind>> kindsOf(const http::Request& request)
{
    std::vector<journal::EventKind> kinds;
    for (const auto& [key, value] : request.query) {
        std::string_view rest = key == "kind" ? std::string_view(value) : std::string_view();
        while (!rest.empty()) {
            const std::string_view name = rest.substr(0, rest.find(','));
            const auto kind = journal::eventKindFromText(name);
            if (!kind) {
                return fail("invalid_value", "kind is '" + std::string(name) + "', which is no kind of event.", "kind");
            }
            kinds.push_back(*kind);
            rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        }
    }
    return kinds;
}

Result<std::optional<std::int64_t>> numberOf(std::string_view cursor)
{
    if (cursor.empty()) {
        return std::nullopt;
    }
    const auto number = wholeNumber(cursor);
    if (!number || *number < 0) {
        return fail("invalid_cursor", "after is '" + std::string(cursor) + "'; it must be what 'next' of the page before said.", "after");
    }
    return number;
}

} // namespace weir::api
