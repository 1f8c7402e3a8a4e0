// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QTimeZone>

namespace weir::ui {

/// Round instants inside [fromMs, toMs] for axis labels that keep at least `minPixels` apart on `pixels` of axis.
[[nodiscard]] QList<qint64> timeTicks(qint64 fromMs, qint64 toMs, int pixels, int minPixels, const QTimeZone& zone);

/// Whether such ticks need seconds in their labels.
[[nodiscard]] bool ticksNeedSeconds(const QList<qint64>& ticks);

/// Round whole numbers inside [low, high], at most `most` of them.
[[nodiscard]] QList<int> valueTicks(int low, int high, int most);

} // namespace weir::ui
