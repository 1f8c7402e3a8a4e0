// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QList>
#include <QPointF>

namespace weir::ui {

/// A change point: from `atMs` on the value is `value`.
struct StepPoint {
    qint64 atMs = 0;
    int value = 0;
    bool operator==(const StepPoint&) const = default;
};

/// What was known without a break, clipped to a window: [fromMs, untilMs).
struct SeriesRun {
    qint64 fromMs = 0;
    qint64 untilMs = 0;
    QList<StepPoint> healthy;
    QList<StepPoint> total;
};

/// Lowest and highest course of one run after decimation; equal where no pixel column saw more than one change.
struct StepBand {
    QList<StepPoint> low;
    QList<StepPoint> high;
    bool banded = false;
};

/// Cuts change points into runs between gaps, clipped to [fromMs, untilMs]; the value before the window carries in.
[[nodiscard]] QList<SeriesRun> splitRuns(const QList<SeriesPoint>& points, qint64 fromMs, qint64 untilMs);

/// The stretches of [fromMs, untilMs] inside the series of which nothing is known.
[[nodiscard]] QList<std::pair<qint64, qint64>> gapsOf(const QList<SeriesPoint>& points, qint64 fromMs, qint64 untilMs);

/// At most two changes a pixel column and course: a column that saw more shows its lowest (highest) value and ends at its
/// last. No dip is lost, however short.
[[nodiscard]] StepBand decimate(const QList<StepPoint>& points, qint64 windowFromMs, qint64 windowToMs, int columns);

/// The corners of a step line through `points`, up to `untilMs`.
[[nodiscard]] QList<QPointF> stepCorners(const QList<StepPoint>& points, qint64 untilMs);

} // namespace weir::ui
