// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/Announcer.h"

#include <QAccessible>

namespace weir::ui {

Announcer::Announcer(QWidget& window)
    : QWidget(&window)
{
    setObjectName(QStringLiteral("announcer"));
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setGeometry(-2, -2, 1, 1); // shown, or readers would not see it either, but outside of what is painted
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer); // a coarse one may be early
    connect(&m_timer, &QTimer::timeout, this, [this] { tell(std::exchange(m_waiting, {})); });
}

void Announcer::announce(const QString& text)
{
    const bool tooSoon = m_sinceLast.isValid() && m_sinceLast.elapsed() < kLeastGapMs;
    if (text.isEmpty() || (tooSoon && text == (m_waiting.isEmpty() ? accessibleName() : m_waiting))) {
        return;
    }
    if (!tooSoon) {
        m_timer.stop();
        m_waiting.clear();
        tell(text);
        return;
    }
    m_waiting = text;
    if (!m_timer.isActive()) {
        m_timer.start(static_cast<int>(kLeastGapMs - m_sinceLast.elapsed()));
    }
}

void Announcer::tell(const QString& text)
{
    m_sinceLast.start();
    setAccessibleName(text);
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
    emit announced(text);
}

} // namespace weir::ui
