// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Roles.h"
#include "core/fleet/Impact.h"

#include <string>
#include <vector>

namespace weir::fleet {

/// An app that cannot be served for a role it uses.
struct StarvedApp {
    std::string app;
    Role role = Role::Worker;
    std::string pool;
    std::string why; ///< "0 of 3 origins: 2 quarantined, 1 draining", "no origins"
};

/// Healthy nodes of one pool and role that no app resolves to.
struct StrandedGroup {
    std::string pool;
    Role role = Role::Worker;
    std::vector<std::string> nodes; ///< at most Impact::kMostNames
    std::size_t count = 0;
};

/// fleet.md "Reachability".
struct Reachability {
    std::size_t apps = 0;
    std::size_t starvedApps = 0; ///< apps with at least one row in `starved`
    std::vector<StarvedApp> starved;
    std::vector<StrandedGroup> stranded;
    std::size_t strandedNodes = 0;
    std::string sentence; ///< "3 healthy origins are in pool-1, which no app resolves to; 14 apps resolve to default, which has none."
};

} // namespace weir::fleet
