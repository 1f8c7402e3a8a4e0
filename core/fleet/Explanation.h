// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Roles.h"
#include "core/fleet/Decision.h"
#include "core/fleet/Entities.h"
#include "core/fleet/Reason.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::fleet {

/// A node that was looked at, with the figure behind its reason.
struct ExplainedNode {
    std::string id;
    std::string pool;
    Reason reason = Reason::None;
    std::vector<Reason> also;
    std::int64_t free = 0;
    std::int64_t capacity = 0;
    std::int64_t pending = 0;                 ///< reserved, not reported yet
    std::optional<double> remainingSeconds;   ///< of a quarantine
    std::optional<double> earliestReturnSeconds; ///< where it can be told
    std::optional<double> heartbeatAgeSeconds;
    std::string cause;                        ///< outcome, probe reason, or who drained it and why
    std::string detail;                       ///< the same in words
};

/// One pool that was tried; considered = candidates + the sum of excluded.
struct ExplainedStage {
    std::string pool;
    std::size_t considered = 0;
    std::size_t candidates = 0;
    std::vector<std::pair<Reason, std::size_t>> excluded; ///< in filter order, without zeros
};

struct NextStep {
    std::string code; ///< `allow_fallback`, `bind_elsewhere`, `undrain`, `wait_quarantine`, `move_here`
    std::string text;
    std::size_t gained = 0;
};

/// The record of fleet.md "Explaining".
struct Explanation {
    std::uint64_t revision = 0;
    WallTime at{};
    bool preview = true;
    Role role = Role::Worker;
    std::string app;
    std::uint32_t need = 1;
    Endpoint endpoint = Endpoint::Any;
    std::string pool;
    Because because = Because::None;
    std::string owner;
    bool fallbackAllowed = false;
    std::string fallbackWhy;
    std::vector<ExplainedStage> stages;
    std::vector<ExplainedNode> nodes;   ///< the excluded ones
    std::vector<ExplainedNode> ranking; ///< first five candidates
    std::string chosen;
    std::string chosenPool;
    Code code = Code::NoCandidate;
    bool fallback = false;
    std::vector<std::pair<std::string, std::size_t>> elsewhere; ///< pool → healthy nodes of the role
    std::vector<NextStep> nextSteps;
    std::string sentence;      ///< names what is in other pools; for superadmins
    std::string ownSentence;   ///< names the app's own pools only
};

} // namespace weir::fleet
