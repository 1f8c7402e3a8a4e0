// SPDX-License-Identifier: GPL-3.0-or-later
// /admin/node-pools, /admin/reachability.
#include "core/api/Api.h"
#include "core/api/JsonViews.h"
#include "core/http/JsonBody.h"
#include "core/http/Problem.h"

#include <boost/json.hpp>
#include <map>

namespace weir::api {
namespace json = boost::json;
namespace {

constexpr std::int64_t kMostAvailable = 1'000'000;

// A pool that the path names and that is not there is 404; one that a body names is 422.
void answerForPath(const http::Reply& reply, const Result<void>& result)
{
    if (!result && result.error().code == "unknown_pool") {
        reply(http::problem(404, result.error()));
        return;
    }
    answerDone(reply, result);
}

http::Response allPools(plane::ControlPlane& plane)
{
    const std::uint64_t revision = plane.fleet().read([](const fleet::Fleet& fleet, Instant) { return fleet.revision(); });
    // Nodes first: a pool that vanished meanwhile was empty, so every node finds its pool.
    const std::vector<plane::NodeFacts> nodes = plane.flow().nodeFacts();
    const std::vector<plane::PoolFacts> pools = plane.facts().pools();
    std::map<std::string_view, std::vector<const plane::NodeFacts*>> byPool;
    for (const plane::NodeFacts& node : nodes) {
        byPool[node.pool].push_back(&node);
    }
    json::array items;
    for (const plane::PoolFacts& pool : pools) {
        items.emplace_back(toJson(pool, byPool[pool.spec.id.text()]));
    }
    return http::json(200, json::object{{"revision", revision}, {"items", std::move(items)}});
}

plane::PoolPatch patchFrom(http::JsonBody& body)
{
    plane::PoolPatch patch;
    patch.name = body.optionalString("name");
    patch.canary = body.optionalBool("canary");
    if (const auto available = body.optionalInteger("minAvailable", 0, kMostAvailable)) {
        patch.minAvailable = static_cast<int>(*available);
    }
    patch.capacityAlarmPercent = body.optionalNumber("capacityAlarmPercent", 0, 100);
    return patch;
}

} // namespace

void Api::addPools()
{
    add("GET", "/admin/node-pools", {}, [this](const Call&, const http::Reply& reply) { reply(allPools(m_plane)); });

    add("POST", "/admin/node-pools", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        const std::string id = body->requireString("poolId");
        const plane::PoolPatch patch = patchFrom(*body);
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        const auto poolId = parseNamedPool(id, "poolId");
        if (!poolId) {
            reply(http::problem(poolId.error()));
            return;
        }
        const fleet::PoolSpec spec{*poolId, patch.name.value_or(""), patch.canary.value_or(false), patch.minAvailable.value_or(0), patch.capacityAlarmPercent.value_or(10)};
        m_plane.pools().create(spec, call.actor(), [reply, spec](const Result<void>& result) {
            if (!result) {
                reply(http::problem(result.error()));
                return;
            }
            http::Response response = http::json(201, json::object{{"poolId", spec.id.text()}, {"name", spec.name}, {"canary", spec.canary}, {"minAvailable", spec.minAvailable},
                                                          {"capacityAlarmPercent", spec.capacityAlarmPercent}});
            response.headers.emplace_back("Location", "/admin/node-pools/" + spec.id.text());
            reply(std::move(response));
        });
    });

    add("PATCH", "/admin/node-pools/{poolId}", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        const plane::PoolPatch patch = patchFrom(*body);
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        m_plane.pools().change(call.request.params.at("poolId"), patch, call.actor(), [reply](const Result<void>& result) { answerForPath(reply, result); });
    });

    add("DELETE", "/admin/node-pools/{poolId}", {}, [this](const Call& call, const http::Reply& reply) {
        m_plane.pools().remove(call.request.params.at("poolId"), call.actor(), [reply](const Result<void>& result) { answerForPath(reply, result); });
    });

    add("GET", "/admin/reachability", {Access::Operator, Access::Viewer}, [this](const Call&, const http::Reply& reply) {
        reply(http::json(200, toJson(m_plane.fleet().read([](const fleet::Fleet& fleet, Instant) { return fleet.reachability(); }))));
    });
}

} // namespace weir::api
