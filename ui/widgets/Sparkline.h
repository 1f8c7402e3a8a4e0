// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QRect>
#include <optional>

class QPainter;

namespace weir::ui {

class Tokens;

/// A change point of a sparkline; without a value a gap begins.
struct SparkPoint {
    qint64 atMs = 0;
    std::optional<double> value;
};

struct SparkData {
    QList<SparkPoint> points;
    qint64 fromMs = 0;
    qint64 toMs = 0;
    std::optional<double> target;
};

/// A step line without axis, 148×22: accent, the target dashed, gaps hatched; nothing before the first point.
void paintSparkline(QPainter& painter, const QRect& rect, const SparkData& data, const Tokens& tokens);

} // namespace weir::ui
