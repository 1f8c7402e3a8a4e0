// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/ListenAddress.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace weir::worker {

/// What a worker needs besides itself; it is there when its port accepts a TCP connection.
struct Dependency {
    std::string name;
    std::string host; ///< a name or an address literal without brackets
    std::uint16_t port = 0;

    friend bool operator==(const Dependency&, const Dependency&) = default;
};

/// Section `health` of worker_config.json.
struct Settings {
    double minFreeGb = 5; ///< GiB; 0: the disk is not looked at
    std::string diskPath = "/";
    bool checkDeps = true;
    std::vector<Dependency> deps; ///< in the order of the file, then those of the environment by name
    std::chrono::milliseconds depsCache{5'000};
    std::chrono::milliseconds depTimeout{500};
    std::string readyUrl; ///< empty: the worker counts as ready
    config::ListenAddress listen{"127.0.0.1", 8790};
    /// Variables that look like settings and are none, and other oddities; one sentence each.
    std::vector<std::string> warnings;
};

/// Name → value of the variables that begin with `HEALTH_`.
using Environment = std::map<std::string, std::string>;

/// Reads a whole file (its other sections belong to the worker and are not looked at), then lets `HEALTH_<KEY>` and
/// `HEALTH_DEP_<NAME>` win. Fails with every fault, one line each: where, which key, the value, the rule. `fileName` is for
/// those lines. No I/O; any thread.
[[nodiscard]] tl::expected<Settings, std::vector<std::string>> readSettings(
    std::string_view fileText, std::string_view fileName, const Environment& environment);

} // namespace weir::worker
