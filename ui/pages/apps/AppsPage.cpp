// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/AppsPage.h"

#include "ui/live/Facet.h"
#include "ui/live/LiveTable.h"
#include "ui/live/NodeActions.h"
#include "ui/pages/apps/AppActions.h"
#include "ui/pages/apps/AppDrawer.h"
#include "ui/widgets/FacetButton.h"
#include "ui/widgets/GroupedHeader.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"

#include <QAction>

namespace weir::ui {

namespace {

QList<TableColumns::Column> defaultColumns()
{
    using Model = AppTableModel;
    QList<TableColumns::Column> columns(Model::ColumnCount);
    const auto set = [&columns](int column, const char* key, int width) { columns[column] = {QLatin1String(key), width, true}; };
    set(Model::Name, "app", 104);
    set(Model::Owner, "owner", 64);
    set(Model::Resolution, "resolution", 124);
    set(Model::Pool, "pool", 104);
    set(Model::Fallback, "fallback", 92);
    set(Model::Origins, "origins", 60);
    set(Model::Edges, "edges", 58);
    set(Model::Workers, "workers", 66);
    set(Model::Verdict, "verdict", 216);
    set(Model::Why, "why", 206);
    return columns;
}

} // namespace

AppsPage::AppsPage(FleetStore& store, NodeActions& nodeActions, const TimeDisplay& times, const Theme& theme, QWidget* parent)
    : TablePage(store, theme, QStringLiteral("apps"), parent)
    , m_nodeActions(nodeActions)
    , m_actions(new AppActions(store, times, theme, *this))
    , m_model(new AppTableModel(store, this))
    , m_drawer(new AppDrawer(store, times, theme, this))
{
    setTable(*m_model, defaultColumns(), AppTableModel::Verdict, Qt::AscendingOrder);
    view().addActions({m_actions->bind(), m_actions->removeBinding(), m_actions->setOwner(), m_nodeActions.why()});
    buildTools();
    connect(m_actions, &AppActions::dialogOpen, &live(), &LiveTable::setForcedHold);
    connect(m_actions, &AppActions::message, this, &Page::message);
    connect(this, &Page::selectionChanged, this, [this] { m_actions->setTargets(selection()); });
    connect(&view(), &TableView::linkActivated, this, [this](const QModelIndex& index) {
        if (index.column() == AppTableModel::Pool) {
            emit poolRequested(index.data().toString());
        }
    });
    finish(m_drawer);
}

void AppsPage::buildTools()
{
    static constexpr const char* kFacets[] = {"resolution", "pool", "owner"};
    for (int i = 0; i < FacetCount; ++i) {
        const auto index = static_cast<FacetIndex>(i);
        m_facets[static_cast<std::size_t>(i)] = addFacet(QLatin1String(kFacets[i]), [this, index] { return facetCounts(index); },
            [index](const QString& value) { return index == ResolutionFacet ? AppFilter::resolutionLabel(value) : value.isEmpty() ? tr("none") : value; });
    }
    m_problems = addToggle(QStringLiteral("problemsOnly"));
    addStretch();
    static constexpr const char* kNames[] = {"apps.bind", "apps.unbind", "apps.owner"};
    QAction* const actions[] = {m_actions->bind(), m_actions->removeBinding(), m_actions->setOwner()};
    for (std::size_t i = 0; i < std::size(actions); ++i) {
        auto* button = new ActionButton(*actions[i], &tools());
        button->setObjectName(QLatin1String(kNames[i]));
        addTool(button);
    }
}

QString AppsPage::title() const
{
    return tr("Apps & bindings");
}

void AppsPage::setActive(bool active)
{
    TablePage::setActive(active);
    if (active) {
        m_nodeActions.setTargets({});
    }
}

void AppsPage::showApp(const QString& id)
{
    showRow(id);
}

void AppsPage::showProblems()
{
    clearFilter();
    m_problems->setChecked(true);
    if (m_model->rowCount() > 0) {
        live().select({m_model->idAt(0)});
    }
}

WhyContext AppsPage::whyContext() const
{
    WhyContext context;
    const AppRow* row = store().app(live().currentId());
    if (row != nullptr) {
        context.app = row->id;
        context.pool = row->pool;
        context.role = standingOf(*row, store()).starvedRole.value_or(Role::Origin);
    }
    return context;
}

void AppsPage::take(const FleetDelta& delta)
{
    m_model->apply(delta);
    m_drawer->refresh();
    updateCounts();
}

FleetDelta AppsPage::everything() const
{
    FleetDelta all;
    all.reset = true;
    const QStringList ids = store().apps().keys();
    all.apps = {ids.begin(), ids.end()};
    return all;
}

void AppsPage::currentChanged(const QString& id)
{
    m_drawer->setApp(id);
}

void AppsPage::stateChanged()
{
    m_drawer->refresh();
}

void AppsPage::filterChanged()
{
    AppFilter filter;
    filter.setText(search().text());
    filter.resolutions = m_facets[ResolutionFacet]->chosen();
    filter.pools = m_facets[PoolFacet]->chosen();
    filter.owners = m_facets[OwnerFacet]->chosen();
    filter.problemsOnly = m_problems->isChecked();
    m_model->setFilter(filter);
}

bool AppsPage::isFiltered() const
{
    return !m_model->filter().isEmpty();
}

QMap<QString, int> AppsPage::facetCounts(FacetIndex index) const
{
    QMap<QString, int> counts;
    for (const AppRow& row : store().apps()) {
        switch (index) {
        case ResolutionFacet: ++counts[AppFilter::resolutionKey(row.resolution)]; break;
        case PoolFacet: ++counts[row.pool]; break;
        case OwnerFacet: ++counts[row.owner]; break;
        case FacetCount: break;
        }
    }
    return counts;
}

void AppsPage::updateCounts()
{
    int problems = 0;
    for (const AppRow& row : store().apps()) {
        problems += standingOf(row, store()).kind == AppStandingKind::Ok ? 0 : 1;
    }
    m_problems->setCount(problems);
}

QString AppsPage::countText(int shown, int all) const
{
    return shown == all ? tr("%n app(s)", nullptr, all) : tr("%1 of %n app(s)", nullptr, all).arg(shown);
}

QString AppsPage::sortText() const
{
    const bool worstFirst = m_model->sortColumn() == AppTableModel::Verdict && m_model->sortOrder() == Qt::AscendingOrder;
    return worstFirst ? tr("sorted worst first, then name") : QString();
}

QString AppsPage::emptyText() const
{
    return store().summary().admitsUnknownApps ? tr("No apps are declared. An app that nobody declared resolves to default.")
                                               : tr("No apps are declared. An app that nobody declared is refused.");
}

QString AppsPage::noMatchText(int all) const
{
    return tr("0 of %n app(s) match.", nullptr, all);
}

QString AppsPage::goneText(int gone, int of) const
{
    return tr("%1 of %n selected app(s) is gone", nullptr, of).arg(gone);
}

void AppsPage::retranslate()
{
    view().setAccessibleName(tr("Apps"));
    search().setAccessibleName(tr("Filter apps"));
    const QString texts[] = {tr("Resolution"), tr("Pool"), tr("Owner")};
    for (int i = 0; i < FacetCount; ++i) {
        setFacetText(i, texts[i]);
    }
    m_problems->setText(tr("Problems only"));
    m_problems->setAccessibleName(m_problems->text());
    view().groupedHeader()->clearGroups();
    view().groupedHeader()->addGroup(tr("Available"), AppTableModel::Origins, AppTableModel::Workers);
    m_model->retranslate();
    m_actions->refresh();
    m_drawer->refresh();
}

} // namespace weir::ui
