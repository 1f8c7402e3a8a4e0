// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/health/HealthSettings.h"

#include <cstdint>
#include <string_view>

namespace weir::health {

/// Why a node is out of rotation.
enum class Cause : std::uint8_t { None, Probe, Passive };

/// What an input did to the rotation of a node.
enum class Transition : std::uint8_t {
    None,    ///< rotation is as before
    Online,  ///< came into rotation
    Offline, ///< went out of rotation
    Held,    ///< a good probe that the quarantine kept from bringing the node back
    Dropped, ///< the probe began before the latest change of rotation and proves nothing; nothing was changed
};

/// The health of one node: the state table of the specification (health.md) and nothing else. Pool, draining, connection and
/// capacity are other facts and live elsewhere. No I/O, no clock: every input carries its time.
class HealthState {
public:
    /// A probe that began at `started` ended well at `now`.
    Transition probeSucceeded(const HealthSettings& settings, Instant started, Instant now);
    /// A probe that began at `started` failed at `now`. Failed probes never start a quarantine.
    Transition probeFailed(const HealthSettings& settings, Instant started, Instant now);
    /// A request to the node failed in a way that counts (outcome rules). Out already: nothing changes, so late failures
    /// neither start nor lengthen a quarantine.
    Transition passiveFailure(const HealthSettings& settings, Instant now);
    /// A request was answered cleanly; needed for the growing quarantine to start again.
    void cleanOutcome() { m_cleanSinceOnline = true; }
    /// Ends a running quarantine; the node comes back only with its next good probe.
    void endQuarantine() { m_quarantinedUntil = kNoQuarantine; }
    /// Node removed or its health address changed: everything starts afresh.
    void reset() { *this = HealthState(); }

    [[nodiscard]] bool inRotation() const { return m_inRotation; }
    /// Whether any probe has ended since the start.
    [[nodiscard]] bool isChecked() const { return m_checked; }
    [[nodiscard]] Cause cause() const { return m_cause; }
    [[nodiscard]] int consecutiveFailures() const { return m_failures; }
    [[nodiscard]] int consecutiveSuccesses() const { return m_successes; }
    [[nodiscard]] bool hasQuarantine() const { return m_quarantinedUntil != kNoQuarantine; }
    [[nodiscard]] Instant quarantinedUntil() const { return m_quarantinedUntil; }
    [[nodiscard]] Duration quarantineLength() const { return m_quarantineLength; }
    /// Out of rotation and the deadline is still ahead. At exactly the deadline it is over.
    [[nodiscard]] bool inQuarantine(Instant now) const { return !m_inRotation && hasQuarantine() && now < m_quarantinedUntil; }
    /// Zero when there is none.
    [[nodiscard]] Duration quarantineRemaining(Instant now) const
    {
        return inQuarantine(now) ? m_quarantinedUntil - now : Duration::zero();
    }

private:
    static constexpr Instant kNoQuarantine = Instant::min();

    bool isStale(Instant started) const { return started < m_lastChange; }
    void enter(Instant now);
    void leave(Cause cause, Instant now);

    Instant m_quarantinedUntil = kNoQuarantine;
    Instant m_lastChange = Instant::min();
    Duration m_quarantineLength{0};
    std::int32_t m_failures = 0;
    std::int32_t m_successes = 0;
    std::int32_t m_ejectionsInMemory = 0;
    bool m_inRotation = false;
    bool m_checked = false;
    bool m_cleanSinceOnline = false;
    Cause m_cause = Cause::None;
};

/// `probe`, `passive` or "".
[[nodiscard]] std::string_view toText(Cause cause) noexcept;

} // namespace weir::health
