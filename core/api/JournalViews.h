// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/Event.h"
#include "core/journal/HealthySeries.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstddef>
#include <vector>

/// The JSON of events and series.
namespace weir::api {

/// `seq, at, kind, severity, nodeId, poolId, appId, role, actor, sentence, detail`; what does not apply is empty.
[[nodiscard]] boost::json::object toJson(const journal::Event& event);

/// `{items, next}` of at most `limit` events; one more in `events` makes a cursor.
[[nodiscard]] boost::json::object pageOfEvents(const std::vector<journal::Event>& events, std::size_t limit);

/// `[{at, healthy, total}]`; both figures are null from where nothing is known.
[[nodiscard]] boost::json::array toJson(const std::vector<journal::SeriesPoint>& points);

} // namespace weir::api
