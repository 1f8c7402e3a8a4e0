// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/DragBadge.h"

#include "ui/widgets/Icons.h"
#include "ui/widgets/Theme.h"

#include <QGuiApplication>
#include <QPainter>
#include <QScreen>

namespace weir::ui {

namespace {

constexpr int kRight = 18;
constexpr int kBelow = 20;
constexpr int kMarginX = 10;
constexpr int kMarginY = 5;
constexpr int kTextLeft = kMarginX + metrics::kIcon + 8;
constexpr int kWidest = 640;
const QString kArrow = QStringLiteral(" → ");

} // namespace

DragBadge::DragBadge(const Theme& theme)
    : QWidget(nullptr, Qt::ToolTip | Qt::FramelessWindowHint | Qt::WindowTransparentForInput | Qt::WindowDoesNotAcceptFocus)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("drag.badge"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void DragBadge::setContent(const QString& nodes, const QString& pool, const ImpactLine& line)
{
    if (m_nodes == nodes && m_pool == pool && m_line == line) {
        return;
    }
    m_nodes = nodes;
    m_pool = pool;
    m_line = line;
    setAccessibleName(pool.isEmpty() ? nodes : nodes + kArrow + pool);
    setAccessibleDescription(line.text);
    resize(sizeHint());
    update();
}

QPoint DragBadge::placeFor(const QPoint& pointer, const QSize& size, const QRect& screen)
{
    QPoint place = pointer + QPoint(kRight, kBelow);
    if (place.x() + size.width() > screen.right()) {
        place.setX(qMax(screen.left(), pointer.x() - kRight - size.width()));
    }
    if (place.y() + size.height() > screen.bottom()) {
        place.setY(qMax(screen.top(), pointer.y() - kBelow - size.height()));
    }
    return place;
}

void DragBadge::follow(const QPoint& pointer)
{
    const QScreen* screen = QGuiApplication::screenAt(pointer);
    screen = screen != nullptr ? screen : QGuiApplication::primaryScreen();
    move(placeFor(pointer, size(), screen->geometry()));
    if (!isVisible()) {
        show();
    }
    raise();
}

int DragBadge::lineHeight() const
{
    return fontMetrics().height() + 4;
}

QSize DragBadge::sizeHint() const
{
    const QFontMetrics bold(scaledFont(font(), TextSize::Body, true));
    const int first = fontMetrics().horizontalAdvance(m_nodes) + (m_pool.isEmpty() ? 0 : fontMetrics().horizontalAdvance(kArrow) + bold.horizontalAdvance(m_pool));
    const int width = qMax(first, fontMetrics().horizontalAdvance(m_line.text)) + kTextLeft + kMarginX + 2;
    return {qMin(width, kWidest), lineHeight() * (m_line.text.isEmpty() ? 1 : 2) + 2 * kMarginY};
}

void DragBadge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    const qreal dpr = devicePixelRatioF();
    painter.fillRect(rect(), t.popup);
    painter.setPen(t.line3);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    const QRect first(kTextLeft, kMarginY, width() - kTextLeft - kMarginX, lineHeight());
    const auto mark = [&](const QRect& line, IconName icon, const QColor& color) {
        painter.drawPixmap(kMarginX, line.top() + (line.height() - metrics::kIcon) / 2, icons::pixmap(icon, color, metrics::kIcon, dpr));
    };
    mark(first, IconName::Grip, t.text2);
    painter.setPen(t.text);
    painter.setFont(font());
    const QString nodes = m_pool.isEmpty() ? m_nodes : m_nodes + kArrow;
    painter.drawText(first, Qt::AlignVCenter | Qt::AlignLeft, nodes);
    const int advance = painter.fontMetrics().horizontalAdvance(nodes);
    painter.setFont(scaledFont(font(), TextSize::Body, true));
    painter.drawText(first.adjusted(advance, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, m_pool);
    if (m_line.text.isEmpty()) {
        return;
    }
    const QRect second = first.translated(0, lineHeight());
    switch (m_line.kind) {
    case ImpactLine::Kind::Ok: mark(second, IconName::MarkOnline, t.fill(Tone::Online).fill); break;
    case ImpactLine::Kind::Warning: mark(second, IconName::MarkFailing, t.fill(Tone::Failing).fill); break;
    case ImpactLine::Kind::Refused: mark(second, IconName::MarkRefused, t.fill(Tone::Offline).fill); break;
    }
    painter.setFont(font());
    painter.drawText(second, Qt::AlignVCenter | Qt::AlignLeft, painter.fontMetrics().elidedText(m_line.text, Qt::ElideRight, second.width()));
}

} // namespace weir::ui
