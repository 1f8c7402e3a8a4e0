// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/MoveButton.h"

#include "ui/widgets/Theme.h"

#include <QAction>
#include <QStyleOptionButton>
#include <QStylePainter>

namespace weir::ui {

namespace {
constexpr int kRightPadding = 11;
} // namespace

MoveButton::MoveButton(QAction& action, IconName icon, const Theme& theme, QWidget* parent)
    : ActionButton(action, parent)
    , m_theme(theme)
    , m_icon(icon)
    // Plain letters and Del are for the table alone and would read as part of the words.
    , m_hint(action.shortcut().count() > 0 && action.shortcut()[0].keyboardModifiers() != Qt::NoModifier
              ? action.shortcut().toString(QKeySequence::NativeText) : QString())
{
    setObjectName(action.objectName().replace(QLatin1String("action."), QLatin1String("button.")));
    setIconSize({metrics::kIcon, metrics::kIcon});
    connect(&theme, &Theme::changed, this, &MoveButton::applyLook);
    applyLook();
}

void MoveButton::applyLook()
{
    setIcon(icons::icon(m_icon, m_theme.tokens().text2, m_theme.tokens().disabled));
    setFixedHeight(metrics::fitted(metrics::kControl, fontMetrics().height(), 10));
    update();
}

int MoveButton::hintWidth() const
{
    return m_hint.isEmpty() ? 0 : QFontMetrics(scaledFont(font(), TextSize::Caption)).horizontalAdvance(m_hint) + metrics::kIconGap;
}

QSize MoveButton::sizeHint() const
{
    const QSize own = ActionButton::sizeHint();
    return {own.width() + hintWidth(), own.height()};
}

void MoveButton::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    painter.drawControl(QStyle::CE_PushButtonBevel, option);
    option.rect.adjust(0, 0, -hintWidth(), 0);
    painter.drawControl(QStyle::CE_PushButtonLabel, option);
    if (!m_hint.isEmpty()) {
        painter.setFont(scaledFont(font(), TextSize::Caption));
        painter.setPen(isEnabled() ? m_theme.tokens().text3 : m_theme.tokens().disabled);
        painter.drawText(rect().adjusted(0, 0, -kRightPadding, 0), Qt::AlignRight | Qt::AlignVCenter, m_hint);
    }
}

} // namespace weir::ui
