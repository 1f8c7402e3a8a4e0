// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/health/HealthState.h"

#include <limits>

namespace weir::health {
namespace {

void count(std::int32_t& counter)
{
    if (counter < std::numeric_limits<std::int32_t>::max()) {
        ++counter;
    }
}

} // namespace

Transition HealthState::probeSucceeded(const HealthSettings& settings, Instant started, Instant now)
{
    if (isStale(started)) {
        return Transition::Dropped;
    }
    m_checked = true;
    m_failures = 0;
    count(m_successes);
    if (m_inRotation || m_successes < settings.healthyThreshold) {
        return Transition::None;
    }
    if (inQuarantine(now)) {
        return Transition::Held;
    }
    enter(now);
    return Transition::Online;
}

Transition HealthState::probeFailed(const HealthSettings& settings, Instant started, Instant now)
{
    if (isStale(started)) {
        return Transition::Dropped;
    }
    m_checked = true;
    m_successes = 0;
    count(m_failures);
    if (!m_inRotation) {
        // A node that was never in rotation has no cause yet; its failed probes are what keeps it out.
        if (m_cause == Cause::None) {
            m_cause = Cause::Probe;
        }
        return Transition::None;
    }
    if (m_failures < settings.unhealthyThreshold) {
        return Transition::None;
    }
    leave(Cause::Probe, now);
    return Transition::Offline;
}

Transition HealthState::passiveFailure(const HealthSettings& settings, Instant now)
{
    if (!m_inRotation) {
        return Transition::None;
    }
    const bool forgotten = m_cleanSinceOnline && now - m_lastChange >= fromSeconds(settings.ejectionMemorySeconds);
    m_ejectionsInMemory = forgotten ? 1 : m_ejectionsInMemory + 1;
    count(m_failures);
    leave(Cause::Passive, now);
    m_quarantineLength = health::quarantineLength(settings, m_ejectionsInMemory);
    m_quarantinedUntil = m_quarantineLength > Duration::zero() ? now + m_quarantineLength : kNoQuarantine;
    return Transition::Offline;
}

void HealthState::enter(Instant now)
{
    m_inRotation = true;
    m_cause = Cause::None;
    m_quarantinedUntil = kNoQuarantine;
    m_lastChange = now;
    m_cleanSinceOnline = false;
}

void HealthState::leave(Cause cause, Instant now)
{
    m_inRotation = false;
    m_cause = cause;
    m_lastChange = now;
}

std::string_view toText(Cause cause) noexcept
{
    switch (cause) {
    case Cause::Probe:
        return "probe";
    case Cause::Passive:
        return "passive";
    case Cause::None:
        break;
    }
    return "";
}

} // namespace weir::health
