// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/Scrim.h"

#include "ui/widgets/Theme.h"

#include <QEvent>
#include <QPainter>

namespace weir::ui {

Scrim::Scrim(const Theme& theme, QWidget& window)
    : QWidget(&window)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("scrim"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    window.installEventFilter(this);
    hide();
}

void Scrim::setShown(bool shown)
{
    m_open = qMax(0, m_open + (shown ? 1 : -1));
    if (m_open > 0) {
        setGeometry(parentWidget()->rect());
        raise();
    }
    setVisible(m_open > 0);
}

bool Scrim::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == parentWidget()) {
        setGeometry(parentWidget()->rect());
    }
    return QWidget::eventFilter(watched, event);
}

void Scrim::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), m_theme.tokens().scrim);
}

} // namespace weir::ui
