// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Tile.h"

#include "ui/widgets/Theme.h"

#include <QFocusEvent>
#include <QPainter>

namespace weir::ui {

namespace {
constexpr int kPadding = 11;
constexpr int kSparkHeight = 22;
constexpr int kSparkWidth = 148;
} // namespace

Tile::Tile(const Theme& theme, QWidget* parent)
    : QAbstractButton(parent)
    , m_theme(theme)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void Tile::setTitle(const QString& title, bool fixed)
{
    setText(title);
    m_titleFixed = fixed;
    setAccessibleName(title);
}

void Tile::setFigures(const TileFigures& figures)
{
    m_figures = figures;
    const QStringList parts{figures.value, figures.of, figures.target, figures.chip.text, figures.why};
    QStringList said;
    for (const QString& part : parts) {
        if (!part.isEmpty()) {
            said.append(part);
        }
    }
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    setToolTip(said.join(QStringLiteral(" · ")));
    update();
}

QSize Tile::sizeHint() const
{
    const int caption = QFontMetrics(scaledFont(font(), TextSize::Caption)).height();
    const int value = QFontMetrics(scaledFont(font(), TextSize::Value, true)).height();
    const int needed = 8 + fontMetrics().height() + 2 + value + 2 + kSparkHeight + 2 + qMax(caption, chipHeight(fontMetrics())) + 8;
    return {172, qMax(112, needed)};
}

QSize Tile::minimumSizeHint() const
{
    return {140, sizeHint().height()};
}

void Tile::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool focused = hasFocus() && m_keyboardFocus;
    const qreal half = focused ? 1 : 0.5;
    painter.setPen(QPen(focused ? t.accent : t.line, 2 * half));
    painter.setBrush(underMouse() ? t.hover : t.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), metrics::kCardRadius, metrics::kCardRadius);
    painter.setRenderHint(QPainter::Antialiasing, false);

    const QRect inner = rect().adjusted(kPadding, 8, -kPadding, -kPadding);
    const QFontMetrics body(font());
    painter.setFont(m_titleFixed ? fixedFont(font()) : font());
    painter.setPen(t.text2);
    painter.drawText(QPoint(inner.left(), inner.top() + body.ascent()),
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, inner.width()));
    painter.setFont(scaledFont(font(), TextSize::Value, true));
    const QFontMetrics value = painter.fontMetrics();
    const int baseline = inner.top() + body.height() + 1 + value.ascent();
    painter.setPen(m_figures.dimmed ? t.text3 : t.text);
    painter.drawText(QPoint(inner.left(), baseline), m_figures.value);
    const int x = inner.left() + value.horizontalAdvance(m_figures.value) + metrics::kIconGap;
    painter.setFont(scaledFont(font(), TextSize::Caption));
    painter.setPen(t.text2);
    painter.drawText(QPoint(x, baseline), painter.fontMetrics().elidedText(m_figures.of, Qt::ElideRight, inner.right() + 1 - x));
    const QRect spark(inner.left(), baseline + value.descent() + 1, qMin(inner.width(), kSparkWidth), kSparkHeight);
    if (m_figures.why.isEmpty()) {
        paintSparkline(painter, spark, m_figures.spark, t);
    } else {
        painter.setPen(t.text2);
        painter.drawText(QRect(inner.left(), spark.top(), inner.width(), 2 * painter.fontMetrics().height()), Qt::TextWordWrap,
                         m_figures.why);
    }
    paintFoot(painter, inner);
}

void Tile::paintFoot(QPainter& painter, const QRect& inner) const
{
    const Tokens& t = m_theme.tokens();
    painter.setFont(font());
    const QFontMetrics body = painter.fontMetrics();
    const int chip = m_figures.chip.isEmpty() ? 0 : chipWidth(m_figures.chip, body);
    const int height = chipHeight(body);
    const int top = inner.bottom() + 4 - height;
    if (chip > 0) {
        // Chips end at one edge; a quiet one by its text, as it has no shape to align.
        paintChip(painter, QRect(inner.right() + 1 - chip, top, chip, height), m_figures.chip, t);
    }
    painter.setFont(scaledFont(font(), TextSize::Caption));
    const QFontMetrics caption = painter.fontMetrics();
    const int room = inner.width() - (chip > 0 ? chip + 4 : 0);
    if (caption.horizontalAdvance(m_figures.target) <= room) { // half a number would be worse than none; the tooltip has it
        painter.setPen(t.text3);
        painter.drawText(QPoint(inner.left(), top + (height - caption.height()) / 2 + caption.ascent()), m_figures.target);
    }
}

void Tile::focusInEvent(QFocusEvent* event)
{
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason) {
        m_keyboardFocus = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::OtherFocusReason;
    }
    QAbstractButton::focusInEvent(event);
}

} // namespace weir::ui
