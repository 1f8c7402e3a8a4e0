// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/health/HealthSettings.h"

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

namespace weir::plane {

/// The settings as a flat object: camelCase keys (`intervalSeconds`, …) for the interface, snake case for file and store.
enum class KeyStyle : unsigned char { Camel, Snake };

[[nodiscard]] boost::json::object toJson(const health::HealthSettings& settings, KeyStyle style);

/// Takes every member of `patch` over into a copy of `settings` and checks the whole. Errors: `unknown_field`, `wrong_type`, and
/// those of health::validate; `field` is the key in the given style.
[[nodiscard]] Result<health::HealthSettings> patched(const health::HealthSettings& settings, const boost::json::object& patch, KeyStyle style);

/// Members of `a` that differ from `b`, by key.
[[nodiscard]] boost::json::object differences(const boost::json::object& a, const boost::json::object& b);

} // namespace weir::plane
