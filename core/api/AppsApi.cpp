// SPDX-License-Identifier: GPL-3.0-or-later
// /admin/users, /admin/apps, /admin/app-pool-bindings.
#include "core/api/Api.h"
#include "core/api/JsonViews.h"
#include "core/http/JsonBody.h"
#include "core/http/Problem.h"

#include <boost/json.hpp>

namespace weir::api {
namespace json = boost::json;
namespace {

struct UserRow {
    std::string id;
    std::string name;
    std::size_t nodes = 0;
    std::size_t apps = 0;
};

std::vector<UserRow> usersOf(plane::ControlPlane& plane)
{
    return plane.fleet().read([](const fleet::Fleet& fleet, Instant) {
        std::vector<UserRow> rows;
        for (const UserHandle handle : fleet.usersInOrder()) {
            const fleet::User& user = fleet.user(handle);
            rows.push_back({user.id.text(), user.name, user.nodes, user.apps.size()});
        }
        return rows;
    });
}

json::object bindingOf(const plane::AppFacts& app)
{
    return {{"appId", app.id}, {"poolId", app.binding->first}, {"allowFallbackToDefault", app.binding->second}};
}

constexpr auto kAll = [](const auto&) { return true; };

// 201 for what is new, 200 for what was changed, with the thing as it is now.
void answerPut(const http::Reply& reply, const Result<bool>& isNew, const json::object& thing)
{
    reply(isNew ? http::json(*isNew ? 201 : 200, thing) : http::problem(isNew.error()));
}

} // namespace

void Api::addUsersAndApps()
{
    add("GET", "/admin/users", {}, [this](const Call& call, const http::Reply& reply) {
        const auto page = pageOf(call.request, {});
        if (!page) {
            reply(http::problem(page.error()));
            return;
        }
        reply(http::json(200, listOf(
                                  usersOf(m_plane), *page, [](const UserRow& row) { return row.id; }, kAll,
                                  [](const UserRow& row) { return json::object{{"userId", row.id}, {"name", row.name}, {"nodes", row.nodes}, {"apps", row.apps}}; })));
    });

    add("PUT", "/admin/users/{id}", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parseOrEmpty(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        const auto name = body->optionalString("name");
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        const auto id = UserId::parse(call.request.params.at("id"), "userId");
        if (!id) {
            reply(http::problem(id.error()));
            return;
        }
        m_plane.apps().putUser(*id, name, call.actor(), [this, id = *id, reply](const Result<bool>& isNew) {
            const std::string shown = m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant) {
                const auto user = fleet.findUser(id.text());
                return user ? fleet.user(*user).name : std::string();
            });
            answerPut(reply, isNew, {{"userId", id.text()}, {"name", shown}, {"poolId", userPoolOf(id).text()}});
        });
    });

    add("DELETE", "/admin/users/{id}", {}, [this](const Call& call, const http::Reply& reply) {
        m_plane.apps().removeUser(call.request.params.at("id"), call.actor(), [reply](const Result<void>& result) { answerDone(reply, result); });
    });

    add("GET", "/admin/apps", {}, [this](const Call& call, const http::Reply& reply) {
        const auto page = pageOf(call.request, {"owner", "poolId"});
        if (!page) {
            reply(http::problem(page.error()));
            return;
        }
        const auto wanted = [&](const plane::AppFacts& app) {
            const auto owner = call.request.queryValue("owner");
            const auto pool = call.request.queryValue("poolId");
            return (!owner || *owner == app.owner) && (!pool || *pool == app.pool);
        };
        reply(http::json(200, listOf(
                                  m_plane.facts().apps(), *page, [](const plane::AppFacts& app) { return app.id; }, wanted, [](const plane::AppFacts& app) { return toJson(app); })));
    });

    add("PUT", "/admin/apps/{id}", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parseOrEmpty(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        const auto given = body->patchedString("owner");
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        const auto id = AppId::parse(call.request.params.at("id"), "appId");
        if (!id) {
            reply(http::problem(id.error()));
            return;
        }
        // null takes the owner away; an owner that is left out stays.
        const std::optional<std::string> owner = given.isGiven ? std::optional(given.value.value_or("")) : std::nullopt;
        m_plane.apps().putApp(*id, owner, call.actor(), [this, id = *id, reply](const Result<bool>& isNew) {
            json::object shown;
            m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant) {
                if (const auto app = fleet.findApp(id.text())) {
                    shown = toJson(plane::FactsReader::appFacts(fleet, *app));
                }
            });
            answerPut(reply, isNew, shown);
        });
    });

    add("DELETE", "/admin/apps/{id}", {}, [this](const Call& call, const http::Reply& reply) {
        m_plane.apps().removeApp(call.request.params.at("id"), call.actor(), [reply](const Result<void>& result) { answerDone(reply, result); });
    });

    add("GET", "/admin/app-pool-bindings", {}, [this](const Call& call, const http::Reply& reply) {
        const auto page = pageOf(call.request, {"poolId"});
        if (!page) {
            reply(http::problem(page.error()));
            return;
        }
        const auto wanted = [&](const plane::AppFacts& app) {
            const auto pool = call.request.queryValue("poolId");
            return app.binding && (!pool || *pool == app.binding->first);
        };
        reply(http::json(200, listOf(m_plane.facts().apps(), *page, [](const plane::AppFacts& app) { return app.id; }, wanted, bindingOf)));
    });

    add("GET", "/admin/app-pool-bindings/{appId}", {}, [this](const Call& call, const http::Reply& reply) {
        const std::string& id = call.request.params.at("appId");
        for (const plane::AppFacts& app : m_plane.facts().apps()) {
            if (app.id == id && app.binding) {
                reply(http::json(200, bindingOf(app)));
                return;
            }
        }
        reply(http::problem(Error{"unknown_binding", "App '" + id + "' has no binding.", "appId"}));
    });

    add("PUT", "/admin/app-pool-bindings/{appId}", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        const std::string poolId = body->requireString("poolId");
        const bool fallback = body->optionalBool("allowFallbackToDefault").value_or(false);
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        if (auto pool = PoolId::parse(poolId, "poolId"); !pool) {
            reply(http::problem(pool.error()));
            return;
        }
        const std::string appId = call.request.params.at("appId");
        m_plane.apps().putBinding(appId, poolId, fallback, call.actor(), [appId, poolId, fallback, reply](const Result<bool>& isNew) {
            answerPut(reply, isNew, {{"appId", appId}, {"poolId", poolId}, {"allowFallbackToDefault", fallback}});
        });
    });

    add("DELETE", "/admin/app-pool-bindings/{appId}", {}, [this](const Call& call, const http::Reply& reply) {
        m_plane.apps().removeBinding(call.request.params.at("appId"), call.actor(), [reply](const Result<void>& result) { answerDone(reply, result); });
    });
}

} // namespace weir::api
