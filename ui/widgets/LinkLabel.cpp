// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/LinkLabel.h"

#include "ui/widgets/Theme.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QPainter>

namespace weir::ui {

LinkLabel::LinkLabel(const Theme& theme, const QString& text, QWidget* parent)
    : QAbstractButton(parent)
    , m_theme(theme)
{
    setText(text);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize LinkLabel::sizeHint() const
{
    ensurePolished();
    return {fontMetrics().horizontalAdvance(text()) + 4, fontMetrics().height() + 4};
}

void LinkLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    QFont drawn = font();
    drawn.setUnderline(underMouse() && isEnabled());
    painter.setFont(drawn);
    painter.setPen(isEnabled() ? t.link : t.disabled);
    painter.drawText(rect().adjusted(2, 2, -2, -2), Qt::AlignCenter | Qt::TextSingleLine, text());
    if (hasFocus() && m_keyboardFocus) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(t.accent, metrics::kFocusRing));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 2, 2);
    }
}

void LinkLabel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

void LinkLabel::focusInEvent(QFocusEvent* event)
{
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason) {
        m_keyboardFocus = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::OtherFocusReason;
    }
    QAbstractButton::focusInEvent(event);
}

} // namespace weir::ui
