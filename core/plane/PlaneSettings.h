// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/config/Config.h"
#include "core/fleet/Fleet.h"
#include "core/plane/incidents/Incidents.h"

#include <string_view>

namespace weir::plane {

// Keys of the store's settings.
inline constexpr std::string_view kHealthKey = "health_check";
inline constexpr std::string_view kVersionKey = "config_version";
inline constexpr std::string_view kTextKey = "config_text_sha256";

/// What a configuration means for the scheduler; placement numbers begin above those of any run before `clock`.
[[nodiscard]] fleet::FleetSettings fleetSettings(const config::Config& config, const Clock& clock);
[[nodiscard]] Incidents::Settings incidentSettings(const config::Config& config);
/// What a file declares is in the store and in the fleet once it was taken over; only its settings are looked at again.
void forgetDeclared(config::Config& config);

} // namespace weir::plane
