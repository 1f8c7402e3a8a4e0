// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/FacetButton.h"

#include "ui/widgets/Icons.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/TimeText.h"

#include <QPainter>
#include <QStyleOptionButton>

namespace weir::ui {

namespace {
constexpr int kPadding = 10;

QFont boldOf(QFont font)
{
    font.setBold(true);
    return font;
}
} // namespace

FacetButton::FacetButton(const Theme& theme, const QString& text, QWidget* parent)
    : QPushButton(text, parent)
    , m_theme(theme)
{
    setAutoDefault(false);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void FacetButton::setCount(int count)
{
    if (count == m_count) {
        return;
    }
    m_count = count;
    setAccessibleDescription(count < 0 ? QString() : tr("%n match(es)", nullptr, count));
    updateGeometry();
    update();
}

void FacetButton::setActive(bool active)
{
    m_active = active;
    update();
}

int FacetButton::contentWidth() const
{
    int width = fontMetrics().size(Qt::TextShowMnemonic, text()).width();
    if (m_count >= 0) {
        width += metrics::kGap + QFontMetrics(boldOf(font())).horizontalAdvance(timetext::number(m_count));
    }
    return menu() != nullptr ? width + metrics::kIconGap + metrics::kIcon : width;
}

QSize FacetButton::sizeHint() const
{
    ensurePolished();
    return {contentWidth() + 2 * kPadding, metrics::fitted(metrics::kControl, fontMetrics().height(), 8)};
}

void FacetButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    if (m_active) {
        option.state |= QStyle::State_On;
    }
    style()->drawPrimitive(QStyle::PE_PanelButtonCommand, &option, &painter, this);
    const Tokens& t = m_theme.tokens();
    const int baseline = (height() - fontMetrics().height()) / 2 + fontMetrics().ascent();
    int x = (width() - contentWidth()) / 2;
    const QSize label = fontMetrics().size(Qt::TextShowMnemonic, text());
    painter.setPen(isEnabled() ? t.text : t.disabled);
    painter.drawText(QRect(x, 0, label.width() + 1, height()), Qt::AlignVCenter | Qt::TextShowMnemonic | Qt::TextSingleLine, text());
    x += label.width();
    if (m_count >= 0) {
        painter.setFont(boldOf(font()));
        painter.drawText(QPoint(x + metrics::kGap, baseline), timetext::number(m_count));
    }
    if (menu() != nullptr) {
        const QColor color = isEnabled() ? t.text2 : t.disabled;
        painter.drawPixmap(width() - kPadding - metrics::kIcon, (height() - metrics::kIcon) / 2,
                           icons::pixmap(IconName::Chevron, color, metrics::kIcon, devicePixelRatioF()));
    }
}

} // namespace weir::ui
