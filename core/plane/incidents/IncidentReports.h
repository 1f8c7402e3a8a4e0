// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/journal/incidents/Incident.h"
#include "core/journal/incidents/IncidentReport.h"
#include "core/store/StoreReader.h"

#include <optional>
#include <string>

/// Incidents read from the store with what is told of them. On the thread that `reader` belongs to.
namespace weir::plane {

/// The incident of that number, or the one it was merged into; without rows. Errors: `unknown_incident`, `store_failed`.
[[nodiscard]] Result<journal::Incident> readIncident(store::StoreReader& reader, std::int64_t number);

/// The fewest healthy of the series that tells of the incident first; nothing where none is known.
[[nodiscard]] std::optional<journal::SeriesPoint> lowestHealthy(
    store::StoreReader& reader, const journal::Incident& incident, WallTime now);

struct IncidentReportText {
    std::int64_t number = 0; ///< another one than asked for where that was merged
    std::string markdown;
};

/// The post-mortem as Markdown, as it is at `now` (console.md 3.7). Errors as readIncident().
[[nodiscard]] Result<IncidentReportText> readReport(store::StoreReader& reader, std::int64_t number, bool blameless, WallTime now);

} // namespace weir::plane
