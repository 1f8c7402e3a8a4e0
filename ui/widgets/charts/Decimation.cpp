// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/charts/Decimation.h"

#include <algorithm>

namespace weir::ui {

namespace {

void appendChange(QList<StepPoint>& points, qint64 atMs, int value)
{
    if (!points.isEmpty() && points.last().value == value) {
        return;
    }
    if (!points.isEmpty() && points.last().atMs == atMs) {
        points.last().value = value;
        return;
    }
    points.append({atMs, value});
}

} // namespace

QList<SeriesRun> splitRuns(const QList<SeriesPoint>& points, qint64 fromMs, qint64 untilMs)
{
    QList<SeriesRun> runs;
    bool open = false;
    for (qsizetype i = 0; i < points.size(); ++i) {
        const SeriesPoint& point = points[i];
        const qint64 next = i + 1 < points.size() ? points[i + 1].atMs : untilMs;
        if (!point.known) {
            open = false;
            continue;
        }
        if (next <= fromMs || point.atMs >= untilMs) {
            continue;
        }
        const qint64 at = std::max(point.atMs, fromMs);
        if (!open) {
            runs.append(SeriesRun{at, at, {}, {}});
            open = true;
        }
        SeriesRun& run = runs.last();
        run.untilMs = std::min(next, untilMs);
        appendChange(run.healthy, at, point.healthy);
        appendChange(run.total, at, point.total);
    }
    return runs;
}

QList<std::pair<qint64, qint64>> gapsOf(const QList<SeriesPoint>& points, qint64 fromMs, qint64 untilMs)
{
    QList<std::pair<qint64, qint64>> gaps;
    for (qsizetype i = 0; i < points.size(); ++i) {
        if (points[i].known) {
            continue;
        }
        const qint64 begin = std::max(points[i].atMs, fromMs);
        const qint64 end = std::min(i + 1 < points.size() ? points[i + 1].atMs : untilMs, untilMs);
        if (end <= begin) {
            continue;
        }
        if (!gaps.isEmpty() && gaps.last().second == begin) {
            gaps.last().second = end;
        } else {
            gaps.append({begin, end});
        }
    }
    return gaps;
}

StepBand decimate(const QList<StepPoint>& points, qint64 windowFromMs, qint64 windowToMs, int columns)
{
    StepBand band;
    if (points.isEmpty() || columns <= 0 || windowToMs <= windowFromMs) {
        return band;
    }
    const auto columnOf = [&](qint64 at) { return (at - windowFromMs) * columns / (windowToMs - windowFromMs); };
    // Rounded up, so that an instant maps back into its own column.
    const auto startOf = [&](qint64 column) { return windowFromMs + (column * (windowToMs - windowFromMs) + columns - 1) / columns; };
    int before = points.first().value;
    for (qsizetype i = 0; i < points.size();) {
        const qint64 column = columnOf(points[i].atMs);
        qsizetype end = i;
        int low = before;
        int high = before;
        for (; end < points.size() && columnOf(points[end].atMs) == column; ++end) {
            low = std::min(low, points[end].value);
            high = std::max(high, points[end].value);
        }
        const int last = points[end - 1].value;
        if (end - i == 1) {
            appendChange(band.low, points[i].atMs, last);
            appendChange(band.high, points[i].atMs, last);
        } else {
            const qint64 start = std::max(startOf(column), points.first().atMs);
            appendChange(band.low, start, low);
            appendChange(band.high, start, high);
            appendChange(band.low, startOf(column + 1), last);
            appendChange(band.high, startOf(column + 1), last);
            band.banded = true;
        }
        before = last;
        i = end;
    }
    return band;
}

QList<QPointF> stepCorners(const QList<StepPoint>& points, qint64 untilMs)
{
    QList<QPointF> corners;
    corners.reserve(2 * points.size() + 1);
    for (const StepPoint& point : points) {
        const auto x = static_cast<double>(point.atMs);
        if (!corners.isEmpty()) {
            corners.append({x, corners.last().y()});
        }
        corners.append({x, static_cast<double>(point.value)});
    }
    if (!corners.isEmpty()) {
        corners.append({static_cast<double>(untilMs), corners.last().y()});
    }
    return corners;
}

} // namespace weir::ui
