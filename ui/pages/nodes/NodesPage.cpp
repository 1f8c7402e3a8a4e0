// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/nodes/NodesPage.h"

#include "ui/live/TableColumns.h"
#include "ui/live/Words.h"
#include "ui/live/Facet.h"
#include "ui/moves/MoveActions.h"
#include "ui/pages/nodes/NodeDrawer.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/FacetButton.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"

#include <QEvent>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

QList<TableColumns::Column> defaultColumns()
{
    using Model = NodeTableModel;
    QList<TableColumns::Column> columns(Model::ColumnCount);
    const auto set = [&columns](int column, const char* key, int width, bool shown) { columns[column] = {QLatin1String(key), width, shown}; };
    set(Model::Name, "name", 90, true);
    set(Model::Role, "role", 62, true);
    set(Model::Pool, "pool", 90, true);
    set(Model::Owner, "owner", 80, false);
    set(Model::Probe, "probe", 110, true);
    set(Model::Quarantine, "quarantine", 138, true);
    set(Model::Traffic, "traffic", 120, true);
    set(Model::OkErr, "ok_err", 66, true);
    set(Model::Schedulable, "schedulable", 144, true);
    set(Model::FreeCap, "free_cap", 70, true);
    set(Model::Streams, "streams", 70, false);
    set(Model::LastProbe, "last_probe", 128, true);
    set(Model::Flaps, "flaps", 76, true);
    set(Model::Version, "version", 80, false);
    set(Model::Region, "region", 80, false);
    set(Model::InPoolSince, "in_pool_since", 100, false);
    set(Model::MovedBy, "moved_by", 100, false);
    return columns;
}

QString stateLabel(const QString& key)
{
    return chips::probe(static_cast<ProbeState>(NodeFilter::stateKeys().indexOf(key))).text;
}

} // namespace

NodesPage::NodesPage(FleetStore& store, NodeActions& actions, const TimeDisplay& times, const Theme& theme, QWidget* parent)
    : Page(parent)
    , m_store(store)
    , m_actions(actions)
    , m_model(new NodeTableModel(store, NodeTableModel::ProbeColumn::CheckOnly, this))
    , m_view(new TableView(theme, this))
    , m_feed(new PacedFeed(store, this))
    , m_footer(new TableFooter(theme, this))
    , m_drawer(new NodeDrawer(store, actions, times, theme, this))
{
    setObjectName(QStringLiteral("page.nodes"));
    buildTable(theme);
    m_footer->setObjectName(QStringLiteral("nodes.footer"));
    m_searchNote = new TextLine(theme, 2, this);
    m_searchNote->setObjectName(QStringLiteral("nodes.filterError"));
    m_searchNote->setContentsMargins(12, 0, 12, 4);
    m_searchNote->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildTools(theme));
    layout->addWidget(m_searchNote);
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Hair, this));
    layout->addWidget(m_view, 1);
    layout->addWidget(m_footer);
    layout->addWidget(m_drawer);
    connectAll();
    retranslate();
    if (store.isLoaded()) {
        FleetDelta all;
        all.reset = true;
        const QStringList ids = store.nodes().keys();
        all.nodes = {ids.begin(), ids.end()};
        apply(all);
    }
}

