// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/incidents/Incident.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::journal {

/// An event with what the grouping reads of its detail, and where its subjects stood at its time; all of it values.
struct IncidentInput {
    Event event;
    std::uint64_t facts = 1;   ///< what a folded event stands for
    std::string cause;         ///< of `node_offline`: `probe`, `passive`
    std::string outcome;       ///< of `node_offline`
    std::string alarm;         ///< of alarm events: the kind of the alarm
    std::uint64_t alarmId = 0; ///< of alarm events
    std::string fromPool;      ///< of `node_moved`
    std::int64_t incident = 0; ///< of incident events
    std::string nodePool;      ///< the pool of the event's node
    std::string appPool;       ///< the pool the event's app resolved to
    std::optional<RefusalEvidence> evidence; ///< of `pool_exhausted`
};

/// What an event may do to incidents.
enum class EventClass : std::uint8_t {
    None,    ///< nothing: it is in no incident
    Trigger, ///< opens or joins
    Join,    ///< joins only
    Context, ///< joins where the scope touches; else it is shown as what happened meanwhile
};

[[nodiscard]] EventClass classOf(const IncidentInput& input);

/// What the event is about. Empty: the whole (a configuration).
[[nodiscard]] std::vector<Subject> subjectsOf(const IncidentInput& input);

/// The alarm of an alarm event as text that is the same when it fires and when it resolves.
[[nodiscard]] std::string alarmKeyOf(const IncidentInput& input);

} // namespace weir::journal
