// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/incidents/Incident.h"
#include "core/journal/incidents/IncidentInput.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace weir::journal {

/// Puts events into the rows of one incident: an outage of a node is one line, its return another, and from the second time on both
/// are one flap run; repeated refusals of one key, and repeats of an alarm, are one line each. Counts stay exact.
class IncidentTimeline {
public:
    /// Beyond `mostRows`, events share a line for each kind.
    IncidentTimeline(Incident& incident, std::size_t mostRows);

    /// Adds the event, unless the row knows it already (a start after a crash reads events again). Ids of rows that were changed or
    /// removed are put into `changed`.
    void add(const IncidentInput& input, Relation relation, std::string why, std::set<std::int64_t>& changed);

    /// Takes over all rows of another incident, which is empty afterwards.
    void absorb(Incident& other);

private:
    [[nodiscard]] std::string foldOf(const IncidentInput& input, Relation relation) const;
    void extend(IncidentRow& row, const IncidentInput& input, Relation relation);
    void foldReturn(IncidentRow& run, const std::string& node, std::set<std::int64_t>& changed);

    Incident& m_incident;
    std::size_t m_mostRows;
    std::map<std::string, std::int64_t> m_folds; ///< fold → row
};

/// The row as one line: its sentence, or what a fold says of all its events.
[[nodiscard]] std::string rowText(const IncidentRow& row);

/// Whether the row is one of those a reader wants first: triggers, what happened before and around, what people did, runs.
[[nodiscard]] bool isKeyMoment(const IncidentRow& row);

} // namespace weir::journal
