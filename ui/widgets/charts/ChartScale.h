// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QRect>
#include <optional>

namespace weir::ui {

/// Where instants and values are in a chart; shared by the series and everything painted around them.
struct ChartScale {
    QRect plot;
    qint64 fromMs = 0;
    qint64 toMs = 1;
    int low = 0;
    int high = 1;

    [[nodiscard]] double x(qint64 ms) const;
    [[nodiscard]] double y(double value) const;

    /// Takes the range of values: from 0 up to 20 workers, else from 2 below the lower of minimum and lowest value.
    void fitValues(const QList<SeriesPoint>& points, std::optional<int> minimum);
};

} // namespace weir::ui
