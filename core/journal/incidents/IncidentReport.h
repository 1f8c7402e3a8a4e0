// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/HealthySeries.h"
#include "core/journal/incidents/Incident.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::journal {

/// A healthy-worker series of the incident's time.
struct ReportSeries {
    SeriesKey key;
    std::vector<SeriesPoint> points;
};

/// What a report is made of, beside the incident's header.
struct ReportInput {
    std::vector<IncidentRow> rows; ///< in order of their ids
    std::vector<ReportSeries> series;
    std::optional<SeriesPoint> lowest; ///< the fewest healthy of the first series
    WallTime now{};
    std::string version;
    bool blameless = false; ///< people are called by what they are, not by name
};

/// The rows a reader wants first, at most 30: where there are more, the first and the last.
[[nodiscard]] std::vector<IncidentRow> keyMomentsOf(const std::vector<IncidentRow>& rows);

/// The post-mortem as Markdown: facts filled in, judgement left to people. Times are UTC; each line of the timeline names its events.
[[nodiscard]] std::string reportOf(const Incident& incident, const ReportInput& input);

} // namespace weir::journal
