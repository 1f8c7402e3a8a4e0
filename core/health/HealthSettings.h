// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::health {

/// The section `health_check` of the configuration file, with its defaults. Seconds are the file's own numbers.
struct HealthSettings {
    std::string path = "/health";
    double intervalSeconds = 8;
    double timeoutSeconds = 3;
    std::vector<int> expectedStatuses = {200};
    int unhealthyThreshold = 2;
    int healthyThreshold = 1;
    double cooldownSeconds = 60; ///< 0 switches quarantine off
    double cooldownMultiplier = 1;
    double maxCooldownSeconds = 300;
    double ejectionMemorySeconds = 600;
    std::optional<double> maxEjectionPercent; ///< no cap unless set
    int flapTransitions = 4;
    double flapWindowSeconds = 300;

    friend bool operator==(const HealthSettings&, const HealthSettings&) = default;

    /// A dead node is out after at most this long: interval × unhealthy_threshold + timeout.
    [[nodiscard]] double worstDetectionSeconds() const { return intervalSeconds * unhealthyThreshold + timeoutSeconds; }
};

/// Every rule that the settings break, in the order of the keys; empty when they can be used. `Error::field` is the key in
/// snake case (`timeout_seconds`), the message names value and rule.
[[nodiscard]] std::vector<Error> validate(const HealthSettings& settings);

/// Length of the quarantine after the `ejectionsInMemory`-th passive ejection (1 for the first):
/// min(cooldown × multiplier^(n-1), max_cooldown), never shorter than the plain cooldown.
[[nodiscard]] Duration quarantineLength(const HealthSettings& settings, int ejectionsInMemory);

} // namespace weir::health