QWidget* NodesPage::buildTools(const Theme& theme)
{
    auto* tools = new QWidget(this);
    tools->setFixedHeight(metrics::fitted(metrics::kToolRow, fontMetrics().height(), 18));
    m_search = new SearchField(theme, tools);
    m_search->setObjectName(QStringLiteral("nodes.filter"));
    m_search->setShortcutHint(QStringLiteral("Ctrl+F"));
    m_search->setMinimumWidth(140);
    m_search->setMaximumWidth(272);
    auto* layout = new QHBoxLayout(tools);
    layout->setContentsMargins(metrics::kPageMargin, 0, metrics::kPageMargin, 10);
    layout->setSpacing(metrics::kGap);
    layout->addWidget(m_search, 1);
    static constexpr const char* kNames[] = {"nodes.facet.role", "nodes.facet.pool", "nodes.facet.state", "nodes.facet.owner", "nodes.facet.version"};
    for (int i = 0; i < FacetCount; ++i) {
        const auto index = static_cast<FacetIndex>(i);
        auto* button = new FacetButton(theme, {}, tools);
        button->setObjectName(QLatin1String(kNames[i]));
        m_facetButtons[static_cast<std::size_t>(i)] = button;
        m_facets[static_cast<std::size_t>(i)] = new Facet(*button, [this, index] { return facetCounts(index); },
            [index](const QString& value) { return index == StateFacet ? stateLabel(value) : value.isEmpty() ? tr("none") : value; });
        layout->addWidget(button);
    }
    m_problems = new FacetButton(theme, {}, tools);
    m_disagreement = new FacetButton(theme, {}, tools);
    m_problems->setObjectName(QStringLiteral("nodes.problemsOnly"));
    m_disagreement->setObjectName(QStringLiteral("nodes.disagreementOnly"));
    for (FacetButton* button : {m_problems, m_disagreement}) {
        button->setCheckable(true);
        layout->addWidget(button);
    }
    layout->addStretch(1);
    return tools;
}

void NodesPage::buildTable(const Theme& theme)
{
    Q_UNUSED(theme);
    m_view->setObjectName(QStringLiteral("nodes.table"));
    m_view->setModel(m_model);
    m_columns = new TableColumns(*m_view, defaultColumns(), NodeTableModel::Probe, Qt::DescendingOrder);
    m_live = new LiveTable(*m_view, *m_model, m_store);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_view->addActions({m_actions.drain(), m_actions.endQuarantine(), m_actions.probe(), m_actions.why()});
}

void NodesPage::connectAll()
{
    connect(m_feed, &PacedFeed::ready, this, &NodesPage::apply);
    connect(&m_store, &FleetStore::tick, m_drawer, &NodeDrawer::tick);
    connect(&m_store, &FleetStore::stateChanged, this, [this] {
        m_view->viewport()->update();
        FleetDelta none;
        none.nodes = {m_drawer->node()};
        m_drawer->apply(none);
    });
    connect(&m_actions, &NodeActions::dialogOpen, m_live, &LiveTable::setForcedHold);
    connect(m_live, &LiveTable::selectionChanged, this, [this] {
        updateFooter();
        if (m_feed->isActive()) {
            m_actions.setTargets(selection());
        }
        emit Page::selectionChanged();
    });
    connect(m_live, &LiveTable::currentChanged, this, [this](const QString& id) { m_drawer->setNode(id); });
    connect(m_live, &LiveTable::holdTextChanged, this, &NodesPage::updateFooter);
    connect(m_live, &LiveTable::selectionLost, this,
        [this](int gone, int of) { emit notice(tr("%1 of %n selected node(s) is gone", nullptr, of).arg(gone)); });
    connect(m_live, &LiveTable::activated, this, [this] { m_drawer->show(); });
    connect(m_drawer, &NodeDrawer::closeRequested, this, &NodesPage::toggleDrawer);
    connect(m_drawer, &NodeDrawer::refused, this, [this](const QString& text) { emit message(MessageTone::Refused, text); });
    connect(m_search, &QLineEdit::textChanged, this, &NodesPage::applyFilter);
    connect(m_view->emptyState(), &EmptyState::actionTriggered, this, &NodesPage::clearFilter);
    for (Facet* facet : m_facets) {
        connect(facet, &Facet::changed, this, &NodesPage::applyFilter);
    }
    connect(m_problems, &QPushButton::toggled, this, &NodesPage::applyFilter);
    connect(m_disagreement, &QPushButton::toggled, this, &NodesPage::applyFilter);
    connect(m_columns, &TableColumns::edited, this, &NodesPage::stateEdited);
    connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &NodesPage::updateFooter);
}

QString NodesPage::title() const
{
    return tr("Nodes/Workers");
}

void NodesPage::setActive(bool active)
{
    m_feed->setActive(active);
    if (active) {
        m_actions.setTargets(selection());
    }
}

void NodesPage::focusFilter()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

