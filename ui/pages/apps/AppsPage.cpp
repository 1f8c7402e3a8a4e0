// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/apps/AppsPage.h"

#include "ui/live/Facet.h"
#include "ui/live/NodeActions.h"
#include "ui/live/TableColumns.h"
#include "ui/pages/apps/AppActions.h"
#include "ui/pages/apps/AppDrawer.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/FacetButton.h"
#include "ui/widgets/GroupedHeader.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"

#include <QAction>
#include <QEvent>
#include <QSettings>
#include <QVBoxLayout>

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
    : Page(parent)
    , m_store(store)
    , m_nodeActions(nodeActions)
    , m_actions(new AppActions(store, times, theme, *this))
    , m_model(new AppTableModel(store, this))
    , m_view(new TableView(theme, this))
    , m_feed(new PacedFeed(store, this))
    , m_footer(new TableFooter(theme, this))
    , m_drawer(new AppDrawer(store, times, theme, this))
{
    setObjectName(QStringLiteral("page.apps"));
    buildTable();
    m_footer->setObjectName(QStringLiteral("apps.footer"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildTools(theme));
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Hair, this));
    layout->addWidget(m_view, 1);
    layout->addWidget(m_footer);
    layout->addWidget(m_drawer);
    connectAll();
    retranslate();
    if (store.isLoaded()) {
        FleetDelta all;
        all.reset = true;
        const QStringList ids = store.apps().keys();
        all.apps = {ids.begin(), ids.end()};
        apply(all);
    }
}

QWidget* AppsPage::buildTools(const Theme& theme)
{
    auto* tools = new QWidget(this);
    tools->setFixedHeight(metrics::fitted(metrics::kToolRow, fontMetrics().height(), 18));
    m_search = new SearchField(theme, tools);
    m_search->setObjectName(QStringLiteral("apps.filter"));
    m_search->setShortcutHint(QStringLiteral("Ctrl+F"));
    m_search->setMinimumWidth(140);
    m_search->setMaximumWidth(272);
    auto* layout = new QHBoxLayout(tools);
    layout->setContentsMargins(metrics::kPageMargin, 0, metrics::kPageMargin, 10);
    layout->setSpacing(metrics::kGap);
    layout->addWidget(m_search, 1);
    buildFacets(theme, *tools, *layout);
    layout->addStretch(1);
    static constexpr const char* kNames[] = {"apps.bind", "apps.unbind", "apps.owner"};
    QAction* const actions[] = {m_actions->bind(), m_actions->removeBinding(), m_actions->setOwner()};
    for (std::size_t i = 0; i < std::size(actions); ++i) {
        auto* button = new ActionButton(*actions[i], tools);
        button->setObjectName(QLatin1String(kNames[i]));
        layout->addWidget(button);
    }
    return tools;
}

void AppsPage::buildFacets(const Theme& theme, QWidget& tools, QHBoxLayout& layout)
{
    static constexpr const char* kNames[] = {"apps.facet.resolution", "apps.facet.pool", "apps.facet.owner"};
    for (int i = 0; i < FacetCount; ++i) {
        const auto index = static_cast<FacetIndex>(i);
        auto* button = new FacetButton(theme, {}, &tools);
        button->setObjectName(QLatin1String(kNames[i]));
        m_facetButtons[static_cast<std::size_t>(i)] = button;
        m_facets[static_cast<std::size_t>(i)] = new Facet(*button, [this, index] { return facetCounts(index); },
            [index](const QString& value) { return index == ResolutionFacet ? AppFilter::resolutionLabel(value) : value.isEmpty() ? tr("none") : value; });
        layout.addWidget(button);
    }
    m_problems = new FacetButton(theme, {}, &tools);
    m_problems->setObjectName(QStringLiteral("apps.problemsOnly"));
    m_problems->setCheckable(true);
    layout.addWidget(m_problems);
}

void AppsPage::buildTable()
{
    m_view->setObjectName(QStringLiteral("apps.table"));
    m_view->setModel(m_model);
    m_columns = new TableColumns(*m_view, defaultColumns(), AppTableModel::Verdict, Qt::AscendingOrder);
    m_live = new LiveTable(*m_view, *m_model, m_store);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_view->addActions({m_actions->bind(), m_actions->removeBinding(), m_actions->setOwner(), m_nodeActions.why()});
}

