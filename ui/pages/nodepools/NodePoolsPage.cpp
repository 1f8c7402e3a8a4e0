// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/nodepools/NodePoolsPage.h"

#include "ui/live/TableColumns.h"
#include "ui/live/Words.h"
#include "ui/moves/MoveActions.h"
#include "ui/moves/MoveButton.h"
#include "ui/moves/NodeDrag.h"
#include "ui/pages/nodepools/PoolDrawer.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/GroupedHeader.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"

#include <QEvent>
#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kPoolPane = 560;
constexpr int kNodePane = 543;
constexpr int kSearchWidth = 420;

QList<TableColumns::Column> poolColumns()
{
    using Model = PoolTableModel;
    QList<TableColumns::Column> columns(Model::ColumnCount);
    const auto set = [&columns](int column, const char* key, int width, bool shown) { columns[column] = {QLatin1String(key), width, shown}; };
    set(Model::Name, "pool", 126, true);
    set(Model::Origins, "origins", 56, true);
    set(Model::Edges, "edges", 54, true);
    set(Model::Workers, "workers", 66, true);
    set(Model::Nodes, "nodes", 54, true);
    set(Model::Apps, "apps", 46, true);
    set(Model::Verdict, "verdict", 158, true);
    set(Model::FreeCapacity, "free_capacity", 90, false);
    set(Model::Fallback, "fallback", 150, false);
    set(Model::Exhausted, "exhausted_1h", 92, false);
    set(Model::LastChange, "last_change", 200, false);
    return columns;
}

QList<TableColumns::Column> nodeColumns()
{
    using Model = NodeTableModel;
    QList<TableColumns::Column> columns(Model::ColumnCount);
    const auto set = [&columns](int column, const char* key, int width, bool shown) { columns[column] = {QLatin1String(key), width, shown}; };
    set(Model::Name, "node", 86, true);
    set(Model::Role, "role", 72, true);
    set(Model::Pool, "pool", 80, false);
    set(Model::Owner, "owner", 80, false);
    set(Model::Probe, "probe", 137, true);
    set(Model::Quarantine, "quarantine", 138, false);
    set(Model::Traffic, "traffic", 120, true);
    set(Model::OkErr, "ok_err", 76, false);
    set(Model::Schedulable, "schedulable", 156, false);
    set(Model::FreeCap, "free_cap", 66, true);
    set(Model::Streams, "streams", 62, true);
    set(Model::LastProbe, "last_probe", 116, false);
    set(Model::Flaps, "flaps", 76, false);
    set(Model::Version, "version", 80, false);
    set(Model::Region, "region", 80, false);
    set(Model::InPoolSince, "in_pool_since", 100, false);
    set(Model::MovedBy, "moved_by", 100, false);
    return columns;
}

QWidget* pane(QWidget* view, QWidget* footer)
{
    auto* pane = new QWidget;
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(view, 1);
    layout->addWidget(footer);
    return pane;
}

} // namespace

NodePoolsPage::NodePoolsPage(FleetStore& store, NodeActions& actions, const TimeDisplay& times, const Theme& theme, QWidget* parent)
    : Page(parent)
    , m_store(store)
    , m_actions(actions)
    , m_pools(new PoolTableModel(store, this))
    , m_nodes(new NodeTableModel(store, NodeTableModel::ProbeColumn::Merged, this))
    , m_poolView(new TableView(theme, this))
    , m_nodeView(new TableView(theme, this))
    , m_feed(new PacedFeed(store, this))
    , m_poolFooter(new TableFooter(theme, this))
    , m_nodeFooter(new TableFooter(theme, this))
    , m_drawer(new PoolDrawer(store, times, theme, this))
{
    setObjectName(QStringLiteral("page.nodepools"));
    buildPools(theme);
    buildNodes(theme);
    buildLayout(theme);
    connectAll();
    retranslate();
    poolsSelected();
    if (store.isLoaded()) {
        FleetDelta all;
        all.reset = true;
        const QStringList nodes = store.nodes().keys();
        const QStringList pools = store.pools().keys();
        all.nodes = {nodes.begin(), nodes.end()};
        all.pools = {pools.begin(), pools.end()};
        apply(all);
    }
}

void NodePoolsPage::buildPools(const Theme& theme)
{
    Q_UNUSED(theme);
    m_poolView->setObjectName(QStringLiteral("pools.table"));
    m_poolView->setModel(m_pools);
    m_poolColumns = new TableColumns(*m_poolView, poolColumns(), PoolTableModel::Name, Qt::AscendingOrder);
    m_poolLive = new LiveTable(*m_poolView, *m_pools, m_store);
    m_poolFooter->setObjectName(QStringLiteral("pools.footer"));
}

