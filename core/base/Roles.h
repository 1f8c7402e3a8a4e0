// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir {

/// What a node is for. The first three are scheduled through pools; the others carry a pool id that nothing reads.
enum class Role : std::uint8_t { Origin, Edge, Worker, Recorder, Forward, Standalone };

inline constexpr std::size_t kRoleCount = 6;
inline constexpr std::size_t kScheduledRoleCount = 3;
inline constexpr std::array<Role, kRoleCount> kRoles{Role::Origin, Role::Edge, Role::Worker, Role::Recorder, Role::Forward, Role::Standalone};
inline constexpr std::array<Role, kScheduledRoleCount> kScheduledRoles{Role::Origin, Role::Edge, Role::Worker};

[[nodiscard]] constexpr bool isScheduled(Role role) noexcept
{
    return static_cast<std::size_t>(role) < kScheduledRoleCount;
}
[[nodiscard]] constexpr std::size_t indexOf(Role role) noexcept
{
    return static_cast<std::size_t>(role);
}

/// The protocol that a node must offer for a decision.
enum class Endpoint : std::uint8_t { Any, Whip, Srt };
inline constexpr std::size_t kEndpointCount = 3;
[[nodiscard]] constexpr std::size_t indexOf(Endpoint endpoint) noexcept
{
    return static_cast<std::size_t>(endpoint);
}

/// Wire names: `origin`, `edge`, …; `any`, `whip`, `srt`.
[[nodiscard]] std::string_view toText(Role role) noexcept;
[[nodiscard]] std::string_view toText(Endpoint endpoint) noexcept;
[[nodiscard]] std::optional<Role> roleFromText(std::string_view text) noexcept;
[[nodiscard]] std::optional<Endpoint> endpointFromText(std::string_view text) noexcept;

} // namespace weir
