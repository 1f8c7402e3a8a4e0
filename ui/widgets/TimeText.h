// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTimeZone>

namespace weir::ui {

/// Times as people read them. `ms` are UTC milliseconds; 0 is "never" and becomes "–".
namespace timetext {

/// "UTC", "UTC+8", "UTC+5:30" for the zone's offset at that instant.
[[nodiscard]] QString zoneName(const QTimeZone& zone, qint64 ms);
/// "21:30:08"
[[nodiscard]] QString clock(qint64 ms, const QTimeZone& zone);
/// "21:30"
[[nodiscard]] QString minutes(qint64 ms, const QTimeZone& zone);
/// "2026-11-29 21:30:08 +08:00"; for tooltips and copies.
[[nodiscard]] QString full(qint64 ms, const QTimeZone& zone);
/// A whole number with thousands set apart by a narrow space.
[[nodiscard]] QString number(qint64 value);

} // namespace timetext

} // namespace weir::ui
