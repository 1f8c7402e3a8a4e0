// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QTimeZone>
#include <QWidget>

namespace weir::ui {

class Theme;

/// A stretch of time in one state.
struct LaneSegment {
    qint64 fromMs = 0;
    qint64 toMs = 0;
    ProbeState state = ProbeState::NoData;
};

/// A stretch of which nothing was recorded.
struct LaneGap {
    qint64 fromMs = 0;
    qint64 toMs = 0;
};

/// States of one node over time with an axis below. Nothing known is drawn as nothing, a gap as hatching.
class StateLane : public QWidget {
    Q_OBJECT

public:
    explicit StateLane(const Theme& theme, QWidget* parent = nullptr);

    void setSegments(const QList<LaneSegment>& segments, const QList<LaneGap>& gaps = {});
    void setWindow(qint64 fromMs, qint64 toMs);
    void setTimeZone(const QTimeZone& zone);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int xOf(qint64 ms) const;
    void paintAxis(QPainter& painter) const;
    void describe();

    const Theme& m_theme;
    QList<LaneSegment> m_segments;
    QList<LaneGap> m_gaps;
    qint64 m_fromMs = 0;
    qint64 m_toMs = 0;
    QTimeZone m_zone = QTimeZone::systemTimeZone();
};

} // namespace weir::ui