void NodePoolsPage::buildNodes(const Theme& theme)
{
    Q_UNUSED(theme);
    m_nodeView->setObjectName(QStringLiteral("pools.nodes"));
    m_nodeView->setModel(m_nodes);
    m_nodeColumns = new TableColumns(*m_nodeView, nodeColumns(), NodeTableModel::Name, Qt::AscendingOrder);
    m_nodeLive = new LiveTable(*m_nodeView, *m_nodes, m_store);
    m_nodeView->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_nodeView->addActions({m_actions.drain(), m_actions.endQuarantine(), m_actions.probe(), m_actions.why()});
    // A group over no column: both headers are two lines high and have their labels below, so that rows and words meet across the panes.
    m_nodeView->groupedHeader()->addGroup({}, NodeTableModel::ColumnCount, NodeTableModel::ColumnCount);
    m_nodeFooter->setObjectName(QStringLiteral("pools.nodes.footer"));
}

void NodePoolsPage::buildLayout(const Theme& theme)
{
    auto* tools = new QWidget(this);
    tools->setFixedHeight(metrics::fitted(metrics::kToolRow, fontMetrics().height(), 18));
    m_search = new SearchField(theme, tools);
    m_search->setObjectName(QStringLiteral("pools.filter"));
    m_search->setShortcutHint(QStringLiteral("Ctrl+F"));
    m_search->setMaximumWidth(kSearchWidth);
    m_searchNote = new TextLine(theme, 2, tools);
    m_searchNote->setObjectName(QStringLiteral("pools.filterError"));
    auto* toolLayout = new QHBoxLayout(tools);
    toolLayout->setContentsMargins(metrics::kPageMargin, 0, metrics::kPageMargin, 10);
    toolLayout->setSpacing(metrics::kGap);
    toolLayout->addWidget(m_search, 2);
    toolLayout->addWidget(m_searchNote, 3);
    m_tools = toolLayout;

    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setObjectName(QStringLiteral("pools.splitter"));
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(pane(m_poolView, m_poolFooter));
    m_splitter->addWidget(pane(m_nodeView, m_nodeFooter));
    m_splitter->setSizes({kPoolPane, kNodePane});
    m_splitter->setStretchFactor(0, kPoolPane);
    m_splitter->setStretchFactor(1, kNodePane);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Hair, this));
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_drawer);
}

void NodePoolsPage::connectAll()
{
    connect(m_feed, &PacedFeed::ready, this, &NodePoolsPage::apply);
    connect(&m_store, &FleetStore::stateChanged, this, [this] {
        m_poolView->viewport()->update();
        m_nodeView->viewport()->update();
    });
    for (LiveTable* live : {m_poolLive, m_nodeLive}) {
        connect(&m_actions, &NodeActions::dialogOpen, live, &LiveTable::setForcedHold);
        connect(live, &LiveTable::holdTextChanged, this, &NodePoolsPage::updateFooters);
    }
    connect(m_poolLive, &LiveTable::selectionChanged, this, &NodePoolsPage::poolsSelected);
    connect(m_poolLive, &LiveTable::currentChanged, this, [this](const QString& id) { m_drawer->setPool(id); });
    connect(m_nodeLive, &LiveTable::selectionChanged, this, [this] {
        updateFooters();
        if (m_feed->isActive()) {
            m_actions.setTargets(m_nodeLive->selectedIds());
        }
        emit Page::selectionChanged();
    });
    connect(m_nodeLive, &LiveTable::activated, this, &NodePoolsPage::nodeRequested);
    connect(m_nodeLive, &LiveTable::selectionLost, this,
        [this](int gone, int of) { emit notice(tr("%1 of %n selected node(s) is gone", nullptr, of).arg(gone)); });
    connect(m_poolLive, &LiveTable::selectionLost, this,
        [this](int gone, int of) { emit notice(tr("%1 of %n selected pool(s) is gone", nullptr, of).arg(gone)); });
    connect(m_poolLive, &LiveTable::activated, m_nodeView, [this] { m_nodeView->setFocus(Qt::OtherFocusReason); });
    connect(m_search, &QLineEdit::textChanged, this, &NodePoolsPage::applyFilter);
    connect(m_nodeView->emptyState(), &EmptyState::actionTriggered, this, &NodePoolsPage::clearFilter);
    connect(m_drawer, &PoolDrawer::appActivated, this, [this](const QString& app) {
        WhyContext context;
        context.app = app;
        context.pool = m_drawer->pool();
        emit whyRequested(context);
    });
    connect(m_poolColumns, &TableColumns::edited, this, &NodePoolsPage::stateEdited);
    connect(m_nodeColumns, &TableColumns::edited, this, &NodePoolsPage::stateEdited);
    connect(m_splitter, &QSplitter::splitterMoved, this, &NodePoolsPage::stateEdited);
}