void AppsPage::connectAll()
{
    connect(m_feed, &PacedFeed::ready, this, &AppsPage::apply);
    connect(&m_store, &FleetStore::stateChanged, this, [this] {
        m_view->viewport()->update();
        m_drawer->refresh();
        updateEmptyState();
    });
    connect(m_actions, &AppActions::dialogOpen, m_live, &LiveTable::setForcedHold);
    connect(m_actions, &AppActions::message, this, &Page::message);
    connect(m_live, &LiveTable::selectionChanged, this, [this] {
        updateFooter();
        m_actions->setTargets(selection());
        emit Page::selectionChanged();
    });
    connect(m_live, &LiveTable::currentChanged, this, [this](const QString& id) { m_drawer->setApp(id); });
    connect(m_live, &LiveTable::holdTextChanged, this, &AppsPage::updateFooter);
    connect(m_live, &LiveTable::selectionLost, this,
        [this](int gone, int of) { emit notice(tr("%1 of %n selected app(s) is gone", nullptr, of).arg(gone)); });
    connect(m_live, &LiveTable::activated, this, [this] { m_drawer->show(); });
    connect(m_view, &TableView::linkActivated, this, [this](const QModelIndex& index) {
        if (index.column() == AppTableModel::Pool) {
            emit poolRequested(index.data().toString());
        }
    });
    connect(m_search, &QLineEdit::textChanged, this, &AppsPage::applyFilter);
    connect(m_view->emptyState(), &EmptyState::actionTriggered, this, &AppsPage::clearFilter);
    for (Facet* facet : m_facets) {
        connect(facet, &Facet::changed, this, &AppsPage::applyFilter);
    }
    connect(m_problems, &QPushButton::toggled, this, &AppsPage::applyFilter);
    connect(m_columns, &TableColumns::edited, this, &AppsPage::stateEdited);
    connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &AppsPage::updateFooter);
}

QString AppsPage::title() const
{
    return tr("Apps & bindings");
}

void AppsPage::setActive(bool active)
{
    m_feed->setActive(active);
    if (active) {
        m_nodeActions.setTargets({});
    }
}

void AppsPage::focusFilter()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

bool AppsPage::clearFilter()
{
    const bool filtered = !m_search->text().isEmpty() || !m_model->filter().isEmpty();
    m_settingFilter = true;
    m_search->clear();
    for (Facet* facet : m_facets) {
        facet->setChosen({});
    }
    m_problems->setChecked(false);
    m_settingFilter = false;
    applyFilter();
    return filtered;
}

void AppsPage::toggleDrawer()
{
    m_drawer->setVisible(m_drawer->isHidden());
    emit stateEdited();
}

bool AppsPage::toProblem(bool forward)
{
    return m_live->toProblem(forward);
}

QStringList AppsPage::selection() const
{
    return m_live->selectedIds();
}

void AppsPage::setSelection(const QStringList& ids)
{
    m_live->select(ids);
}

void AppsPage::showApp(const QString& id)
{
    if (m_model->rowOf(id) < 0) {
        clearFilter();
    }
    m_live->select({id});
}

void AppsPage::showProblems()
{
    clearFilter();
    m_problems->setChecked(true);
    if (m_model->rowCount() > 0) {
        m_live->select({m_model->idAt(0)});
    }
}

WhyContext AppsPage::whyContext() const
{
    WhyContext context;
    const AppRow* row = m_store.app(m_live->currentId());
    if (row != nullptr) {
        context.app = row->id;
        context.pool = row->pool;
        context.role = standingOf(*row, m_store).starvedRole.value_or(Role::Origin);
    }
    return context;
}

void AppsPage::apply(const FleetDelta& delta)
{
    const bool first = m_model->rowCount() == 0;
    m_model->apply(delta);
    if (first && m_model->rowCount() > 0 && selection().isEmpty()) {
        m_live->select({m_model->idAt(0)});
    }
    m_drawer->refresh();
    updateCounts();
    updateFooter();
    updateEmptyState();
}

void AppsPage::applyFilter()
{
    if (m_settingFilter) {
        return;
    }
    AppFilter filter;
    filter.setText(m_search->text());
    filter.resolutions = m_facets[ResolutionFacet]->chosen();
    filter.pools = m_facets[PoolFacet]->chosen();
    filter.owners = m_facets[OwnerFacet]->chosen();
    filter.problemsOnly = m_problems->isChecked();
    m_model->setFilter(filter);
    m_search->setResultText(filter.isEmpty() ? QString() : tr("%1 of %2").arg(m_model->rowCount()).arg(m_model->totalCount()));
    updateFooter();
    updateEmptyState();
    emit stateEdited();
}

