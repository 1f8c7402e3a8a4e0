// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::outcome {

/// How a forwarded request ended, as the gateway saw it: a status, or an error of the transport.
struct Outcome {
    std::optional<int> status;
    std::optional<std::string> error; ///< one of kTransportErrors
};

/// `refused`, `reset`, `timeout`, `incomplete`, `tls`, `dns`.
[[nodiscard]] bool isTransportError(std::string_view error) noexcept;

enum class Classification : unsigned char {
    Clean,          ///< the node did its work
    ClientError,    ///< says nothing about the node: 4xx that no rule counts
    PassiveFailure, ///< takes the node out
};

/// The built-in rule of health.md "Outcome rules": transport errors, statuses of `passive_statuses` (401 and 5xx by default).
class OutcomeRules {
public:
    OutcomeRules()
        : OutcomeRules({{401, 401}, {500, 599}})
    {
    }

    /// Ranges of statuses, both ends included, that are passive failures.
    explicit OutcomeRules(const std::vector<std::pair<int, int>>& passiveStatuses);

    [[nodiscard]] Classification classify(const Outcome& outcome) const;

    /// The outcome in the words of events and reasons: "status:500", "refused".
    [[nodiscard]] static std::string describe(const Outcome& outcome);

private:
    static constexpr std::size_t kStatuses = 600;
    std::bitset<kStatuses> m_passive;
};

} // namespace weir::outcome
