// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::fleet {

/// Why a node is not a candidate: the filters of fleet.md "One decision", in their order; the first one that holds is the
/// node's reason.
enum class Reason : std::uint8_t {
    None, ///< a candidate
    WrongRole,
    Draining,
    Disconnected,
    Unchecked,
    Quarantined,
    Unhealthy,
    MissingEndpoint,
    NoCapacity,
};

inline constexpr std::size_t kReasonCount = 9;
[[nodiscard]] constexpr std::size_t indexOf(Reason reason) noexcept
{
    return static_cast<std::size_t>(reason);
}

/// Stable code: `wrong_role`, `draining`, … ("" for a candidate).
[[nodiscard]] constexpr std::string_view toText(Reason reason) noexcept
{
    constexpr std::array<std::string_view, kReasonCount> kNames{
        "", "wrong_role", "draining", "disconnected", "unchecked", "quarantined", "unhealthy", "missing_endpoint", "no_capacity"};
    return kNames[indexOf(reason)];
}

} // namespace weir::fleet
