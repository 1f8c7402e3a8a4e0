// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/PlaneSettings.h"

#include <algorithm>
#include <chrono>

namespace weir::plane {
namespace {

constexpr int kPlacementBits = 12;
constexpr std::int64_t kPlacementEpochMs = 1'577'836'800'000; // 2020

} // namespace

fleet::FleetSettings fleetSettings(const config::Config& config, const Clock& clock)
{
    const config::SchedulerSettings& scheduler = config.scheduler;
    fleet::FleetSettings settings;
    settings.reservations = scheduler.reservations;
    settings.reservationSettleSeconds = scheduler.reservationSettleSeconds;
    settings.reservationTtlSeconds = scheduler.reservationTtlSeconds;
    settings.admitUnknownApps = scheduler.admitUnknownApps;
    settings.heartbeatTimeoutSeconds = config.registration.heartbeatTimeoutSeconds;
    // Milliseconds in the upper bits: numbers grow over a restart, however quick, and stay under 2^53 for every JSON reader until 2089.
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(clock.wall().time_since_epoch()).count();
    settings.firstPlacement = static_cast<std::uint64_t>(std::max<std::int64_t>(now - kPlacementEpochMs, 1)) << kPlacementBits;
    return settings;
}

void forgetDeclared(config::Config& config)
{
    config.users = {};
    config.pools = {};
    config.nodes = {};
    config.apps = {};
    config.bindings = {};
    config.gateway = {};
}

Incidents::Settings incidentSettings(const config::Config& config)
{
    const auto milliseconds = [](double seconds) { return std::chrono::duration_cast<std::chrono::milliseconds>(fromSeconds(seconds)); };
    return {milliseconds(config.incidents.gapSeconds), milliseconds(config.incidents.lookBackSeconds)};
}

} // namespace weir::plane
