// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/WeirStyle.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QMenu>
#include <QStyleOption>
#include <QTabBar>

// Sizes and places; what is drawn is in WeirStylePrimitives.cpp and WeirStyleControls.cpp.
namespace weir::ui {

namespace {
constexpr int kButtonPadding = 11;
constexpr int kFieldPadding = 8;
constexpr int kTabPadding = 10;
constexpr int kMenuMarkWidth = 28;
} // namespace

WeirStyle::WeirStyle(const Tokens& tokens)
    : QProxyStyle(QStringLiteral("Fusion"))
    , m_tokens(&tokens)
{
    setObjectName(QStringLiteral("weir"));
}

int WeirStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_DefaultFrameWidth:
    case PM_SplitterWidth:
    case PM_MenuPanelWidth:
    case PM_ComboBoxFrameWidth:
    case PM_SpinBoxFrameWidth:
        return 1;
    case PM_DockWidgetSeparatorExtent:
        return 1;
    case PM_ButtonDefaultIndicator:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_MenuBarPanelWidth:
    case PM_MenuBarHMargin:
    case PM_MenuBarVMargin:
    case PM_MenuBarItemSpacing:
    case PM_MenuHMargin:
    case PM_TabBarBaseOverlap:
    case PM_TabBarBaseHeight:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabOverlap:
    case PM_HeaderDefaultSectionSizeVertical:
        return metric == PM_HeaderDefaultSectionSizeVertical ? 28 : 0;
    case PM_MenuVMargin:
    case PM_HeaderMargin:
        return 4;
    case PM_ScrollBarExtent:
        return metrics::kScrollBar;
    case PM_ScrollBarSliderMin:
        return 24;
    case PM_ScrollView_ScrollBarSpacing:
    case PM_ScrollView_ScrollBarOverlap:
        return 0;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 14;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return metrics::kIconGap;
    case PM_ButtonIconSize:
    case PM_SmallIconSize:
    case PM_TabBarIconSize:
        return metrics::kIcon;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return metrics::kGap;
    case PM_LayoutLeftMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutBottomMargin:
        return metrics::kPageMargin;
    case PM_ToolTipLabelFrameWidth:
        return 6;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int WeirStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* returnData) const
{
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_ComboBox_Popup:
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_TabBar_Alignment:
    case SH_Widget_Animate:
    case SH_Widget_Animation_Duration:
    case SH_Header_ArrowAlignment:
        return hint == SH_TabBar_Alignment ? int(Qt::AlignLeft) : 0;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_Table_GridLineColor:
        return static_cast<int>(m_tokens->line.rgb());
    case SH_ToolTipLabel_Opacity:
        return 255;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

QSize WeirStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents, const QWidget* widget) const
{
    const int font = option != nullptr ? option->fontMetrics.height() : 15;
    const int control = metrics::fitted(metrics::kControl, font, 8);
    switch (type) {
    case CT_PushButton: {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        int width = contents.width() + 2 * kButtonPadding;
        if (button != nullptr && (button->features & QStyleOptionButton::HasMenu)) {
            width += metrics::kIcon + metrics::kIconGap;
        }
        return {width, control};
    }
    case CT_ToolButton:
        return {qMax(contents.width() + 12, control), control};
    case CT_LineEdit:
        return {contents.width() + kFieldPadding, control};
    case CT_ComboBox:
        return {contents.width() + kFieldPadding + metrics::kIcon + 16, control};
    case CT_SpinBox:
        return {contents.width() + kFieldPadding + 20, control};
    case CT_HeaderSection:
        return {QProxyStyle::sizeFromContents(type, option, contents, widget).width(), metrics::fitted(metrics::kHeader, font, 8)};
    case CT_TabBarTab: {
        // The current tab is bold: every tab keeps room for that, so that none moves when the current one changes.
        QFont bold = widget != nullptr ? widget->font() : QApplication::font();
        bold.setBold(true);
        const QSize text = QFontMetrics(bold).size(Qt::TextShowMnemonic, qstyleoption_cast<const QStyleOptionTab*>(option)->text);
        return {text.width() + 2 * kTabPadding, metrics::fitted(28, font, 10)};
    }
    case CT_MenuBar:
        return {contents.width(), qMax(contents.height(), metrics::fitted(metrics::kMenuRow, font, 12))};
    case CT_MenuBarItem:
        return {contents.width() + 14, metrics::fitted(metrics::kMenuRow, font, 12)};
    case CT_MenuItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (item != nullptr && item->menuItemType == QStyleOptionMenuItem::Separator) {
            return {contents.width(), 9};
        }
        const int shortcut = item != nullptr && item->text.contains(QLatin1Char('\t')) ? 24 : 0;
        return {contents.width() + kMenuMarkWidth + 28 + shortcut, metrics::fitted(metrics::kControl, font, 8)};
    }
    case CT_CheckBox:
    case CT_RadioButton: {
        const QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
        return {size.width() + 4, qMax(size.height(), font + 6)};
    }
    default:
        return QProxyStyle::sizeFromContents(type, option, contents, widget);
    }
}

