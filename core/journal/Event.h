// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::journal {

/// What a row of the journal says. The names hold in the interface, the console and exports: toText() gives them.
enum class EventKind : std::uint8_t {
    NodeCreated,
    NodeChanged,
    NodeRemoved,
    NodeRegistered,
    RegistrationRefused,
    PoolClaimIgnored,
    NodeConnected,
    NodeDisconnected,
    NodeOnline,
    NodeOffline,
    QuarantineStarted,
    QuarantineOver,
    QuarantineDroppedByRestart,
    EjectionCapped,
    NodeMoved,
    NodeDraining,
    NodeUndrained,
    PoolCreated,
    PoolRemoved,
    AppChanged,
    AppBound,
    AppUnbound,
    PoolExhausted,
    PoolFallback,
    ReservationExpired,
    AlarmFired,
    AlarmChanged,
    AlarmResolved,
    IncidentOpened,
    IncidentChanged,
    IncidentClosed,
    ConfigLoaded,
    ConfigRejected,
    SettingsChanged,
    AuthDenied,
    WebhookFailed,
    EventsLost,
    ClockRebased,
    Started,
    Stopped,
};

inline constexpr std::size_t kEventKindCount = 40;

enum class Severity : std::uint8_t { Info, Warning, Critical };

/// `node_created`, …; `info`, `warning`, `critical`.
[[nodiscard]] std::string_view toText(EventKind kind) noexcept;
[[nodiscard]] std::string_view toText(Severity severity) noexcept;
[[nodiscard]] std::optional<EventKind> eventKindFromText(std::string_view text) noexcept;
[[nodiscard]] std::optional<Severity> severityFromText(std::string_view text) noexcept;

/// One fact; never changed once it has its number. Ids that do not apply are empty.
struct Event {
    std::int64_t seq = 0; ///< given by the store when the event is written; grows by one
    WallTime at{};
    EventKind kind = EventKind::Started;
    Severity severity = Severity::Info;
    std::string nodeId;
    std::string poolId;
    std::string appId;
    std::string role;
    std::string actor;
    std::string sentence; ///< for a person, in English
    std::string detail;   ///< a JSON object as text, or empty

    friend bool operator==(const Event&, const Event&) = default;
};

} // namespace weir::journal
