// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/ContextStrip.h"

#include "ui/widgets/Icons.h"
#include "ui/widgets/LinkLabel.h"
#include "ui/widgets/Patterns.h"
#include "ui/widgets/Theme.h"

#include <QHBoxLayout>
#include <QPainter>

namespace weir::ui {

namespace {
constexpr int kHatchedEnd = 14;
}

ContextStrip::ContextStrip(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_action(new LinkLabel(theme, {}, this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 12 + kHatchedEnd, 1);
    layout->addStretch();
    layout->addWidget(m_action);
    m_action->hide();
    connect(m_action, &LinkLabel::clicked, this, &ContextStrip::actionTriggered);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ContextStrip::setContext(Kind kind, const QString& badge, const QString& text, const QString& action)
{
    m_kind = kind;
    m_badge = badge;
    m_text = text;
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    m_action->updateGeometry();
    setAccessibleName(badge.isEmpty() ? text : badge + QStringLiteral(" · ") + text);
    setToolTip(text);
    update();
}

QSize ContextStrip::sizeHint() const
{
    return {400, metrics::fitted(metrics::kContextStrip, fontMetrics().height(), 6)};
}

void ContextStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.fillRect(rect(), m_kind == Kind::Stale ? t.staleStrip : t.window);
    const QRect row = rect().adjusted(0, 0, 0, -1);
    const qreal dpr = devicePixelRatioF();
    int x = 12;
    QColor badgeColor = t.text;
    QFont bold = font();
    bold.setBold(true);
    const int badgeWidth = m_badge.isEmpty() ? 0 : QFontMetrics(bold).horizontalAdvance(m_badge);
    if (m_kind == Kind::Profile) {
        painter.fillRect(QRect(0, 0, badgeWidth + 12 + metrics::kIcon + 7 + 12, height()), t.ink);
        badgeColor = t.onInk;
    } else if (m_kind == Kind::Demo) {
        const QBrush hatch = patterns::diagonal(t.text2, 12, 5, dpr);
        painter.fillRect(QRect(0, 0, kHatchedEnd, row.height()), hatch);
        painter.fillRect(QRect(width() - kHatchedEnd, 0, kHatchedEnd, row.height()), hatch);
        x = kHatchedEnd + 10;
    }
    const IconName icon = m_kind == Kind::Profile ? IconName::Server
        : m_kind == Kind::Demo                    ? IconName::Flask
        : m_kind == Kind::Stale                   ? IconName::Disconnected
                                                  : IconName::None;
    if (icon != IconName::None) {
        painter.drawPixmap(x, (row.height() - metrics::kIcon) / 2, icons::pixmap(icon, badgeColor, metrics::kIcon, dpr));
        x += metrics::kIcon + 7;
    }
    const int baseline = (row.height() - fontMetrics().height()) / 2 + fontMetrics().ascent();
    if (badgeWidth > 0) {
        painter.setFont(bold);
        painter.setPen(badgeColor);
        painter.drawText(QPoint(x, baseline), m_badge);
        x += badgeWidth + (m_kind == Kind::Profile ? 24 : 8);
    }
    painter.setFont(font());
    painter.setPen(m_kind == Kind::Stale ? t.text : t.text2);
    const int right = m_action->isHidden() ? width() - 12 - kHatchedEnd : m_action->x() - 8;
    painter.drawText(QPoint(x, baseline), fontMetrics().elidedText(m_text, Qt::ElideRight, right - x));
    painter.fillRect(QRect(0, height() - 1, width(), 1), t.line);
}

} // namespace weir::ui
