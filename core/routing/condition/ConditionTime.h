// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::routing {

/// `YYYYMMDDhhmmssZ` with a military zone letter of any case, as seconds since 1970 UTC; nothing when it is no such time.
[[nodiscard]] std::optional<std::int64_t> parseDateTime(std::string_view text) noexcept;

struct TimeOfDay {
    std::int64_t seconds = 0;     ///< since midnight in its zone
    std::int64_t zoneSeconds = 0; ///< east of Greenwich
};

/// `hhmmssZ` likewise.
[[nodiscard]] std::optional<TimeOfDay> parseTimeOfDay(std::string_view text) noexcept;

} // namespace weir::routing