QMap<QString, int> AppsPage::facetCounts(FacetIndex index) const
{
    QMap<QString, int> counts;
    for (const AppRow& row : m_store.apps()) {
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
    for (const AppRow& row : m_store.apps()) {
        problems += standingOf(row, m_store).kind == AppStandingKind::Ok ? 0 : 1;
    }
    m_problems->setCount(problems);
}

void AppsPage::updateFooter()
{
    const int shown = m_model->rowCount();
    const int all = m_model->totalCount();
    const QString count = shown == all ? tr("%n app(s)", nullptr, all) : tr("%1 of %n app(s)", nullptr, all).arg(shown);
    const int column = m_model->sortColumn();
    const QString sorted = column == AppTableModel::Verdict && m_model->sortOrder() == Qt::AscendingOrder
        ? tr("sorted worst first, then name")
        : tr("sorted by %1, then name").arg(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    m_footer->setLeft(tr("%1 · %2", "count of apps, sort order").arg(count, sorted));
    const QString hold = m_live->holdText();
    const int selected = static_cast<int>(selection().size());
    const QString selectedText = selected > 0 ? tr("%n selected", nullptr, selected) : QString();
    m_footer->setRight(hold.isEmpty() ? selectedText : selectedText.isEmpty() ? hold : tr("%1 · %2", "selection, order held").arg(selectedText, hold));
}

void AppsPage::updateEmptyState()
{
    EmptyState* empty = m_view->emptyState();
    if (!m_store.isLoaded()) {
        empty->setText(tr("Waiting for the control plane."));
    } else if (m_model->totalCount() == 0) {
        empty->setText(tr("No apps are declared. An app that nobody declared resolves to default."));
    } else {
        empty->setText(tr("0 of %n app(s) match.", nullptr, m_model->totalCount()), tr("Clear filter"));
    }
}

void AppsPage::retranslate()
{
    m_view->setAccessibleName(tr("Apps"));
    m_search->setPlaceholderText(tr("Filter"));
    m_search->setAccessibleName(tr("Filter apps"));
    const QString texts[] = {tr("Resolution"), tr("Pool"), tr("Owner")};
    for (std::size_t i = 0; i < FacetCount; ++i) {
        m_facetButtons[i]->setText(texts[i]);
        m_facetButtons[i]->setAccessibleName(tr("Filter by: %1").arg(texts[i]));
    }
    m_problems->setText(tr("Problems only"));
    m_problems->setAccessibleName(m_problems->text());
    m_view->groupedHeader()->clearGroups();
    m_view->groupedHeader()->addGroup(tr("Available"), AppTableModel::Origins, AppTableModel::Workers);
    m_model->retranslate();
    m_actions->refresh();
    m_drawer->refresh();
    updateFooter();
    updateEmptyState();
}

void AppsPage::changeEvent(QEvent* event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

void AppsPage::saveState(QSettings& settings) const
{
    settings.beginGroup(QStringLiteral("apps.table"));
    m_columns->save(settings);
    settings.endGroup();
    settings.setValue(QStringLiteral("apps.filter"), m_search->text());
    settings.setValue(QStringLiteral("apps.drawer"), !m_drawer->isHidden());
    settings.setValue(QStringLiteral("apps.problemsOnly"), m_problems->isChecked());
    for (std::size_t i = 0; i < FacetCount; ++i) {
        const QSet<QString>& chosen = m_facets[i]->chosen();
        settings.setValue(m_facetButtons[i]->objectName(), QStringList(chosen.begin(), chosen.end()));
    }
}

void AppsPage::restoreState(QSettings& settings)
{
    settings.beginGroup(QStringLiteral("apps.table"));
    m_columns->restore(settings);
    settings.endGroup();
    m_settingFilter = true;
    m_search->setText(settings.value(QStringLiteral("apps.filter")).toString());
    m_problems->setChecked(settings.value(QStringLiteral("apps.problemsOnly")).toBool());
    for (std::size_t i = 0; i < FacetCount; ++i) {
        const QStringList chosen = settings.value(m_facetButtons[i]->objectName()).toStringList();
        m_facets[i]->setChosen({chosen.begin(), chosen.end()});
    }
    m_settingFilter = false;
    m_drawer->setVisible(settings.value(QStringLiteral("apps.drawer"), true).toBool());
    applyFilter();
}

} // namespace weir::ui
