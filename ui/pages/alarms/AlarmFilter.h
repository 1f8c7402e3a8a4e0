// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QSet>

namespace weir::ui {

/// What the Alarms page shows. Empty sets let everything through.
struct AlarmFilter {
    QStringList words;        ///< folded; all must stand in what the row or its explanation says
    QSet<QString> standings;  ///< keys of AlarmWords::standingKey()
    QSet<QString> severities; ///< "warning", "critical"
    QSet<QString> kinds;
    QSet<QString> pools;
    bool firingOnly = false;

    [[nodiscard]] bool isEmpty() const
    {
        return words.isEmpty() && standings.isEmpty() && severities.isEmpty() && kinds.isEmpty() && pools.isEmpty() && !firingOnly;
    }
    [[nodiscard]] bool accepts(const AlarmRow& row) const;
    void setText(const QString& text);

    [[nodiscard]] static QString severityKey(Severity severity);
};

} // namespace weir::ui
