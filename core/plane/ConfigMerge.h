// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/Config.h"
#include "core/plane/Command.h"
#include "core/plane/StoredBook.h"

#include <string>
#include <vector>

namespace weir::plane {

/// Where an administrator's value stands although the file says something else (`GET /admin/config` lists them).
struct ConfigDifference {
    std::string path; ///< `nodes.gpu-1.capacity`
    std::string file; ///< JSON text
    std::string store;
};

/// Brings what the file declares together with what is stored (configuration.md "File and store"): what is missing is created;
/// a field that the file changes is taken over unless an administrator changed it since, or `configWins`; a deleted node stays
/// deleted; a node that left the file is drained with reason `left_config`.
///
/// The plan is for a fleet that holds the stored state; `book` is changed by its applies. `differences` is filled.
[[nodiscard]] Plan mergeConfig(const config::Config& config, bool configWins, StoredBook& book, const fleet::Fleet& fleet, const CommandTime& time,
    std::vector<ConfigDifference>& differences);

} // namespace weir::plane
