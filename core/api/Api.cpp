// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/Api.h"

#include "core/http/Problem.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace weir::api {
namespace {

constexpr std::size_t kMostItems = 1'000;

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

} // namespace

Api::Api(plane::ControlPlane& plane)
    : m_plane(plane)
{
    addHealth();
    addPools();
    addNodes();
    addMoves();
    addUsersAndApps();
    addSettings();
    addScheduling();
}

void Api::handleTraffic(http::Request request, http::Reply reply) const
{
    m_traffic.dispatch(std::move(request), std::move(reply));
}

void Api::add(std::string_view method, std::string_view pattern, std::initializer_list<Access> allowed, Endpoint endpoint)
{
    const std::vector<Access> roles(allowed);
    m_control.add(method, pattern, [this, roles, endpoint = std::move(endpoint)](http::Request request, http::Reply reply) {
        const auto token = bearerOf(request);
        if (!token) {
            reply(unauthorized("missing_token", "This call needs a header 'Authorization: Bearer <token>'."));
            return;
        }
        std::string name;
        const auto role = m_plane.roleOfToken(*token, name);
        const auto access = role ? accessOf(*role) : std::nullopt;
        if (!access) {
            reply(unauthorized("bad_token", "The token is not known, has expired or was revoked."));
            return;
        }
        if (*access != Access::Superadmin && std::find(roles.begin(), roles.end(), *access) == roles.end()) {
            reply(http::problem(Error{"forbidden", "A token of the role " + *role + " may not make this call.", {}}));
            return;
        }
        Call call{std::move(request), {"token:" + name, {}, {}, "api"}, *access};
        call.actor.from = call.request.peer;
        call.actor.requestId = call.request.requestId;
        endpoint(call, reply);
    });
}

Result<Page> pageOf(const http::Request& request, std::initializer_list<std::string_view> filters)
{
    Page page;
    for (const auto& [key, value] : request.query) {
        if (key == "limit") {
            std::size_t limit = 0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), limit);
            if (error != std::errc() || end != value.data() + value.size() || limit < 1 || limit > kMostItems) {
                return fail("out_of_range", "limit is '" + value + "'; it must be a whole number from 1 to 1000.", "limit");
            }
            page.limit = limit;
        } else if (key == "after") {
            page.after = value;
        } else if (std::find(filters.begin(), filters.end(), std::string_view(key)) == filters.end()) {
            return fail("unknown_field", "'" + key + "' is not a parameter of this list.", key);
        }
    }
    return page;
}

void answerDone(const http::Reply& reply, const Result<void>& result)
{
    if (!result) {
        reply(http::problem(result.error()));
        return;
    }
    http::Response response;
    response.status = 204;
    response.contentType.clear();
    reply(std::move(response));
}

} // namespace weir::api
