// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/Settings.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::worker {

/// What one look at the worker found.
struct Findings {
    bool ready = true;
    std::optional<double> freeGb; ///< GiB that the worker may still write; none: the disk could not be asked in time
    std::vector<bool> depsUp;     ///< one for each of Settings::deps; not looked at when they are not checked
};

/// The answer of GET /health.
struct Report {
    unsigned status = 200; ///< 200 or 503
    std::string state;     ///< ok, starting, degraded
    std::string reason;    ///< empty unless degraded
    std::string body;      ///< JSON

    friend bool operator==(const Report&, const Report&) = default;
};

/// The table of states: starting, then what is degraded (disk before dependencies, separated by `;`), then ok. Pure.
/// The free space is cut, not rounded, to one decimal: what is below the watermark never reads as the watermark.
[[nodiscard]] Report report(const Settings& settings, const Findings& findings);

/// `5.0` for 5, `0.25` for 0.25: at least one decimal.
[[nodiscard]] std::string watermarkText(double gb);

} // namespace weir::worker