QString NodePoolsPage::title() const
{
    return tr("Node pools");
}

void NodePoolsPage::setActive(bool active)
{
    m_feed->setActive(active);
    if (active) {
        tellPool();
        m_actions.setTargets(m_nodeLive->selectedIds());
    }
}

void NodePoolsPage::focusFilter()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

bool NodePoolsPage::clearFilter()
{
    const bool filtered = !m_search->text().isEmpty();
    m_search->clear();
    return filtered;
}

void NodePoolsPage::toggleDrawer()
{
    m_drawer->setVisible(m_drawer->isHidden());
    emit stateEdited();
}

bool NodePoolsPage::toProblem(bool forward)
{
    return m_nodeView->hasFocus() ? m_nodeLive->toProblem(forward) : m_poolLive->toProblem(forward);
}

QStringList NodePoolsPage::selection() const
{
    return m_poolLive->selectedIds();
}

void NodePoolsPage::setSelection(const QStringList& ids)
{
    m_poolLive->select(ids);
}

void NodePoolsPage::showPool(const QString& id)
{
    if (m_pools->rowOf(id) < 0) {
        clearFilter();
    }
    m_poolLive->select({id});
}

void NodePoolsPage::setMoves(MoveActions& moves)
{
    m_moves = &moves;
    m_tools->setStretch(0, 8); // the field keeps its width beside the buttons
    const Theme& theme = moves.flow().theme();
    m_tools->addWidget(new MoveButton(*moves.addNodes(), IconName::Plus, theme, this));
    m_tools->addWidget(new MoveButton(*moves.moveTo(), IconName::Move, theme, this));
    m_tools->addWidget(new MoveButton(*moves.takeOut(), IconName::MarkSlashed, theme, this));
    moves.addTo(*m_poolView, false);
    moves.addTo(*m_nodeView, true);
    for (LiveTable* live : {m_poolLive, m_nodeLive}) {
        connect(&moves.flow(), &MoveFlow::dialogOpen, live, &LiveTable::setForcedHold);
    }
    auto* drag = new NodeDrag(moves.flow(), *m_nodeView, *m_nodes, *m_poolView, *m_pools);
    connect(drag, &NodeDrag::notice, this, &NodePoolsPage::notice);
    connect(drag, &NodeDrag::refused, this, &NodePoolsPage::announced);
    for (LiveTable* live : {m_poolLive, m_nodeLive}) {
        connect(drag, &NodeDrag::dragActive, live, &LiveTable::setForcedHold);
    }
    connect(&moves, &MoveActions::marksChanged, this, [this] { m_nodes->setMarks(m_moves->flow().moving(), m_moves->cutNodes()); });
    tellPool();
}

void NodePoolsPage::tellPool()
{
    if (m_moves != nullptr && m_feed->isActive()) {
        const QStringList pools = selection();
        m_moves->setPool(pools.size() == 1 ? pools.first() : QString());
    }
}

WhyContext NodePoolsPage::whyContext() const
{
    WhyContext context;
    const NodeRow* node = m_store.node(m_nodeLive->currentId());
    if (node != nullptr && m_nodeView->selectionModel()->hasSelection()) {
        context.node = node->id;
        context.pool = node->pool;
        context.role = node->role;
        return context;
    }
    context.pool = m_poolLive->currentId();
    const PoolRow* pool = m_store.pool(context.pool);
    if (pool != nullptr && pool->roles[0].nodes == 0 && pool->roles[1].nodes == 0 && pool->roles[2].nodes > 0) {
        context.role = Role::Worker;
    }
    return context;
}

void NodePoolsPage::apply(const FleetDelta& delta)
{
    const bool first = m_pools->rowCount() == 0;
    m_pools->apply(delta);
    m_nodes->apply(delta);
    if (m_pools->isFiltered()) {
        filterPools(); // the counts of matching nodes follow the nodes
    }
    if (first && m_pools->rowCount() > 0 && selection().isEmpty()) {
        m_poolLive->select({m_pools->idAt(0)});
    }
    m_drawer->refresh();
    updateFooters();
    updateEmptyStates();
}

void NodePoolsPage::applyFilter()
{
    const QString error = m_filter.setText(m_search->text());
    m_searchNote->setText(error);
    filterPools();
    poolsSelected();
    emit stateEdited();
}

