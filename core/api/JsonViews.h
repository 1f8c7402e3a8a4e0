// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/fleet/Explanation.h"
#include "core/fleet/Impact.h"
#include "core/fleet/Reachability.h"
#include "core/plane/Facts.h"
#include "core/plane/NodeCommands.h"

#include <boost/json/object.hpp>

/// The JSON of api.md, from the plane's rows. camelCase keys, durations in seconds.
namespace weir::api {

[[nodiscard]] boost::json::object toJson(const plane::NodeFacts& node);
[[nodiscard]] boost::json::object toJson(const plane::PoolFacts& pool, const std::vector<const plane::NodeFacts*>& nodes);
[[nodiscard]] boost::json::object toJson(const plane::AppFacts& app);
[[nodiscard]] boost::json::object toJson(const plane::ProbeRecord& probe);
/// The whole record; `own` leaves out what is in other pools than the app's.
[[nodiscard]] boost::json::object toJson(const fleet::Explanation& record, bool own);
[[nodiscard]] boost::json::object toJson(const fleet::Impact& impact);
[[nodiscard]] boost::json::object toJson(const fleet::Reachability& reach);
[[nodiscard]] boost::json::array toJson(const std::vector<plane::MoveAnswer::One>& moves);

} // namespace weir::api
