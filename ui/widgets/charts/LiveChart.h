// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"
#include "ui/widgets/charts/ChartScale.h"

#include <QElapsedTimer>
#include <QTimeZone>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

namespace weir::ui {

class Theme;

enum class ChartMarkKind { Move, Config, Drain, Exhausted, Fallback, Offline, Quarantine, Online, Note };

/// Something that happened, in the lane above the plot.
struct ChartMark {
    qint64 atMs = 0;
    ChartMarkKind kind = ChartMarkKind::Note;
    QString text;
};

/// workers_healthy over time: a step line with the total, an optional minimum, gaps and marks. Draws what it was given last
/// at most four times a second; nothing new ever moves the window unless it follows. UI thread.
class LiveChart : public QWidget {
    Q_OBJECT

public:
    explicit LiveChart(const Theme& theme, QWidget* parent = nullptr);
    ~LiveChart() override;

    /// Change points in order of time, the first one at or before the window.
    void setPoints(const QList<SeriesPoint>& points);
    void setMarks(const QList<ChartMark>& marks);
    /// Shows [fromMs, toMs] and stays there.
    void setWindow(qint64 fromMs, qint64 toMs);
    /// Shows the last `spanMs` before now, and goes along with setNow().
    void setFollow(qint64 spanMs);
    [[nodiscard]] bool follows() const { return m_followMs > 0; }
    /// Where the line ends: what is later is not known yet.
    void setNow(qint64 nowMs);
    /// The dashed threshold; none where it is not positive.
    void setMinimum(int minimum);
    void setTimeZone(const QTimeZone& zone);
    /// Sentence in the empty plot while there is no point.
    void setEmptyText(const QString& sentence);

    /// Draws what has arrived now instead of within 250 ms.
    void flush();
    [[nodiscard]] ChartScale scale() const { return m_scale; }
    [[nodiscard]] QSize sizeHint() const override { return {740, 328}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {300, 140}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Lines;   // the series, the only part that knows QtCharts
    class Overlay; // what is painted over them

    /// What is drawn; what was set goes into m_next and is taken over as a whole, so that lines, marks and axis always agree.
    struct Content {
        QList<SeriesPoint> points;
        QList<ChartMark> marks;
        qint64 fromMs = 0;
        qint64 toMs = 1;
        qint64 nowMs = 0;
        std::optional<int> minimum;
        QString emptyText;
        QTimeZone zone = QTimeZone::systemTimeZone();
    };

    struct MarkGroup {
        qint64 atMs = 0;
        ChartMarkKind kind = ChartMarkKind::Note;
        QString text;
        int count = 1;
        int x = 0;
    };

    void schedule();
    void placePlot();
    void describe();
    [[nodiscard]] QRect marksLane() const;
    [[nodiscard]] QList<MarkGroup> groupedMarks() const;
    [[nodiscard]] std::optional<SeriesPoint> lastKnown() const;
    void paintGround(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintTimeAxis(QPainter& painter) const;
    void paintGaps(QPainter& painter) const;
    void paintValueLabels(QPainter& painter) const;

    const Theme& m_theme;
    ChartScale m_scale;
    Content m_next;
    Content m_shown;
    qint64 m_followMs = 0;
    std::unique_ptr<Lines> m_lines;
    Overlay* m_overlay;
    QTimer m_flushTimer;
    QElapsedTimer m_sinceFlush;
    bool m_stale = true;
};

} // namespace weir::ui
