// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/alarms/Alarm.h"

#include <algorithm>
#include <array>

namespace weir::journal {
namespace {

constexpr std::array<std::string_view, kAlarmKindCount> kKindNames{"pool_exhausted", "pool_down", "healthy_below_min", "pool_capacity_low",
    "last_candidate_lost", "health_disagrees", "correlated_ejection", "control_plane_isolated", "probe_stalled", "node_flapping",
    "apps_unreachable", "registration_refused", "store_behind"};
static_assert(static_cast<std::size_t>(AlarmKind::StoreBehind) + 1 == kAlarmKindCount);

constexpr std::array<std::string_view, 3> kStateNames{"firing", "acknowledged", "resolved"};

template <typename Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& names, std::string_view text) noexcept
{
    const auto found = std::find(names.begin(), names.end(), text);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}

} // namespace

std::string_view toText(AlarmKind kind) noexcept
{
    return kKindNames[static_cast<std::size_t>(kind)];
}

std::string_view toText(AlarmState state) noexcept
{
    return kStateNames[static_cast<std::size_t>(state)];
}

std::optional<AlarmKind> alarmKindFromText(std::string_view text) noexcept
{
    return find<AlarmKind>(kKindNames, text);
}

std::optional<AlarmState> alarmStateFromText(std::string_view text) noexcept
{
    return find<AlarmState>(kStateNames, text);
}

Severity firstSeverity(AlarmKind kind) noexcept
{
    switch (kind) {
    case AlarmKind::PoolDown:
    case AlarmKind::LastCandidateLost:
    case AlarmKind::ControlPlaneIsolated:
    case AlarmKind::ProbeStalled:
    case AlarmKind::AppsUnreachable:
    case AlarmKind::StoreBehind:
        return Severity::Critical;
    default:
        return Severity::Warning;
    }
}

} // namespace weir::journal
