// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/nodes/NodeDrawer.h"

#include "ui/live/NodeActions.h"
#include "ui/live/Words.h"
#include "ui/pages/nodes/NodeLane.h"
#include "ui/pages/nodes/NodeVerdicts.h"
#include "ui/pages/nodes/ProbeLogModel.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/GroupedHeader.h"
#include "ui/widgets/TableView.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kHeadHeight = 36;
constexpr int kLaneHeight = 52;
constexpr int kVerdictsWidth = 371;
constexpr int kVerdictLines = 7;
constexpr int kDrawnLine = 14;

} // namespace

NodeDrawer::NodeDrawer(FleetStore& store, NodeActions& actions, const TimeDisplay& times, const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_store(store)
    , m_times(times)
    , m_lane(new StateLane(theme, this))
    , m_verdicts(new NodeVerdicts(store, actions, times, theme, this))
    , m_log(new ProbeLogModel(times, this))
{
    setObjectName(QStringLiteral("nodes.drawer"));
    buildHead(theme);
    buildTabs(theme);
    m_lane->setObjectName(QStringLiteral("nodes.drawer.lane"));
    auto* laneRow = new QHBoxLayout;
    laneRow->setContentsMargins(metrics::kPageMargin, 0, metrics::kPageMargin, 0);
    laneRow->addWidget(m_lane);
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    auto* tabRow = new QHBoxLayout;
    tabRow->setContentsMargins(0, 0, metrics::kPageMargin, 0);
    tabRow->addWidget(m_tabs);
    tabRow->addStretch();
    tabRow->addWidget(m_tabNote);
    right->addLayout(tabRow);
    right->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Hair, this));
    right->addWidget(m_stack, 1);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    m_verdicts->setFixedWidth(kVerdictsWidth);
    body->addWidget(m_verdicts);
    body->addWidget(new Rule(theme, Qt::Vertical, Rule::Weight::Hair, this));
    body->addLayout(right, 1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Edge, this));
    layout->addWidget(m_head);
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Hair, this));
    layout->addLayout(laneRow);
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Hair, this));
    layout->addLayout(body, 1);
    m_lane->setFixedHeight(qMax(kLaneHeight, m_lane->sizeHint().height()));
    fitHeight();

    connect(&times, &TimeDisplay::changed, this, [this] {
        m_lane->setTimeZone(m_times.zone());
        refresh();
    });
    m_lane->setTimeZone(times.zone());
    retranslate();
    refresh();
}

void NodeDrawer::fitHeight()
{
    // Drawn for lines of 14 pixels; a taller font needs the difference for every line of the verdicts.
    setFixedHeight(kHeight + kVerdictLines * qMax(0, fontMetrics().height() - kDrawnLine));
}

void NodeDrawer::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fitHeight();
    }
}

void NodeDrawer::buildHead(const Theme& theme)
{
    m_head = new QWidget(this);
    m_head->setFixedHeight(metrics::fitted(kHeadHeight, fontMetrics().height(), 12));
    m_title = new TextLabel(theme, TextSize::Title, 1, true, m_head);
    m_title->setObjectName(QStringLiteral("nodes.drawer.title"));
    m_chip = new ChipLabel(theme, m_head);
    m_subtitle = new TextLine(theme, 2, m_head);
    m_figures = new TextLine(theme, 2, m_head);
    m_close = new QToolButton(m_head);
    m_close->setObjectName(QStringLiteral("nodes.drawer.close"));
    m_close->setAutoRaise(true);
    const auto paintIcon = [this, &theme] { m_close->setIcon(icons::icon(IconName::Close, theme.tokens().text2, theme.tokens().disabled)); };
    paintIcon();
    connect(&theme, &Theme::changed, this, paintIcon);
    connect(m_close, &QToolButton::clicked, this, &NodeDrawer::closeRequested);
    auto* layout = new QHBoxLayout(m_head);
    layout->setContentsMargins(metrics::kPageMargin, 0, metrics::kPageMargin, 0);
    layout->setSpacing(12);
    layout->addWidget(m_title);
    layout->addWidget(m_chip);
    layout->addWidget(m_subtitle, 1);
    layout->addWidget(m_figures);
    layout->addWidget(m_close);
}

