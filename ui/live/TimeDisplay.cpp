// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/TimeDisplay.h"

#include <QDateTime>
#include <cstdlib>

namespace weir::ui {

namespace {

/// "+08", "-03:30", "+00".
QString offsetText(int seconds)
{
    const int minutes = std::abs(seconds) / 60;
    const QString sign = seconds < 0 ? QStringLiteral("-") : QStringLiteral("+");
    const QString hours = QStringLiteral("%1").arg(minutes / 60, 2, 10, QLatin1Char('0'));
    return minutes % 60 == 0 ? sign + hours : sign + hours + QStringLiteral(":%1").arg(minutes % 60, 2, 10, QLatin1Char('0'));
}

} // namespace

void TimeDisplay::setUtc(bool utc)
{
    if (m_utc != utc) {
        m_utc = utc;
        emit changed();
    }
}

QDateTime TimeDisplay::at(qint64 ms) const
{
    return QDateTime::fromMSecsSinceEpoch(ms, m_utc ? Qt::UTC : Qt::LocalTime);
}

QString TimeDisplay::zoneName(qint64 ms) const
{
    const int seconds = at(ms).offsetFromUtc();
    if (seconds == 0) {
        return QStringLiteral("UTC");
    }
    const int minutes = std::abs(seconds) / 60;
    const QString sign = seconds < 0 ? QStringLiteral("\u2212") : QStringLiteral("+");
    const QString rest = minutes % 60 == 0 ? QString() : QStringLiteral(":%1").arg(minutes % 60, 2, 10, QLatin1Char('0'));
    return QStringLiteral("UTC%1%2%3").arg(sign).arg(minutes / 60).arg(rest);
}

QString TimeDisplay::time(qint64 ms) const
{
    return at(ms).toString(QStringLiteral("HH:mm:ss"));
}

QString TimeDisplay::timeMs(qint64 ms) const
{
    return at(ms).toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString TimeDisplay::dateTime(qint64 ms) const
{
    return at(ms).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString TimeDisplay::dateTimeZone(qint64 ms) const
{
    const QDateTime time = at(ms);
    return time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss ")) + offsetText(time.offsetFromUtc());
}

QString TimeDisplay::iso(qint64 ms) const
{
    return m_utc ? at(ms).toString(Qt::ISODateWithMs) : at(ms).toOffsetFromUtc(at(ms).offsetFromUtc()).toString(Qt::ISODateWithMs);
}

} // namespace weir::ui
