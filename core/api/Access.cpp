// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/Access.h"

#include "core/http/Problem.h"
#include "core/plane/Traces.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace weir::api {
namespace {

std::optional<Access> accessOf(std::string_view role)
{
    if (role == "superadmin") {
        return Access::Superadmin;
    }
    if (role == "operator") {
        return Access::Operator;
    }
    if (role == "viewer") {
        return Access::Viewer;
    }
    if (role == "gateway") {
        return Access::Gateway;
    }
    return role == "app" ? std::optional(Access::App) : std::nullopt;
}

} // namespace

http::Response unauthorized(std::string code, std::string message)
{
    http::Response response = http::problem(Error{std::move(code), std::move(message), {}});
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return response;
}

// The token of `Authorization: Bearer …`; the scheme's name is compared whatever its case (RFC 9110).
std::optional<std::string_view> bearerOf(const http::Request& request)
{
    const std::string_view header = request.header("Authorization");
    const std::size_t space = header.find(' ');
    if (space == std::string_view::npos || !http::equalsIgnoringCase(header.substr(0, space), "Bearer")) {
        return std::nullopt;
    }
    return http::trimmed(header.substr(space + 1));
}

bool Call::mayActFor(std::string_view app) const
{
    return access != Access::App || (apps && std::find(apps->begin(), apps->end(), app) != apps->end());
}

void AccessCheck::note(const http::Request& request, const std::string& token, const std::string& code, const std::string& call)
{
    m_plane.noteRefusedCall({request.peer, token, code, call, request.requestId, m_plane.clock().wall()});
}

const std::string& AccessCheck::hashOf(std::string_view token)
{
    if (m_latestHash.empty() || !plane::equalInConstantTime(m_latest, token)) {
        m_latest = token;
        m_latestHash = plane::sha256Hex(token);
    }
    return m_latestHash;
}

tl::expected<Call, http::Response> AccessCheck::admit(http::Request&& request, const std::vector<Access>& roles, const std::string& call)
{
    const auto token = bearerOf(request);
    if (!token) {
        note(request, {}, "missing_token", call);
        return tl::unexpected(unauthorized("missing_token", "This call needs a header 'Authorization: Bearer <token>'."));
    }
    auto caller = m_plane.tokenBook().callerOfHash(hashOf(*token), m_plane.clock().wall());
    const auto access = caller ? accessOf(caller->role) : std::nullopt;
    if (!access) {
        const Duration wait = m_wrongTokens.note(request.peer, m_plane.clock().now());
        const bool tooMany = wait > Duration::zero();
        note(request, {}, tooMany ? "too_many_attempts" : "bad_token", call);
        if (!tooMany) {
            return tl::unexpected(unauthorized("bad_token", "The token is not known, has expired or was revoked."));
        }
        http::Response response = http::problem(Error{"too_many_attempts", "Too many wrong tokens came from this address; try again later.", {}});
        response.headers.emplace_back("Retry-After", std::to_string(static_cast<int>(std::ceil(toSeconds(wait)))));
        return tl::unexpected(std::move(response));
    }
    if (*access != Access::Superadmin && std::find(roles.begin(), roles.end(), *access) == roles.end()) {
        note(request, caller->name, "forbidden", call);
        return tl::unexpected(http::problem(Error{"forbidden", "A token of the role " + caller->role + " may not make this call.", {}}));
    }
    return tl::expected<Call, http::Response>(tl::in_place, Call{std::move(request), std::move(caller->name), *access, std::move(caller->apps)});
}

http::Response AccessCheck::refuseApp(const Call& call, std::string_view app)
{
    note(call.request, call.token, "forbidden", call.request.method + " for another app");
    return http::problem(Error{"forbidden", "This token is not for the app '" + std::string(app) + "'.", "appId"});
}

void OwnPlacements::note(std::uint64_t placement, std::string app)
{
    if (m_order.size() >= m_most) {
        m_apps.erase(m_order.front());
        m_order.pop_front();
    }
    if (m_apps.insert_or_assign(placement, std::move(app)).second) {
        m_order.push_back(placement);
    }
}

const std::string* OwnPlacements::appOf(std::uint64_t placement) const
{
    const auto found = m_apps.find(placement);
    return found == m_apps.end() ? nullptr : &found->second;
}

} // namespace weir::api
