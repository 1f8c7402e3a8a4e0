// SPDX-License-Identifier: GPL-3.0-or-later
// GET /v1/fleet: the picture of pools and nodes for viewers, without addresses, owners and health bodies.
#include "core/api/Api.h"
#include "core/api/JsonViews.h"
#include "core/http/Problem.h"

#include <array>
#include <boost/json.hpp>
#include <map>

namespace weir::api {
namespace json = boost::json;
namespace {

// Whose members a viewer may see.
constexpr std::array<std::string_view, 24> kShown{"nodeId", "role", "poolId", "static", "connected", "health", "inRotation", "cause", "reason", "quarantineRemainingSeconds",
    "draining", "drainReason", "consecutiveFailures", "consecutiveSuccesses", "capacity", "used", "inFlight", "reserved", "free", "version", "region", "weight", "state", "revision"};

json::object viewersNode(const json::object& node, const plane::NodeFacts& facts)
{
    json::object shown;
    for (const std::string_view key : kShown) {
        if (const json::value* value = node.if_contains(key)) {
            shown[key] = *value;
        }
    }
    // The reason may be what a health body said; viewers get the code.
    shown["reason"] = !facts.probeReason.empty() ? facts.probeReason : facts.cause == health::Cause::Passive ? facts.passiveOutcome : std::string();
    return shown;
}

} // namespace

void Api::addFleet()
{
    add("GET", "/v1/fleet", {Access::Operator, Access::Viewer}, [this](const Call&, const http::Reply& reply) {
        const std::uint64_t revision = m_plane.fleet().read([](const fleet::Fleet& fleet, Instant) { return fleet.revision(); });
        const std::vector<plane::NodeFacts> nodes = m_plane.flow().nodeFacts();
        std::map<std::string_view, std::vector<const plane::NodeFacts*>> byPool;
        for (const plane::NodeFacts& node : nodes) {
            byPool[node.pool].push_back(&node);
        }
        json::array pools;
        for (const plane::PoolFacts& pool : m_plane.facts().pools()) {
            const auto& ofPool = byPool[pool.spec.id.text()];
            json::object object = toJson(pool, ofPool);
            json::array shown;
            for (std::size_t i = 0; i < ofPool.size(); ++i) {
                shown.emplace_back(viewersNode(object.at("nodes").as_array().at(i).as_object(), *ofPool[i]));
            }
            object["nodes"] = std::move(shown);
            object.erase("owner");
            pools.emplace_back(std::move(object));
        }
        m_plane.countQuietRead();
        reply(http::json(200, json::object{{"revision", revision}, {"items", std::move(pools)}}));
    });
}

} // namespace weir::api
