// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/Gateway.h"

#include "core/gateway/Engine.h"

namespace weir::gateway {

Gateway::Gateway(boost::asio::io_context& context, live::LiveFleet& fleet, GatewayOptions options)
{
    m_moduleTotals.add(options.modules);
    m_engine = std::make_shared<Engine>(context, fleet, std::move(options));
}

Gateway::~Gateway()
{
    m_engine->cut();
}

Result<void> Gateway::listen()
{
    return m_engine->listen();
}

std::uint16_t Gateway::port() const
{
    return m_engine->port();
}

std::string Gateway::url() const
{
    return m_engine->url();
}

void Gateway::setTls(std::shared_ptr<const http::TlsContext> tls)
{
    m_engine->setTls(std::move(tls));
}

void Gateway::setModules(std::shared_ptr<ModuleChain> modules)
{
    m_moduleTotals.add(modules);
    m_engine->setModules(std::move(modules));
}

Result<void> Gateway::setTrustedProxies(const std::vector<std::string>& entries)
{
    auto trusted = TrustedProxies::parse(entries);
    if (!trusted) {
        return tl::unexpected(std::move(trusted.error()));
    }
    m_engine->setTrusted(std::move(*trusted));
    return {};
}

void Gateway::setRouter(std::unique_ptr<Router> router)
{
    m_engine->setRouter(std::move(router));
}

void Gateway::close(Duration grace, std::function<void()> done)
{
    m_engine->close(grace, std::move(done));
}

const GatewayCounters& Gateway::counters() const
{
    return static_cast<const Engine&>(*m_engine).counters();
}

std::map<std::string, std::shared_ptr<const ClusterCounters>> Gateway::clusterCounters() const
{
    return m_engine->clusterCounters();
}

} // namespace weir::gateway
