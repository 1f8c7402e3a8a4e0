// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/journal/incidents/Incident.h"
#include "core/store/IncidentRecords.h"

/// Incidents as they are stored. Error of the readers: `store_failed`, when the text is not what this version or one before wrote.
namespace weir::plane {

[[nodiscard]] store::IncidentRecord recordOf(const journal::Incident& incident);
/// Without rows; `hasRows` is false.
[[nodiscard]] Result<journal::Incident> incidentOf(const store::IncidentRecord& record);

[[nodiscard]] store::IncidentRowRecord recordOf(std::int64_t incident, const journal::IncidentRow& row);
[[nodiscard]] Result<journal::IncidentRow> rowOf(const store::IncidentRowRecord& record);

} // namespace weir::plane
