// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::config {

/// One thing that is wrong (or, as a warning, odd) in a configuration file.
struct ConfigIssue {
    std::size_t line = 0; ///< from 1; 0 when the file could not be read at all
    std::size_t column = 0; ///< from 1, in characters
    std::string path{}; ///< `nodes[3].pool`; empty: the file itself
    std::string value{}; ///< as written in the file, shortened; empty when there is none to show
    std::string message{}; ///< the rule, without a full stop
    std::string code{}; ///< stable, snake case

    friend bool operator==(const ConfigIssue&, const ConfigIssue&) = default;
};

/// One line for people: `weir.json:12:7: nodes[3].pool: "canry": unknown pool; did you mean "canary"?`
[[nodiscard]] std::string toText(const ConfigIssue& issue, std::string_view file);

} // namespace weir::config
