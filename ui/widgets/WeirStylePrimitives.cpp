// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Icons.h"
#include "ui/widgets/WeirStyle.h"

#include <QPainter>
#include <QPushButton>
#include <QStyleOption>

namespace weir::ui {

namespace {

QPen pen(const QColor& color, qreal width = 1)
{
    return QPen(color, width);
}

void roundedBox(QPainter& painter, const QRect& rect, const QPen& outline, const QBrush& fill)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(outline);
    painter.setBrush(fill);
    const qreal half = outline.widthF() / 2;
    painter.drawRoundedRect(QRectF(rect).adjusted(half, half, -half, -half), metrics::kRadius, metrics::kRadius);
    painter.restore();
}

} // namespace

void WeirStyle::drawFocusRing(const QRect& rect, QPainter& painter) const
{
    roundedBox(painter, rect, pen(m_tokens->accent, metrics::kFocusRing), Qt::NoBrush);
}

void WeirStyle::drawButtonPanel(const QStyleOption& option, QPainter& painter, bool isDefault) const
{
    const Tokens& t = *m_tokens;
    const bool enabled = option.state & State_Enabled;
    const bool pressed = option.state & (State_Sunken | State_On);
    const bool hover = enabled && (option.state & State_MouseOver);
    QColor fill = t.button;
    QColor edge = t.line2;
    if (!enabled) {
        edge = t.line;
    } else if (isDefault) {
        fill = edge = t.accent;
    } else if (pressed) {
        fill = t.selection;
        edge = t.accent;
    } else if (hover) {
        fill = t.hover;
        edge = t.line3;
    }
    roundedBox(painter, option.rect, pen(edge), fill);
    if ((option.state & State_HasFocus) && (option.state & State_KeyboardFocusChange)) {
        drawFocusRing(option.rect, painter);
        if (isDefault) {
            // The ring has the colour of the fill: a line of the ground sets it off.
            roundedBox(painter, option.rect.adjusted(2, 2, -2, -2), pen(t.onAccent), Qt::NoBrush);
        }
    }
}

void WeirStyle::drawToolButtonPanel(const QStyleOption& option, QPainter& painter) const
{
    const Tokens& t = *m_tokens;
    if ((option.state & State_AutoRaise) && !(option.state & (State_MouseOver | State_Sunken | State_On))) {
        if ((option.state & State_HasFocus) && (option.state & State_KeyboardFocusChange)) {
            drawFocusRing(option.rect, painter);
        }
        return;
    }
    if (option.state & State_AutoRaise) {
        const bool on = option.state & (State_On | State_Sunken);
        roundedBox(painter, option.rect, pen(on ? t.accent : t.hover), on ? t.selection : t.hover);
        return;
    }
    drawButtonPanel(option, painter, false);
}

void WeirStyle::drawFieldPanel(const QStyleOption& option, QPainter& painter) const
{
    const Tokens& t = *m_tokens;
    if (option.state & State_HasFocus) {
        roundedBox(painter, option.rect, pen(t.accent, metrics::kFocusRing), t.base);
        return;
    }
    roundedBox(painter, option.rect, pen(option.state & State_Enabled ? t.line3 : t.line), t.base);
}

void WeirStyle::drawCheckBox(const QStyleOption& option, QPainter& painter) const
{
    const Tokens& t = *m_tokens;
    const bool enabled = option.state & State_Enabled;
    const bool on = option.state & (State_On | State_NoChange);
    const QColor edge = !enabled ? t.line2 : (on ? t.accent : t.line3);
    roundedBox(painter, option.rect, pen(edge), on && enabled ? t.accent : t.base);
    const QColor mark = enabled ? t.onAccent : t.disabled;
    if (option.state & State_On) {
        const QRect at(option.rect.center().x() - 4, option.rect.center().y() - 4, 10, 10);
        painter.drawPixmap(at, icons::pixmap(IconName::Check, mark, 10, painter.device()->devicePixelRatioF()));
    } else if (option.state & State_NoChange) {
        painter.fillRect(QRect(option.rect.left() + 3, option.rect.center().y(), option.rect.width() - 6, 2), mark);
    }
}

