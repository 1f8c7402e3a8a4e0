// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/journal/Event.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::journal {

/// Conditions that need a person (journal.md "Alarms"). The names hold everywhere: toText() gives them.
enum class AlarmKind : std::uint8_t {
    PoolExhausted,
    PoolDown,
    HealthyBelowMin,
    PoolCapacityLow,
    LastCandidateLost,
    HealthDisagrees,
    CorrelatedEjection,
    ControlPlaneIsolated,
    ProbeStalled,
    NodeFlapping,
    AppsUnreachable,
    RegistrationRefused,
    StoreBehind,
};

inline constexpr std::size_t kAlarmKindCount = 13;

enum class AlarmState : std::uint8_t { Firing, Acknowledged, Resolved };

/// What receivers were told last.
enum class AlarmDelivery : std::uint8_t { None, Firing, Resolved };

[[nodiscard]] std::string_view toText(AlarmKind kind) noexcept;
[[nodiscard]] std::string_view toText(AlarmState state) noexcept;
[[nodiscard]] std::optional<AlarmKind> alarmKindFromText(std::string_view text) noexcept;
[[nodiscard]] std::optional<AlarmState> alarmStateFromText(std::string_view text) noexcept;

/// The severity an alarm of this kind begins with.
[[nodiscard]] Severity firstSeverity(AlarmKind kind) noexcept;

/// Identity of an alarm. Members that do not belong to the kind are empty. A member that is kManyNames stands for more than one
/// name: callers invent names, and those must not fill the memory.
struct AlarmKey {
    AlarmKind kind = AlarmKind::PoolExhausted;
    std::string role;
    std::string poolId;
    std::string appId;
    std::string nodeId;
    std::string address; ///< of `registration_refused` without a credential

    friend auto operator<=>(const AlarmKey&, const AlarmKey&) = default;
};

/// No id can be this.
inline constexpr std::string_view kManyNames = "*";

/// Why it fired, once.
struct AlarmExplanation {
    WallTime at{};
    std::string sentence;
    std::string detail; ///< a JSON object as text, or empty

    friend bool operator==(const AlarmExplanation&, const AlarmExplanation&) = default;
};

/// One episode of a condition.
struct Alarm {
    std::uint64_t id = 0;
    AlarmKey key;
    Severity severity = Severity::Warning;
    AlarmState state = AlarmState::Firing;
    std::uint64_t count = 0;  ///< occurrences
    std::uint64_t folded = 0; ///< of those, the ones whose own key found no room
    WallTime first{};
    WallTime last{};
    WallTime firingSince{};        ///< `first`, or when it was reopened
    WallTime resolvedAt{};         ///< while it is resolved
    std::uint64_t previous = 0;    ///< the episode before, 0: none is known
    std::uint64_t countedIn = 0;   ///< the alarm that stands for this one, which is not delivered itself; 0: none
    std::uint64_t stoodFor = 0;    ///< alarms that were counted in this one
    std::int64_t incident = 0;     ///< number of the incident that its latest fired event belongs to; 0: none
    AlarmDelivery delivery = AlarmDelivery::None;
    std::string acknowledgedBy;
    WallTime acknowledgedAt{};
    AlarmExplanation firstExplanation;
    AlarmExplanation latestExplanation;

    [[nodiscard]] bool isOpen() const { return state != AlarmState::Resolved; }
    friend bool operator==(const Alarm&, const Alarm&) = default;
};

} // namespace weir::journal
