// SPDX-License-Identifier: GPL-3.0-or-later
// Moves: PUT …/pool, :move, moves:preview.
#include "core/api/Api.h"
#include "core/api/JsonViews.h"
#include "core/http/JsonBody.h"
#include "core/http/Problem.h"

#include <boost/json.hpp>

namespace weir::api {
namespace json = boost::json;
namespace {

constexpr std::size_t kMostMoves = 10'000;

Result<void> readMoves(http::JsonBody& body, plane::MoveRequest& request)
{
    for (http::JsonBody& item : body.requireObjects("moves", kMostMoves)) {
        plane::MoveRequest::One one;
        one.nodeId = item.requireString("nodeId");
        one.poolId = item.requireString("poolId");
        one.expectedFrom = item.optionalString("expectedFrom");
        request.moves.push_back(std::move(one));
    }
    if (request.moves.empty()) {
        body.refuse("moves", "missing_field", "moves is empty; it must name at least one node.");
    }
    if (auto checked = body.finish(); !checked) {
        return checked;
    }
    for (std::size_t i = 0; i < request.moves.size(); ++i) {
        const std::string at = "moves[" + std::to_string(i) + "].";
        if (auto id = NodeId::parse(request.moves[i].nodeId, at + "nodeId"); !id) {
            return tl::unexpected(id.error());
        }
        if (auto id = PoolId::parse(request.moves[i].poolId, at + "poolId"); !id) {
            return tl::unexpected(id.error());
        }
    }
    return {};
}

http::Response refused(const plane::MoveRefusal& refusal)
{
    json::object extra;
    if (!refusal.suggestions.empty() || refusal.error.code == "unknown_pool") {
        json::array names;
        for (const std::string& name : refusal.suggestions) {
            names.emplace_back(name);
        }
        extra["suggestions"] = std::move(names);
    }
    if (!refusal.movedMeanwhile.empty()) {
        json::array nodes;
        for (const plane::MoveRefusal::Meanwhile& one : refusal.movedMeanwhile) {
            nodes.emplace_back(json::object{{"nodeId", one.nodeId}, {"poolId", one.poolId}, {"movedBy", one.by}});
        }
        extra["nodes"] = std::move(nodes);
    }
    if (refusal.impact) {
        extra["impact"] = toJson(*refusal.impact);
    }
    return http::problem(http::statusOf(refusal.error.code), refusal.error, extra);
}

// The move back, expecting the nodes where this move left them.
json::object undoOf(const plane::MoveAnswer& answer)
{
    json::array moves;
    for (const plane::MoveAnswer::One& one : answer.moves) {
        if (one.changed) {
            moves.emplace_back(json::object{{"nodeId", one.nodeId}, {"poolId", one.from}, {"expectedFrom", one.to}});
        }
    }
    return {{"moves", std::move(moves)}};
}

} // namespace

void Api::addMoves()
{
    add("PUT", "/admin/mmx-nodes/{id}/pool", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        plane::MoveRequest::One one;
        one.nodeId = call.request.params.at("id");
        one.poolId = body->requireString("poolId");
        one.expectedFrom = body->optionalString("expectedFrom");
        plane::MoveRequest request;
        request.reason = body->optionalString("reason").value_or("");
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        if (auto pool = PoolId::parse(one.poolId, "poolId"); !pool) {
            reply(http::problem(pool.error()));
            return;
        }
        request.moves.push_back(std::move(one));
        m_plane.nodes().move(std::move(request), call.actor(), [reply](tl::expected<plane::MoveAnswer, plane::MoveRefusal> result) {
            if (!result) {
                const std::size_t dot = result.error().error.field.find('.');
                result.error().error.field = dot == std::string::npos ? result.error().error.field : result.error().error.field.substr(dot + 1);
                reply(refused(result.error()));
                return;
            }
            const plane::MoveAnswer::One& done = result->moves.front();
            reply(http::json(200, json::object{{"nodeId", done.nodeId}, {"from", done.from}, {"to", done.to}, {"changed", done.changed}, {"impact", toJson(result->impact)}}));
        });
    });

    add("POST", "/admin/mmx-nodes:move", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        plane::MoveRequest request;
        if (const auto token = body->optionalInteger("impact", 0)) {
            request.impactToken = static_cast<std::uint64_t>(*token);
        }
        request.reason = body->optionalString("reason").value_or("");
        plane::Actor actor = call.actor();
        actor.source = body->optionalString("source").value_or(actor.source).substr(0, 40);
        if (auto read = readMoves(*body, request); !read) {
            reply(http::problem(read.error()));
            return;
        }
        m_plane.nodes().move(std::move(request), std::move(actor), [reply](const tl::expected<plane::MoveAnswer, plane::MoveRefusal>& result) {
            reply(result ? http::json(200, json::object{{"moves", toJson(result->moves)}, {"impact", toJson(result->impact)}, {"undo", undoOf(*result)}}) : refused(result.error()));
        });
    });

    add("POST", "/admin/moves:preview", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        plane::MoveRequest request;
        if (auto read = readMoves(*body, request); !read) {
            reply(http::problem(read.error()));
            return;
        }
        m_plane.countQuietRead();
        const auto result = m_plane.nodes().previewMove(request);
        reply(result ? http::json(200, json::object{{"impact", toJson(result->impact)}}) : refused(result.error()));
    });
}

} // namespace weir::api
