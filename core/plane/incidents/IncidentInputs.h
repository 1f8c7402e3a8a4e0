// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/incidents/IncidentInput.h"
#include "core/live/LiveFleet.h"

#include <map>
#include <utility>
#include <vector>

namespace weir::plane {

/// Makes the inputs of incidents from committed events: what their detail says, where their subjects stand in the fleet now, and for
/// refusals what the fleet looked like. Kept for one turn: a pool's evidence is looked up once.
class IncidentInputs {
public:
    explicit IncidentInputs(live::LiveFleet& fleet)
        : m_fleet(fleet)
    {
    }

    /// `withFleet` false: for events of the past, whose subjects stand where the event says.
    [[nodiscard]] journal::IncidentInput inputOf(const journal::Event& event, bool withFleet);

private:
    void place(journal::IncidentInput& input);
    [[nodiscard]] journal::RefusalEvidence evidenceOf(const journal::Event& event) const;

    live::LiveFleet& m_fleet;
    std::map<std::pair<std::string, std::string>, journal::RefusalEvidence> m_evidence; ///< by role and pool
};

} // namespace weir::plane
