// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::store {

/// An incident as it is stored: what is searched by, and the rest as JSON text.
struct IncidentRecord {
    std::int64_t number = 0;
    std::string state;
    int severity = 3;
    WallTime started{};
    std::optional<WallTime> ended;
    std::int64_t mergedInto = 0; ///< 0: it stands for itself
    std::string body;

    friend bool operator==(const IncidentRecord&, const IncidentRecord&) = default;
};

/// One line of an incident's timeline.
struct IncidentRowRecord {
    std::int64_t incident = 0;
    std::int64_t firstSeq = 0;
    std::int64_t lastSeq = 0;
    bool isKey = false; ///< a key moment
    std::string body;

    friend bool operator==(const IncidentRowRecord&, const IncidentRowRecord&) = default;
};

/// Which incidents, the newest first: those that meet every condition that is set. Merged ones stand for others and are left out.
struct IncidentFilter {
    std::vector<std::string> states;
    std::optional<int> severity;
    std::optional<WallTime> since; ///< not ended before
    std::optional<WallTime> until; ///< started at or before
    std::optional<std::int64_t> below; ///< numbers smaller than this: the next page
    std::size_t limit = 100;
};

} // namespace weir::store
