// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/Buffers.h"
#include "core/gateway/DeadlineWheel.h"
#include "core/gateway/Gateway.h"
#include "core/gateway/RareLine.h"
#include "core/gateway/Net.h"
#include "core/gateway/TlsClient.h"
#include "core/gateway/WaitLine.h"
#include "core/http/Acceptor.h"
#include "core/http/EdgePoll.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <chrono>
#include <mutex>
#include <random>
#include <unordered_map>
#include <unordered_set>

namespace weir::gateway {

class ClientSession;
class Forwarding;

/// What is kept for one cluster: its line and its figures.
struct ClusterState {
    explicit ClusterState(const ClusterSettings& settings)
        : line(settings.queueMax, settings.queueTimeout)
        , counters(std::make_shared<ClusterCounters>())
    {
    }
    WaitLine line;
    std::shared_ptr<ClusterCounters> counters;
};

/// The inside of Gateway: the accepting socket, the sessions, and what they share. Lives as long as any of them. Io thread only but for
/// what Gateway says.
class Engine : public std::enable_shared_from_this<Engine> {
public:
    Engine(boost::asio::io_context& context, live::LiveFleet& fleet, GatewayOptions options);

    [[nodiscard]] Result<void> listen();
    [[nodiscard]] std::uint16_t port() const { return m_acceptor->port(); }
    [[nodiscard]] std::string url() const;
    // From any thread.
    void setRouter(std::unique_ptr<Router> router);
    void setModules(std::shared_ptr<ModuleChain> modules);
    void setTrusted(TrustedProxies trusted);
    void setTls(std::shared_ptr<const http::TlsContext> tls);
    void close(Duration grace, std::function<void()> done);
    void cut();
    [[nodiscard]] std::map<std::string, std::shared_ptr<const ClusterCounters>> clusterCounters() const;

    // For sessions.
    [[nodiscard]] static Instant now() { return Instant(std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch())); }
    [[nodiscard]] const GatewayOptions& options() const { return m_options; }
    [[nodiscard]] Executor executor() const { return m_context.get_executor(); }
    [[nodiscard]] const std::shared_ptr<http::EdgePoll>& poll() const { return m_poll; }
    [[nodiscard]] BlockPool& blocks() { return m_blocks; }
    [[nodiscard]] FleetGate& gate() { return m_gate; }
    [[nodiscard]] TlsClient& tls() { return m_tls; }
    [[nodiscard]] Router& router() { return *m_router; }
    [[nodiscard]] const TrustedProxies& trusted() const { return m_trusted; }
    [[nodiscard]] GatewayCounters& counters() { return m_counters; }
    [[nodiscard]] const GatewayCounters& counters() const { return m_counters; }
    [[nodiscard]] std::mt19937_64& random() { return m_random; }
    [[nodiscard]] bool isClosing() const { return m_isClosing; }
    [[nodiscard]] std::shared_ptr<ClusterState> clusterState(const ClusterSettings& settings);
    void setDeadline(DeadlineWheel::Entry& entry, Instant at);
    /// Something came free, or a request has begun to wait: offers the nodes to those that wait.
    void serve();
    /// 16 random hexadecimal digits.
    [[nodiscard]] std::string makeRequestId();
    void forget(const std::shared_ptr<ClientSession>& session);
    /// A connection without a proper header of the PROXY protocol: counted, and told to the log once in a while.
    void refusedProxyHeader(std::string_view peer, std::string_view fault);

private:
    using Timer = boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

    void admit(int descriptor, const boost::asio::ip::address& peer);
    void armWheel();
    void pollLines();
    void expireWaiting();
    void sweep();
    void beginClose(Duration grace);
    void closeSessions();
    void finishClose();

    boost::asio::io_context& m_context;
    GatewayOptions m_options;
    TlsClient m_tls;
    BlockPool m_blocks;
    DeadlineWheel m_wheel;
    FleetGate m_gate;
    std::unique_ptr<Router> m_router;
    TrustedProxies m_trusted;
    RareLine m_proxyComplaint;
    GatewayCounters m_counters;
    std::shared_ptr<http::EdgePoll> m_poll;
    std::shared_ptr<http::Acceptor> m_acceptor;
    Timer m_wheelTimer;
    Timer m_pollTimer;
    Timer m_sweepTimer;
    Timer m_graceTimer;
    std::optional<Instant> m_wheelArmed;
    bool m_isPolling = false;
    std::unordered_set<std::shared_ptr<ClientSession>> m_sessions;
    std::unordered_map<std::string, std::shared_ptr<ClusterState>> m_clusters;
    mutable std::mutex m_clustersMutex; ///< over m_clusters, for clusterCounters() alone
    bool m_isClosing = false;
    std::vector<std::function<void()>> m_done;
    std::mt19937_64 m_random{std::random_device{}()};
};

} // namespace weir::gateway
