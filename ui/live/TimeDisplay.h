// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimeZone>

class QDateTime;

namespace weir::ui {

/// How times are shown: one choice, local or UTC, for every table, axis and sentence of the console.
class TimeDisplay : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] bool isUtc() const { return m_utc; }
    void setUtc(bool utc);
    [[nodiscard]] QTimeZone zone() const { return m_utc ? QTimeZone::utc() : QTimeZone::systemTimeZone(); }

    /// "UTC", "UTC+8", "UTC+5:30" at that moment.
    [[nodiscard]] QString zoneName(qint64 ms) const;
    [[nodiscard]] QString time(qint64 ms) const;         ///< 21:30:08
    [[nodiscard]] QString timeMs(qint64 ms) const;       ///< 21:30:08.412
    [[nodiscard]] QString dateTime(qint64 ms) const;     ///< 2026-11-29 21:30:08
    [[nodiscard]] QString dateTimeZone(qint64 ms) const; ///< 2026-11-29 21:30:08 +08
    [[nodiscard]] QString iso(qint64 ms) const;          ///< ISO 8601 with offset, for the clipboard

signals:
    void changed();

private:
    [[nodiscard]] QDateTime at(qint64 ms) const;

    bool m_utc = false;
};

} // namespace weir::ui
