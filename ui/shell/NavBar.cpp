// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/NavBar.h"

#include "ui/widgets/Theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kIconLeft = 13;
constexpr int kTextLeft = 37;
constexpr int kBadgeRight = 12;
constexpr int kBadgeSize = 10;
constexpr int kNumberGap = 5;
constexpr int kLabelGap = 4;
constexpr int kTightGap = 3;

} // namespace

NavButton::NavButton(const Theme& theme, IconName icon, QWidget* parent)
    : QAbstractButton(parent)
    , m_theme(theme)
    , m_icon(icon)
{
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void NavButton::setTitle(const QString& title, const QString& shortcut)
{
    setText(title);
    m_shortcut = shortcut;
    describe();
}

void NavButton::setBadge(const NavBadge& badge)
{
    if (m_badge != badge) {
        m_badge = badge;
        describe();
        update();
    }
}

void NavButton::setCollapsed(bool collapsed)
{
    m_collapsed = collapsed;
    update();
}

void NavButton::describe()
{
    const QString state = m_badge.count == 0 ? QString()
        : m_badge.needsAction               ? tr("%n need(s) action", nullptr, m_badge.count)
                                            : tr("%n need(s) attention", nullptr, m_badge.count);
    setAccessibleName(state.isEmpty() ? text() : tr("%1, %2", "page, how much needs attention").arg(text(), state));
    setToolTip(tr("%1 (%2)", "page, shortcut").arg(accessibleName(), m_shortcut));
}

QSize NavButton::sizeHint() const
{
    return {m_collapsed ? NavBar::kCollapsedWidth : NavBar::kWidth, metrics::fitted(metrics::kNavItem, fontMetrics().height(), 12)};
}

void NavButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.fillRect(rect(), isChecked() ? t.selection : underMouse() ? t.hover : t.window);
    if (isChecked()) {
        painter.fillRect(QRect(0, 0, metrics::kCurrentBar, height()), t.accent);
    }
    const qreal dpr = devicePixelRatioF();
    const int iconLeft = m_collapsed ? (width() - metrics::kNavIcon) / 2 : kIconLeft;
    painter.drawPixmap(iconLeft, (height() - metrics::kNavIcon) / 2, icons::pixmap(m_icon, isChecked() ? t.text : t.text2, metrics::kNavIcon, dpr));
    int right = width() - kBadgeRight;
    if (m_badge.count > 0) {
        const QColor fill = t.fill(m_badge.needsAction ? Tone::Offline : Tone::Failing).fill;
        const QPixmap shape = icons::pixmap(m_badge.needsAction ? IconName::BadgeDot : IconName::BadgeTriangle, fill, kBadgeSize, dpr);
        if (m_collapsed) {
            painter.drawPixmap(width() - kBadgeSize - 4, 4, shape);
        } else {
            const QString number = QString::number(m_badge.count);
            const int numberWidth = fontMetrics().horizontalAdvance(number);
            // The longest name keeps its letters beside a large number: the badge moves together and to the edge.
            const int needed = kTextLeft + fontMetrics().horizontalAdvance(text()) + kBadgeSize + numberWidth;
            const bool tight = needed + kBadgeRight + kNumberGap + kLabelGap > width();
            right += tight ? kBadgeRight - kTightGap : 0;
            painter.setPen(t.text);
            painter.drawText(QRect(right - numberWidth, 0, numberWidth, height()), Qt::AlignVCenter | Qt::AlignRight, number);
            right -= numberWidth + (tight ? kTightGap : kNumberGap) + kBadgeSize;
            painter.drawPixmap(right, (height() - kBadgeSize) / 2, shape);
            right -= tight ? kTightGap : kLabelGap;
        }
    }
    if (!m_collapsed) {
        painter.setPen(isChecked() ? t.text : t.text2);
        const QRect label(kTextLeft, 0, right - kTextLeft, height());
        painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft, fontMetrics().elidedText(text(), Qt::ElideRight, label.width()));
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, metrics::kFocusRing));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

NavBar::NavBar(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("nav"));
    m_layout->setContentsMargins(0, 8, 1, 8);
    m_layout->setSpacing(0);
    m_layout->addStretch();
    setFixedWidth(kWidth);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

NavButton* NavBar::addPage(const QString& name, IconName icon)
{
    auto* button = new NavButton(m_theme, icon, this);
    button->setObjectName(QStringLiteral("nav.") + name);
    m_layout->insertWidget(m_layout->count() - 1, button);
    m_buttons.append(std::make_pair(name, button));
    connect(button, &QAbstractButton::clicked, this, [this, name] { emit pageRequested(name); });
    return button;
}

NavButton* NavBar::button(const QString& name) const
{
    for (const auto& [known, button] : m_buttons) {
        if (known == name) {
            return button;
        }
    }
    return nullptr;
}

void NavBar::setCurrent(const QString& name)
{
    if (NavButton* current = button(name)) {
        current->setChecked(true);
    }
}

void NavBar::setCollapsed(bool collapsed)
{
    m_collapsed = collapsed;
    setFixedWidth(collapsed ? kCollapsedWidth : kWidth);
    for (const auto& [name, button] : std::as_const(m_buttons)) {
        button->setCollapsed(collapsed);
    }
}

void NavBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.tokens().window);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), m_theme.tokens().line);
}

void NavBar::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    for (qsizetype i = 0; step != 0 && i < m_buttons.size(); ++i) {
        if (m_buttons.at(i).second->hasFocus()) {
            m_buttons.at(qBound<qsizetype>(0, i + step, m_buttons.size() - 1)).second->setFocus(Qt::TabFocusReason);
            return;
        }
    }
    QWidget::keyPressEvent(event);
}

} // namespace weir::ui
