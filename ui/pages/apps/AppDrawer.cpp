// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/AppDrawer.h"

#include "ui/live/PageParts.h"
#include "ui/live/TimeDisplay.h"
#include "ui/live/Words.h"
#include "ui/pages/apps/AppStanding.h"
#include "ui/widgets/TextLabel.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kCaption = 128;

QVBoxLayout* pane(const QList<QWidget*>& head, FactGrid* facts)
{
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    for (QWidget* widget : head) {
        line->addWidget(widget);
    }
    line->addStretch(1);
    auto* layout = new QVBoxLayout;
    layout->setContentsMargins(metrics::kPageMargin, 8, metrics::kPageMargin, 8);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(facts);
    layout->addStretch(1);
    return layout;
}

} // namespace

AppDrawer::AppDrawer(const FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_store(store)
    , m_times(times)
    , m_title(new TextLabel(theme, TextSize::Body, 1, true, this))
    , m_owner(new TextLine(theme, 2, this))
    , m_verdict(new ChipLabel(theme, this))
    , m_chain(new FactGrid(theme, kCaption, this))
    , m_poolTitle(new TextLabel(theme, TextSize::Body, 1, true, this))
    , m_poolOwner(new TextLine(theme, 2, this))
    , m_facts(new FactGrid(theme, kCaption, this))
{
    setObjectName(QStringLiteral("apps.drawer"));
    m_title->setObjectName(QStringLiteral("apps.drawer.title"));
    m_poolTitle->setMinimumHeight(metrics::kChip); // as high as the head beside it, which has a chip
    auto* panes = new QHBoxLayout;
    panes->setSpacing(0);
    panes->addLayout(pane({m_title, m_owner, m_verdict}, m_chain), 552);
    panes->addWidget(new Rule(theme, Qt::Vertical, Rule::Weight::Hair, this));
    panes->addLayout(pane({m_poolTitle, m_poolOwner}, m_facts), 551);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Edge, this));
    layout->addLayout(panes, 1);
    setFixedHeight(metrics::fitted(kHeight, 7 * fontMetrics().height(), 24));
    refresh();
}

void AppDrawer::setApp(const QString& id)
{
    if (m_app != id) {
        m_app = id;
        refresh();
    }
}

void AppDrawer::refresh()
{
    const AppRow* row = m_store.app(m_app);
    if (row == nullptr) {
        m_title->setText(m_app.isEmpty() ? tr("No app selected") : tr("%1 no longer exists").arg(m_app));
        m_owner->setText({});
        m_verdict->setSpec({});
        m_chain->truncate(0);
        m_poolTitle->setText({});
        m_poolOwner->setText({});
        m_facts->truncate(0);
        return;
    }
    showChain(*row);
    showPool(*row);
}

void AppDrawer::showChain(const AppRow& row)
{
    m_title->setText(row.id);
    m_owner->setText(row.owner.isEmpty() ? tr("no owner") : tr("user %1").arg(row.owner));
    m_verdict->setSpec(AppWords::verdict(standingOf(row, m_store)));
    int line = 0;
    for (const ResolutionStep& step : AppWords::chain(row)) {
        const QString caption = tr("%1. %2", "number, rule").arg(line + 1).arg(step.rule);
        m_chain->setFact(line++, caption, step.wins ? tr("%1 — this one decides", "what the rule says").arg(step.says) : step.says);
    }
    m_chain->setFact(line++, tr("Fallback"), AppWords::fallbackSentence(row));
    m_chain->truncate(line);
}

// The row knows it from some planes only; the list of starved apps names the worst ones.
qint64 AppDrawer::starvedSince(const AppRow& row) const
{
    qint64 since = row.starvedSinceMs;
    for (const StarvedApp& app : m_store.summary().starved) {
        if (since == 0 && app.app == row.id) {
            since = app.sinceMs;
        }
    }
    return since;
}

void AppDrawer::showPool(const AppRow& row)
{
    const PoolRow* pool = m_store.pool(row.pool);
    m_poolTitle->setText(row.pool);
    m_poolOwner->setText(pool == nullptr || pool->owner.isEmpty() ? tr("resolved pool") : tr("resolved pool of user %1").arg(pool->owner));
    int line = 0;
    for (const Role role : {Role::Origin, Role::Edge, Role::Worker}) {
        const QString caption = role == Role::Origin ? tr("Available origins") : role == Role::Edge ? tr("Available edges") : tr("Available workers");
        const bool has = pool != nullptr && pool->roles[static_cast<std::size_t>(role)].nodes > 0;
        m_facts->setFact(line++, caption, has ? Words::availability(*pool, role) : tr("none in this pool"));
    }
    m_facts->setFact(line++, tr("Why"), row.why.isEmpty() ? tr("every role it uses has a candidate") : row.why);
    const qint64 since = starvedSince(row);
    m_facts->setFact(line++, tr("Since"), since == 0 ? QStringLiteral("–") : m_times.dateTime(since));
    m_facts->truncate(line);
}

} // namespace weir::ui
