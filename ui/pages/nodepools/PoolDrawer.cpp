// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/nodepools/PoolDrawer.h"

#include "ui/live/Words.h"
#include "ui/widgets/Theme.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kFactCaption = 102;
constexpr int kRuleCaption = 117;
constexpr int kLinkedApps = 8;

} // namespace

PoolDrawer::PoolDrawer(const FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_store(store)
    , m_times(times)
    , m_theme(theme)
    , m_title(new TextLabel(theme, TextSize::Body, 1, true, this))
    , m_owner(new TextLine(theme, 2, this))
    , m_verdict(new ChipLabel(theme, this))
    , m_facts(new FactGrid(theme, kFactCaption, this))
    , m_appsTitle(new TextLabel(theme, TextSize::Body, 1, true, this))
    , m_appCount(new TextLine(theme, 2, this))
    , m_appsRow(new QWidget(this))
    , m_appsCaption(new TextLine(theme, 2, m_appsRow))
    , m_rules(new FactGrid(theme, kRuleCaption, this))
{
    setObjectName(QStringLiteral("pools.drawer"));
    m_title->setObjectName(QStringLiteral("pools.drawer.title"));
    auto* leftHead = new QHBoxLayout;
    leftHead->setSpacing(8);
    leftHead->addWidget(m_title);
    leftHead->addWidget(m_owner);
    leftHead->addWidget(m_verdict);
    leftHead->addStretch(1);
    auto* left = new QVBoxLayout;
    left->setContentsMargins(metrics::kPageMargin, 8, metrics::kPageMargin, 8);
    left->setSpacing(4);
    left->addLayout(leftHead);
    left->addWidget(m_facts);
    left->addStretch(1);

    auto* rightHead = new QHBoxLayout;
    rightHead->setSpacing(8);
    m_appsTitle->setMinimumHeight(metrics::kChip); // as high as the head beside it, which has a chip
    rightHead->addWidget(m_appsTitle);
    rightHead->addWidget(m_appCount);
    rightHead->addStretch(1);
    m_appLinks = new QHBoxLayout(m_appsRow);
    m_appLinks->setContentsMargins(0, 0, 0, 0);
    m_appLinks->setSpacing(8);
    m_appsCaption->setFixedWidth(kRuleCaption);
    m_appLinks->addWidget(m_appsCaption);
    m_appLinks->addStretch(1);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(metrics::kPageMargin, 8, metrics::kPageMargin, 8);
    right->setSpacing(4);
    right->addLayout(rightHead);
    right->addWidget(m_appsRow);
    right->addWidget(m_rules);
    right->addStretch(1);

    auto* panes = new QHBoxLayout;
    panes->setSpacing(0);
    panes->addLayout(left, 560);
    panes->addWidget(new Rule(theme, Qt::Vertical, Rule::Weight::Hair, this));
    panes->addLayout(right, 543);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Edge, this));
    layout->addLayout(panes, 1);
    setFixedHeight(qMax(kHeight, 7 * (fontMetrics().height() + 4)));
    connect(&times, &TimeDisplay::changed, this, &PoolDrawer::refresh);
    refresh();
}

void PoolDrawer::setPool(const QString& id)
{
    if (id != m_pool) {
        m_pool = id;
        refresh();
    }
}

void PoolDrawer::refresh()
{
    const PoolRow* row = m_store.pool(m_pool);
    for (QWidget* widget : {static_cast<QWidget*>(m_owner), static_cast<QWidget*>(m_verdict), static_cast<QWidget*>(m_facts),
             static_cast<QWidget*>(m_appsTitle), static_cast<QWidget*>(m_appCount), static_cast<QWidget*>(m_appsRow), static_cast<QWidget*>(m_rules)}) {
        widget->setVisible(row != nullptr);
    }
    if (row == nullptr) {
        m_title->setText(m_pool.isEmpty() ? tr("No pool selected") : tr("%1 exists no more.").arg(m_pool));
        return;
    }
    m_title->setText(row->id);
    m_owner->setText(row->isDefault() ? tr("shared") : row->owner.isEmpty() ? QString() : tr("user %1").arg(row->owner));
    m_owner->setVisible(!m_owner->text().isEmpty());
    m_verdict->setSpec(chips::pool(*row));
    showFacts(*row);
    showApps(*row);
}

