// SPDX-License-Identifier: GPL-3.0-or-later
// /admin/mmx-nodes: nodes and what an administrator does with one.
#include "core/api/Api.h"
#include "core/api/JsonViews.h"
#include "core/http/JsonBody.h"
#include "core/http/Problem.h"

#include <boost/json.hpp>
#include <random>

namespace weir::api {
namespace json = boost::json;
namespace {

constexpr std::int64_t kMostCapacity = 1'000'000;
constexpr std::int64_t kMostWeight = 1'000'000;

std::vector<int> toStatuses(const std::vector<std::int64_t>& values)
{
    return {values.begin(), values.end()};
}

// 100 to 599 without redirects, which are never a success.
std::optional<std::vector<int>> statusesFrom(http::JsonBody& body)
{
    const auto values = body.optionalIntegers("expectedStatuses", 100, 599, 50);
    if (!values) {
        return std::nullopt;
    }
    for (const std::int64_t status : *values) {
        if (status >= 300 && status < 400) {
            body.refuse("expectedStatuses", "invalid_value", "expectedStatuses has " + std::to_string(status) + "; a redirect is never a success.");
        }
    }
    return toStatuses(*values);
}

plane::NodePatch patchFrom(http::JsonBody& body)
{
    plane::NodePatch patch;
    patch.url = body.optionalString("url");
    patch.healthUrl = body.optionalString("healthUrl");
    patch.healthPath = body.optionalString("healthPath");
    patch.expectedStatuses = statusesFrom(body);
    patch.webrtcBaseUrl = body.optionalString("webrtcBaseUrl");
    patch.publishUrl = body.optionalString("publishUrl");
    patch.capacity = body.optionalInteger("capacity", 1, kMostCapacity);
    if (const auto weight = body.optionalInteger("weight", 0, kMostWeight)) {
        patch.weight = static_cast<int>(*weight);
    }
    patch.region = body.optionalString("region");
    patch.version = body.optionalString("version");
    return patch;
}

// An id for a node that was given none: its role and so many random digits that no two ever meet.
std::string inventedId(const std::string& role)
{
    std::string id = role + "-";
    std::random_device random;
    constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
    for (int i = 0; i < 12; ++i) {
        id += kDigits[random() % kDigits.size()];
    }
    return id;
}

Result<plane::NewNode> newNodeFrom(http::JsonBody& body)
{
    plane::NewNode node;
    const auto givenId = body.optionalString("nodeId");
    const std::string role = body.requireString("role");
    const auto owner = body.optionalString("owner");
    node.pool = body.optionalString("poolId");
    const plane::NodePatch patch = patchFrom(body);
    if (auto checked = body.finish(); !checked) {
        return tl::unexpected(checked.error());
    }
    const auto parsedRole = roleFromText(role);
    if (!parsedRole) {
        return fail("invalid_value", "role is '" + role + "'; it must be origin, edge, worker, recorder, forward or standalone.", "role");
    }
    const auto parsedId = NodeId::parse(givenId ? *givenId : inventedId(role), "nodeId");
    if (!parsedId) {
        return tl::unexpected(parsedId.error());
    }
    if (owner) {
        const auto parsedOwner = UserId::parse(*owner, "owner");
        if (!parsedOwner) {
            return tl::unexpected(parsedOwner.error());
        }
        node.owner = *parsedOwner;
    }
    node.id = *parsedId;
    node.role = *parsedRole;
    node.url = patch.url.value_or("");
    node.healthUrl = patch.healthUrl.value_or("");
    node.healthPath = patch.healthPath.value_or("");
    node.expectedStatuses = patch.expectedStatuses.value_or(std::vector<int>());
    node.webrtcBaseUrl = patch.webrtcBaseUrl.value_or("");
    node.publishUrl = patch.publishUrl.value_or("");
    node.capacity = patch.capacity.value_or(1);
    node.weight = patch.weight.value_or(10);
    node.region = patch.region.value_or("");
    node.version = patch.version.value_or("");
    return node;
}

// One node's row, or 404.
void answerNode(plane::ControlPlane& plane, const std::string& id, unsigned status, const http::Reply& reply)
{
    const auto handle = plane.fleet().read([&](const fleet::Fleet& fleet, Instant) { return fleet.findNode(id); });
    const auto rows = handle ? plane.flow().nodeFacts({*handle}) : std::vector<plane::NodeFacts>();
    if (rows.empty()) {
        reply(http::problem(Error{"unknown_node", "There is no node '" + id + "'.", "nodeId"}));
        return;
    }
    reply(http::json(status, toJson(rows.front())));
}

http::Response nodeList(plane::ControlPlane& plane, const http::Request& request)
{
    const auto page = pageOf(request, {"poolId", "role", "owner", "state"});
    if (!page) {
        return http::problem(page.error());
    }
    const auto wanted = [&](const plane::NodeFacts& node) {
        const auto fits = [&](std::string_view key, std::string_view value) {
            const auto asked = request.queryValue(key);
            return !asked || *asked == value;
        };
        return fits("poolId", node.pool) && fits("role", toText(node.spec.role)) && fits("owner", node.owner) && fits("state", plane::stateWord(node));
    };
    return http::json(200, listOf(
                               plane.flow().nodeFacts(), *page, [](const plane::NodeFacts& node) { return node.spec.id.text(); }, wanted,
                               [](const plane::NodeFacts& node) { return toJson(node); }));
}

} // namespace

void Api::addNodes()
{
    add("GET", "/admin/mmx-nodes", {}, [this](const Call& call, const http::Reply& reply) { reply(nodeList(m_plane, call.request)); });

    add("GET", "/admin/mmx-nodes/{id}", {}, [this](const Call& call, const http::Reply& reply) { answerNode(m_plane, call.request.params.at("id"), 200, reply); });

    add("POST", "/admin/mmx-nodes", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        auto node = newNodeFrom(*body);
        if (!node) {
            reply(http::problem(node.error()));
            return;
        }
        m_plane.nodes().create(std::move(*node), call.actor(), [reply](const Result<plane::NodeCreated>& created) {
            if (!created) {
                reply(http::problem(created.error()));
                return;
            }
            json::object object{{"nodeId", created->nodeId}, {"poolId", created->poolId}};
            if (!created->nodeSecret.empty()) {
                object["nodeSecret"] = created->nodeSecret;
            }
            http::Response response = http::json(201, object);
            response.headers.emplace_back("Location", "/admin/mmx-nodes/" + created->nodeId);
            reply(std::move(response));
        });
    });

