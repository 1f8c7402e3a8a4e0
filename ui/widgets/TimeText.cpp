// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/TimeText.h"

#include <QDateTime>

namespace weir::ui {

namespace {

QString formatted(qint64 ms, const QTimeZone& zone, const QString& format)
{
    return ms == 0 ? QStringLiteral("–") : QDateTime::fromMSecsSinceEpoch(ms, zone).toString(format);
}

} // namespace

QString timetext::zoneName(const QTimeZone& zone, qint64 ms)
{
    const int offset = zone.offsetFromUtc(QDateTime::fromMSecsSinceEpoch(ms, QTimeZone::utc()));
    if (offset == 0) {
        return QStringLiteral("UTC");
    }
    const int minutesOff = qAbs(offset) / 60;
    QString name = QStringLiteral("UTC%1%2").arg(offset < 0 ? QStringLiteral("−") : QStringLiteral("+")).arg(minutesOff / 60);
    if (minutesOff % 60 != 0) {
        name += QStringLiteral(":%1").arg(minutesOff % 60, 2, 10, QLatin1Char('0'));
    }
    return name;
}

QString timetext::clock(qint64 ms, const QTimeZone& zone)
{
    return formatted(ms, zone, QStringLiteral("HH:mm:ss"));
}

QString timetext::minutes(qint64 ms, const QTimeZone& zone)
{
    return formatted(ms, zone, QStringLiteral("HH:mm"));
}

QString timetext::full(qint64 ms, const QTimeZone& zone)
{
    return formatted(ms, zone, QStringLiteral("yyyy-MM-dd HH:mm:ss t"));
}

QString timetext::number(qint64 value)
{
    QString digits = QString::number(qAbs(value));
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3) {
        digits.insert(at, QChar(0x202F));
    }
    return value < 0 ? QStringLiteral("−") + digits : digits;
}

} // namespace weir::ui
