// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/outcome/OutcomeRules.h"

#include <algorithm>
#include <array>

namespace weir::outcome {
namespace {

constexpr std::array<std::string_view, 6> kTransportErrors{"refused", "reset", "timeout", "incomplete", "tls", "dns"};

} // namespace

bool isTransportError(std::string_view error) noexcept
{
    return std::find(kTransportErrors.begin(), kTransportErrors.end(), error) != kTransportErrors.end();
}

OutcomeRules::OutcomeRules(const std::vector<std::pair<int, int>>& passiveStatuses)
{
    for (const auto& [first, last] : passiveStatuses) {
        for (int status = std::max(first, 0); status <= last && static_cast<std::size_t>(status) < kStatuses; ++status) {
            m_passive.set(static_cast<std::size_t>(status));
        }
    }
}

Classification OutcomeRules::classify(const Outcome& outcome) const
{
    if (outcome.error) {
        return Classification::PassiveFailure;
    }
    const int status = outcome.status.value_or(0);
    if (status >= 0 && static_cast<std::size_t>(status) < kStatuses && m_passive.test(static_cast<std::size_t>(status))) {
        return Classification::PassiveFailure;
    }
    return status >= 400 ? Classification::ClientError : Classification::Clean;
}

std::string OutcomeRules::describe(const Outcome& outcome)
{
    return outcome.error ? *outcome.error : "status:" + std::to_string(outcome.status.value_or(0));
}

} // namespace weir::outcome
