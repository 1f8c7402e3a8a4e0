// SPDX-License-Identifier: GPL-3.0-or-later
// /admin/tokens.
#include "core/api/Api.h"
#include "core/http/JsonBody.h"
#include "core/http/Problem.h"

#include <boost/json.hpp>

namespace weir::api {
namespace json = boost::json;
namespace {

json::object toJson(const store::TokenRecord& token, WallTime now)
{
    return {{"name", token.name}, {"role", token.role}, {"apps", json::array(token.apps.begin(), token.apps.end())},
        {"expires", token.expires ? json::value(toRfc3339(*token.expires)) : json::value(nullptr)}, {"createdAt", toRfc3339(token.createdAt)},
        {"expired", !plane::isInForce(token, now)}};
}

Result<plane::NewToken> readToken(const http::Request& request)
{
    auto body = http::JsonBody::parse(request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    plane::NewToken wanted;
    wanted.name = body->requireString("name");
    wanted.role = body->requireString("role");
    wanted.apps = body->optionalStrings("apps").value_or(std::vector<std::string>());
    const auto expires = body->patchedString("expires");
    if (expires.value) {
        wanted.expires = fromRfc3339(*expires.value);
        if (!wanted.expires) {
            body->refuse("expires", "invalid_value", "expires is '" + *expires.value + "'; it must be a time such as 2030-01-31T12:00:00Z.");
        }
    }
    if (auto checked = body->finish(); !checked) {
        return tl::unexpected(checked.error());
    }
    return wanted;
}

} // namespace

void Api::addTokens()
{
    add("GET", "/admin/tokens", {}, [this](const Call& call, const http::Reply& reply) {
        const auto page = pageOf(call.request, {"role"});
        if (!page) {
            reply(http::problem(page.error()));
            return;
        }
        const WallTime now = m_plane.clock().wall();
        const auto role = call.request.queryValue("role");
        reply(http::json(200, listOf(m_plane.tokenBook().list(), *page, [](const auto& token) { return token.name; },
                                  [&](const auto& token) { return !role || token.role == *role; }, [now](const auto& token) { return toJson(token, now); })));
    });

    add("POST", "/admin/tokens", {}, [this](const Call& call, const http::Reply& reply) {
        auto wanted = readToken(call.request);
        if (!wanted) {
            reply(http::problem(wanted.error()));
            return;
        }
        m_plane.tokens().create(std::move(*wanted), call.actor(), [reply, now = m_plane.clock().wall()](const Result<plane::MadeToken>& made) {
            if (!made) {
                reply(http::problem(made.error()));
                return;
            }
            json::object object = toJson(made->record, now);
            object["token"] = made->secret;
            http::Response response = http::json(201, object);
            response.headers.emplace_back("Location", "/admin/tokens/" + made->record.name);
            response.headers.emplace_back("Cache-Control", "no-store");
            reply(std::move(response));
        });
    });

    add("DELETE", "/admin/tokens/{name}", {}, [this](const Call& call, const http::Reply& reply) {
        m_plane.tokens().revoke(call.request.params.at("name"), call.actor(), [reply](const Result<void>& result) { answerDone(reply, result); });
    });
}

} // namespace weir::api
