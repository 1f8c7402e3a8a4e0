// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/charts/LiveChart.h"

#include "ui/widgets/Theme.h"
#include "ui/widgets/TimeText.h"
#include "ui/widgets/charts/Decimation.h"

#include <QEvent>
#include <QPainter>
#include <QtCharts/QAreaSeries>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>
#include <algorithm>

// Data, timing and the QtCharts part; what is painted around the lines is in LiveChartPaint.cpp.
namespace weir::ui {

namespace {
constexpr int kFlushMs = 250;
constexpr int kTopPadding = 12;
constexpr int kMarksLane = 20;
constexpr int kPlotGap = 8;
constexpr int kLabelGutter = 46;
constexpr int kValueGutter = 82;
} // namespace

/// One QLineSeries pair a run, replaced as a whole at each flush: appending point by point is a hundred times slower.
class LiveChart::Lines {
public:
    explicit Lines(QWidget* parent)
        : m_view(new QChartView(new QChart, parent))
    {
        QChart* chart = m_view->chart();
        chart->setBackgroundVisible(false);
        chart->setMargins({});
        chart->legend()->hide();
        chart->setAnimationOptions(QChart::NoAnimation);
        m_view->setFrameShape(QFrame::NoFrame);
        m_view->setBackgroundBrush(Qt::NoBrush);
        m_view->viewport()->setAutoFillBackground(false);
        m_view->setRenderHint(QPainter::Antialiasing, false);
        m_view->setAttribute(Qt::WA_TransparentForMouseEvents);
        m_view->setFocusPolicy(Qt::NoFocus);
        m_time = new QValueAxis(chart);
        m_value = new QValueAxis(chart);
        m_time->setVisible(false);
        m_value->setVisible(false);
        chart->addAxis(m_time, Qt::AlignBottom);
        chart->addAxis(m_value, Qt::AlignLeft);
    }

    void setGeometry(const QRect& whole, const QRect& plot)
    {
        m_view->setGeometry(whole);
        m_view->chart()->setPlotArea(QRectF(plot));
    }

