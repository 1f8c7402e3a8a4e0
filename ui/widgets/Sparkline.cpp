// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Sparkline.h"

#include "ui/widgets/Patterns.h"
#include "ui/widgets/Tokens.h"

#include <QPainter>
#include <algorithm>

namespace weir::ui {

namespace {

struct Scale {
    QRectF rect;
    qint64 from = 0;
    qint64 to = 1;
    double low = 0;
    double high = 1;

    [[nodiscard]] double x(qint64 ms) const
    {
        const double share = static_cast<double>(std::clamp(ms, from, to) - from) / static_cast<double>(to - from);
        return rect.left() + share * rect.width();
    }
    [[nodiscard]] double y(double value) const { return rect.bottom() - (value - low) / (high - low) * rect.height(); }
};

Scale scaleOf(const QRect& rect, const SparkData& data)
{
    Scale scale{QRectF(rect).adjusted(0, 2, 0, -2), data.fromMs, data.toMs, 0, 0};
    bool first = true;
    const auto take = [&](double value) {
        scale.low = first ? value : qMin(scale.low, value);
        scale.high = first ? value : qMax(scale.high, value);
        first = false;
    };
    for (const SparkPoint& point : data.points) {
        if (point.value) {
            take(*point.value);
        }
    }
    if (data.target) {
        take(*data.target);
    }
    if (scale.high - scale.low < 1e-9) {
        scale.low -= 1;
        scale.high += 1;
    }
    return scale;
}

} // namespace

void paintSparkline(QPainter& painter, const QRect& rect, const SparkData& data, const Tokens& tokens)
{
    if (data.toMs <= data.fromMs) {
        return;
    }
    const Scale scale = scaleOf(rect, data);
    painter.save();
    if (data.target && !data.points.isEmpty()) {
        QPen dashed(tokens.text3, 1);
        dashed.setDashPattern({3, 3});
        painter.setPen(dashed);
        const int y = qRound(scale.y(*data.target));
        painter.drawLine(rect.left(), y, rect.right(), y);
    }
    for (qsizetype i = 0; i < data.points.size(); ++i) {
        const SparkPoint& point = data.points[i];
        const qint64 until = i + 1 < data.points.size() ? data.points[i + 1].atMs : data.toMs;
        if (until <= data.fromMs) {
            continue;
        }
        const double left = scale.x(point.atMs);
        const double right = scale.x(until);
        if (!point.value) {
            patterns::paintGap(painter, QRectF(left, rect.top(), qMax(2.0, right - left), rect.height()).toRect(), tokens);
            continue;
        }
        painter.setPen(QPen(tokens.accent, 1.5));
        painter.drawLine(QPointF(left, scale.y(*point.value)), QPointF(right, scale.y(*point.value)));
        const bool joins = i + 1 < data.points.size() && data.points[i + 1].value;
        if (joins) {
            painter.drawLine(QPointF(right, scale.y(*point.value)), QPointF(right, scale.y(*data.points[i + 1].value)));
        }
    }
    painter.restore();
}

} // namespace weir::ui
