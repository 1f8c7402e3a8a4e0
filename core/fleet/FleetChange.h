// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/FixedText.h"
#include "core/base/Handles.h"
#include "core/base/Roles.h"
#include "core/fleet/Decision.h"
#include "core/health/HealthState.h"

#include <cstdint>

namespace weir::fleet {

/// Facts that the fleet finds by itself (not commands of administrators, whose events come with the command).
enum class ChangeKind : std::uint8_t {
    NodeOnline,
    NodeOffline,
    QuarantineStarted,
    QuarantineOver, ///< with the revival that ends it
    EjectionCapped,
    PoolExhausted,
    PoolFallback,
    ReservationExpired,
    NodeConnected,
    NodeDisconnected,
    ProbeHeld, ///< a good probe in quarantine; for the log only
    PlacedAgain, ///< an app that was refused got a node of its primary pool; for alarms only
};

/// One such fact; fixed size, so that it can wait in a preallocated ring.
struct FleetChange {
    ChangeKind kind = ChangeKind::NodeOnline;
    Role role = Role::Worker;
    health::Cause cause = health::Cause::None;
    Instant at{};
    NodeHandle node;
    PoolHandle pool;
    IdText app; ///< of a decision, or whose request ejected the node where that is known
    FixedText<95> text; ///< outcome or probe reason
    double figure = 0;  ///< seconds of the quarantine, would-be percent of a capped ejection, failures in a row
};

/// Where the fleet says what happened; called inside the fleet's own calls, must not call back, block or throw.
class ChangeSink {
public:
    ChangeSink() = default;
    ChangeSink(const ChangeSink&) = delete;
    ChangeSink& operator=(const ChangeSink&) = delete;
    virtual ~ChangeSink() = default;

    virtual void changed(const FleetChange& change) noexcept = 0;
};

} // namespace weir::fleet
