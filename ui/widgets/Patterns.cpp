// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Patterns.h"

#include "ui/widgets/Tokens.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmapCache>

namespace weir::ui {

namespace {

constexpr int kGapPitch = 7;
constexpr int kOnlineBar = 6;

QBrush tile(const QString& kind, const QColor& color, int pitch, qreal width, qreal dpr)
{
    const QString key = QStringLiteral("weir-%1-%2-%3-%4-%5").arg(kind).arg(color.rgba(), 0, 16).arg(pitch).arg(width).arg(dpr);
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = QPixmap(qRound(pitch * dpr), qRound(pitch * dpr));
        pixmap.setDevicePixelRatio(dpr);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color, width));
        // Drawn three times over so that the corners of neighbouring tiles meet.
        for (const int shift : {-pitch, 0, pitch}) {
            painter.drawLine(QPointF(shift - 1, pitch + 1), QPointF(shift + pitch + 1, -1));
            if (kind == QLatin1String("cross")) {
                painter.drawLine(QPointF(shift - 1, -1), QPointF(shift + pitch + 1, pitch + 1));
            }
        }
        painter.end();
        QPixmapCache::insert(key, pixmap);
    }
    return QBrush(pixmap);
}

QColor tint(const QColor& color, int percent)
{
    QColor out = color;
    out.setAlpha(255 * percent / 100);
    return out;
}

void paintFailing(QPainter& painter, const QRect& rect, const QColor& fill, const QColor& ground)
{
    painter.fillRect(rect, fill);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int x = rect.right() - 7; x >= rect.left() + 2 && x > rect.right() - 32; x -= 8) {
        QPainterPath notch(QPointF(x, rect.top()));
        notch.lineTo(x + 5, rect.top());
        notch.lineTo(x + 2.5, rect.top() + 4);
        painter.fillPath(notch, ground);
    }
    painter.restore();
}

void paintDraining(QPainter& painter, const QRect& rect, const QColor& fill)
{
    painter.fillRect(rect, tint(fill, 12));
    for (qreal y = rect.top() + 1; y < rect.bottom(); y += 4) {
        painter.fillRect(QRectF(rect.left(), y, rect.width(), 1.6), fill);
    }
}

void paintWord(QPainter& painter, const QRect& rect, const StateFill& fill, const QString& word)
{
    const QFontMetrics fm = painter.fontMetrics();
    const int width = fm.horizontalAdvance(word);
    if (word.isEmpty() || width + 14 > rect.width()) {
        return;
    }
    const QRect plate(rect.left() + 2, rect.top() + 1, width + 8, rect.height() - 2);
    painter.fillRect(plate, fill.fill);
    painter.setPen(fill.label);
    painter.drawText(QPoint(plate.left() + 4, plate.top() + (plate.height() - fm.height()) / 2 + fm.ascent()), word);
}

} // namespace

QBrush patterns::diagonal(const QColor& color, int pitch, qreal width, qreal dpr)
{
    return tile(QStringLiteral("diagonal"), color, pitch, width, dpr);
}

QBrush patterns::crossHatch(const QColor& color, int pitch, qreal width, qreal dpr)
{
    return tile(QStringLiteral("cross"), color, pitch, width, dpr);
}

void patterns::paintGap(QPainter& painter, const QRect& rect, const Tokens& tokens)
{
    const qreal dpr = painter.device()->devicePixelRatioF();
    painter.save();
    painter.setBrushOrigin(0, 0);
    painter.fillRect(rect, tokens.base);
    painter.fillRect(rect, diagonal(tokens.line3, kGapPitch, 1, dpr));
    painter.fillRect(QRect(rect.left(), rect.top(), 1, rect.height()), tokens.line3);
    painter.fillRect(QRect(rect.right(), rect.top(), 1, rect.height()), tokens.line3);
    painter.restore();
}

void patterns::paintLaneSegment(QPainter& painter, const QRect& rect, ProbeState state, const Tokens& tokens, const QString& word)
{
    const StateFill fill = tokens.fill(state);
    const qreal dpr = painter.device()->devicePixelRatioF();
    painter.save();
    painter.setBrushOrigin(0, 0);
    switch (state) {
    case ProbeState::Online:
        painter.fillRect(QRect(rect.left(), rect.top() + (rect.height() - kOnlineBar) / 2, rect.width(), kOnlineBar), fill.fill);
        break;
    case ProbeState::Failing:
        paintFailing(painter, rect, fill.fill, tokens.base);
        break;
    case ProbeState::Quarantined:
        painter.fillRect(rect, tint(fill.fill, 22));
        painter.fillRect(rect, diagonal(fill.fill, 5, 2, dpr));
        break;
    case ProbeState::Offline:
        painter.fillRect(QRect(rect.left(), rect.top() + rect.height() / 2, rect.width(), rect.height() - rect.height() / 2), fill.fill);
        break;
    case ProbeState::Draining:
        paintDraining(painter, rect, fill.fill);
        break;
    case ProbeState::NoData:
        painter.fillRect(rect, tint(fill.fill, 10));
        painter.fillRect(rect, crossHatch(fill.fill, 5, 1, dpr));
        break;
    }
    if (state != ProbeState::Online) {
        paintWord(painter, rect, fill, word);
    }
    painter.restore();
}

} // namespace weir::ui
