// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Icons.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/WeirStyle.h"

#include <QPainter>
#include <QStyleOption>

namespace weir::ui {

namespace {

int textFlags(const QStyleOption& option, const QWidget* widget, const QStyle& style)
{
    return Qt::TextSingleLine
        | (style.styleHint(QStyle::SH_UnderlineShortcut, &option, widget) ? Qt::TextShowMnemonic : Qt::TextHideMnemonic);
}

constexpr int kMenuTextLeft = 28;

} // namespace

void WeirStyle::drawButtonLabel(const QStyleOptionButton& option, QPainter& painter, const QWidget* widget) const
{
    const Tokens& t = *m_tokens;
    const bool enabled = option.state & State_Enabled;
    QColor color = enabled ? t.text : t.disabled;
    if (enabled && (option.features & QStyleOptionButton::DefaultButton)) {
        color = t.onAccent;
    }
    const int flags = textFlags(option, widget, *this);
    const int textWidth = option.fontMetrics.size(flags, option.text).width();
    const bool hasMenu = option.features & QStyleOptionButton::HasMenu;
    const QSize icon = option.icon.isNull() ? QSize(0, 0) : option.iconSize;
    const int gap = !option.icon.isNull() && !option.text.isEmpty() ? metrics::kIconGap : 0;
    const int menu = hasMenu ? metrics::kIcon + metrics::kIconGap : 0;
    const int total = icon.width() + gap + textWidth + menu;
    int x = option.rect.left() + qMax(0, (option.rect.width() - total) / 2);
    if (!option.icon.isNull()) {
        const QRect at(x, option.rect.top() + (option.rect.height() - icon.height()) / 2, icon.width(), icon.height());
        option.icon.paint(&painter, at, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
        x += icon.width() + gap;
    }
    painter.setPen(color);
    painter.drawText(QRect(x, option.rect.top(), textWidth + 1, option.rect.height()), flags | Qt::AlignVCenter | Qt::AlignLeft, option.text);
    if (hasMenu) {
        QStyleOption arrow(option);
        arrow.rect = QRect(x + textWidth + metrics::kIconGap, option.rect.top() + (option.rect.height() - metrics::kIcon) / 2, metrics::kIcon,
                           metrics::kIcon);
        drawArrow(PE_IndicatorArrowDown, arrow, painter);
    }
}

void WeirStyle::drawHeaderSection(const QStyleOption& option, QPainter& painter) const
{
    painter.fillRect(option.rect, m_tokens->window);
    painter.fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), m_tokens->line);
}

void WeirStyle::drawTab(const QStyleOptionTab& option, QPainter& painter) const
{
    const Tokens& t = *m_tokens;
    const QRect r = option.rect;
    painter.fillRect(QRect(r.left(), r.bottom(), r.width(), 1), t.line);
    if (option.state & State_Selected) {
        painter.fillRect(QRect(r.left(), r.bottom() - 1, r.width(), 2), t.accent);
    } else if (option.state & State_MouseOver) {
        painter.fillRect(r.adjusted(0, 0, 0, -1), t.hover);
    }
    if ((option.state & State_HasFocus) && (option.state & State_KeyboardFocusChange)) {
        drawFocusRing(r.adjusted(1, 1, -1, -3), painter);
    }
}

void WeirStyle::drawTabLabel(const QStyleOptionTab& option, QPainter& painter) const
{
    const bool selected = option.state & State_Selected;
    painter.save();
    QFont font = painter.font();
    font.setBold(selected);
    painter.setFont(font);
    painter.setPen(!(option.state & State_Enabled) ? m_tokens->disabled : (selected ? m_tokens->text : m_tokens->text2));
    painter.drawText(option.rect, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextShowMnemonic, option.text);
    painter.restore();
}

void WeirStyle::drawMenuBarItem(const QStyleOptionMenuItem& option, QPainter& painter) const
{
    painter.fillRect(option.rect, m_tokens->window);
    if (option.state & (State_Selected | State_Sunken)) {
        painter.fillRect(option.rect.adjusted(0, 3, 0, -3), option.state & State_Sunken ? m_tokens->selection : m_tokens->hover);
    }
    painter.setPen(option.state & State_Enabled ? m_tokens->text : m_tokens->disabled);
    painter.drawText(option.rect, textFlags(option, nullptr, *this) | Qt::AlignCenter, option.text);
}

void WeirStyle::drawMenuMark(const QStyleOptionMenuItem& option, const QRect& row, QPainter& painter) const
{
    const QRect at(row.left() + 8, row.top() + (row.height() - metrics::kIcon) / 2, metrics::kIcon, metrics::kIcon);
    const bool enabled = option.state & State_Enabled;
    if (option.checkType != QStyleOptionMenuItem::NotCheckable) {
        if (option.checked) {
            const QColor color = enabled ? m_tokens->accent : m_tokens->disabled;
            painter.drawPixmap(at, icons::pixmap(IconName::Check, color, metrics::kIcon, painter.device()->devicePixelRatioF()));
        }
    } else if (!option.icon.isNull()) {
        option.icon.paint(&painter, at, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    }
}

void WeirStyle::drawMenuItem(const QStyleOptionMenuItem& option, QPainter& painter) const
{
    const Tokens& t = *m_tokens;
    const QRect r = option.rect;
    if (option.menuItemType == QStyleOptionMenuItem::Separator) {
        painter.fillRect(QRect(r.left() + 1, r.center().y(), r.width() - 2, 1), t.line);
        return;
    }
    const bool enabled = option.state & State_Enabled;
    if (option.state & State_Selected) {
        painter.fillRect(r, enabled ? t.selection : t.hover);
    }
    drawMenuMark(option, r, painter);
    const QStringList parts = option.text.split(QLatin1Char('\t'));
    const QRect text = r.adjusted(kMenuTextLeft, 0, -12, 0);
    const int flags = textFlags(option, nullptr, *this) | Qt::AlignVCenter;
    painter.save();
    painter.setFont(option.font);
    painter.setPen(enabled ? t.text : t.disabled);
    painter.drawText(text, flags | Qt::AlignLeft, parts.first());
    if (option.menuItemType == QStyleOptionMenuItem::SubMenu) {
        QStyleOption arrow(option);
        arrow.rect = QRect(r.right() - 18, r.top(), metrics::kIcon, r.height());
        drawArrow(PE_IndicatorArrowRight, arrow, painter);
    } else if (parts.size() > 1) {
        painter.setFont(scaledFont(option.font, TextSize::Caption));
        painter.setPen(enabled ? (option.state & State_Selected ? t.text2 : t.text3) : t.disabled);
        painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, parts.at(1));
    }
    painter.restore();
}

