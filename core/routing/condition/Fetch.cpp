// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Fetch.h"

#include "core/routing/condition/FormText.h"

namespace weir::routing {
namespace {

// Where the ':' before the port is, or the end.
std::size_t portColon(std::string_view host) noexcept
{
    const std::size_t from = host.starts_with('[') ? std::min(host.find(']'), host.size()) : 0;
    return std::min(host.find(':', from), host.size());
}

} // namespace

std::string_view hostWithoutPort(std::string_view host) noexcept
{
    return host.substr(0, portColon(host));
}

std::string_view portOf(const RequestView& request) noexcept
{
    const std::size_t colon = portColon(request.host);
    if (colon < request.host.size()) {
        return request.host.substr(colon + 1);
    }
    return request.tls.isSecure ? "443" : "80";
}

std::optional<std::string_view> queryValue(std::string_view query, std::string_view key, Scratch& scratch)
{
    std::string_view found;
    const bool isThere = anyQueryPair(query, [&](std::string_view rawKey, std::string_view rawValue) {
        found = rawValue;
        return formDecoded(rawKey, scratch) == key;
    });
    return isThere ? formDecoded(found, scratch) : std::nullopt;
}

std::string_view headerValue(const HeaderFields& headers, std::string_view name) noexcept
{
    return equalsIgnoringAsciiCase(name, "host") ? std::string_view{} : headers.first(name);
}

} // namespace weir::routing
