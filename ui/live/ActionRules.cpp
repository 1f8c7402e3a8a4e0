// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/ActionRules.h"

#include "ui/live/TimeDisplay.h"

#include <QAction>
#include <memory>

namespace weir::ui {

QAction* ActionRules::make(QObject* parent, const char* name, const QKeySequence& shortcut)
{
    auto* action = new QAction(parent);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(shortcut);
    return action;
}

QString ActionRules::blocked(const FleetStore& store, const TimeDisplay& times, AccessRole needed, bool changes)
{
    if (store.isStale()) {
        return tr("Disconnected since %1; actions are off until data is live.").arg(times.time(store.staleSinceMs()));
    }
    const AccessRole role = store.client().accessRole();
    if (static_cast<int>(role) < static_cast<int>(needed)) {
        const QString have = role == AccessRole::Viewer ? tr("viewer") : tr("operator");
        return tr("You are %1; this needs %2.").arg(have, needed == AccessRole::Superadmin ? tr("superadmin") : tr("operator"));
    }
    return changes && store.isLocked() ? FleetStore::lockedReason() : QString();
}

std::function<void(const QString& who, const QString& refusal)> ActionRules::collect(
    qsizetype count, std::function<void(const QStringList& refusals)> done)
{
    struct Round {
        qsizetype open = 0;
        QStringList refusals;
    };
    auto round = std::make_shared<Round>();
    round->open = count;
    return [round, done = std::move(done)](const QString& who, const QString& refusal) {
        if (!refusal.isEmpty()) {
            round->refusals.append(tr("%1: %2", "node or app or alarm: refusal").arg(who, refusal));
        }
        if (--round->open == 0) {
            done(round->refusals);
        }
    };
}

void ActionRules::setState(QAction& action, const QString& text, const QString& reason, const QString& tip)
{
    action.setText(text);
    action.setEnabled(reason.isEmpty());
    const QString shown = reason.isEmpty() ? tip : reason;
    action.setToolTip(shown);
    action.setStatusTip(shown);
    action.setWhatsThis(shown);
}

} // namespace weir::ui