void WeirStyle::drawProgress(const QStyleOptionProgressBar& option, QPainter& painter) const
{
    const QRect groove(option.rect.left(), option.rect.center().y() - 1, option.rect.width(), 4);
    painter.fillRect(groove, m_tokens->line);
    if (option.maximum > option.minimum) {
        const qint64 done = qint64(option.progress) - option.minimum;
        const int width = static_cast<int>(done * groove.width() / (qint64(option.maximum) - option.minimum));
        painter.fillRect(QRect(groove.left(), groove.top(), qBound(0, width, groove.width()), groove.height()), m_tokens->accent);
    }
}

void WeirStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            drawButtonLabel(*button, *painter, widget);
            return;
        }
        break;
    case CE_PushButtonBevel:
        proxy()->drawPrimitive(PE_PanelButtonCommand, option, painter, widget);
        return;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
        drawHeaderSection(*option, *painter);
        return;
    case CE_TabBarTabShape:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            drawTab(*tab, *painter);
            return;
        }
        break;
    case CE_TabBarTabLabel:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            drawTabLabel(*tab, *painter);
            return;
        }
        break;
    case CE_MenuBarItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
            drawMenuBarItem(*item, *painter);
            return;
        }
        break;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, m_tokens->window);
        return;
    case CE_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
            drawMenuItem(*item, *painter);
            return;
        }
        break;
    case CE_MenuEmptyArea:
        painter->fillRect(option->rect, m_tokens->popup);
        return;
    case CE_ProgressBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            drawProgress(*bar, *painter);
            return;
        }
        break;
    case CE_Splitter:
        painter->fillRect(option->rect, m_tokens->line2);
        return;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void WeirStyle::drawScrollBar(const QStyleOptionSlider& option, QPainter& painter, const QWidget* widget) const
{
    painter.fillRect(option.rect, m_tokens->window);
    if (option.maximum <= option.minimum) {
        return;
    }
    QRectF thumb = proxy()->subControlRect(CC_ScrollBar, &option, SC_ScrollBarSlider, widget);
    thumb = option.orientation == Qt::Vertical ? thumb.adjusted(2, 1, -2, -1) : thumb.adjusted(1, 2, -1, -2);
    const bool active = option.activeSubControls & SC_ScrollBarSlider;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(active && (option.state & (State_Sunken | State_MouseOver)) ? m_tokens->text2 : m_tokens->line3);
    painter.drawRoundedRect(thumb, 3, 3);
    painter.restore();
}

void WeirStyle::drawComboBox(const QStyleOptionComboBox& option, QPainter& painter, const QWidget* widget) const
{
    if (option.editable) {
        drawFieldPanel(option, painter);
    } else {
        QStyleOption panel(option);
        panel.state.setFlag(State_Sunken, option.state & State_On);
        panel.state.setFlag(State_On, false);
        drawButtonPanel(panel, painter, false);
    }
    QStyleOption arrow(option);
    arrow.rect = proxy()->subControlRect(CC_ComboBox, &option, SC_ComboBoxArrow, widget);
    drawArrow(PE_IndicatorArrowDown, arrow, painter);
}

void WeirStyle::drawSpinBox(const QStyleOptionSpinBox& option, QPainter& painter, const QWidget* widget) const
{
    drawFieldPanel(option, painter);
    if (option.buttonSymbols == QAbstractSpinBox::NoButtons) {
        return;
    }
    for (const SubControl control : {SC_SpinBoxUp, SC_SpinBoxDown}) {
        QStyleOption arrow(option);
        arrow.rect = proxy()->subControlRect(CC_SpinBox, &option, control, widget);
        const QAbstractSpinBox::StepEnabled step =
            control == SC_SpinBoxUp ? QAbstractSpinBox::StepUpEnabled : QAbstractSpinBox::StepDownEnabled;
        arrow.state.setFlag(State_Enabled, (option.state & State_Enabled) && (option.stepEnabled & step));
        drawArrow(control == SC_SpinBoxUp ? PE_IndicatorArrowUp : PE_IndicatorArrowDown, arrow, painter);
    }
}

void WeirStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    switch (control) {
    case CC_ScrollBar:
        if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
            drawScrollBar(*slider, *painter, widget);
            return;
        }
        break;
    case CC_ComboBox:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            drawComboBox(*combo, *painter, widget);
            return;
        }
        break;
    case CC_SpinBox:
        if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
            drawSpinBox(*spin, *painter, widget);
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace weir::ui
