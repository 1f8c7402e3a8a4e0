// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/SearchField.h"

#include "ui/widgets/Icons.h"
#include "ui/widgets/Theme.h"

#include <QKeyEvent>
#include <QPainter>

namespace weir::ui {

SearchField::SearchField(const Theme& theme, QWidget* parent)
    : QLineEdit(parent)
    , m_theme(theme)
{
    connect(&theme, &Theme::changed, this, &SearchField::applyMargins);
    connect(this, &QLineEdit::textChanged, this, &SearchField::applyMargins);
    applyMargins();
}

void SearchField::setShortcutHint(const QString& hint)
{
    m_hint = hint;
    applyMargins();
}

void SearchField::setResultText(const QString& text)
{
    m_result = text;
    applyMargins();
}

void SearchField::applyMargins()
{
    const int right = rightText().isEmpty() ? 0 : QFontMetrics(scaledFont(font(), TextSize::Caption)).horizontalAdvance(rightText()) + 8;
    setTextMargins(metrics::kIcon + 7, 0, right, 0);
    update();
}

void SearchField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void SearchField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.drawPixmap(8, (height() - metrics::kIcon) / 2, icons::pixmap(IconName::Search, t.text2, metrics::kIcon, devicePixelRatioF()));
    painter.setFont(scaledFont(font(), TextSize::Caption));
    painter.setPen(t.text3);
    painter.drawText(rect().adjusted(0, 0, -9, 0), Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, rightText());
}

} // namespace weir::ui