void WeirStyle::drawRadioButton(const QStyleOption& option, QPainter& painter) const
{
    const Tokens& t = *m_tokens;
    const bool enabled = option.state & State_Enabled;
    const bool on = option.state & State_On;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen(!enabled ? t.line2 : (on ? t.accent : t.line3)));
    painter.setBrush(t.base);
    const QRectF ring = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawEllipse(ring);
    if (on) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(enabled ? t.accent : t.disabled);
        painter.drawEllipse(ring.adjusted(3, 3, -3, -3));
    }
    painter.restore();
}

void WeirStyle::drawArrow(PrimitiveElement element, const QStyleOption& option, QPainter& painter) const
{
    const int size = qMin(metrics::kIcon, qMin(option.rect.width(), option.rect.height()));
    const QColor color = option.state & State_Enabled ? m_tokens->text2 : m_tokens->disabled;
    const QPixmap chevron = icons::pixmap(IconName::Chevron, color, size, painter.device()->devicePixelRatioF());
    painter.save();
    painter.translate(QRectF(option.rect).center());
    painter.rotate(element == PE_IndicatorArrowUp ? 180 : element == PE_IndicatorArrowLeft ? 90 : element == PE_IndicatorArrowRight ? -90 : 0);
    painter.drawPixmap(QPointF(-size / 2.0, -size / 2.0), chevron);
    painter.restore();
}

bool WeirStyle::drawFlatPrimitive(PrimitiveElement element, const QStyleOption& option, QPainter& painter) const
{
    const Tokens& t = *m_tokens;
    switch (element) {
    case PE_Frame:
    case PE_FrameGroupBox:
    case PE_FrameTabWidget:
    case PE_FrameDockWidget:
    case PE_FrameWindow:
        painter.setPen(pen(t.line));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
        return true;
    case PE_PanelMenu:
    case PE_PanelTipLabel:
        painter.fillRect(option.rect, t.popup);
        [[fallthrough]];
    case PE_FrameMenu:
        painter.setPen(pen(t.line2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
        return true;
    case PE_FrameTabBarBase:
        painter.fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), t.line);
        return true;
    case PE_PanelMenuBar:
    case PE_FrameDefaultButton:
    case PE_FrameStatusBarItem:
    case PE_FrameButtonTool:
    case PE_FrameButtonBevel:
    case PE_PanelStatusBar:
        return true;
    default:
        return false;
    }
}

void WeirStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    switch (element) {
    case PE_PanelButtonCommand: {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        drawButtonPanel(*option, *painter, button != nullptr && (button->features & QStyleOptionButton::DefaultButton));
        return;
    }
    case PE_PanelButtonTool:
        drawToolButtonPanel(*option, *painter);
        return;
    case PE_FrameLineEdit:
    case PE_PanelLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame == nullptr || frame->lineWidth > 0) {
            drawFieldPanel(*option, *painter);
        }
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawCheckBox(*option, *painter);
        return;
    case PE_IndicatorRadioButton:
        drawRadioButton(*option, *painter);
        return;
    case PE_FrameFocusRect:
        // Buttons and fields draw their ring with their panel; item views draw the row's.
        if (qobject_cast<const QPushButton*>(widget) == nullptr) {
            drawFocusRing(option->rect, *painter);
        }
        return;
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowLeft:
    case PE_IndicatorArrowRight:
    case PE_IndicatorSpinDown:
    case PE_IndicatorSpinUp:
        drawArrow(element == PE_IndicatorSpinUp ? PE_IndicatorArrowUp : element, *option, *painter);
        return;
    default:
        if (!drawFlatPrimitive(element, *option, *painter)) {
            QProxyStyle::drawPrimitive(element, option, painter, widget);
        }
    }
}

} // namespace weir::ui