QRect WeirStyle::scrollBarPart(const QStyleOptionSlider& option, SubControl subControl) const
{
    const QRect whole = option.rect;
    const bool horizontal = option.orientation == Qt::Horizontal;
    const int length = horizontal ? whole.width() : whole.height();
    int slider = length;
    if (option.maximum != option.minimum) {
        const qint64 range = qint64(option.maximum) - option.minimum;
        slider = static_cast<int>(qint64(option.pageStep) * length / (range + option.pageStep));
        slider = qBound(qMin(24, length), slider, length);
    }
    const int start = sliderPositionFromValue(option.minimum, option.maximum, option.sliderPosition, length - slider, option.upsideDown);
    const auto part = [&](int from, int size) {
        return horizontal ? QRect(whole.left() + from, whole.top(), size, whole.height())
                          : QRect(whole.left(), whole.top() + from, whole.width(), size);
    };
    switch (subControl) {
    case SC_ScrollBarGroove:
        return whole;
    case SC_ScrollBarSlider:
        return part(start, slider);
    case SC_ScrollBarSubPage:
        return part(0, start);
    case SC_ScrollBarAddPage:
        return part(start + slider, length - start - slider);
    default:
        return {};
    }
}

QRect WeirStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl subControl,
                                const QWidget* widget) const
{
    if (control == CC_ScrollBar) {
        if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
            return visualRect(slider->direction, slider->rect, scrollBarPart(*slider, subControl));
        }
    }
    if (control == CC_ComboBox) {
        const QRect r = option->rect;
        const int arrow = metrics::kIcon + 14;
        if (subControl == SC_ComboBoxEditField) {
            return visualRect(option->direction, r, r.adjusted(kFieldPadding, 1, -arrow, -1));
        }
        if (subControl == SC_ComboBoxArrow) {
            return visualRect(option->direction, r, QRect(r.right() + 1 - arrow, r.top(), arrow, r.height()));
        }
    }
    if (control == CC_SpinBox) {
        const QRect r = option->rect;
        const QRect buttons(r.right() - 19, r.top() + 1, 19, r.height() - 2);
        switch (subControl) {
        case SC_SpinBoxUp:
            return visualRect(option->direction, r, QRect(buttons.left(), buttons.top(), buttons.width(), buttons.height() / 2));
        case SC_SpinBoxDown:
            return visualRect(option->direction, r, buttons.adjusted(0, buttons.height() / 2, 0, 0));
        case SC_SpinBoxEditField:
            return visualRect(option->direction, r, r.adjusted(3, 1, -20, -1));
        default:
            return r;
        }
    }
    return QProxyStyle::subControlRect(control, option, subControl, widget);
}

QRect WeirStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const
{
    switch (element) {
    case SE_PushButtonContents:
        return option->rect.adjusted(kButtonPadding, 0, -kButtonPadding, 0);
    case SE_PushButtonFocusRect:
    case SE_ComboBoxFocusRect:
        return option->rect;
    case SE_CheckBoxFocusRect:
    case SE_RadioButtonFocusRect:
        return option->rect;
    case SE_LineEditContents:
        return option->rect.adjusted(5, 1, -5, -1);
    default:
        return QProxyStyle::subElementRect(element, option, widget);
    }
}

void WeirStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QComboBox*>(widget) != nullptr || qobject_cast<QTabBar*>(widget) != nullptr) {
        widget->setAttribute(Qt::WA_Hover);
    }
}

} // namespace weir::ui
