// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Icons.h"
#include "ui/widgets/Patterns.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/TimeText.h"
#include "ui/widgets/TimeTicks.h"
#include "ui/widgets/charts/Decimation.h"
#include "ui/widgets/charts/LiveChart.h"

#include <QPainter>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr int kMergeBelow = 14;
constexpr int kTick = 4;
constexpr int kMostGridLines = 5;

IconName glyphOf(ChartMarkKind kind)
{
    switch (kind) {
    case ChartMarkKind::Move: return IconName::Move;
    case ChartMarkKind::Config: return IconName::Config;
    case ChartMarkKind::Drain: return IconName::Drain;
    case ChartMarkKind::Exhausted: return IconName::BadgeTriangle;
    case ChartMarkKind::Fallback: return IconName::Fallback;
    case ChartMarkKind::Offline: return IconName::MarkOffline;
    case ChartMarkKind::Quarantine: return IconName::MarkQuarantined;
    case ChartMarkKind::Online: return IconName::MarkOnline;
    case ChartMarkKind::Note: break;
    }
    return IconName::Note;
}

/// Which kind stands for several in one place: the one that hurts most.
int weightOf(ChartMarkKind kind)
{
    switch (kind) {
    case ChartMarkKind::Exhausted: return 5;
    case ChartMarkKind::Offline: return 4;
    case ChartMarkKind::Quarantine: return 3;
    case ChartMarkKind::Config:
    case ChartMarkKind::Move: return 2;
    default: return 1;
    }
}

bool drawsLine(ChartMarkKind kind)
{
    return kind == ChartMarkKind::Config || kind == ChartMarkKind::Move || kind == ChartMarkKind::Note;
}

int centredBaseline(const QRect& rect, const QFontMetrics& fm)
{
    return rect.top() + (rect.height() - fm.height()) / 2 + fm.ascent();
}

} // namespace

QList<LiveChart::MarkGroup> LiveChart::groupedMarks() const
{
    QList<MarkGroup> groups;
    for (const ChartMark& mark : m_shown.marks) {
        if (mark.atMs < m_scale.fromMs || mark.atMs > m_scale.toMs) {
            continue;
        }
        const int x = qRound(m_scale.x(mark.atMs));
        if (!groups.isEmpty() && x - groups.last().x < kMergeBelow) {
            MarkGroup& group = groups.last();
            ++group.count;
            if (weightOf(mark.kind) > weightOf(group.kind)) {
                group.kind = mark.kind;
            }
            continue;
        }
        groups.append({mark.atMs, mark.kind, mark.text, 1, x});
    }
    return groups;
}

void LiveChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(scaledFont(font(), TextSize::Caption));
    paintGround(painter);
}

void LiveChart::paintGround(QPainter& painter) const
{
    const Tokens& t = m_theme.tokens();
    const QFontMetrics fm = painter.fontMetrics();
    painter.fillRect(marksLane(), t.window);
    for (const int value : valueTicks(m_scale.low, m_scale.high, kMostGridLines)) {
        const int y = qRound(m_scale.y(value));
        painter.fillRect(QRect(m_scale.plot.left(), y, m_scale.plot.width(), 1), t.line);
        painter.setPen(t.text3);
        const QRect label(0, y - fm.height() / 2, m_scale.plot.left() - 8, fm.height());
        painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, timetext::number(value));
    }
    if (m_shown.minimum) {
        QPen dashed(t.text2, 1);
        dashed.setDashPattern({6, 4});
        painter.setPen(dashed);
        const int y = qRound(m_scale.y(*m_shown.minimum));
        painter.drawLine(m_scale.plot.left(), y, m_scale.plot.right(), y);
    }
    if (m_shown.points.isEmpty() && !m_shown.emptyText.isEmpty()) {
        painter.setFont(font());
        painter.setPen(t.text2);
        painter.drawText(m_scale.plot.adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap, m_shown.emptyText);
    }
}

void LiveChart::paintGaps(QPainter& painter) const
{
    const Tokens& t = m_theme.tokens();
    const QFontMetrics fm = painter.fontMetrics();
    const qint64 until = m_shown.nowMs > 0 ? std::min(m_shown.nowMs, m_scale.toMs) : m_scale.toMs;
    int freeFrom = m_scale.plot.left(); // words of neighbouring gaps do not run into each other
    for (const auto& [from, to] : gapsOf(m_shown.points, m_scale.fromMs, until)) {
        const int left = qRound(m_scale.x(from));
        const int right = std::max(left + 3, qRound(m_scale.x(to)));
        patterns::paintGap(painter, QRect(left, m_scale.plot.top(), right - left, m_scale.plot.height()), t);
        const QString text = tr("no data %1–%2").arg(timetext::minutes(from, m_shown.zone), timetext::minutes(to, m_shown.zone));
        const int width = fm.horizontalAdvance(text);
        const int textX = right + 6 + width <= m_scale.plot.right() ? right + 6 : left - 6 - width;
        if (textX >= freeFrom) {
            painter.setPen(t.text3);
            painter.drawText(QPoint(textX, m_scale.plot.bottom() - 8), text);
            freeFrom = textX + width + 6;
        }
    }
}

