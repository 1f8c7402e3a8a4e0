// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"

namespace weir::ui {

/// Decides what somebody is told of alarms outside the pages: once when an episode fires, once when it gets worse. Not of what is silenced,
/// acknowledged or counted in another alarm, and not of what fired before the console looked for the first time: that is on the screen.
class AlarmNotices : public QObject {
    Q_OBJECT

public:
    explicit AlarmNotices(FleetStore& store, QObject* parent = nullptr);

signals:
    /// `alarm`: the gravest one that this is about.
    void told(const QString& title, const QString& body, const QString& alarm, bool critical);

private:
    void take(const FleetDelta& delta);
    [[nodiscard]] static QString titleOf(const QList<AlarmRow>& fired, const QList<AlarmRow>& worse);

    FleetStore& m_store;
    QHash<QString, Severity> m_told; ///< the gravest that was said of an episode
    bool m_hasLooked = false;
};

} // namespace weir::ui