bool NodesPage::clearFilter()
{
    const bool filtered = !m_search->text().isEmpty() || !m_model->filter().isEmpty();
    m_settingFilter = true;
    m_search->clear();
    for (Facet* facet : m_facets) {
        facet->setChosen({});
    }
    m_problems->setChecked(false);
    m_disagreement->setChecked(false);
    m_settingFilter = false;
    applyFilter();
    return filtered;
}

void NodesPage::toggleDrawer()
{
    m_drawer->setVisible(m_drawer->isHidden());
    emit stateEdited();
}

bool NodesPage::toProblem(bool forward)
{
    return m_live->toProblem(forward);
}

QStringList NodesPage::selection() const
{
    return m_live->selectedIds();
}

void NodesPage::setSelection(const QStringList& ids)
{
    m_live->select(ids);
}

void NodesPage::showNode(const QString& id)
{
    if (m_model->rowOf(id) < 0) {
        clearFilter();
    }
    m_live->select({id});
}

void NodesPage::setMoves(MoveActions& moves)
{
    moves.addTo(*m_view, true);
    connect(&moves.flow(), &MoveFlow::dialogOpen, m_live, &LiveTable::setForcedHold);
    connect(&moves, &MoveActions::marksChanged, this, [this, &moves] { m_model->setMarks(moves.flow().moving(), moves.cutNodes()); });
}

void NodesPage::showProblems()
{
    clearFilter();
    m_problems->setChecked(true);
}

WhyContext NodesPage::whyContext() const
{
    WhyContext context;
    const NodeRow* row = m_store.node(m_live->currentId());
    if (row != nullptr) {
        context.node = row->id;
        context.pool = row->pool;
        context.role = row->role;
    }
    return context;
}

void NodesPage::apply(const FleetDelta& delta)
{
    const bool first = m_model->rowCount() == 0;
    m_model->apply(delta);
    if (first && m_model->rowCount() > 0 && m_live->currentId().isEmpty()) {
        m_live->select({m_model->idAt(0)}); // the worst one, so that the drawer has something to say
    }
    m_drawer->apply(delta);
    updateCounts();
    updateFooter();
    updateEmptyState();
}

void NodesPage::applyFilter()
{
    if (m_settingFilter) {
        return;
    }
    NodeFilter filter = m_model->filter();
    const QString error = filter.setText(m_search->text());
    m_searchNote->setText(error);
    m_searchNote->setVisible(!error.isEmpty());
    filter.roles = m_facets[RoleFacet]->chosen();
    filter.pools = m_facets[PoolFacet]->chosen();
    filter.states = m_facets[StateFacet]->chosen();
    filter.owners = m_facets[OwnerFacet]->chosen();
    filter.versions = m_facets[VersionFacet]->chosen();
    filter.problemsOnly = m_problems->isChecked();
    filter.disagreementOnly = m_disagreement->isChecked();
    m_model->setFilter(filter);
    m_search->setResultText(tr("%1 of %2").arg(m_model->rowCount()).arg(m_model->totalCount()));
    updateFooter();
    updateEmptyState();
    emit stateEdited();
}

QMap<QString, int> NodesPage::facetCounts(FacetIndex index) const
{
    QMap<QString, int> counts;
    for (const NodeRow& row : m_store.nodes()) {
        switch (index) {
        case RoleFacet: ++counts[Words::role(row.role)]; break;
        case PoolFacet: ++counts[row.pool]; break;
        case StateFacet: ++counts[NodeFilter::stateKey(row, m_store.nowMonoMs())]; break;
        case OwnerFacet: ++counts[row.owner]; break;
        case VersionFacet: ++counts[row.version]; break;
        case FacetCount: break;
        }
    }
    return counts;
}

void NodesPage::updateCounts()
{
    int problems = 0;
    int disagreements = 0;
    for (const NodeRow& row : m_store.nodes()) {
        problems += Words::severity(row, m_store.nowMonoMs()) > 0 ? 1 : 0;
        disagreements += Words::disagrees(row) ? 1 : 0;
    }
    m_problems->setCount(problems);
    m_disagreement->setCount(disagreements);
}