void NodeDrawer::buildTabs(const Theme& theme)
{
    m_tabs = new QTabBar(this);
    m_tabs->setObjectName(QStringLiteral("nodes.drawer.tabs"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab({});
    m_tabs->addTab({});
    m_tabNote = new TextLine(theme, 2, this);
    m_stack = new QStackedWidget(this);
    m_logView = new TableView(theme, m_stack);
    m_logView->setObjectName(QStringLiteral("nodes.probelog"));
    m_logView->setFixedRowHeight(metrics::kLogRow);
    m_logView->setModel(m_log);
    m_logView->setItemDelegateForColumn(ProbeLogModel::Body, new BodyFieldsDelegate(theme, m_logView));
    m_logView->setSelectionMode(QAbstractItemView::SingleSelection);
    QHeaderView* header = m_logView->horizontalHeader();
    header->setStretchLastSection(true);
    const int widths[] = {112, 50, 42, 84};
    for (int column = 0; column < 4; ++column) {
        header->resizeSection(column, widths[column]);
    }
    m_settings = new FactGrid(theme, 150, this);
    auto* settingsPage = new QWidget;
    auto* settingsLayout = new QVBoxLayout(settingsPage);
    settingsLayout->setContentsMargins(metrics::kPageMargin, 8, metrics::kPageMargin, 8);
    settingsLayout->addWidget(m_settings);
    settingsLayout->addStretch();
    auto* scroll = new QScrollArea(m_stack);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(settingsPage);
    scroll->setObjectName(QStringLiteral("nodes.drawer.settings"));
    scroll->setFocusPolicy(Qt::TabFocus);
    scroll->setAccessibleName(tr("Settings in force"));
    m_stack->addWidget(m_logView);
    m_stack->addWidget(scroll);
    connect(m_tabs, &QTabBar::currentChanged, m_stack, &QStackedWidget::setCurrentIndex);
}

void NodeDrawer::retranslate()
{
    m_close->setToolTip(tr("Close the drawer (F4)"));
    m_close->setAccessibleName(tr("Close the drawer"));
    m_tabs->setAccessibleName(tr("Parts of the drawer"));
    m_logView->setAccessibleName(tr("Last probes"));
    m_tabs->setTabText(1, tr("Settings"));
    m_logView->emptyState()->setText(tr("No probe has ended yet."));
    m_verdicts->retranslate();
    refresh();
}

void NodeDrawer::setNode(const QString& id)
{
    if (id == m_node) {
        return;
    }
    m_node = id;
    m_events.clear();
    m_eventsFromMs = 0;
    m_loggedProbeMs = 0;
    m_log->setLog(id, {});
    refresh();
    if (!id.isEmpty() && isVisible()) {
        fetchLog();
        fetchEvents();
    }
}

void NodeDrawer::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
    if (m_store.node(m_node) != nullptr) {
        fetchLog();
        fetchEvents();
    }
}

void NodeDrawer::apply(const FleetDelta& delta)
{
    if (m_node.isEmpty() || !isVisible()) {
        return;
    }
    for (const EventRow& event : delta.events) {
        if (event.nodeId == m_node) {
            m_events.append(event);
        }
    }
    if (delta.nodes.contains(m_node) || delta.removedNodes.contains(m_node) || delta.reset) {
        if (m_eventsFromMs == 0 || delta.reset) {
            fetchEvents();
        }
        refresh();
        const NodeRow* row = m_store.node(m_node);
        if (row != nullptr && row->lastProbe.atMs > m_loggedProbeMs) {
            fetchLog();
        }
    }
}

void NodeDrawer::tick()
{
    const NodeRow* row = isVisible() ? m_store.node(m_node) : nullptr;
    if (row != nullptr) {
        m_chip->setSpec(chips::probe(*row, m_store.nowMonoMs()));
        m_verdicts->show(*row);
        refreshLane();
    }
}

void NodeDrawer::refresh()
{
    const NodeRow* row = m_store.node(m_node);
    for (QWidget* widget : {static_cast<QWidget*>(m_chip), static_cast<QWidget*>(m_figures), static_cast<QWidget*>(m_lane), static_cast<QWidget*>(m_verdicts),
             static_cast<QWidget*>(m_tabs), static_cast<QWidget*>(m_stack), static_cast<QWidget*>(m_tabNote)}) {
        widget->setVisible(row != nullptr);
    }
    if (row == nullptr) {
        m_title->setText(m_node.isEmpty() ? tr("No node selected") : m_node);
        m_subtitle->setText(m_node.isEmpty() ? tr("Select a row to see its probes, traffic and settings.") : tr("This node exists no more."));
        return;
    }
    m_title->setText(row->id);
    m_chip->setSpec(chips::probe(*row, m_store.nowMonoMs()));
    QStringList parts{Words::role(row->role), row->pool};
    if (!row->owner.isEmpty()) {
        parts.append(tr("user %1").arg(row->owner));
    }
    for (const QString& part : {row->url.section(QLatin1String("://"), 1), row->version.isEmpty() ? QString() : QLatin1Char('v') + row->version, row->region}) {
        if (!part.isEmpty()) {
            parts.append(part);
        }
    }
    m_subtitle->setText(parts.join(QStringLiteral(" · ")));
    QString figures = tr("%n flap(s) 1 h", nullptr, row->flaps1h);
    if (!m_log->entries().isEmpty() && m_log->entries().first().diskFreeGb.has_value()) {
        figures = tr("%1 · disk free %2 GB", "flaps, gigabytes").arg(figures, QString::number(*m_log->entries().first().diskFreeGb, 'f', 1));
    }
    m_figures->setText(figures);
    m_verdicts->show(*row);
    m_log->setStale(m_store.isStale());
    m_tabs->setTabText(0, tr("Probe log (%1)").arg(m_log->rowCount()));
    const bool held = row->probeState(m_store.nowMonoMs()) == ProbeState::Quarantined && row->lastProbe.success;
    m_tabNote->setText(held ? tr("probe ok but held until %1").arg(m_times.time(row->quarantinedUntilMs)) : QString());
    showSettings(*row);
    refreshLane();
}

void NodeDrawer::showSettings(const NodeRow& row)
{
    int line = 0;
    const auto fact = [this, &line](const QString& caption, const QString& value) {
        m_settings->setFact(line++, caption, value.isEmpty() ? QStringLiteral("–") : value);
    };
    fact(tr("Health check"), row.healthUrl);
    fact(tr("Offline after"), tr("%n failed probe(s)", nullptr, row.unhealthyThreshold));
    fact(tr("Back after"), tr("%n good probe(s)", nullptr, row.healthyThreshold));
    fact(tr("Quarantine"), row.quarantineLengthMs > 0 ? Words::duration(row.quarantineLengthMs) : tr("none so far"));
    fact(tr("Capacity"), tr("%1, used %2, reserved %3, in flight %4")
                             .arg(Words::number(row.capacity), Words::number(row.used), Words::number(row.reserved), Words::number(row.inFlight)));
    fact(tr("Kind"), row.isStatic ? tr("static (from the configuration)") : tr("registered"));
    fact(tr("Address"), row.url);
    fact(tr("In pool since"), row.inPoolSinceMs > 0 ? m_times.dateTimeZone(row.inPoolSinceMs) : QString());
    fact(tr("Moved by"), row.movedBy);
    fact(tr("Last ejection"), row.lastEjectionMs > 0 ? m_times.dateTimeZone(row.lastEjectionMs) : QString());
    m_settings->truncate(line);
}

void NodeDrawer::refreshLane()
{
    const NodeRow* row = m_store.node(m_node);
    if (row == nullptr) {
        return;
    }
    const qint64 now = m_store.nowWallMs();
    m_lane->setWindow(now - kLaneMs, now);
    if (m_eventsFromMs != 0) {
        m_lane->setSegments(laneSegments(m_events, *row, now - kLaneMs, now, m_eventsFromMs, m_store.nowMonoMs()));
    } else {
        m_lane->setSegments({});
    }
}

void NodeDrawer::fetchLog()
{
    if (const NodeRow* row = m_store.node(m_node)) {
        m_loggedProbeMs = row->lastProbe.atMs;
    }
    const QString id = m_node;
    m_store.client().fetchProbeLog(id, this, [this, id](const tl::expected<QList<ProbeEntry>, ClientError>& result) {
        if (id != m_node) {
            return;
        }
        if (!result.has_value()) {
            emit refused(result.error().message);
            return;
        }
        m_log->setLog(id, *result);
        refresh();
    });
}

void NodeDrawer::fetchEvents()
{
    const QString id = m_node;
    const qint64 now = m_store.nowWallMs();
    m_store.client().fetchEvents(now - kLaneMs, now, kMaxLaneEvents, this, [this, id, now](const tl::expected<QList<EventRow>, ClientError>& result) {
        if (id != m_node) {
            return;
        }
        if (!result.has_value()) {
            emit refused(result.error().message);
            return;
        }
        // A full answer may have left older events out; what they say is not known.
        m_eventsFromMs = result->size() >= kMaxLaneEvents ? result->first().atMs : now - kLaneMs;
        QList<EventRow> own;
        qint64 lastSeq = 0;
        for (const EventRow& event : *result) {
            if (event.nodeId == id || event.kind == QLatin1String("events_lost")) {
                own.append(event);
                lastSeq = event.seq;
            }
        }
        for (const EventRow& event : std::as_const(m_events)) {
            if (event.seq > lastSeq) {
                own.append(event);
            }
        }
        m_events = own;
        refreshLane();
    });
}

} // namespace weir::ui
