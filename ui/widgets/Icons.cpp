// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Icons.h"

#include <QImage>
#include <QImageReader>
#include <QPixmapCache>
#include <QtMath>
#include <iterator>

namespace weir::ui {

namespace {

// In the order of IconName.
constexpr const char* kFiles[] = {
    "", "overview", "pools", "nodes", "apps", "routing", "incidents", "alarms", "audit", "settings",
    "mark-online", "mark-failing", "mark-quarantined", "mark-offline", "mark-draining", "mark-no-data", "mark-idle", "mark-slashed",
    "mark-refused", "badge-triangle", "badge-dot", "move", "config", "fallback", "note", "search", "chevron", "plus", "undo", "close",
    "pause", "play", "lock", "unlock", "reload", "info", "flask", "link-out", "drain", "bell", "check", "grip", "filter", "disconnected",
    "server"};
static_assert(std::size(kFiles) == static_cast<std::size_t>(IconName::Server) + 1);

/// The drawings are black, with white for what is cut out: coverage is alpha times darkness.
QImage recoloured(const QImage& drawing, const QColor& color)
{
    QImage out(drawing.size(), QImage::Format_ARGB32_Premultiplied);
    const int strength = color.alpha();
    for (int y = 0; y < drawing.height(); ++y) {
        const auto* from = reinterpret_cast<const QRgb*>(drawing.constScanLine(y));
        auto* to = reinterpret_cast<QRgb*>(out.scanLine(y));
        for (int x = 0; x < drawing.width(); ++x) {
            // Premultiplied: the red channel is alpha times whiteness already.
            const int coverage = (qAlpha(from[x]) - qRed(from[x])) * strength / 255;
            to[x] = qPremultiply(qRgba(color.red(), color.green(), color.blue(), coverage));
        }
    }
    return out;
}

QString cacheKey(IconName name, const QColor& color, int pixels, qreal dpr)
{
    return QStringLiteral("weir-icon-%1-%2-%3-%4").arg(static_cast<int>(name)).arg(color.rgba(), 0, 16).arg(pixels).arg(dpr);
}

} // namespace

QPixmap icons::pixmap(IconName name, const QColor& color, int size, qreal dpr)
{
    if (name == IconName::None || size <= 0) {
        return {};
    }
    const int pixels = qCeil(size * dpr);
    const QString key = cacheKey(name, color, pixels, dpr);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) {
        return pixmap;
    }
    QImageReader reader(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(kFiles[static_cast<std::size_t>(name)])), "svg");
    reader.setScaledSize(QSize(pixels, pixels));
    const QImage drawing = reader.read().convertToFormat(QImage::Format_ARGB32_Premultiplied);
    pixmap = QPixmap::fromImage(recoloured(drawing, color));
    pixmap.setDevicePixelRatio(dpr);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QIcon icons::icon(IconName name, const QColor& normal, const QColor& disabled)
{
    QIcon icon;
    for (const int size : {12, 16}) {
        for (const qreal dpr : {1.0, 2.0}) {
            icon.addPixmap(pixmap(name, normal, size, dpr), QIcon::Normal);
            icon.addPixmap(pixmap(name, normal, size, dpr), QIcon::Selected);
            icon.addPixmap(pixmap(name, normal, size, dpr), QIcon::Active);
            icon.addPixmap(pixmap(name, disabled, size, dpr), QIcon::Disabled);
        }
    }
    return icon;
}

void icons::clearCache()
{
    QPixmapCache::clear();
}

} // namespace weir::ui
