// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/AppActions.h"

#include "ui/live/TimeDisplay.h"
#include "ui/pages/apps/BindingDialog.h"
#include "ui/pages/apps/OwnerDialog.h"

#include <QAction>
#include <memory>

namespace weir::ui {

namespace {

QAction* newAction(QObject* parent, const char* name)
{
    auto* action = new QAction(parent);
    action->setObjectName(QLatin1String(name));
    return action;
}

void setState(QAction& action, const QString& text, const QString& reason, const QString& tip)
{
    action.setText(text);
    action.setEnabled(reason.isEmpty());
    const QString shown = reason.isEmpty() ? tip : reason;
    action.setToolTip(shown);
    action.setStatusTip(shown);
}

} // namespace

AppActions::AppActions(FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget& parent)
    : QObject(&parent)
    , m_store(store)
    , m_times(times)
    , m_theme(theme)
    , m_parent(parent)
    , m_bind(newAction(this, "action.bindApp"))
    , m_unbind(newAction(this, "action.unbindApp"))
    , m_owner(newAction(this, "action.appOwner"))
{
    connect(m_bind, &QAction::triggered, this, &AppActions::runBind);
    connect(m_unbind, &QAction::triggered, this, &AppActions::runUnbind);
    connect(m_owner, &QAction::triggered, this, &AppActions::runOwner);
    connect(&store, &FleetStore::flushed, this, &AppActions::refresh);
    connect(&store, &FleetStore::stateChanged, this, &AppActions::refresh);
    refresh();
}

void AppActions::setTargets(const QStringList& ids)
{
    m_targets = ids;
    refresh();
}

QString AppActions::blockedReason() const
{
    if (m_store.isStale()) {
        return tr("Disconnected since %1; changes are off until data is live.").arg(m_times.time(m_store.staleSinceMs()));
    }
    const AccessRole role = m_store.client().accessRole();
    if (role != AccessRole::Superadmin) {
        return role == AccessRole::Viewer ? tr("You are viewer; this needs superadmin.") : tr("You are operator; this needs superadmin.");
    }
    if (m_store.isLocked()) {
        return FleetStore::lockedReason();
    }
    return m_targets.isEmpty() ? tr("Select an app first.") : QString();
}

void AppActions::refresh()
{
    const QString blocked = blockedReason();
    const AppRow* only = m_targets.size() == 1 ? m_store.app(m_targets.first()) : nullptr;
    QString one = blocked;
    if (one.isEmpty() && only == nullptr) {
        one = tr("Select one app: a binding is for one app.");
    }
    const bool bound = only != nullptr && only->resolution == Resolution::Binding;
    setState(*m_bind, bound ? tr("&Edit binding…") : tr("&Bind to pool…"), one, tr("The binding goes before owner and default; shows what changes first"));
    QString unbind = one;
    if (unbind.isEmpty() && !bound) {
        unbind = tr("%1 has no binding.").arg(m_targets.first());
    }
    setState(*m_unbind, tr("&Remove binding…"), unbind, tr("The owner's pool decides again, else default"));
    setState(*m_owner, tr("Set &owner…"), blocked, tr("Without a binding an app resolves to its owner's pool"));
}

void AppActions::report(const tl::expected<bool, ClientError>& result, const QString& done)
{
    if (result.has_value()) {
        emit message(MessageTone::Done, done);
    } else {
        emit message(MessageTone::Refused, result.error().message);
    }
}

void AppActions::runBind()
{
    BindingDialog dialog(m_store, m_theme, BindingDialog::Mode::Bind, m_targets.first(), &m_parent);
    emit dialogOpen(true);
    const bool confirmed = dialog.exec() == QDialog::Accepted;
    emit dialogOpen(false);
    if (!confirmed) {
        return;
    }
    const QString done = tr("%1 is bound to %2.").arg(dialog.app(), dialog.pool());
    m_store.client().setBinding(dialog.app(), dialog.pool(), dialog.allowFallback(), this,
        [this, done](const tl::expected<bool, ClientError>& result) { report(result, done); });
}

void AppActions::runUnbind()
{
    BindingDialog dialog(m_store, m_theme, BindingDialog::Mode::Remove, m_targets.first(), &m_parent);
    emit dialogOpen(true);
    const bool confirmed = dialog.exec() == QDialog::Accepted;
    emit dialogOpen(false);
    if (!confirmed) {
        return;
    }
    const QString done = tr("The binding of %1 is removed.").arg(dialog.app());
    m_store.client().removeBinding(dialog.app(), this, [this, done](const tl::expected<bool, ClientError>& result) { report(result, done); });
}

void AppActions::runOwner()
{
    OwnerDialog dialog(m_store, m_theme, m_targets, &m_parent);
    emit dialogOpen(true);
    const bool confirmed = dialog.exec() == QDialog::Accepted;
    emit dialogOpen(false);
    if (!confirmed) {
        return;
    }
    struct Round {
        qsizetype open = 0;
        QStringList errors;
    };
    auto round = std::make_shared<Round>();
    const QStringList apps = dialog.apps();
    const QString owner = dialog.owner();
    round->open = apps.size();
    const int count = static_cast<int>(apps.size());
    const QString done = owner.isEmpty() ? tr("%n app(s) has (have) no owner now.", nullptr, count) : tr("%n app(s) now belong(s) to user %1.", nullptr, count).arg(owner);
    for (const QString& app : apps) {
        m_store.client().setAppOwner(app, owner, this, [this, round, app, done](const tl::expected<bool, ClientError>& result) {
            if (!result.has_value()) {
                round->errors.append(tr("%1: %2", "app: refusal").arg(app, result.error().message));
            }
            if (--round->open > 0) {
                return;
            }
            const bool ok = round->errors.isEmpty();
            emit message(ok ? MessageTone::Done : MessageTone::Refused, ok ? done : round->errors.join(QLatin1Char(' ')));
        });
    }
}

} // namespace weir::ui
