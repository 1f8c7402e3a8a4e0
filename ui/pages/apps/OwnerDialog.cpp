// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/OwnerDialog.h"

#include "ui/live/PermutedTableModel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr int kCaption = 60;
constexpr int kOwnerWidth = 300;
constexpr qsizetype kNamedAtMost = 3;
constexpr qsizetype kPreviewedAtMost = 20;

} // namespace

OwnerDialog::OwnerDialog(FleetStore& store, const Theme& theme, const QStringList& apps, QWidget* parent)
    : AppDialog(store, theme, QStringLiteral("owner.dialog"), parent)
    , m_apps(apps)
    , m_owner(new QComboBox(this))
{
    m_owner->setObjectName(QStringLiteral("owner.user"));
    m_owner->setMinimumWidth(kOwnerWidth);
    m_owner->setAccessibleName(tr("Owner"));
    auto* caption = new QLabel(tr("&Owner"), this);
    caption->setMinimumWidth(kCaption);
    caption->setBuddy(m_owner);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(caption);
    line->addWidget(m_owner);
    line->addStretch(1);
    form().addLayout(line);
    fillOwners();
    connect(m_owner, &QComboBox::currentIndexChanged, this, &OwnerDialog::refresh);
    refresh();
}

void OwnerDialog::fillOwners()
{
    QStringList users;
    for (const PoolRow& pool : store().pools()) {
        if (!pool.owner.isEmpty()) {
            users.append(pool.owner);
        }
    }
    std::sort(users.begin(), users.end(),
        [](const QString& a, const QString& b) { return PermutedTableModel::naturalKey(a) < PermutedTableModel::naturalKey(b); });
    m_owner->addItem(tr("no owner"), QString());
    for (const QString& user : std::as_const(users)) {
        m_owner->addItem(tr("user %1 – pool-%1").arg(user), user);
    }
    const AppRow* first = m_apps.isEmpty() ? nullptr : store().app(m_apps.first());
    m_owner->setCurrentIndex(qMax(0, first == nullptr ? 0 : m_owner->findData(first->owner)));
}

QString OwnerDialog::owner() const
{
    return m_owner->currentData().toString();
}

QString OwnerDialog::names() const
{
    return m_apps.size() <= kNamedAtMost ? m_apps.join(QLatin1String(", ")) : tr("%n app(s)", nullptr, static_cast<int>(m_apps.size()));
}

// What the app would resolve to, by the rules of the control plane, so that its own preview of a binding can say how it would stand.
AppDialog::Question OwnerDialog::questionFor(const AppRow& app) const
{
    if (app.resolution == Resolution::Binding) {
        return {app.id, app.pool, app.fallbackAllowed};
    }
    const QString user = owner();
    if (user.isEmpty()) {
        return {app.id, QStringLiteral("default"), false};
    }
    const QHash<QString, NodeRow>& nodes = store().nodes();
    const bool ownsNodes = std::any_of(nodes.begin(), nodes.end(), [&user](const NodeRow& node) { return node.owner == user && isScheduled(node.role); });
    return {app.id, QStringLiteral("pool-") + user, !ownsNodes};
}

void OwnerDialog::refresh()
{
    int bound = 0;
    QList<Question> questions;
    for (const QString& id : std::as_const(m_apps)) {
        const AppRow* row = store().app(id);
        if (row == nullptr) {
            continue;
        }
        bound += row->resolution == Resolution::Binding ? 1 : 0;
        if (questions.size() < kPreviewedAtMost) {
            questions.append(questionFor(*row));
        }
    }
    QString lead = owner().isEmpty() ? tr("Without an owner and without a binding they resolve to default.")
                                     : tr("Without a binding they resolve to pool-%1.").arg(owner());
    if (bound > 0) {
        lead = tr("%1 %n of them has (have) a binding, which goes on deciding.", nullptr, bound).arg(lead);
    }
    const QString confirm = owner().isEmpty() ? tr("Take the owner of %1 away").arg(names()) : tr("Set owner of %1 to user %2").arg(names(), owner());
    setTexts(tr("Set the owner of %1").arg(names()), lead, confirm);
    ask(questions);
    updateConfirm();
}

QString OwnerDialog::obstacle() const
{
    bool changes = false;
    for (const QString& id : m_apps) {
        const AppRow* row = store().app(id);
        if (row == nullptr) {
            return tr("%1 no longer exists.").arg(id);
        }
        changes = changes || row->owner != owner();
    }
    return changes ? QString() : tr("Nothing would change: choose another owner.");
}

} // namespace weir::ui
