// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/DropBar.h"

#include "ui/widgets/Theme.h"

#include <QPainter>

namespace weir::ui {

DropBar::DropBar(const Theme& theme, QWidget* viewport)
    : QWidget(viewport)
    , m_theme(theme)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropBar::setText(const QString& text)
{
    m_text = text;
    setAccessibleName(text);
    update();
}

void DropBar::setTarget(bool target)
{
    if (m_target != target) {
        m_target = target;
        update();
    }
}

void DropBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.fillRect(rect(), m_target ? t.target : t.window);
    if (m_target) {
        painter.setPen(QPen(t.accent, metrics::kFocusRing));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    } else {
        painter.setPen(QPen(t.line3, 1, Qt::DashLine));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter.setPen(m_target ? t.text : t.text2);
    painter.drawText(rect(), Qt::AlignCenter, m_text);
}

} // namespace weir::ui