void LiveChart::paintMarks(QPainter& painter) const
{
    const Tokens& t = m_theme.tokens();
    const QFontMetrics fm = painter.fontMetrics();
    const QRect lane = marksLane();
    const QList<MarkGroup> groups = groupedMarks();
    for (const ChartMark& mark : m_shown.marks) {
        if (drawsLine(mark.kind) && mark.atMs >= m_scale.fromMs && mark.atMs <= m_scale.toMs) {
            const int x = qRound(m_scale.x(mark.atMs));
            painter.fillRect(QRect(x, lane.bottom() - 1, 1, m_scale.plot.bottom() - lane.bottom() + 2), t.line3);
        }
    }
    for (qsizetype i = 0; i < groups.size(); ++i) {
        const MarkGroup& group = groups[i];
        const QColor color = group.kind == ChartMarkKind::Exhausted ? t.fill(ProbeState::Offline).fill : t.text2;
        const int x = group.x - metrics::kIcon / 2;
        painter.drawPixmap(x, lane.top() + (lane.height() - metrics::kIcon) / 2,
                           icons::pixmap(glyphOf(group.kind), color, metrics::kIcon, devicePixelRatioF()));
        const QString word = group.count > 1 ? QStringLiteral("×%1").arg(group.count) : group.text;
        const int textX = group.x + metrics::kIcon / 2 + 4;
        const bool last = i + 1 == groups.size();
        const int room = (last ? lane.right() : groups[i + 1].x - metrics::kIcon / 2 - 4) - textX;
        painter.setPen(t.text2);
        if (fm.horizontalAdvance(word) <= room) {
            painter.drawText(QPoint(textX, centredBaseline(lane, fm)), word);
        } else if (last && fm.horizontalAdvance(word) <= width() - lane.right() - 8) {
            painter.drawText(QPoint(lane.right() + 7, centredBaseline(lane, fm)), word);
        }
    }
}

void LiveChart::paintTimeAxis(QPainter& painter) const
{
    const Tokens& t = m_theme.tokens();
    const QFontMetrics fm = painter.fontMetrics();
    const int y = m_scale.plot.bottom() + 1;
    painter.fillRect(QRect(m_scale.plot.left(), y, m_scale.plot.width(), 1), t.line3);
    const int baseline = y + kTick + 2 + fm.ascent();
    painter.setPen(t.text3);
    const QList<qint64> ticks = timeTicks(m_scale.fromMs, m_scale.toMs, m_scale.plot.width(), 72, m_shown.zone);
    const bool seconds = ticksNeedSeconds(ticks);
    for (const qint64 tick : ticks) {
        const int x = qRound(m_scale.x(tick));
        painter.fillRect(QRect(x, y, 1, kTick), t.line3);
        const QString label = seconds ? timetext::clock(tick, m_shown.zone) : timetext::minutes(tick, m_shown.zone);
        const int labelWidth = fm.horizontalAdvance(label);
        const int left = std::clamp(x - labelWidth / 2, 0, std::max(0, m_scale.plot.right() - labelWidth));
        painter.drawText(QPoint(left, baseline), label);
    }
    painter.drawText(QPoint(m_scale.plot.right() + 7, baseline), timetext::zoneName(m_shown.zone, m_scale.toMs));
}

void LiveChart::paintValueLabels(QPainter& painter) const
{
    struct Label {
        double y;
        QString text;
        QColor color;
        bool bold;
    };
    const Tokens& t = m_theme.tokens();
    QList<Label> labels;
    if (const std::optional<SeriesPoint> last = lastKnown()) {
        labels.append({m_scale.y(last->healthy), timetext::number(last->healthy), t.accent, true});
        labels.append({m_scale.y(last->total), tr("total %1").arg(timetext::number(last->total)), t.text2, false});
    }
    if (m_shown.minimum) {
        labels.append({m_scale.y(*m_shown.minimum), tr("min %1").arg(timetext::number(*m_shown.minimum)), t.text2, false});
    }
    // The total above where both are the same; then downwards, a line apart.
    std::stable_sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.y < b.y || (a.y == b.y && b.bold); });
    const int pitch = painter.fontMetrics().height();
    for (qsizetype i = 1; i < labels.size(); ++i) {
        labels[i].y = std::max(labels[i].y, labels[i - 1].y + pitch);
    }
    for (const Label& label : labels) {
        painter.setFont(scaledFont(font(), TextSize::Caption, label.bold));
        painter.setPen(label.color);
        painter.drawText(QPoint(m_scale.plot.right() + 7, qRound(label.y) + painter.fontMetrics().ascent() / 2 - 1), label.text);
    }
}

} // namespace weir::ui
