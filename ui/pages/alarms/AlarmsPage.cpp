// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alarms/AlarmsPage.h"

#include "ui/live/AlarmWords.h"
#include "ui/live/Facet.h"
#include "ui/live/LiveTable.h"
#include "ui/live/NodeActions.h"
#include "ui/live/TimeDisplay.h"
#include "ui/live/Words.h"
#include "ui/pages/alarms/AlarmActions.h"
#include "ui/pages/alarms/AlarmDrawer.h"
#include "ui/widgets/FacetButton.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/Theme.h"

#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <algorithm>

namespace weir::ui {

namespace {

QList<TableColumns::Column> defaultColumns()
{
    using Model = AlarmTableModel;
    QList<TableColumns::Column> columns(Model::ColumnCount);
    const auto set = [&columns](int column, const char* key, int width) { columns[column] = {QLatin1String(key), width, true}; };
    set(Model::State, "state", 116);
    set(Model::Severity, "severity", 72);
    set(Model::Kind, "kind", 140);
    set(Model::Role, "role", 58);
    set(Model::Pool, "pool", 88);
    set(Model::App, "app", 88);
    set(Model::Node, "node", 84);
    set(Model::First, "first", 144);
    set(Model::Last, "last", 144);
    set(Model::Count, "count", 64);
    set(Model::Incident, "incident", 70);
    return columns;
}

bool isAboutIncidents(const EventRow& event)
{
    return event.kind.startsWith(QLatin1String("incident_"));
}

} // namespace

AlarmsPage::AlarmsPage(FleetStore& store, NodeActions& nodeActions, const TimeDisplay& times, const Theme& theme, QWidget* parent)
    : TablePage(store, theme, QStringLiteral("alarms"), parent)
    , m_nodeActions(nodeActions)
    , m_actions(new AlarmActions(store, times, *this))
    , m_model(new AlarmTableModel(store, times, this))
    , m_drawer(new AlarmDrawer(store, times, theme, this))
{
    setTable(*m_model, defaultColumns(), AlarmTableModel::State, Qt::AscendingOrder);
    view().addActions({m_actions->acknowledge(), m_actions->silenceHalfHour(), m_actions->silenceTwoHours(), m_actions->silenceUntil(),
        m_actions->endSilence(), m_nodeActions.why()});
    buildTools();
    connect(m_actions, &AlarmActions::dialogOpen, &live(), &LiveTable::setForcedHold);
    connect(m_actions, &AlarmActions::message, this, &Page::message);
    connect(this, &Page::selectionChanged, this, [this] {
        if (isActive()) {
            m_actions->setTargets(selection());
        }
    });
    connect(&view(), &TableView::linkActivated, this, &AlarmsPage::follow);
    connect(&times, &TimeDisplay::changed, m_actions, &AlarmActions::refresh);
    finish(m_drawer);
}

void AlarmsPage::buildTools()
{
    static constexpr const char* kFacets[] = {"state", "severity", "kind", "pool"};
    for (int i = 0; i < FacetCount; ++i) {
        const auto index = static_cast<FacetIndex>(i);
        m_facets[static_cast<std::size_t>(i)] = addFacet(
            QLatin1String(kFacets[i]), [this, index] { return facetCounts(index); },
            [index](const QString& value) { return facetLabel(index, value); });
    }
    m_firingOnly = addToggle(QStringLiteral("firingOnly"));
    addStretch();
    auto* acknowledge = new ActionButton(*m_actions->acknowledge(), &tools());
    acknowledge->setObjectName(QStringLiteral("alarms.acknowledge"));
    addTool(acknowledge);
    m_silence = new QPushButton(&tools());
    m_silence->setObjectName(QStringLiteral("alarms.silence"));
    m_silence->setAutoDefault(false);
    auto* menu = new QMenu(m_silence);
    menu->setToolTipsVisible(true);
    menu->addActions({m_actions->silenceHalfHour(), m_actions->silenceTwoHours(), m_actions->silenceUntil()});
    menu->addSeparator();
    menu->addAction(m_actions->endSilence());
    m_silence->setMenu(menu);
    addTool(m_silence);
}

QString AlarmsPage::title() const
{
    return tr("Alarms");
}

void AlarmsPage::setActive(bool active)
{
    TablePage::setActive(active);
    m_actions->setTargets(active ? selection() : QStringList()); // a shortcut must not meet what nobody sees
    if (active) {
        m_nodeActions.setTargets({});
        fetchIncidents();
    }
}

void AlarmsPage::showAlarm(const QString& id)
{
    showRow(id);
}

void AlarmsPage::follow(const QModelIndex& index)
{
    const AlarmTableRow& row = m_model->rowAt(index.row());
    switch (index.column()) {
    case AlarmTableModel::Pool:
        emit poolRequested(row.alarm.pool);
        break;
    case AlarmTableModel::App:
        emit appRequested(row.alarm.app);
        break;
    case AlarmTableModel::Node:
        emit nodeRequested(row.alarm.node);
        break;
    case AlarmTableModel::Incident:
        emit reportRequested(row.incident);
        break;
    default:
        break;
    }
}

WhyContext AlarmsPage::whyContext() const
{
    WhyContext context;
    const AlarmRow* row = store().alarm(live().currentId());
    if (row != nullptr) {
        context.app = row->app == QLatin1String("*") ? QString() : row->app;
        context.pool = row->pool;
        context.node = row->node;
        for (const Role role : {Role::Origin, Role::Edge, Role::Worker}) {
            context.role = Words::role(role) == row->role ? role : context.role;
        }
    }
    return context;
}

void AlarmsPage::take(const FleetDelta& delta)
{
    m_model->apply(delta);
    m_drawer->refresh();
    updateCounts();
    if (delta.reset || !delta.alarms.isEmpty() || std::any_of(delta.events.begin(), delta.events.end(), isAboutIncidents)) {
        m_incidentsStale = true;
        fetchIncidents();
    }
}

// Alarms and incidents come apart; which belongs to which is asked again when either changes, one question at a time.
void AlarmsPage::fetchIncidents()
{
    if (!m_incidentsStale || m_asking || !isActive()) {
        return;
    }
    m_incidentsStale = false;
    m_asking = true;
    store().client().fetchIncidents(kIncidents, this, [this](const tl::expected<QList<IncidentRow>, ClientError>& answer) {
        m_asking = false;
        if (answer.has_value()) {
            m_model->setIncidents(*answer);
            m_drawer->setIncidents(*answer);
        }
        fetchIncidents();
    });
}

FleetDelta AlarmsPage::everything() const
{
    FleetDelta all;
    all.reset = true;
    const QStringList ids = store().alarms().keys();
    all.alarms = {ids.begin(), ids.end()};
    return all;
}

void AlarmsPage::currentChanged(const QString& id)
{
    m_drawer->setAlarm(id);
}

void AlarmsPage::stateChanged()
{
    m_drawer->refresh();
}

void AlarmsPage::filterChanged()
{
    AlarmFilter filter;
    filter.setText(search().text());
    filter.standings = m_facets[StateFacet]->chosen();
    filter.severities = m_facets[SeverityFacet]->chosen();
    filter.kinds = m_facets[KindFacet]->chosen();
    filter.pools = m_facets[PoolFacet]->chosen();
    filter.firingOnly = m_firingOnly->isChecked();
    m_model->setFilter(filter);
}

bool AlarmsPage::isFiltered() const
{
    return !m_model->filter().isEmpty();
}

QMap<QString, int> AlarmsPage::facetCounts(FacetIndex index) const
{
    QMap<QString, int> counts;
    for (const AlarmRow& row : store().alarms()) {
        switch (index) {
        case StateFacet:
            ++counts[AlarmWords::standingKey(row.standing)];
            break;
        case SeverityFacet:
            ++counts[AlarmFilter::severityKey(row.severity)];
            break;
        case KindFacet:
            ++counts[row.kind];
            break;
        case PoolFacet:
            ++counts[row.pool];
            break;
        case FacetCount:
            break;
        }
    }
    return counts;
}

QString AlarmsPage::facetLabel(FacetIndex index, const QString& value)
{
    if (index == StateFacet) {
        for (int standing = 0; standing <= static_cast<int>(AlarmStanding::Cleared); ++standing) {
            if (AlarmWords::standingKey(static_cast<AlarmStanding>(standing)) == value) {
                return AlarmWords::standing(static_cast<AlarmStanding>(standing));
            }
        }
    }
    if (index == SeverityFacet) {
        return AlarmWords::severity(value == QLatin1String("critical") ? Severity::Critical
                : value == QLatin1String("warning")                    ? Severity::Warning
                                                                       : Severity::Info);
    }
    if (index == KindFacet) {
        return AlarmWords::kind(value);
    }
    return value.isEmpty() ? tr("none") : value;
}

void AlarmsPage::updateCounts()
{
    int firing = 0;
    for (const AlarmRow& row : store().alarms()) {
        firing += row.needsSomebody() ? 1 : 0;
    }
    m_firingOnly->setCount(firing);
}

QString AlarmsPage::countText(int shown, int all) const
{
    return shown == all ? tr("%n alarm(s)", nullptr, all) : tr("%1 of %n alarm(s)", nullptr, all).arg(shown);
}

QString AlarmsPage::sortText() const
{
    const bool urgentFirst = m_model->sortColumn() == AlarmTableModel::State && m_model->sortOrder() == Qt::AscendingOrder;
    return urgentFirst ? tr("sorted by state, severity, then the latest") : QString();
}

QString AlarmsPage::emptyText() const
{
    // What was true when the connection ended is no all-clear.
    return store().isStale() ? tr("Disconnected: whether anything fires is not known.")
                             : tr("Nothing has fired, and nothing was cleared lately.");
}

QString AlarmsPage::noMatchText(int all) const
{
    return tr("0 of %n alarm(s) match.", nullptr, all);
}

QString AlarmsPage::goneText(int gone, int of) const
{
    return tr("%1 of %n selected alarm(s) is gone", nullptr, of).arg(gone);
}

void AlarmsPage::retranslate()
{
    view().setAccessibleName(tr("Alarms"));
    search().setAccessibleName(tr("Filter alarms"));
    const QString texts[] = {tr("State"), tr("Severity"), tr("Kind"), tr("Pool")};
    for (int i = 0; i < FacetCount; ++i) {
        setFacetText(i, texts[i]);
    }
    m_firingOnly->setText(tr("Firing only"));
    m_firingOnly->setAccessibleName(m_firingOnly->text());
    m_silence->setText(tr("Silence"));
    m_silence->setAccessibleName(tr("Silence the selected alarms"));
    m_model->retranslate();
    m_actions->refresh();
    m_drawer->refresh();
}

} // namespace weir::ui
