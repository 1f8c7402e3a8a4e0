// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"

#include <QWidget>

namespace weir::ui {

class ChipLabel;
class FactGrid;
class TextLabel;
class TextLine;
class Theme;
class TimeDisplay;

/// The current alarm: facts on the left, on the right why it fired the first time and the latest.
class AlarmDrawer : public QWidget {
    Q_OBJECT

public:
    static constexpr int kHeight = 158;

    AlarmDrawer(const FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

    void setAlarm(const QString& id);
    [[nodiscard]] const QString& alarm() const { return m_alarm; }
    /// The newest first; the alarm's own is named.
    void setIncidents(const QList<IncidentRow>& incidents);
    void refresh();

private:
    void showFacts(const AlarmRow& row);
    void showExplanations(const AlarmRow& row);
    [[nodiscard]] QString told(const AlarmRow& row) const;

    const FleetStore& m_store;
    const TimeDisplay& m_times;
    QString m_alarm;
    QList<IncidentRow> m_incidents;
    TextLabel* m_title;
    TextLine* m_machineWord;
    ChipLabel* m_state;
    FactGrid* m_facts;
    TextLabel* m_firstTitle;
    TextLabel* m_first;
    TextLabel* m_latestTitle;
    TextLabel* m_latest;
};

} // namespace weir::ui
