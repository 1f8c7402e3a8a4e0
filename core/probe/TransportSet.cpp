// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/TransportSet.h"

#include "core/base/Log.h"
#include "core/probe/AsioTransport.h"
#include "core/probe/QnamTransport.h"

namespace weir::probe {

TransportSet::TransportSet(Clock& clock, Log& log, const ProberOptions& options)
    : m_clock(clock)
    , m_log(log)
    , m_options(options)
    , m_kind(options.transport == TransportChoice::Asio ? Large : Small)
{
}

std::unique_ptr<ProbeTransport> TransportSet::make(Kind kind) const
{
    if (m_options.makeTransport) {
        return m_options.makeTransport(m_clock, m_log);
    }
    if (kind == Large) {
        return std::make_unique<AsioTransport>(m_clock);
    }
    return std::make_unique<QnamTransport>(m_clock, m_options.managers);
}

ProbeTransport& TransportSet::current(std::size_t targets)
{
    if (m_options.transport == TransportChoice::Auto && !m_options.makeTransport) {
        const Kind wanted = targets > (m_kind == Large ? kBackTargets : kQnamTargets) ? Large : Small;
        if (wanted != m_kind) {
            m_kind = wanted;
            m_log.write(LogLevel::Info, "probe_transport", wanted == Large ? "probes go through Asio from now on" : "probes go through Qt from now on",
                {{"nodes", std::to_string(targets)}});
        }
    }
    std::unique_ptr<ProbeTransport>& transport = m_transports[m_kind];
    if (!transport) {
        transport = make(m_kind);
    }
    return *transport;
}

void TransportSet::releaseIdle()
{
    std::unique_ptr<ProbeTransport>& other = m_transports[m_kind == Small ? Large : Small];
    if (other && other->underWay() == 0) {
        other.reset();
    }
}

} // namespace weir::probe
