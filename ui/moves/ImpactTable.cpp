// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/ImpactTable.h"

#include "ui/live/Words.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/TableRoles.h"
#include "ui/widgets/Theme.h"

#include <QPainter>
#include <algorithm>

namespace weir::ui {

namespace {

// Left edges of the columns; figures stand right of their "before" edge and left of their "after" edge (design: 44-20-40, 58-20-58).
constexpr int kWidth = 726;
constexpr int kApp = 9;
constexpr int kRole = 97;
constexpr int kAvailable = 178;
constexpr int kAvailableBefore = 187;
constexpr int kAvailableAfter = 223;
constexpr int kFree = 286;
constexpr int kFreeBefore = 305;
constexpr int kFreeAfter = 341;
constexpr int kVerdictBefore = 399;
constexpr int kVerdictArrow = 464;
constexpr int kVerdictAfter = 483;
constexpr int kArrow = 11;

void drawArrow(QPainter& painter, int centre, const QRect& rect, const QColor& color)
{
    const int y = rect.center().y();
    painter.setPen(QPen(color, 1));
    painter.drawLine(centre - kArrow / 2, y, centre + kArrow / 2, y);
    painter.drawLine(centre + kArrow / 2 - 3, y - 3, centre + kArrow / 2, y);
    painter.drawLine(centre + kArrow / 2 - 3, y + 3, centre + kArrow / 2, y);
}

ChipSpec verdictChip(const StandingView& standing)
{
    ChipSpec spec = chips::app(standing.verdict);
    if (standing.verdict == AppVerdict::FallsBack) {
        spec.text = QStringLiteral("%1 (%2)").arg(spec.text).arg(standing.fallbackCandidates);
    }
    return spec;
}

/// Free capacity goes up and down with every stream; only what changes the answer is worth a mark.
bool differs(const ImpactRow& a, const ImpactRow& b)
{
    return a.title != b.title || a.note != b.note || a.before.candidates != b.before.candidates || a.after.candidates != b.after.candidates
        || a.before.verdict != b.before.verdict || a.after.verdict != b.after.verdict;
}

} // namespace

ImpactTable::ImpactTable(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("move.impact"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("What the move would do"));
    m_markTimer.setInterval(500);
    connect(&m_markTimer, &QTimer::timeout, this, &ImpactTable::dropOldMarks);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

bool ImpactTable::setRows(const QList<ImpactRow>& rows)
{
    if (rows == m_rows) {
        return false;
    }
    bool changed = false;
    if (!m_rows.isEmpty()) {
        for (const ImpactRow& row : rows) {
            const auto before = std::find_if(m_rows.begin(), m_rows.end(), [&row](const ImpactRow& old) { return old.key == row.key; });
            if (before == m_rows.end() || differs(*before, row)) {
                m_changedAt.insert(row.key, uiClockMs());
                m_markTimer.start();
                changed = true;
            }
        }
    }
    m_rows = rows;
    m_shift = 0; // a filled chip on the left pushes what is right of it away
    for (const ImpactRow& row : std::as_const(m_rows)) {
        const int end = kVerdictBefore - metrics::kChipLeft + chipWidth(verdictChip(row.before), fontMetrics()) + metrics::kGap;
        m_shift = row.heading ? m_shift : qMax(m_shift, end - (kVerdictArrow - kArrow / 2));
    }
    QStringList spoken;
    for (const ImpactRow& row : std::as_const(m_rows)) {
        spoken.append(row.heading ? QStringLiteral("%1: %2").arg(row.title, row.note)
                                  : tr("%1, %2: available %3, then %4; %5, then %6", "app, role, before and after")
                                        .arg(row.title, row.role)
                                        .arg(row.before.candidates)
                                        .arg(row.after.candidates)
                                        .arg(verdictChip(row.before).text, verdictChip(row.after).text));
    }
    setAccessibleDescription(spoken.join(QLatin1Char('\n')));
    updateGeometry();
    update();
    return changed;
}

void ImpactTable::dropOldMarks()
{
    const qint64 now = uiClockMs();
    m_changedAt.removeIf([now](const QHash<QString, qint64>::iterator& mark) { return now - mark.value() > kChangedMs; });
    if (m_changedAt.isEmpty()) {
        m_markTimer.stop();
    }
    update();
}

int ImpactTable::rowHeight() const
{
    return metrics::fitted(metrics::kLogRow, fontMetrics().height(), 6);
}

int ImpactTable::headerHeight() const
{
    return metrics::fitted(metrics::kHeader, fontMetrics().height(), 8);
}

QSize ImpactTable::sizeHint() const
{
    return {kWidth, headerHeight() + rowHeight() * static_cast<int>(m_rows.size()) + 2};
}

void ImpactTable::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.fillRect(rect(), t.base);
    paintHeader(painter);
    int y = 1 + headerHeight();
    for (const ImpactRow& row : m_rows) {
        const QRect line(1, y, width() - 2, rowHeight());
        if (row.heading) {
            paintHeading(painter, row, line);
        } else {
            paintRow(painter, row, line);
        }
        y += rowHeight();
    }
    painter.setPen(t.line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::kRadius, metrics::kRadius);
}

void ImpactTable::paintHeader(QPainter& painter) const
{
    const Tokens& t = m_theme.tokens();
    const QRect line(1, 1, width() - 2, headerHeight());
    painter.fillRect(line, t.window);
    painter.fillRect(QRect(line.left(), line.bottom(), line.width(), 1), t.line);
    painter.setFont(scaledFont(font(), TextSize::Caption));
    painter.setPen(t.text2);
    const auto caption = [&](int x, const QString& text) { painter.drawText(line.adjusted(x - 1, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text); };
    caption(kApp, tr("App"));
    caption(kRole, tr("Role"));
    caption(kAvailable, tr("Available"));
    caption(kFree, tr("Free capacity"));
    caption(kVerdictBefore, tr("Verdict"));
}

void ImpactTable::paintHeading(QPainter& painter, const ImpactRow& row, const QRect& rect) const
{
    const Tokens& t = m_theme.tokens();
    painter.fillRect(rect, t.window);
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), t.line);
    const bool bold = !row.note.isEmpty() || row.key != QLatin1String("more");
    painter.setFont(scaledFont(font(), TextSize::Body, bold));
    painter.setPen(t.text);
    painter.drawText(rect.adjusted(kApp - 1, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, row.title);
    const int x = kApp + painter.fontMetrics().horizontalAdvance(row.title) + metrics::kGap;
    painter.setFont(font());
    painter.setPen(t.text2);
    const QString note = painter.fontMetrics().elidedText(row.note, Qt::ElideRight, rect.right() - x - metrics::kGap);
    painter.drawText(rect.adjusted(x, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, note);
}

void ImpactTable::paintRow(QPainter& painter, const ImpactRow& row, const QRect& rect) const
{
    const Tokens& t = m_theme.tokens();
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), t.line);
    painter.setFont(font());
    const auto left = [&](int x, int until, const QString& text, const QColor& color) {
        painter.setPen(color);
        painter.drawText(QRect(x, rect.top(), until - x, rect.height()), Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(text, Qt::ElideMiddle, until - x));
    };
    const auto right = [&](int edge, const QString& text) {
        painter.setPen(t.text);
        painter.drawText(QRect(0, rect.top(), edge, rect.height()), Qt::AlignVCenter | Qt::AlignRight, text);
    };
    left(kApp, kRole - 4, row.title, t.text);
    left(kRole, kAvailable - 4, row.role, t.text2);
    right(kAvailableBefore, Words::number(row.before.candidates));
    right(kFreeBefore, Words::number(row.before.free));
    drawArrow(painter, (kAvailableBefore + kAvailableAfter) / 2, rect, t.text3);
    drawArrow(painter, (kFreeBefore + kFreeAfter) / 2, rect, t.text3);
    // A zero that came of the move is what has to be seen.
    const auto after = [&](int x, int until, qint64 value, qint64 before) {
        painter.setFont(scaledFont(font(), TextSize::Body, value == 0 && before != 0));
        left(x, until, Words::number(value), t.text);
        painter.setFont(font());
    };
    after(kAvailableAfter, kFree, row.after.candidates, row.before.candidates);
    after(kFreeAfter, kVerdictBefore, row.after.free, row.before.free);
    const auto chip = [&](int x, const StandingView& standing) {
        const ChipSpec spec = verdictChip(standing);
        // A quiet mark stands where a filled one has its own, so that marks share an edge.
        return paintChip(painter, QRect(x - metrics::kChipLeft, rect.top(), rect.right() - x, rect.height() - 1), spec, t);
    };
    chip(kVerdictBefore, row.before);
    drawArrow(painter, kVerdictArrow + m_shift, rect, t.text3);
    const QRect last = chip(kVerdictAfter + m_shift, row.after);
    if (m_changedAt.contains(row.key)) {
        paintMark(painter, last.right() + 1 + metrics::kGap, rect);
    }
}

void ImpactTable::paintMark(QPainter& painter, int x, const QRect& rect) const
{
    const Tokens& t = m_theme.tokens();
    painter.setFont(scaledFont(font(), TextSize::Caption));
    const QString text = tr("changed just now");
    const QFontMetrics fm = painter.fontMetrics();
    const QRect box(x, rect.top() + (rect.height() - fm.height() - 3) / 2, fm.horizontalAdvance(text) + 12, fm.height() + 2);
    painter.setPen(t.line3);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), metrics::kRadius, metrics::kRadius);
    painter.setPen(t.text);
    painter.drawText(box, Qt::AlignCenter, text);
    painter.setFont(font());
}

} // namespace weir::ui
