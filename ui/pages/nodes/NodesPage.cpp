// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/nodes/NodesPage.h"

#include "ui/live/Facet.h"
#include "ui/live/LiveTable.h"
#include "ui/live/Words.h"
#include "ui/moves/MoveActions.h"
#include "ui/pages/nodes/NodeDrawer.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/FacetButton.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"

#include <QAction>

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
    : TablePage(store, theme, QStringLiteral("nodes"), parent)
    , m_actions(actions)
    , m_model(new NodeTableModel(store, NodeTableModel::ProbeColumn::CheckOnly, this))
    , m_drawer(new NodeDrawer(store, actions, times, theme, this))
{
    setTable(*m_model, defaultColumns(), NodeTableModel::Probe, Qt::DescendingOrder);
    view().addActions({m_actions.drain(), m_actions.endQuarantine(), m_actions.probe(), m_actions.why()});
    buildTools();
    connect(&store, &FleetStore::tick, m_drawer, &NodeDrawer::tick);
    connect(&m_actions, &NodeActions::dialogOpen, &live(), &LiveTable::setForcedHold);
    connect(this, &Page::selectionChanged, this, [this] {
        if (isActive()) {
            m_actions.setTargets(selection());
        }
    });
    connect(m_drawer, &NodeDrawer::closeRequested, this, &NodesPage::toggleDrawer);
    connect(m_drawer, &NodeDrawer::refused, this, [this](const QString& text) { emit message(MessageTone::Refused, text); });
    finish(m_drawer);
}

void NodesPage::buildTools()
{
    static constexpr const char* kFacets[] = {"role", "pool", "state", "owner", "version"};
    for (int i = 0; i < FacetCount; ++i) {
        const auto index = static_cast<FacetIndex>(i);
        m_facets[static_cast<std::size_t>(i)] = addFacet(QLatin1String(kFacets[i]), [this, index] { return facetCounts(index); },
            [index](const QString& value) { return index == StateFacet ? stateLabel(value) : value.isEmpty() ? tr("none") : value; });
    }
    m_problems = addToggle(QStringLiteral("problemsOnly"));
    m_disagreement = addToggle(QStringLiteral("disagreementOnly"));
    addStretch();
}

QString NodesPage::title() const
{
    return tr("Nodes/Workers");
}

void NodesPage::setActive(bool active)
{
    TablePage::setActive(active);
    if (active) {
        m_actions.setTargets(selection());
    }
}

void NodesPage::showNode(const QString& id)
{
    showRow(id);
}

void NodesPage::setMoves(MoveActions& moves)
{
    moves.addTo(view(), true);
    connect(&moves.flow(), &MoveFlow::dialogOpen, &live(), &LiveTable::setForcedHold);
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
    const NodeRow* row = store().node(live().currentId());
    if (row != nullptr) {
        context.node = row->id;
        context.pool = row->pool;
        context.role = row->role;
    }
    return context;
}

void NodesPage::take(const FleetDelta& delta)
{
    m_model->apply(delta);
    m_drawer->apply(delta);
    updateCounts();
}

FleetDelta NodesPage::everything() const
{
    FleetDelta all;
    all.reset = true;
    const QStringList ids = store().nodes().keys();
    all.nodes = {ids.begin(), ids.end()};
    return all;
}

void NodesPage::currentChanged(const QString& id)
{
    m_drawer->setNode(id);
}

void NodesPage::stateChanged()
{
    FleetDelta none;
    none.nodes = {m_drawer->node()};
    m_drawer->apply(none);
}

void NodesPage::filterChanged()
{
    NodeFilter filter = m_model->filter();
    setFilterError(filter.setText(search().text()));
    filter.roles = m_facets[RoleFacet]->chosen();
    filter.pools = m_facets[PoolFacet]->chosen();
    filter.states = m_facets[StateFacet]->chosen();
    filter.owners = m_facets[OwnerFacet]->chosen();
    filter.versions = m_facets[VersionFacet]->chosen();
    filter.problemsOnly = m_problems->isChecked();
    filter.disagreementOnly = m_disagreement->isChecked();
    m_model->setFilter(filter);
}

bool NodesPage::isFiltered() const
{
    return !m_model->filter().isEmpty();
}

QMap<QString, int> NodesPage::facetCounts(FacetIndex index) const
{
    QMap<QString, int> counts;
    for (const NodeRow& row : store().nodes()) {
        switch (index) {
        case RoleFacet: ++counts[Words::role(row.role)]; break;
        case PoolFacet: ++counts[row.pool]; break;
        case StateFacet: ++counts[NodeFilter::stateKey(row, store().nowMonoMs())]; break;
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
    for (const NodeRow& row : store().nodes()) {
        problems += Words::severity(row, store().nowMonoMs()) > 0 ? 1 : 0;
        disagreements += Words::disagrees(row) ? 1 : 0;
    }
    m_problems->setCount(problems);
    m_disagreement->setCount(disagreements);
}

QString NodesPage::countText(int shown, int all) const
{
    return shown == all ? tr("%n node(s)", nullptr, all) : tr("%1 of %n node(s)", nullptr, all).arg(shown);
}

QString NodesPage::sortText() const
{
    const bool worstFirst = m_model->sortColumn() == NodeTableModel::Probe && m_model->sortOrder() == Qt::DescendingOrder;
    return worstFirst ? tr("sorted by severity, then name") : QString();
}

QString NodesPage::emptyText() const
{
    return tr("No nodes registered.");
}

QString NodesPage::noMatchText(int all) const
{
    return tr("0 of %n node(s) match.", nullptr, all);
}

QString NodesPage::goneText(int gone, int of) const
{
    return tr("%1 of %n selected node(s) is gone", nullptr, of).arg(gone);
}

void NodesPage::retranslate()
{
    view().setAccessibleName(tr("Nodes"));
    search().setAccessibleName(tr("Filter nodes"));
    const QString texts[] = {tr("Role"), tr("Pool"), tr("State"), tr("Owner"), tr("Version")};
    for (int i = 0; i < FacetCount; ++i) {
        setFacetText(i, texts[i]);
    }
    m_problems->setText(tr("Problems only"));
    m_problems->setAccessibleName(m_problems->text());
    m_disagreement->setText(tr("Disagreement only"));
    m_disagreement->setAccessibleName(m_disagreement->text());
    m_disagreement->setToolTip(tr("Requests fail while the check is good"));
    m_model->retranslate();
    m_drawer->retranslate();
}

} // namespace weir::ui
