// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/TimeTicks.h"

#include <QDateTime>
#include <algorithm>

namespace weir::ui {

QList<qint64> timeTicks(qint64 fromMs, qint64 toMs, int pixels, int minPixels, const QTimeZone& zone)
{
    static constexpr qint64 kStepsS[] = {5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400};
    QList<qint64> ticks;
    if (toMs <= fromMs || pixels <= 0) {
        return ticks;
    }
    const qint64 most = std::max(1, pixels / std::max(1, minPixels));
    qint64 step = kStepsS[std::size(kStepsS) - 1] * 1000;
    for (const qint64 candidate : kStepsS) {
        if ((toMs - fromMs) / (candidate * 1000) <= most) {
            step = candidate * 1000;
            break;
        }
    }
    // Round in the shown zone: half-hour offsets would put ticks at :30 otherwise.
    const qint64 offset = qint64(zone.offsetFromUtc(QDateTime::fromMSecsSinceEpoch(fromMs, QTimeZone::utc()))) * 1000;
    const qint64 first = (fromMs + offset + step - 1) / step * step - offset;
    for (qint64 at = first; at <= toMs; at += step) {
        ticks.append(at);
    }
    return ticks;
}

bool ticksNeedSeconds(const QList<qint64>& ticks)
{
    return std::any_of(ticks.begin(), ticks.end(), [](qint64 at) { return at % 60000 != 0; });
}

QList<int> valueTicks(int low, int high, int most)
{
    static constexpr int kSteps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000};
    int step = kSteps[std::size(kSteps) - 1];
    for (const int candidate : kSteps) {
        if ((high - low) / candidate + 1 <= most) {
            step = candidate;
            break;
        }
    }
    QList<int> ticks;
    for (int value = (low + step - 1) / step * step; value <= high; value += step) {
        ticks.append(value);
    }
    return ticks;
}

} // namespace weir::ui
