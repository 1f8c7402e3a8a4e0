// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"

#include <QCoreApplication>
#include <QKeySequence>
#include <functional>

class QAction;

namespace weir::ui {

class TimeDisplay;

/// What all actions of the console have in common: an action that is not possible stays visible, disabled, and says why.
class ActionRules {
    Q_DECLARE_TR_FUNCTIONS(ActionRules)

public:
    [[nodiscard]] static QAction* make(QObject* parent, const char* name, const QKeySequence& shortcut = {});
    /// Why nobody at this console may do something that needs this role; empty: nothing stands against it. `changes`: it is something that
    /// the lock holds back.
    [[nodiscard]] static QString blocked(const FleetStore& store, const TimeDisplay& times, AccessRole needed, bool changes = true);
    /// With a reason the action is disabled; tooltip and status tip say the reason, else the tip.
    /// For a request to each of `count` objects: one call of what comes back for each answer, with the object and the refusal or nothing;
    /// `done` hears all refusals as sentences once the last answer is in.
    [[nodiscard]] static std::function<void(const QString& who, const QString& refusal)> collect(
        qsizetype count, std::function<void(const QStringList& refusals)> done);
    static void setState(QAction& action, const QString& text, const QString& reason, const QString& tip);
};

} // namespace weir::ui