void NodesPage::updateFooter()
{
    const int shown = m_model->rowCount();
    const int all = m_model->totalCount();
    const QString count = shown == all ? tr("%n node(s)", nullptr, all) : tr("%1 of %n node(s)", nullptr, all).arg(shown);
    const int column = m_model->sortColumn();
    const QString sorted = column == NodeTableModel::Probe && m_model->sortOrder() == Qt::DescendingOrder
        ? tr("sorted by severity, then name")
        : tr("sorted by %1, then name").arg(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    m_footer->setLeft(tr("%1 · %2", "count of nodes, sort order").arg(count, sorted));
    const QString hold = m_live->holdText();
    const int selected = static_cast<int>(selection().size());
    const QString selectedText = selected > 0 ? tr("%n selected", nullptr, selected) : QString();
    m_footer->setRight(hold.isEmpty() ? selectedText : selectedText.isEmpty() ? hold : tr("%1 · %2", "selection, order held").arg(selectedText, hold));
}

void NodesPage::updateEmptyState()
{
    EmptyState* empty = m_view->emptyState();
    if (!m_store.isLoaded()) {
        empty->setText(tr("Waiting for the control plane."));
    } else if (m_model->totalCount() == 0) {
        empty->setText(tr("No nodes registered."));
    } else {
        empty->setText(tr("0 of %n node(s) match.", nullptr, m_model->totalCount()), tr("Clear filter"));
    }
}

void NodesPage::retranslate()
{
    m_view->setAccessibleName(tr("Nodes"));
    m_search->setPlaceholderText(tr("Filter"));
    m_search->setAccessibleName(tr("Filter nodes"));
    const QString texts[] = {tr("Role"), tr("Pool"), tr("State"), tr("Owner"), tr("Version")};
    for (std::size_t i = 0; i < FacetCount; ++i) {
        m_facetButtons[i]->setText(texts[i]);
        m_facetButtons[i]->setAccessibleName(tr("Filter by: %1").arg(texts[i]));
    }
    m_problems->setText(tr("Problems only"));
    m_problems->setAccessibleName(m_problems->text());
    m_disagreement->setText(tr("Disagreement only"));
    m_disagreement->setAccessibleName(m_disagreement->text());
    m_disagreement->setToolTip(tr("Requests fail while the check is good"));
    m_model->retranslate();
    m_drawer->retranslate();
    updateFooter();
    updateEmptyState();
}

void NodesPage::changeEvent(QEvent* event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

void NodesPage::saveState(QSettings& settings) const
{
    settings.beginGroup(QStringLiteral("nodes.table"));
    m_columns->save(settings);
    settings.endGroup();
    settings.setValue(QStringLiteral("nodes.filter"), m_search->text());
    settings.setValue(QStringLiteral("nodes.drawer"), !m_drawer->isHidden());
    settings.setValue(QStringLiteral("nodes.problemsOnly"), m_problems->isChecked());
    settings.setValue(QStringLiteral("nodes.disagreementOnly"), m_disagreement->isChecked());
    for (std::size_t i = 0; i < FacetCount; ++i) {
        const QSet<QString>& chosen = m_facets[i]->chosen();
        settings.setValue(m_facetButtons[i]->objectName(), QStringList(chosen.begin(), chosen.end()));
    }
}

void NodesPage::restoreState(QSettings& settings)
{
    settings.beginGroup(QStringLiteral("nodes.table"));
    m_columns->restore(settings);
    settings.endGroup();
    m_settingFilter = true;
    m_search->setText(settings.value(QStringLiteral("nodes.filter")).toString());
    m_problems->setChecked(settings.value(QStringLiteral("nodes.problemsOnly")).toBool());
    m_disagreement->setChecked(settings.value(QStringLiteral("nodes.disagreementOnly")).toBool());
    for (std::size_t i = 0; i < FacetCount; ++i) {
        const QStringList chosen = settings.value(m_facetButtons[i]->objectName()).toStringList();
        m_facets[i]->setChosen({chosen.begin(), chosen.end()});
    }
    m_settingFilter = false;
    m_drawer->setVisible(settings.value(QStringLiteral("nodes.drawer"), true).toBool());
    applyFilter();
}

} // namespace weir::ui
