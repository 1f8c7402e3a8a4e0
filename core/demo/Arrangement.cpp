// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/Arrangement.h"

#include <algorithm>

namespace weir::demo {
namespace {

plane::Actor theDemo()
{
    return {"demo", {}, {}, "demo"};
}

void arrangeNodes(plane::ControlPlane& plane, const DemoCast& cast)
{
    plane::MoveRequest request;
    request.reason = "demo restarted";
    for (const plane::NodeFacts& facts : plane.facts().nodes()) {
        const std::string id = facts.spec.id.text();
        const DemoNode* node = cast.node(id);
        if (node == nullptr) {
            continue;
        }
        if (facts.spec.draining) {
            plane.nodes().setDraining(id, false, {}, theDemo(), [](const Result<void>&) {});
        }
        if (facts.pool != node->pool) {
            request.moves.push_back({id, std::string(node->pool), std::nullopt});
        }
    }
    if (!request.moves.empty()) {
        plane.nodes().move(std::move(request), theDemo(), [](const tl::expected<plane::MoveAnswer, plane::MoveRefusal>&) {});
    }
}

void arrangeApps(plane::ControlPlane& plane, const DemoCast& cast)
{
    for (const plane::AppFacts& facts : plane.facts().apps()) {
        const auto app = std::find_if(cast.apps.begin(), cast.apps.end(), [&](const DemoApp& each) { return each.id == facts.id; });
        if (app == cast.apps.end()) {
            continue;
        }
        if (facts.owner != app->owner) {
            plane.apps().putApp(AppId::trusted(facts.id), std::string(app->owner), theDemo(), [](const Result<bool>&) {});
        }
        const auto binding = std::find_if(cast.bindings.begin(), cast.bindings.end(), [&](const DemoBinding& each) { return each.app == facts.id; });
        if (binding == cast.bindings.end()) {
            if (facts.binding) {
                plane.apps().removeBinding(facts.id, theDemo(), [](const Result<void>&) {});
            }
        } else if (!facts.binding || facts.binding->first != binding->pool || facts.binding->second != binding->allowFallback) {
            plane.apps().putBinding(facts.id, std::string(binding->pool), binding->allowFallback, theDemo(), [](const Result<bool>&) {});
        }
    }
}

} // namespace

void arrange(plane::ControlPlane& plane, const DemoCast& cast)
{
    arrangeNodes(plane, cast);
    arrangeApps(plane, cast);
}

} // namespace weir::demo
