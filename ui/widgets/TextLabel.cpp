// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/TextLabel.h"

#include <QApplication>
#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace weir::ui {

TextLabel::TextLabel(const Theme& theme, TextSize size, int level, bool bold, QWidget* parent)
    : QLabel(parent)
    , m_theme(theme)
    , m_size(size)
    , m_level(level)
    , m_bold(bold)
{
    setTextFormat(Qt::PlainText);
    connect(&theme, &Theme::changed, this, &TextLabel::applyLook);
    applyLook();
}

void TextLabel::setLevel(int level)
{
    m_level = level;
    applyLook();
}

void TextLabel::setElided(bool elided)
{
    m_elided = elided;
    updateGeometry();
    update();
}

void TextLabel::applyLook()
{
    m_applying = true;
    setFont(scaledFont(QApplication::font(), m_size, m_bold));
    const Tokens& t = m_theme.tokens();
    QPalette palette = this->palette();
    palette.setColor(QPalette::WindowText, m_level == 1 ? t.text : (m_level == 2 ? t.text2 : t.text3));
    setPalette(palette);
    m_applying = false;
}

void TextLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange && !m_applying) {
        applyLook();
    }
}

QSize TextLabel::sizeHint() const
{
    return QLabel::sizeHint();
}

QSize TextLabel::minimumSizeHint() const
{
    const QSize size = QLabel::minimumSizeHint();
    return m_elided ? QSize(24, size.height()) : size;
}

void TextLabel::paintEvent(QPaintEvent* event)
{
    if (!m_elided || wordWrap()) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

bool TextLabel::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_elided && toolTip().isEmpty()) {
        const bool cut = fontMetrics().horizontalAdvance(text()) > contentsRect().width();
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), cut ? text() : QString(), this);
        return true;
    }
    return QLabel::event(event);
}

} // namespace weir::ui
