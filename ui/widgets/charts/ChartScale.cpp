// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/charts/ChartScale.h"

#include <algorithm>

namespace weir::ui {

namespace {
constexpr int kFromZeroUpTo = 20;
}

double ChartScale::x(qint64 ms) const
{
    return plot.left() + static_cast<double>(ms - fromMs) / static_cast<double>(std::max<qint64>(1, toMs - fromMs)) * plot.width();
}

double ChartScale::y(double value) const
{
    return plot.top() + plot.height() - (value - low) / std::max(1, high - low) * plot.height();
}

void ChartScale::fitValues(const QList<SeriesPoint>& points, std::optional<int> minimum)
{
    int lowest = 0;
    int highest = minimum.value_or(0);
    bool first = true;
    for (qsizetype i = 0; i < points.size(); ++i) {
        const bool before = i + 1 < points.size() && points[i + 1].atMs <= fromMs;
        if (!points[i].known || before || points[i].atMs > toMs) {
            continue;
        }
        lowest = first ? points[i].healthy : std::min(lowest, points[i].healthy);
        highest = std::max({highest, points[i].healthy, points[i].total});
        first = false;
    }
    if (highest <= kFromZeroUpTo) {
        low = 0;
        high = std::max(highest + 1, 4);
        return;
    }
    const int floor = minimum && *minimum > 0 ? std::min(lowest, *minimum) : lowest;
    low = std::max(0, floor - 2);
    high = highest + std::max(1, (highest - low) / 8);
}

} // namespace weir::ui
