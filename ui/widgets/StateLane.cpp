// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/StateLane.h"

#include "ui/widgets/Chip.h"
#include "ui/widgets/Patterns.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/TimeText.h"
#include "ui/widgets/TimeTicks.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace weir::ui {

namespace {
constexpr int kBar = 18;
constexpr int kTop = 8;
constexpr int kLeastWidth = 3;
constexpr int kTick = 4;
} // namespace

StateLane::StateLane(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
    describe();
}

void StateLane::setSegments(const QList<LaneSegment>& segments, const QList<LaneGap>& gaps)
{
    m_segments = segments;
    m_gaps = gaps;
    describe();
    update();
}

void StateLane::setWindow(qint64 fromMs, qint64 toMs)
{
    m_fromMs = fromMs;
    m_toMs = toMs;
    update();
}

void StateLane::setTimeZone(const QTimeZone& zone)
{
    m_zone = zone;
    describe();
    update();
}

QSize StateLane::sizeHint() const
{
    return {400, kTop + kBar + 5 + QFontMetrics(scaledFont(font(), TextSize::Caption)).height() + kTick + 4};
}

QSize StateLane::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

int StateLane::xOf(qint64 ms) const
{
    const qint64 at = qBound(m_fromMs, ms, m_toMs);
    return static_cast<int>((at - m_fromMs) * width() / qMax<qint64>(1, m_toMs - m_fromMs));
}

void StateLane::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.setFont(scaledFont(font(), TextSize::Caption));
    for (const LaneSegment& segment : m_segments) {
        if (segment.toMs <= m_fromMs || segment.fromMs >= m_toMs) {
            continue;
        }
        const int left = xOf(segment.fromMs);
        const int right = qMax(xOf(segment.toMs), left + kLeastWidth);
        // One pixel of ground between neighbours keeps them apart without colour.
        const QRect bar(left, kTop, qMax(kLeastWidth, right - left - (segment.toMs < m_toMs ? 1 : 0)), kBar);
        patterns::paintLaneSegment(painter, bar, segment.state, t, chips::probe(segment.state).text);
    }
    for (const LaneGap& gap : m_gaps) {
        if (gap.toMs > m_fromMs && gap.fromMs < m_toMs) {
            patterns::paintGap(painter, QRect(xOf(gap.fromMs), kTop, qMax(kLeastWidth, xOf(gap.toMs) - xOf(gap.fromMs)), kBar), t);
        }
    }
    paintAxis(painter);
}

void StateLane::paintAxis(QPainter& painter) const
{
    const Tokens& t = m_theme.tokens();
    const QFontMetrics fm = painter.fontMetrics();
    const int y = kTop + kBar + 5;
    painter.fillRect(QRect(0, y, width(), 1), t.line3);
    const QString zone = timetext::zoneName(m_zone, m_toMs);
    const int zoneLeft = width() - fm.horizontalAdvance(zone);
    const int baseline = y + kTick + 1 + fm.ascent();
    painter.setPen(t.text3);
    painter.drawText(QPoint(zoneLeft, baseline), zone);
    const QList<qint64> ticks = timeTicks(m_fromMs, m_toMs, width(), 90, m_zone);
    const bool seconds = ticksNeedSeconds(ticks);
    for (const qint64 tick : ticks) {
        const int x = xOf(tick);
        painter.fillRect(QRect(x, y, 1, kTick), t.line3);
        const QString label = seconds ? timetext::clock(tick, m_zone) : timetext::minutes(tick, m_zone);
        const int labelWidth = fm.horizontalAdvance(label);
        const int left = qMax(0, x - labelWidth / 2);
        if (left + labelWidth + 8 <= zoneLeft) {
            painter.drawText(QPoint(left, baseline), label);
        }
    }
}

bool StateLane::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_toMs > m_fromMs && width() > 0) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const qint64 at = m_fromMs + help->pos().x() * (m_toMs - m_fromMs) / width();
        QString text;
        for (const LaneSegment& segment : m_segments) {
            if (at >= segment.fromMs && at < segment.toMs) {
                text = tr("%1 from %2 to %3 (%4)")
                           .arg(chips::probe(segment.state).text, timetext::clock(segment.fromMs, m_zone), timetext::clock(segment.toMs, m_zone),
                                timetext::zoneName(m_zone, at));
            }
        }
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

void StateLane::describe()
{
    setAccessibleName(tr("States over time"));
    if (m_segments.isEmpty()) {
        setAccessibleDescription(tr("Nothing is recorded for this time."));
        return;
    }
    const LaneSegment& last = m_segments.last();
    setAccessibleDescription(tr("%n state(s), last %1 since %2 (%3)", nullptr, static_cast<int>(m_segments.size()))
                                 .arg(chips::probe(last.state).text, timetext::clock(last.fromMs, m_zone), timetext::zoneName(m_zone, last.fromMs)));
}

} // namespace weir::ui
