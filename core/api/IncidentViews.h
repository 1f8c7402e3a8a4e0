// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/HealthySeries.h"
#include "core/journal/incidents/Incident.h"

#include <boost/json/object.hpp>
#include <optional>

/// The JSON of incidents.
namespace weir::api {

/// A row of the list: `id, headline, state, severity, started, ended, scope, counts`, and who acknowledged and resolved it.
[[nodiscard]] boost::json::object toJson(const journal::Incident& incident, WallTime now);

/// The same with what the page of one incident shows besides: apps and nodes it touched, notes, evidence, the fewest healthy.
[[nodiscard]] boost::json::object detailsOf(const journal::Incident& incident, const std::optional<journal::SeriesPoint>& lowest, WallTime now);

/// A line of the timeline.
[[nodiscard]] boost::json::object toJson(const journal::IncidentRow& row);

} // namespace weir::api
