// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/fleet/Explanation.h"

#include <boost/json/object.hpp>

namespace weir::plane {

/// The record of a decision as api.md shows it; `own` leaves out what is in other pools than the app's.
[[nodiscard]] boost::json::object explanationJson(const fleet::Explanation& record, bool own);

} // namespace weir::plane
