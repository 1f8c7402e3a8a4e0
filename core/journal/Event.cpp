// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/Event.h"

#include <algorithm>
#include <array>

namespace weir::journal {
namespace {

constexpr std::array<std::string_view, kEventKindCount> kKindNames{
    "node_created",
    "node_changed",
    "node_removed",
    "node_registered",
    "registration_refused",
    "pool_claim_ignored",
    "node_connected",
    "node_disconnected",
    "node_online",
    "node_offline",
    "quarantine_started",
    "quarantine_over",
    "quarantine_dropped_by_restart",
    "ejection_capped",
    "node_moved",
    "node_draining",
    "node_undrained",
    "pool_created",
    "pool_removed",
    "app_changed",
    "app_bound",
    "app_unbound",
    "pool_exhausted",
    "pool_fallback",
    "reservation_expired",
    "alarm_fired",
    "alarm_changed",
    "alarm_resolved",
    "incident_opened",
    "incident_changed",
    "incident_closed",
    "config_loaded",
    "config_rejected",
    "settings_changed",
    "auth_denied",
    "webhook_failed",
    "events_lost",
    "clock_rebased",
    "started",
    "stopped",
};
static_assert(static_cast<std::size_t>(EventKind::Stopped) + 1 == kEventKindCount);

constexpr std::array<std::string_view, 3> kSeverityNames{"info", "warning", "critical"};

template <typename Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& names, std::string_view text) noexcept
{
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) {
        return std::nullopt;
    }
    return static_cast<Enum>(found - names.begin());
}

} // namespace

std::string_view toText(EventKind kind) noexcept
{
    return kKindNames[static_cast<std::size_t>(kind)];
}

std::string_view toText(Severity severity) noexcept
{
    return kSeverityNames[static_cast<std::size_t>(severity)];
}

std::optional<EventKind> eventKindFromText(std::string_view text) noexcept
{
    return find<EventKind>(kKindNames, text);
}

std::optional<Severity> severityFromText(std::string_view text) noexcept
{
    return find<Severity>(kSeverityNames, text);
}

} // namespace weir::journal
