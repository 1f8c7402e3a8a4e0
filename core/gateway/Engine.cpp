// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/Engine.h"

#include "core/gateway/ClientSession.h"
#include "core/gateway/NodeLinks.h"
#include "core/gateway/RequestModules.h"

#include <boost/asio/post.hpp>
#include <unistd.h>

namespace weir::gateway {
namespace {

namespace asio = boost::asio;

// Clients beyond the limit that may linger over their 503; further ones are closed without a word.
constexpr std::size_t kMostSurplus = 64;
constexpr auto kSweepPause = std::chrono::seconds(5);
// Nodes come back by probes, moves and settings on other threads; those that wait ask again this often.
constexpr auto kPollPause = std::chrono::milliseconds(5);

} // namespace

Engine::Engine(asio::io_context& context, live::LiveFleet& fleet, GatewayOptions options)
    : m_context(context)
    , m_options(std::move(options))
    , m_gate(fleet, m_options.classify, m_options.judge)
    , m_router(std::make_unique<BuiltInRouter>(m_options.cluster))
    , m_poll(std::make_shared<http::EdgePoll>(context))
    , m_acceptor(std::make_shared<http::Acceptor>(context, m_poll))
    , m_wheelTimer(context.get_executor())
    , m_pollTimer(context.get_executor())
    , m_sweepTimer(context.get_executor())
    , m_graceTimer(context.get_executor())
{
}

Result<void> Engine::listen()
{
    auto trusted = TrustedProxies::parse(m_options.trustedProxies);
    if (!trusted) {
        return tl::unexpected(std::move(trusted.error()));
    }
    m_trusted = std::move(*trusted);
    auto listens = m_acceptor->listen(m_options.host, m_options.port, [this](int descriptor, const asio::ip::address& peer) { admit(descriptor, peer); });
    if (!listens) {
        return listens;
    }
    sweep();
    return {};
}

void Engine::setModules(std::shared_ptr<ModuleChain> modules)
{
    asio::post(m_context, [self = shared_from_this(), modules = std::move(modules)]() mutable { self->m_options.modules = std::move(modules); });
}

void Engine::setRouter(std::unique_ptr<Router> router)
{
    asio::post(m_context, [self = shared_from_this(), router = std::move(router)]() mutable { self->m_router = std::move(router); });
}

void Engine::setTrusted(TrustedProxies trusted)
{
    asio::post(m_context, [self = shared_from_this(), trusted = std::move(trusted)] { self->m_trusted = trusted; });
}

void Engine::setTls(std::shared_ptr<const http::TlsContext> tls)
{
    asio::post(m_context, [self = shared_from_this(), tls = std::move(tls)]() mutable { self->m_options.tls = std::move(tls); });
}

std::string Engine::url() const
{
    const std::string host = m_options.host.find(':') == std::string::npos ? m_options.host : "[" + m_options.host + "]";
    return (m_options.tls ? "https://" : "http://") + host + ":" + std::to_string(port());
}

void Engine::admit(int descriptor, const asio::ip::address& peer)
{
    const bool isMapped = peer.is_v6() && peer.to_v6().is_v4_mapped();
    std::string text = isMapped ? asio::ip::make_address_v4(asio::ip::v4_mapped, peer.to_v6()).to_string() : peer.to_string();
    m_counters.accepted.fetch_add(1, std::memory_order_relaxed);
    if (m_options.modules && RequestModules::closesAtAccept(*m_options.modules, text)) {
        ::close(descriptor);
        return;
    }
    const bool isSurplus = m_sessions.size() >= m_options.maxConnections;
    // A handshake would cost more than the 503 is worth.
    if (m_sessions.size() >= m_options.maxConnections + kMostSurplus || (isSurplus && m_options.tls)) {
        ::close(descriptor);
        return;
    }
    const auto session = std::make_shared<ClientSession>(shared_from_this(), std::move(text));
    m_sessions.insert(session);
    m_counters.connections.store(m_sessions.size(), std::memory_order_relaxed);
    session->start(descriptor, isSurplus);
}

void Engine::forget(const std::shared_ptr<ClientSession>& session)
{
    m_sessions.erase(session);
    m_counters.connections.store(m_sessions.size(), std::memory_order_relaxed);
    if (m_isClosing && m_sessions.empty()) {
        finishClose();
    }
}

void Engine::refusedProxyHeader(std::string_view peer, std::string_view fault)
{
    m_counters.refusedProxyHeaders.fetch_add(1, std::memory_order_relaxed);
    const auto cases = m_options.log != nullptr ? m_proxyComplaint.note(now()) : std::nullopt;
    if (cases) {
        m_options.log->write(LogLevel::Warning, "proxy_header",
            "A connection from " + std::string(peer) + " was closed: gateway.proxy_protocol asks for a header of the PROXY protocol, and " + std::string(fault) + ".",
            {{"peer", std::string(peer)}, {"connections", std::to_string(*cases)}});
    }
}

std::shared_ptr<ClusterState> Engine::clusterState(const ClusterSettings& settings)
{
    const auto found = m_clusters.find(settings.name);
    if (found != m_clusters.end()) {
        return found->second;
    }
    auto state = std::make_shared<ClusterState>(settings);
    const std::scoped_lock lock(m_clustersMutex);
    m_clusters.emplace(settings.name, state);
    return state;
}

std::map<std::string, std::shared_ptr<const ClusterCounters>> Engine::clusterCounters() const
{
    const std::scoped_lock lock(m_clustersMutex);
    std::map<std::string, std::shared_ptr<const ClusterCounters>> counters;
    for (const auto& [name, state] : m_clusters) {
        counters.emplace(name, state->counters);
    }
    return counters;
}

void Engine::setDeadline(DeadlineWheel::Entry& entry, Instant at)
{
    m_wheel.set(entry, at, now());
    if (!m_wheelArmed || at + std::chrono::milliseconds(10) < *m_wheelArmed) {
        armWheel();
    }
}

void Engine::armWheel()
{
    m_wheelArmed = m_wheel.next();
    if (!m_wheelArmed) {
        return;
    }
    m_wheelTimer.expires_at(std::chrono::steady_clock::time_point(std::chrono::duration_cast<std::chrono::steady_clock::duration>(m_wheelArmed->time_since_epoch())));
    m_wheelTimer.async_wait([self = shared_from_this()](const ErrorCode& code) {
        if (!code) {
            self->m_wheelArmed.reset();
            self->m_wheel.run(now());
            if (!self->m_wheelArmed) {
                self->armWheel();
            }
        }
    });
}

void Engine::serve()
{
    bool anyWaits = false;
    for (const auto& [name, state] : m_clusters) {
        if (state->line.isEmpty()) {
            continue;
        }
        state->line.serve([](WaitLine::Waiter& waiter) { return static_cast<Forwarding&>(waiter).offer(); },
            [](WaitLine::Waiter& waiter, WaitLine::Verdict verdict) { static_cast<Forwarding&>(waiter).offered(verdict); });
        state->counters->waiting.store(state->line.size(), std::memory_order_relaxed);
        anyWaits = anyWaits || !state->line.isEmpty();
    }
    if (anyWaits) {
        pollLines();
    }
}

void Engine::pollLines()
{
    if (std::exchange(m_isPolling, true)) {
        return;
    }
    m_pollTimer.expires_after(kPollPause);
    m_pollTimer.async_wait([self = shared_from_this()](const ErrorCode& code) {
        self->m_isPolling = false;
        if (!code) {
            self->expireWaiting();
            self->serve();
        }
    });
}

void Engine::expireWaiting()
{
    for (const auto& [name, state] : m_clusters) {
        while (WaitLine::Waiter* waiter = state->line.takeExpired(now())) {
            state->counters->count(state->counters->queueTimeouts);
            static_cast<Forwarding&>(*waiter).waitedTooLong();
        }
        state->counters->waiting.store(state->line.size(), std::memory_order_relaxed);
    }
}

// Kept connections that nobody has used for a while, and nodes that are gone.
void Engine::sweep()
{
    m_gate.forgetGone();
    const Instant before = now() - m_options.nodeIdleTimeout;
    for (const std::shared_ptr<GatewayNode>& node : m_gate.nodes()) {
        while (node && !node->idle.empty() && node->idle.front()->idleSince() < before) {
            const std::shared_ptr<NodeLink> oldest = std::move(node->idle.front());
            node->idle.erase(node->idle.begin());
            oldest->close();
        }
    }
    m_sweepTimer.expires_after(kSweepPause);
    m_sweepTimer.async_wait([self = shared_from_this()](const ErrorCode& code) {
        if (!code) {
            self->sweep();
        }
    });
}

void Engine::close(Duration grace, std::function<void()> done)
{
    asio::post(m_context, [self = shared_from_this(), grace, done = std::move(done)]() mutable {
        if (done) {
            self->m_done.push_back(std::move(done));
        }
        self->beginClose(grace);
    });
}

void Engine::beginClose(Duration grace)
{
    m_isClosing = true;
    m_acceptor->close();
    const std::vector<std::shared_ptr<ClientSession>> sessions(m_sessions.begin(), m_sessions.end());
    for (const auto& session : sessions) {
        session->closeIfIdle();
    }
    if (m_sessions.empty()) {
        finishClose();
        return;
    }
    m_graceTimer.expires_after(grace);
    m_graceTimer.async_wait([self = shared_from_this()](const ErrorCode& code) {
        if (!code) {
            self->closeSessions();
        }
    });
}

void Engine::closeSessions()
{
    const std::vector<std::shared_ptr<ClientSession>> sessions(m_sessions.begin(), m_sessions.end());
    for (const auto& session : sessions) {
        session->close();
    }
}

void Engine::finishClose()
{
    m_graceTimer.cancel();
    m_sweepTimer.cancel();
    m_pollTimer.cancel();
    m_wheelTimer.cancel();
    // Posted, so that the last session's own call is over when its owner hears of it.
    for (auto& done : std::exchange(m_done, {})) {
        asio::post(m_context, std::move(done));
    }
}

void Engine::cut()
{
    m_isClosing = true;
    m_done.clear();
    m_acceptor->close();
    closeSessions();
    finishClose();
}

std::string Engine::makeRequestId()
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string id(16, '0');
    std::uint64_t bits = m_random();
    for (char& c : id) {
        c = kDigits[bits & 0xFU];
        bits >>= 4U;
    }
    return id;
}

} // namespace weir::gateway
