// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/base/Result.h"
#include "core/gateway/FleetGate.h"
#include "core/gateway/GatewayCounters.h"
#include "core/gateway/Route.h"
#include "core/gateway/modules/AccessLog.h"
#include "core/gateway/modules/ModuleChain.h"
#include "core/gateway/modules/ModuleTotals.h"
#include "core/http/Message.h"
#include "core/http/Tls.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace weir::gateway {

class Engine;

/// Limits are per connection; times are real time.
struct GatewayOptions {
    std::string host = "127.0.0.1"; ///< a numeric address, or "localhost"
    std::uint16_t port = 0;         ///< 0 takes a free one
    std::vector<std::string> trustedProxies;
    std::size_t maxIdlePerNode = 32;
    std::size_t maxConnections = 8192;                ///< clients; beyond them 503 and close
    Duration headTimeout = std::chrono::seconds(30);  ///< from the first byte of a request to the end of its head; also for TLS to stand
    Duration idleTimeout = std::chrono::seconds(60);  ///< of a client between two requests
    Duration lingerTimeout = std::chrono::seconds(2); ///< for what a client still sends after an answer that ends the connection
    Duration tunnelIdleTimeout = std::chrono::hours(1); ///< of an upgraded connection; dead peers are found by TCP's own keep-alive
    Duration nodeIdleTimeout = std::chrono::seconds(55); ///< of a connection that is kept to a node
    ClusterSettings cluster;                          ///< of the built-in route
    FleetGate::Classify classify;        ///< where there is no judge
    live::OutcomeJudge* judge = nullptr; ///< by the outcome rules in force; outlives the gateway
    std::shared_ptr<const http::TlsContext> tls; ///< of the listener; null: in the clear
    bool proxyProtocol = false;                  ///< every connection begins with a header of the PROXY protocol
    std::shared_ptr<ModuleChain> modules;
    std::shared_ptr<AccessLog> accessLog;
    http::Handler own; ///< answers `/gateway-health`; called on the io thread
    Log* log = nullptr;
};

/// The embedded reverse proxy (gateway.md): takes requests on one port and forwards them to nodes of the live fleet. All its work is done on the
/// one thread that runs the io_context.
class Gateway {
public:
    Gateway(boost::asio::io_context& context, live::LiveFleet& fleet, GatewayOptions options);
    /// On the io thread, or while nothing runs the io_context, which must outlive this. Connections are cut.
    ~Gateway();
    Gateway(const Gateway&) = delete;
    Gateway& operator=(const Gateway&) = delete;

    /// Binds and accepts. Errors: `address_in_use`, `invalid_value` (host, trusted proxies), `listen_failed`. Once, before the thread runs.
    [[nodiscard]] Result<void> listen();
    [[nodiscard]] std::uint16_t port() const;
    /// `http://127.0.0.1:8780` (`https` with TLS), without a slash at the end.
    [[nodiscard]] std::string url() const;
    /// Another table for requests from now on; those under way and those that wait keep what they got of the last one. From any thread.
    void setRouter(std::unique_ptr<Router> router);
    /// Another certificate for connections from now on; for a listener that has one already. From any thread.
    void setTls(std::shared_ptr<const http::TlsContext> tls);
    /// Other modules for requests from now on; those under way keep theirs. From any thread.
    void setModules(std::shared_ptr<ModuleChain> modules);
    /// Whose word about a client is taken, for requests from now on, those over kept connections too. Error: `invalid_value`, and nothing
    /// changes. From any thread.
    [[nodiscard]] Result<void> setTrustedProxies(const std::vector<std::string>& entries);

    /// Stops accepting and ends idle connections at once; requests under way, those that wait included, get `grace`. `done` is called
    /// once on the io thread when no connection is left. From any thread.
    void close(Duration grace, std::function<void()> done);

    /// From any thread.
    [[nodiscard]] const GatewayCounters& counters() const;
    /// The figures of each cluster that has had a request; they live as long as the gateway. From any thread.
    [[nodiscard]] std::map<std::string, std::shared_ptr<const ClusterCounters>> clusterCounters() const;
    /// What all its modules have counted, earlier ones included. From any thread.
    [[nodiscard]] ModuleTotals::Figures moduleCounters() const { return m_moduleTotals.figures(); }

private:
    ModuleTotals m_moduleTotals;
    std::shared_ptr<Engine> m_engine;
};

} // namespace weir::gateway
