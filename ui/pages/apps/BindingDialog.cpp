// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/BindingDialog.h"

#include "ui/live/PermutedTableModel.h"
#include "ui/pages/apps/AppStanding.h"
#include "ui/widgets/TextLabel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr int kCaption = 60;
constexpr int kPoolWidth = 300;

} // namespace

BindingDialog::BindingDialog(FleetStore& store, const Theme& theme, Mode mode, const QString& app, QWidget* parent)
    : AppDialog(store, theme, mode == Mode::Bind ? QStringLiteral("binding.dialog") : QStringLiteral("unbind.dialog"), parent)
    , m_mode(mode)
    , m_app(app)
{
    if (mode == Mode::Bind) {
        buildForm(theme);
    }
    refresh();
}

void BindingDialog::buildForm(const Theme& theme)
{
    m_pool = new QComboBox(this);
    m_pool->setObjectName(QStringLiteral("binding.pool"));
    m_pool->setMinimumWidth(kPoolWidth);
    m_pool->setAccessibleName(tr("Pool"));
    auto* caption = new QLabel(tr("&Pool"), this);
    caption->setMinimumWidth(kCaption);
    caption->setBuddy(m_pool);
    m_fallback = new QCheckBox(this);
    m_fallback->setObjectName(QStringLiteral("binding.fallback"));
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(caption);
    line->addWidget(m_pool);
    auto* hint = new TextLabel(theme, TextSize::Body, 2, false, this);
    hint->setElided(true);
    hint->setText(tr("unassigned is not offered: no app may resolve to it."));
    line->addWidget(hint, 1);
    form().addLayout(line);
    form().addWidget(m_fallback);
    fillPools();
    const AppRow* row = store().app(m_app);
    m_fallback->setChecked(row != nullptr && row->resolution == Resolution::Binding && row->fallbackAllowed);
    connect(m_pool, &QComboBox::currentIndexChanged, this, &BindingDialog::refresh);
    connect(m_fallback, &QCheckBox::toggled, this, &BindingDialog::refresh);
}

void BindingDialog::fillPools()
{
    QList<PoolRow> pools = store().pools().values();
    std::sort(pools.begin(), pools.end(), [](const PoolRow& a, const PoolRow& b) {
        return a.isDefault() != b.isDefault() ? a.isDefault() : PermutedTableModel::naturalKey(a.name) < PermutedTableModel::naturalKey(b.name);
    });
    for (const PoolRow& pool : std::as_const(pools)) {
        if (pool.isUnassigned()) {
            continue;
        }
        const QString more = pool.isDefault() ? tr("shared") : pool.owner.isEmpty() ? QString() : tr("user %1").arg(pool.owner);
        m_pool->addItem(more.isEmpty() ? pool.name : tr("%1 – %2", "pool, whose it is").arg(pool.name, more), pool.id);
    }
    const AppRow* row = store().app(m_app);
    m_pool->setCurrentIndex(qMax(0, row == nullptr ? 0 : m_pool->findData(row->pool)));
}

QString BindingDialog::pool() const
{
    return m_pool == nullptr ? QString() : m_pool->currentData().toString();
}

bool BindingDialog::allowFallback() const
{
    return m_fallback != nullptr && m_fallback->isEnabled() && m_fallback->isChecked();
}

void BindingDialog::refresh()
{
    const AppRow* row = store().app(m_app);
    const QString now = row == nullptr ? QString() : tr("It resolves to %1 now (%2).", "pool, rule").arg(row->pool, AppWords::resolution(row->resolution));
    if (m_mode == Mode::Remove) {
        setTexts(tr("Remove the binding of %1").arg(m_app), tr("%1 Without the binding its owner's pool decides, and default where no owner is known.").arg(now).trimmed(),
            tr("Remove binding of %1").arg(m_app));
        ask({{m_app, {}, false}});
        updateConfirm();
        return;
    }
    setTexts(tr("Bind %1 to a pool").arg(m_app), tr("%1 An explicit binding goes before owner and default.").arg(now).trimmed(),
        tr("Bind %1 to %2", "app, pool").arg(m_app, pool()));
    const bool isDefault = pool() == QLatin1String("default");
    m_fallback->setText(tr("If %1 has no candidate, use shared pool default (recorded, breaks isolation)").arg(pool()));
    m_fallback->setAccessibleName(m_fallback->text());
    m_fallback->setEnabled(!isDefault);
    m_fallback->setToolTip(isDefault ? tr("default is the last pool; there is nothing to fall back to.") : QString());
    ask({{m_app, pool(), allowFallback()}});
    updateConfirm();
}

QString BindingDialog::obstacle() const
{
    const AppRow* row = store().app(m_app);
    if (row == nullptr) {
        return tr("%1 no longer exists.").arg(m_app);
    }
    const bool bound = row->resolution == Resolution::Binding;
    if (m_mode == Mode::Remove) {
        return bound ? QString() : tr("%1 has no binding.").arg(m_app);
    }
    if (bound && row->pool == pool() && row->fallbackAllowed == allowFallback()) {
        return tr("%1 is bound like this already.").arg(m_app);
    }
    return {};
}

} // namespace weir::ui