void NodePoolsPage::filterPools()
{
    QHash<QString, int> matching;
    if (!m_filter.isEmpty()) {
        for (const NodeRow& row : m_store.nodes()) {
            if (m_filter.accepts(row, m_store.nowMonoMs())) {
                ++matching[row.pool];
            }
        }
    }
    m_pools->setFilter(!m_filter.isEmpty(), m_filter.bareWords(), matching);
}

void NodePoolsPage::poolsSelected()
{
    const QStringList pools = m_poolLive->selectedIds();
    NodeFilter filter = m_filter;
    filter.pools = {pools.begin(), pools.end()};
    if (pools.isEmpty()) {
        filter.pools.insert(QString()); // no pool is called that: nothing selected shows nothing
    }
    m_nodes->setFilter(filter);
    tellPool();
    updateFooters();
    updateEmptyStates();
    emit Page::selectionChanged();
}

void NodePoolsPage::updateFooters()
{
    const int shown = m_pools->rowCount();
    const int all = m_pools->totalCount();
    const QString count = shown == all ? tr("%n pool(s)", nullptr, all) : tr("%1 of %n pool(s)", nullptr, all).arg(shown);
    m_poolFooter->setLeft(tr("%1 · default stays first, unassigned last", "count of pools").arg(count));
    m_poolFooter->setRight(m_poolLive->holdText());
    const QStringList pools = selection();
    const int nodes = m_nodes->rowCount();
    QString left = pools.size() == 1 ? tr("%n node(s) in %1", nullptr, nodes).arg(pools.first()) : tr("%n node(s) in %1 pools", nullptr, nodes).arg(pools.size());
    const QStringList chosen = m_nodeLive->selectedIds();
    if (!chosen.isEmpty()) {
        left = tr("%1 · %n selected", "nodes in pool; number selected", static_cast<int>(chosen.size())).arg(left);
    }
    m_nodeFooter->setLeft(left);
    m_nodeFooter->setRight(m_nodeLive->holdText());
}

void NodePoolsPage::updateEmptyStates()
{
    EmptyState* pools = m_poolView->emptyState();
    pools->setText(m_store.isLoaded() ? tr("No pools.") : tr("Waiting for the control plane."));
    EmptyState* nodes = m_nodeView->emptyState();
    if (!m_store.isLoaded()) {
        nodes->setText(tr("Waiting for the control plane."));
    } else if (!m_filter.isEmpty()) {
        nodes->setText(tr("No node of the selection matches %1.").arg(m_filter.text()), tr("Clear filter"));
    } else if (selection().isEmpty()) {
        nodes->setText(tr("Select a pool to see its nodes."));
    } else {
        nodes->setText(tr("No node is in this pool."));
    }
}

void NodePoolsPage::retranslate()
{
    m_poolView->setAccessibleName(tr("Pools"));
    m_nodeView->setAccessibleName(tr("Nodes of the selected pools"));
    m_search->setPlaceholderText(tr("Filter pools and nodes"));
    m_search->setAccessibleName(tr("Filter pools and nodes"));
    m_poolView->groupedHeader()->clearGroups();
    m_poolView->groupedHeader()->addGroup(tr("Available"), PoolTableModel::Origins, PoolTableModel::Workers);
    m_pools->retranslate();
    m_nodes->retranslate();
    m_drawer->refresh();
    updateFooters();
    updateEmptyStates();
}

void NodePoolsPage::changeEvent(QEvent* event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

void NodePoolsPage::saveState(QSettings& settings) const
{
    settings.beginGroup(QStringLiteral("pools.table"));
    m_poolColumns->save(settings);
    settings.endGroup();
    settings.beginGroup(QStringLiteral("pools.nodes"));
    m_nodeColumns->save(settings);
    settings.endGroup();
    settings.setValue(QStringLiteral("pools.filter"), m_search->text());
    settings.setValue(QStringLiteral("pools.splitter"), m_splitter->saveState());
    settings.setValue(QStringLiteral("pools.drawer"), !m_drawer->isHidden());
}

void NodePoolsPage::restoreState(QSettings& settings)
{
    settings.beginGroup(QStringLiteral("pools.table"));
    m_poolColumns->restore(settings);
    settings.endGroup();
    settings.beginGroup(QStringLiteral("pools.nodes"));
    m_nodeColumns->restore(settings);
    settings.endGroup();
    m_search->setText(settings.value(QStringLiteral("pools.filter")).toString());
    m_splitter->restoreState(settings.value(QStringLiteral("pools.splitter")).toByteArray());
    m_drawer->setVisible(settings.value(QStringLiteral("pools.drawer"), true).toBool());
}

} // namespace weir::ui
