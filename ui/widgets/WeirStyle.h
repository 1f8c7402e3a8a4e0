// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/Tokens.h"

#include <QProxyStyle>

class QStyleOptionButton;
class QStyleOptionComboBox;
class QStyleOptionHeader;
class QStyleOptionMenuItem;
class QStyleOptionProgressBar;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionTab;
class QStyleOptionToolButton;

namespace weir::ui {

/// Fusion made flat: our sizes, 1 px lines, no gradients or shadows. Colours are those of the tokens it was given last.
class WeirStyle : public QProxyStyle {
    Q_OBJECT

public:
    explicit WeirStyle(const Tokens& tokens);

    void setTokens(const Tokens& tokens) { m_tokens = &tokens; }

    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                                QStyleHintReturn* returnData) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                         const QWidget* widget) const override;
    [[nodiscard]] QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl subControl,
                                       const QWidget* widget) const override;
    [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;

private:
    void drawButtonPanel(const QStyleOption& option, QPainter& painter, bool isDefault) const;
    void drawToolButtonPanel(const QStyleOption& option, QPainter& painter) const;
    void drawFieldPanel(const QStyleOption& option, QPainter& painter) const;
    void drawCheckBox(const QStyleOption& option, QPainter& painter) const;
    void drawRadioButton(const QStyleOption& option, QPainter& painter) const;
    void drawFocusRing(const QRect& rect, QPainter& painter) const;
    void drawArrow(PrimitiveElement element, const QStyleOption& option, QPainter& painter) const;
    [[nodiscard]] bool drawFlatPrimitive(PrimitiveElement element, const QStyleOption& option, QPainter& painter) const;

    void drawButtonLabel(const QStyleOptionButton& option, QPainter& painter, const QWidget* widget) const;
    void drawHeaderSection(const QStyleOption& option, QPainter& painter) const;
    void drawTab(const QStyleOptionTab& option, QPainter& painter) const;
    void drawTabLabel(const QStyleOptionTab& option, QPainter& painter) const;
    void drawMenuBarItem(const QStyleOptionMenuItem& option, QPainter& painter) const;
    void drawMenuItem(const QStyleOptionMenuItem& option, QPainter& painter) const;
    void drawMenuMark(const QStyleOptionMenuItem& option, const QRect& row, QPainter& painter) const;
    void drawProgress(const QStyleOptionProgressBar& option, QPainter& painter) const;
    void drawScrollBar(const QStyleOptionSlider& option, QPainter& painter, const QWidget* widget) const;
    void drawComboBox(const QStyleOptionComboBox& option, QPainter& painter, const QWidget* widget) const;
    void drawSpinBox(const QStyleOptionSpinBox& option, QPainter& painter, const QWidget* widget) const;
    [[nodiscard]] QRect scrollBarPart(const QStyleOptionSlider& option, SubControl subControl) const;

    const Tokens* m_tokens;
};

} // namespace weir::ui
