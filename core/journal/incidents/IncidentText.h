// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/incidents/Incident.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::journal {

inline constexpr std::size_t kHeadlineCharacters = 140;

/// "45 s", "14 min", "16 h 06 min", "2 d 03 h".
[[nodiscard]] std::string durationText(std::chrono::milliseconds duration);
/// "7 245".
[[nodiscard]] std::string groupedNumber(std::uint64_t number);
/// "21:30:08", UTC.
[[nodiscard]] std::string clockText(WallTime time);
/// "ops" of `token:ops`; other names as they are.
[[nodiscard]] std::string_view personOf(std::string_view actor);
/// Characters, not bytes, of UTF-8.
[[nodiscard]] std::size_t characterCount(std::string_view text);
/// "SEV1".
[[nodiscard]] std::string severityText(int severity);

/// The incident in one sentence of at most kHeadlineCharacters: who, what, for how long, with what effect, and how it stands. Facts
/// only; while it is open it changes with `now`, afterwards it is the one it had when it was resolved.
[[nodiscard]] std::string headlineOf(const Incident& incident, WallTime now);

} // namespace weir::journal
