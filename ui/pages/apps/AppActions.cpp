// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/AppActions.h"

#include "ui/live/ActionRules.h"
#include "ui/live/TimeDisplay.h"
#include "ui/pages/apps/BindingDialog.h"
#include "ui/pages/apps/OwnerDialog.h"

#include <QAction>

namespace weir::ui {

AppActions::AppActions(FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget& parent)
    : QObject(&parent)
    , m_store(store)
    , m_times(times)
    , m_theme(theme)
    , m_parent(parent)
    , m_bind(ActionRules::make(this, "action.bindApp"))
    , m_unbind(ActionRules::make(this, "action.unbindApp"))
    , m_owner(ActionRules::make(this, "action.appOwner"))
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
    const QString blocked = ActionRules::blocked(m_store, m_times, AccessRole::Superadmin);
    return blocked.isEmpty() && m_targets.isEmpty() ? tr("Select an app first.") : blocked;
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
    ActionRules::setState(*m_bind, bound ? tr("&Edit binding…") : tr("&Bind to pool…"), one, tr("The binding goes before owner and default; shows what changes first"));
    QString unbind = one;
    if (unbind.isEmpty() && !bound) {
        unbind = tr("%1 has no binding.").arg(m_targets.first());
    }
    ActionRules::setState(*m_unbind, tr("&Remove binding…"), unbind, tr("The owner's pool decides again, else default"));
    ActionRules::setState(*m_owner, tr("Set &owner…"), blocked, tr("Without a binding an app resolves to its owner's pool"));
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
    const QStringList apps = dialog.apps();
    const QString owner = dialog.owner();
    const int count = static_cast<int>(apps.size());
    const QString done = owner.isEmpty() ? tr("%n app(s) has (have) no owner now.", nullptr, count) : tr("%n app(s) now belong(s) to user %1.", nullptr, count).arg(owner);
    const auto answered = ActionRules::collect(apps.size(), [this, done](const QStringList& refusals) {
        emit message(refusals.isEmpty() ? MessageTone::Done : MessageTone::Refused, refusals.isEmpty() ? done : refusals.join(QLatin1Char(' ')));
    });
    for (const QString& app : apps) {
        m_store.client().setAppOwner(app, owner, this,
            [answered, app](const tl::expected<bool, ClientError>& result) { answered(app, result.has_value() ? QString() : result.error().message); });
    }
}

} // namespace weir::ui
