// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/Page.h"

class QAction;

namespace weir::ui {

class TimeDisplay;

/// What can be done to the selected alarms. An action that is not possible stays visible, disabled, and says why.
class AlarmActions : public QObject {
    Q_OBJECT

public:
    /// `window`: parent of the dialogs.
    AlarmActions(FleetStore& store, const TimeDisplay& times, QWidget& window);

    void setTargets(const QStringList& ids);
    [[nodiscard]] const QStringList& targets() const { return m_targets; }

    [[nodiscard]] QAction* acknowledge() const { return m_acknowledge; }
    [[nodiscard]] QAction* silenceHalfHour() const { return m_halfHour; }
    [[nodiscard]] QAction* silenceTwoHours() const { return m_twoHours; }
    [[nodiscard]] QAction* silenceUntil() const { return m_until; }
    [[nodiscard]] QAction* endSilence() const { return m_endSilence; }

    void refresh();

signals:
    void message(weir::ui::MessageTone tone, const QString& text);
    /// A dialog opened or closed: the table holds its order meanwhile.
    void dialogOpen(bool open);

private:
    void runAcknowledge();
    /// `lengthMs` 0: the dialog asks until when.
    void runSilence(qint64 lengthMs);
    void runEndSilence();
    /// The targets that such a state of things applies to.
    [[nodiscard]] QStringList targetsWhere(bool (*applies)(const AlarmRow& row)) const;
    [[nodiscard]] QString blockedReason() const;
    [[nodiscard]] QString names(const QStringList& ids) const;
    void report(const QStringList& refusals, const QString& done);

    FleetStore& m_store;
    const TimeDisplay& m_times;
    QWidget& m_window;
    QStringList m_targets;
    QAction* m_acknowledge;
    QAction* m_halfHour;
    QAction* m_twoHours;
    QAction* m_until;
    QAction* m_endSilence;
};

} // namespace weir::ui
