// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/routing/condition/Exchange.h"
#include "core/routing/condition/Scratch.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace weir::routing {

/// The host of "host:port" without the port, brackets of an IPv6 literal included.
[[nodiscard]] std::string_view hostWithoutPort(std::string_view host) noexcept;

/// The port in it; without one what the scheme says.
[[nodiscard]] std::string_view portOf(const RequestView& request) noexcept;

/// The value of the first pair of that key in the query, decoded; nothing when there is none.
[[nodiscard]] std::optional<std::string_view> queryValue(std::string_view query, std::string_view key, Scratch& scratch);

/// The value of the first header of that name; empty without one. `Host` is never there.
[[nodiscard]] std::string_view headerValue(const HeaderFields& headers, std::string_view name) noexcept;

/// Calls `visit(name, value)` for each cookie in order until it returns true; true when it did. Quotes and odd bytes are kept.
template <typename Visit>
bool anyCookie(const HeaderFields& headers, Visit visit)
{
    const auto trimmed = [](std::string_view text) {
        const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
        const std::size_t end = text.find_last_not_of(" \t");
        return end == std::string_view::npos ? std::string_view{} : text.substr(begin, end + 1 - begin);
    };
    for (std::size_t i = 0; i < headers.size(); ++i) {
        const HeaderField field = headers.at(i);
        if (!equalsIgnoringAsciiCase(field.name, "cookie")) {
            continue;
        }
        for (std::string_view rest = field.value; !rest.empty();) {
            const std::size_t end = std::min(rest.find(';'), rest.size());
            const std::string_view pair = trimmed(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
            const std::size_t equals = pair.find('=');
            const std::string_view value = equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1);
            if (!pair.empty() && visit(pair.substr(0, equals), value)) {
                return true;
            }
        }
    }
    return false;
}

} // namespace weir::routing
