// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/Roles.h"

namespace weir {
namespace {

constexpr std::array<std::string_view, kRoleCount> kRoleNames{"origin", "edge", "worker", "recorder", "forward", "standalone"};
constexpr std::array<std::string_view, kEndpointCount> kEndpointNames{"any", "whip", "srt"};

} // namespace

std::string_view toText(Role role) noexcept
{
    return kRoleNames[indexOf(role)];
}

std::string_view toText(Endpoint endpoint) noexcept
{
    return kEndpointNames[indexOf(endpoint)];
}

std::optional<Role> roleFromText(std::string_view text) noexcept
{
    for (const Role role : kRoles) {
        if (toText(role) == text) {
            return role;
        }
    }
    return std::nullopt;
}

std::optional<Endpoint> endpointFromText(std::string_view text) noexcept
{
    for (const Endpoint endpoint : {Endpoint::Any, Endpoint::Whip, Endpoint::Srt}) {
        if (toText(endpoint) == text) {
            return endpoint;
        }
    }
    return std::nullopt;
}

} // namespace weir