    void draw(const QList<SeriesPoint>& points, const ChartScale& scale, qint64 nowMs, const Tokens& tokens)
    {
        m_time->setRange(static_cast<double>(scale.fromMs), static_cast<double>(scale.toMs));
        m_value->setRange(scale.low, scale.high);
        const QList<SeriesRun> runs = splitRuns(points, scale.fromMs, std::min(nowMs, scale.toMs));
        resize(runs.size());
        for (qsizetype i = 0; i < runs.size(); ++i) {
            const Run& run = m_runs[i];
            const StepBand total = decimate(runs[i].total, scale.fromMs, scale.toMs, scale.plot.width());
            const StepBand healthy = decimate(runs[i].healthy, scale.fromMs, scale.toMs, scale.plot.width());
            run.total->replace(stepCorners(total.low, runs[i].untilMs));
            run.low->replace(stepCorners(healthy.low, runs[i].untilMs));
            run.high->replace(stepCorners(healthy.high, runs[i].untilMs));
            run.band->setVisible(healthy.banded);
            run.high->setVisible(healthy.banded);
            run.total->setPen(QPen(tokens.line3, 1));
            run.low->setPen(QPen(tokens.accent, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
            run.high->setPen(QPen(tokens.accent, 1));
            run.band->setPen(Qt::NoPen);
            run.band->setBrush(tokens.bandMinMax);
        }
    }

private:
    struct Run {
        QAreaSeries* band = nullptr;
        QLineSeries* total = nullptr;
        QLineSeries* high = nullptr;
        QLineSeries* low = nullptr;
    };

    void resize(qsizetype count)
    {
        QChart* chart = m_view->chart();
        while (m_runs.size() < count) {
            Run run;
            run.total = new QLineSeries;
            run.high = new QLineSeries;
            run.low = new QLineSeries;
            run.band = new QAreaSeries(run.high, run.low);
            for (QAbstractSeries* series : std::initializer_list<QAbstractSeries*>{run.band, run.total, run.high, run.low}) {
                chart->addSeries(series);
                series->attachAxis(m_time);
                series->attachAxis(m_value);
            }
            m_runs.append(run);
        }
        while (m_runs.size() > count) {
            const Run run = m_runs.takeLast();
            for (QAbstractSeries* series : std::initializer_list<QAbstractSeries*>{run.band, run.total, run.high, run.low}) {
                chart->removeSeries(series);
                delete series;
            }
        }
    }

    QChartView* m_view;
    QValueAxis* m_time;
    QValueAxis* m_value;
    QList<Run> m_runs;
};

/// Over the series: gaps, marks and figures.
class LiveChart::Overlay : public QWidget {
public:
    explicit Overlay(LiveChart& chart)
        : QWidget(&chart)
        , m_chart(chart)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setFont(scaledFont(m_chart.font(), TextSize::Caption));
        m_chart.paintGaps(painter);
        m_chart.paintMarks(painter);
        m_chart.paintTimeAxis(painter);
        m_chart.paintValueLabels(painter);
    }

private:
    LiveChart& m_chart;
};

LiveChart::LiveChart(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_lines(std::make_unique<Lines>(this))
    , m_overlay(new Overlay(*this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_flushTimer.setSingleShot(true);
    connect(&m_flushTimer, &QTimer::timeout, this, &LiveChart::flush);
    connect(&theme, &Theme::changed, this, [this] {
        placePlot();
        flush();
    });
    describe();
}

LiveChart::~LiveChart() = default;

void LiveChart::setPoints(const QList<SeriesPoint>& points)
{
    m_next.points = points;
    schedule();
}

void LiveChart::setMarks(const QList<ChartMark>& marks)
{
    m_next.marks = marks;
    std::stable_sort(m_next.marks.begin(), m_next.marks.end(), [](const ChartMark& a, const ChartMark& b) { return a.atMs < b.atMs; });
    schedule();
}

void LiveChart::setWindow(qint64 fromMs, qint64 toMs)
{
    m_followMs = 0;
    m_next.fromMs = fromMs;
    m_next.toMs = std::max(toMs, fromMs + 1);
    schedule();
}

void LiveChart::setFollow(qint64 spanMs)
{
    m_followMs = spanMs;
    setNow(m_next.nowMs);
}

void LiveChart::setNow(qint64 nowMs)
{
    m_next.nowMs = nowMs;
    if (m_followMs > 0) {
        m_next.fromMs = nowMs - m_followMs;
        m_next.toMs = nowMs;
    }
    schedule();
}

void LiveChart::setMinimum(int minimum)
{
    m_next.minimum = minimum > 0 ? std::optional(minimum) : std::nullopt;
    schedule();
}

void LiveChart::setTimeZone(const QTimeZone& zone)
{
    m_next.zone = zone;
    schedule();
}

void LiveChart::setEmptyText(const QString& sentence)
{
    m_next.emptyText = sentence;
    schedule();
}

void LiveChart::schedule()
{
    m_stale = true;
    if (isVisible() && !m_flushTimer.isActive()) {
        const qint64 since = m_sinceFlush.isValid() ? m_sinceFlush.elapsed() : kFlushMs;
        m_flushTimer.start(static_cast<int>(std::max<qint64>(0, kFlushMs - since)));
    }
}

void LiveChart::flush()
{
    m_flushTimer.stop();
    m_sinceFlush.start();
    m_stale = false;
    m_shown = m_next;
    m_scale.fromMs = m_shown.fromMs;
    m_scale.toMs = m_shown.toMs;
    m_scale.fitValues(m_shown.points, m_shown.minimum);
    m_lines->draw(m_shown.points, m_scale, m_shown.nowMs > 0 ? m_shown.nowMs : m_scale.toMs, m_theme.tokens());
    describe();
    update();
    m_overlay->update();
}

QRect LiveChart::marksLane() const
{
    return {m_scale.plot.left(), kTopPadding, m_scale.plot.width(), metrics::fitted(kMarksLane, fontMetrics().height(), 4)};
}

void LiveChart::placePlot()
{
    const QFontMetrics caption(scaledFont(font(), TextSize::Caption));
    const int right = std::max(kValueGutter, caption.horizontalAdvance(tr("total %1").arg(timetext::number(99999))) + 14);
    const int top = kTopPadding + metrics::fitted(kMarksLane, fontMetrics().height(), 4) + kPlotGap;
    const int bottom = 30 + std::max(0, caption.height() - 13);
    m_scale.plot = QRect(kLabelGutter, top, std::max(1, width() - kLabelGutter - right), std::max(1, height() - top - bottom));
    m_lines->setGeometry(rect(), m_scale.plot);
    m_overlay->setGeometry(rect());
}

void LiveChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placePlot();
    flush();
}

void LiveChart::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale) {
        flush();
    }
}

void LiveChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        placePlot();
        flush();
    }
}

std::optional<SeriesPoint> LiveChart::lastKnown() const
{
    const qint64 until = m_shown.nowMs > 0 ? std::min(m_shown.nowMs, m_scale.toMs) : m_scale.toMs;
    for (auto it = m_shown.points.crbegin(); it != m_shown.points.crend(); ++it) {
        if (it->atMs <= until) {
            return it->known ? std::optional(*it) : std::nullopt;
        }
    }
    return std::nullopt;
}

void LiveChart::describe()
{
    setAccessibleName(tr("Healthy workers over time"));
    const std::optional<SeriesPoint> last = lastKnown();
    if (!last) {
        setAccessibleDescription(m_shown.points.isEmpty() ? m_shown.emptyText : tr("The current number of healthy workers is not known."));
        return;
    }
    const QString zone = timetext::zoneName(m_shown.zone, m_scale.toMs);
    setAccessibleDescription(tr("%1 of %2 workers healthy since %3; shown from %4 to %5 (%6)")
                                 .arg(last->healthy)
                                 .arg(last->total)
                                 .arg(timetext::clock(last->atMs, m_shown.zone), timetext::clock(m_scale.fromMs, m_shown.zone),
                                      timetext::clock(m_scale.toMs, m_shown.zone), zone));
}

} // namespace weir::ui