void PoolDrawer::showFacts(const PoolRow& row)
{
    int line = 0;
    QStringList capacity;
    for (const Role role : {Role::Origin, Role::Edge, Role::Worker}) {
        const RoleCounts& counts = row.roles[static_cast<std::size_t>(role)];
        if (counts.nodes == 0) {
            continue;
        }
        const QString caption = role == Role::Origin ? tr("Available origins") : role == Role::Edge ? tr("Available edges") : tr("Available workers");
        m_facts->setFact(line++, caption, row.isUnassigned() ? tr("none: out of scheduling") : Words::availability(row, role));
        const QString share = QStringLiteral("%1/%2").arg(Words::number(counts.free), Words::number(counts.capacity));
        capacity.append(role == Role::Origin ? tr("origins %1").arg(share) : role == Role::Edge ? tr("edges %1").arg(share) : tr("workers %1").arg(share));
    }
    if (line == 0) {
        m_facts->setFact(line++, tr("Nodes"), Words::number(row.nodes));
    }
    m_facts->setFact(line++, tr("Free capacity"), capacity.isEmpty() ? QStringLiteral("–") : capacity.join(QStringLiteral(" · ")));
    m_facts->setFact(line++, tr("Last change"),
        row.lastChangeMs == 0 ? QStringLiteral("–") : tr("%1  %2", "time, what happened").arg(m_times.dateTime(row.lastChangeMs), row.lastChange));
    m_facts->truncate(line);
}

void PoolDrawer::showApps(const PoolRow& row)
{
    m_appsTitle->setText(tr("Apps resolving here"));
    m_appCount->setText(row.isUnassigned() ? QStringLiteral("–") : Words::number(row.apps));
    m_appsCaption->setText(tr("Apps"));
    const QStringList names = row.appNames.mid(0, kLinkedApps);
    const int more = row.apps - static_cast<int>(names.size());
    if (names != m_linked || more != m_moreApps) {
        m_linked = names;
        m_moreApps = more;
        while (m_appLinks->count() > 1) {
            const std::unique_ptr<QLayoutItem> item(m_appLinks->takeAt(1));
            if (item->widget() != nullptr) {
                item->widget()->deleteLater();
                item->widget()->hide();
            }
        }
        for (const QString& name : names) {
            auto* link = new LinkLabel(m_theme, name, m_appsRow);
            link->setObjectName(QStringLiteral("pools.app.") + name);
            link->setAccessibleName(tr("Why (not) chosen: %1").arg(name));
            link->setToolTip(tr("Dry run for %1").arg(name));
            connect(link, &LinkLabel::clicked, this, [this, name] { emit appActivated(name); });
            m_appLinks->addWidget(link);
        }
        auto* rest = new TextLine(m_theme, 2, m_appsRow);
        rest->setText(names.isEmpty() ? QStringLiteral("–") : more > 0 ? tr("and %1 more").arg(more) : QString());
        m_appLinks->addWidget(rest, 1);
    }
    m_rules->setFact(0, tr("Fallback rule"), row.apps == 0 ? QStringLiteral("–") : tr("%1 allow / %2 fail-closed").arg(row.appsAllowFallback).arg(row.appsFailClosed));
    m_rules->setFact(1, tr("Exhausted 1 h"), Words::number(row.exhausted1h));
    m_rules->setFact(2, tr("Minimum available"), row.minAvailable > 0 ? Words::number(row.minAvailable) : tr("none set"));
}

} // namespace weir::ui
