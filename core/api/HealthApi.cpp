// SPDX-License-Identifier: GPL-3.0-or-later
// What is open without a token: /gateway-health, /livez, /readyz.
#include "core/api/Api.h"

#include "core/http/Problem.h"

#include <boost/json.hpp>
#include <cmath>

namespace weir::api {
namespace json = boost::json;
namespace {

// A short code and nothing that a stranger should not read: bodies stay with superadmins.
std::string shortReason(const plane::NodeFacts& node)
{
    if (!node.checked) {
        return "unchecked";
    }
    if (node.inRotation) {
        return {};
    }
    if (node.quarantineRemaining > Duration::zero()) {
        return "quarantined";
    }
    return node.probeReason.empty() ? "awaiting_probe" : node.probeReason;
}

} // namespace

http::Response Api::gatewayHealth() const
{
    json::array workers;
    std::size_t healthy = 0;
    for (const plane::NodeFacts& node : m_plane.facts().nodes()) {
        if (node.pool == kUnassignedPool || !node.hasHealthAddress) {
            continue;
        }
        const bool online = node.inRotation && node.connected;
        healthy += online ? 1 : 0;
        workers.emplace_back(json::object{
            {"url", node.spec.url.empty() ? node.spec.healthUrl : node.spec.url},
            {"online", online},
            {"busy", node.inFlight >= node.capacity},
            {"consecutive_failures", node.consecutiveFailures},
            {"consecutive_successes", node.consecutiveSuccesses},
            {"quarantine_remaining_seconds", std::round(toSeconds(node.quarantineRemaining) * 10) / 10},
            {"reason", shortReason(node)},
        });
    }
    const std::size_t total = workers.size();
    const char* status = healthy == 0 ? "down" : healthy == total ? "ok" : "degraded";
    return http::json(healthy == 0 ? 503 : 200, json::object{{"status", status}, {"workers_total", total}, {"workers_healthy", healthy}, {"workers", std::move(workers)}});
}

void Api::addHealth()
{
    const auto gateway = [this](const http::Request&, const http::Reply& reply) { reply(gatewayHealth()); };
    m_traffic.add("GET", "/gateway-health", gateway);
    m_control.add("GET", "/gateway-health", gateway);
    m_control.add("GET", "/livez", [](const http::Request&, const http::Reply& reply) { reply(http::json(200, json::object{{"status", "ok"}})); });
    m_control.add("GET", "/readyz", [this](const http::Request&, const http::Reply& reply) {
        const bool ready = m_plane.isReady();
        reply(http::json(ready ? 200 : 503, json::object{{"status", ready ? "ok" : "starting"}}));
    });
}

} // namespace weir::api