    add("PATCH", "/admin/mmx-nodes/{id}", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        plane::NodePatch patch = patchFrom(*body);
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        const std::string id = call.request.params.at("id");
        m_plane.nodes().change(id, std::move(patch), call.actor(), [this, id, reply](const Result<void>& result) {
            if (!result) {
                reply(http::problem(result.error()));
                return;
            }
            answerNode(m_plane, id, 200, reply);
        });
    });

    add("DELETE", "/admin/mmx-nodes/{id}", {}, [this](const Call& call, const http::Reply& reply) {
        m_plane.nodes().remove(call.request.params.at("id"), call.actor(), [reply](const Result<void>& result) { answerDone(reply, result); });
    });

    add("PUT", "/admin/mmx-nodes/{id}/draining", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        const bool draining = body->requireBool("draining");
        const std::string reason = body->optionalString("reason").value_or("");
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        const std::string id = call.request.params.at("id");
        m_plane.nodes().setDraining(id, draining, reason, call.actor(), [this, id, draining, reply](const Result<void>& result) {
            if (!result) {
                reply(http::problem(result.error()));
                return;
            }
            const auto [inFlight, streams] = m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant) {
                const auto node = fleet.findNode(id);
                return node ? std::pair(fleet.core(*node).inFlight, fleet.streams().countOn(*node)) : std::pair(std::int64_t{0}, std::size_t{0});
            });
            reply(http::json(200, json::object{{"draining", draining}, {"inFlight", inFlight}, {"streams", streams}}));
        });
    });

    add("POST", "/admin/mmx-nodes/{id}:revive", {}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parse(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        const std::string reason = body->requireString("reason");
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        const std::string id = call.request.params.at("id");
        m_plane.nodes().revive(id, reason, call.actor(), [this, id, reply](const Result<void>& result) {
            if (!result) {
                reply(http::problem(result.error()));
                return;
            }
            answerNode(m_plane, id, 200, reply);
        });
    });

    add("POST", "/admin/mmx-nodes/{id}:probe", {Access::Operator}, [this](const Call& call, const http::Reply& reply) {
        m_plane.probeNow(call.request.params.at("id"), [reply](const Result<plane::ProbeRecord>& probe) {
            if (!probe) {
                reply(http::problem(probe.error()));
            } else if (probe->reason == "timeout") {
                reply(http::problem(Error{"probe_timeout", "The node did not answer its probe in time.", {}}));
            } else {
                reply(http::json(200, toJson(*probe)));
            }
        });
    });
}

} // namespace weir::api
