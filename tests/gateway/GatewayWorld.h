// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/Gateway.h"
#include "core/http/Problem.h"
#include "core/live/LiveFleet.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <thread>

namespace weir::gateway::test {

/// A gateway over a live fleet of its own, with the thread that runs it.
class GatewayWorld {
public:
    explicit GatewayWorld(GatewayOptions options = {}, const health::HealthSettings& health = {})
        : m_fleet(m_clock, health, fleet::FleetSettings())
    {
        if (!options.classify) {
            options.classify = [rules = outcome::OutcomeRules()](const outcome::Outcome& outcome) { return rules.classify(outcome); };
        }
        if (!options.own) {
            options.own = [](const http::Request&, const http::Reply& reply) { reply(http::json(200, boost::json::object{{"status", "ok"}})); };
        }
        m_gateway.emplace(m_context, m_fleet, std::move(options));
        m_listened = m_gateway->listen();
        m_thread = std::thread([this] { m_context.run(); });
    }
    ~GatewayWorld()
    {
        boost::asio::post(m_context, [this] {
            m_gateway.reset();
            m_work.reset();
        });
        m_thread.join();
    }
    GatewayWorld(const GatewayWorld&) = delete;
    GatewayWorld& operator=(const GatewayWorld&) = delete;

    [[nodiscard]] const Result<void>& listened() const { return m_listened; }
    [[nodiscard]] std::uint16_t port() const { return m_gateway->port(); }
    [[nodiscard]] Gateway& gateway() { return *m_gateway; }
    [[nodiscard]] live::LiveFleet& fleet() { return m_fleet; }

    /// In the pool `default`, probed and in rotation.
    NodeHandle addNode(const std::string& id, const std::string& url, std::int64_t capacity = 1)
    {
        const NodeHandle node = m_fleet.with([&](fleet::Fleet& fleet, Instant now) {
            fleet::NodeSpec spec;
            spec.id = *NodeId::parse(id, "node");
            spec.pool = fleet.defaultPool();
            spec.url = url;
            spec.capacity = capacity;
            return *fleet.addNode(std::move(spec), now);
        });
        probe(node, true);
        return node;
    }
    void probe(NodeHandle node, bool success)
    {
        m_fleet.with([&](fleet::Fleet& fleet, Instant now) {
            (void)fleet.probeEnded({node, fleet.node(node).generation, now, success, success ? "" : "status:503", {}}, now);
        });
    }
    [[nodiscard]] bool inRotation(NodeHandle node)
    {
        return m_fleet.read([&](const fleet::Fleet& fleet, Instant) { return fleet.node(node).health.inRotation(); });
    }
    [[nodiscard]] std::int64_t inFlight(NodeHandle node)
    {
        return m_fleet.read([&](const fleet::Fleet& fleet, Instant) { return fleet.core(node).inFlight; });
    }
    [[nodiscard]] std::string lastOutcome(NodeHandle node)
    {
        return m_fleet.read([&](const fleet::Fleet& fleet, Instant) { return fleet.node(node).trouble.passiveOutcome; });
    }
    /// Facts of this kind since the last call of count().
    [[nodiscard]] int count(fleet::ChangeKind kind)
    {
        live::LiveFleet::Drained drained;
        m_fleet.drain(drained, 1000);
        int count = 0;
        for (const fleet::FleetChange& change : drained.changes) {
            count += change.kind == kind ? 1 : 0;
        }
        return count;
    }
    [[nodiscard]] std::shared_ptr<const ClusterCounters> counters() { return m_gateway->clusterCounters()["default"]; }

    /// Waits until it holds, at most ten seconds.
    static bool eventually(const std::function<bool()>& holds)
    {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!holds()) {
            if (std::chrono::steady_clock::now() > deadline) {
                return false;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return true;
    }
    std::future<void> close(Duration grace)
    {
        auto promise = std::make_shared<std::promise<void>>();
        m_gateway->close(grace, [promise] { promise->set_value(); });
        return promise->get_future();
    }

private:
    SystemClock m_clock;
    live::LiveFleet m_fleet;
    boost::asio::io_context m_context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> m_work{m_context.get_executor()};
    std::optional<Gateway> m_gateway;
    Result<void> m_listened;
    std::thread m_thread;
};

} // namespace weir::gateway::test
