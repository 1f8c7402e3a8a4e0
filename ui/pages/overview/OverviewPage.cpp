// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/OverviewPage.h"

#include "ui/pages/overview/OverviewRows.h"
#include "ui/pages/overview/VerdictBlock.h"
#include "ui/widgets/Card.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/GroupedHeader.h"
#include "ui/widgets/TableRoles.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/TimeText.h"

#include <QButtonGroup>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kFlushMs = 250;
constexpr int kHiddenFlushMs = 1000;
constexpr int kRangeMinutes[] = {5, 15, 60};
constexpr int kMostEvents = 1000;
constexpr int kRightColumn = 324;
constexpr int kRoomForCounts = 370;
constexpr int kEdgePadding = 3; // brings a table's first column under the card's title

void setWidths(TableView& table, std::initializer_list<int> widths, int stretched)
{
    int column = 0;
    for (const int width : widths) {
        table.setColumnWidth(column++, width);
    }
    table.groupedHeader()->setSectionResizeMode(stretched, QHeaderView::Stretch);
}

} // namespace

OverviewPage::OverviewPage(ControlPlaneClient& client, const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_client(client)
    , m_theme(theme)
    , m_startedMs(client.wallNowMs())
{
    setObjectName(QStringLiteral("overview"));
    m_state.setState(client.state(), m_startedMs);
    build();
    retranslate();
    connect(&client, &ControlPlaneClient::batchReady, this, &OverviewPage::onBatch);
    connect(&client, &ControlPlaneClient::stateChanged, this, &OverviewPage::onState);
    m_flushTimer.setSingleShot(true);
    connect(&m_flushTimer, &QTimer::timeout, this, &OverviewPage::flush);
    m_tickTimer.setInterval(1000);
    connect(&m_tickTimer, &QTimer::timeout, this, &OverviewPage::tick);
    m_tickTimer.start();
    setRange(60);
    flush();
}

void OverviewPage::build()
{
    m_starvedModel = new ShortTableModel(4, this);
    m_failingModel = new ShortTableModel(4, this);
    m_attentionModel = new ShortTableModel(3, this);
    m_changesModel = new ShortTableModel(2, this);
    m_verdict = new VerdictBlock(m_theme, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::kOverviewMargin, 0, metrics::kOverviewMargin, metrics::kPageMargin);
    layout->setSpacing(0);
    layout->addWidget(m_verdict);
    auto* tiles = new QGridLayout;
    tiles->setHorizontalSpacing(metrics::kGap);
    buildTiles(*tiles);
    layout->addLayout(tiles);
    layout->addSpacing(metrics::kGap);

    m_starvedCard = new Card(m_theme, this);
    m_failingCard = new Card(m_theme, this);
    m_attentionCard = new Card(m_theme, this);
    m_changesCard = new Card(m_theme, this);
    m_starvedCard->setContent(m_starved = buildTable(*m_starvedModel, QStringLiteral("starvedApps"), true));
    m_failingCard->setContent(m_failing = buildTable(*m_failingModel, QStringLiteral("greenButFailing"), true));
    m_attentionCard->setContent(m_attention = buildTable(*m_attentionModel, QStringLiteral("needsAttention"), false));
    m_changesCard->setContent(m_changes = buildTable(*m_changesModel, QStringLiteral("recentChanges"), false));
    setWidths(*m_starved, {65, 62, 164, 74}, 2);
    setWidths(*m_failing, {72, 86, 100, 84}, 2);
    setWidths(*m_attention, {90, 138, 76}, 0);
    setWidths(*m_changes, {96, 200}, 1);
    connectTables();

    auto* tables = new QHBoxLayout;
    tables->setSpacing(metrics::kGap);
    tables->addWidget(m_starvedCard, 1);
    tables->addWidget(m_failingCard, 1);
    auto* left = new QVBoxLayout;
    left->setSpacing(metrics::kGap);
    left->addWidget(buildChartCard(), 360);
    left->addLayout(tables, 148);
    auto* right = new QVBoxLayout;
    right->setSpacing(metrics::kGap);
    right->addWidget(m_attentionCard, 197);
    right->addWidget(m_changesCard, 312);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(metrics::kGap);
    // Below the design's width only the left column gives way: chips on the right must not be cut.
    m_attentionCard->setFixedWidth(kRightColumn);
    m_changesCard->setFixedWidth(kRightColumn);
    columns->addLayout(left, 1);
    columns->addLayout(right);
    layout->addLayout(columns, 1);
}

void OverviewPage::buildTiles(QGridLayout& layout)
{
    for (std::size_t i = 0; i < kTileCount; ++i) {
        m_tiles[i] = new Tile(m_theme, this);
        m_tiles[i]->setObjectName(QStringLiteral("tile%1").arg(i));
        m_tiles[i]->setFigures(unknownFigures());
        layout.addWidget(m_tiles[i], 0, static_cast<int>(i));
        const auto kind = static_cast<TileKind>(i);
        const bool pools = kind == TileKind::SchedulableApps || kind == TileKind::PoolExhausted || kind == TileKind::FallbackShare;
        connect(m_tiles[i], &Tile::clicked, this, [this, pools] { emit pageRequested(pools ? Target::Pools : Target::Nodes); });
    }
}

QWidget* OverviewPage::buildChartCard()
{
    m_chartCard = new Card(m_theme, this);
    m_chart = new LiveChart(m_theme, m_chartCard);
    m_chart->setObjectName(QStringLiteral("workersHealthy"));
    m_chartCard->setContent(m_chart);
    m_ranges = new QButtonGroup(this);
    auto* bar = new QWidget(m_chartCard);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    for (const int minutes : kRangeMinutes) {
        auto* button = new QToolButton(bar);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFixedHeight(22);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setObjectName(QStringLiteral("range%1").arg(minutes));
        button->setChecked(minutes == 60);
        m_ranges->addButton(button, minutes);
        layout->addWidget(button);
    }
    m_chartCard->addHeadWidget(bar);
    connect(m_ranges, &QButtonGroup::idClicked, this, &OverviewPage::setRange);
    return m_chartCard;
}

TableView* OverviewPage::buildTable(ShortTableModel& model, const QString& name, bool header)
{
    auto* table = new TableView(m_theme, this);
    table->setObjectName(name);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setMinimumHeight(56);
    table->setEdgePadding(kEdgePadding);
    table->setModel(&model);
    table->groupedHeader()->setSectionsClickable(false);
    table->groupedHeader()->setSectionsMovable(false);
    table->groupedHeader()->setSortIndicatorShown(false);
    table->groupedHeader()->setVisible(header);
    return table;
}

void OverviewPage::connectTables()
{
    connect(m_starved, &TableView::linkActivated, this, [this](const QModelIndex& index) {
        if (index.column() == 0) {
            emit appActivated(index.data().toString());
        } else {
            emit poolActivated(index.data().toString());
        }
    });
    const auto openNode = [this](const QModelIndex& index) { emit nodeActivated(index.data(IdRole).toString()); };
    connect(m_failing, &TableView::linkActivated, this, openNode);
    connect(m_attention, &TableView::linkActivated, this, openNode);
    connect(m_starvedCard, &Card::linkActivated, this, [this] { emit pageRequested(Target::Pools); });
    connect(m_failingCard, &Card::linkActivated, this, [this] { emit pageRequested(Target::Nodes); });
    connect(m_attentionCard, &Card::linkActivated, this, [this] { emit pageRequested(Target::Nodes); });
}

void OverviewPage::setRange(int minutes)
{
    m_chart->setNow(m_client.wallNowMs());
    m_chart->setFollow(qint64(minutes) * 60'000);
}

void OverviewPage::retranslate()
{
    m_tiles[0]->setTitle(tr("Schedulable apps"));
    m_tiles[1]->setTitle(tr("Workers healthy"));
    m_tiles[2]->setTitle(tr("Request success 5 m"));
    m_tiles[3]->setTitle(QStringLiteral("pool_exhausted/h"), true);
    m_tiles[4]->setTitle(tr("Fallback share"));
    m_tiles[5]->setTitle(tr("Ejections/h"));
    m_chartCard->setTitle(tr("Healthy workers"));
    m_chartCard->setSecondary(QStringLiteral("workers_healthy"), true);
    for (const int minutes : kRangeMinutes) {
        m_ranges->button(minutes)->setText(minutes == 60 ? tr("1 h") : tr("%1 m").arg(minutes));
        m_ranges->button(minutes)->setAccessibleName(tr("Show the last %n minute(s)", nullptr, minutes));
    }
    m_starvedCard->setTitle(tr("Starved apps"));
    m_starvedCard->setLink(tr("Pools"));
    m_starvedModel->setHeaders({tr("App"), tr("Pool"), tr("Why"), tr("Since")}, {3});
    m_failingCard->setTitle(tr("Green but failing"));
    m_failingCard->setLink(tr("All workers"));
    m_failingModel->setHeaders({tr("Worker"), tr("Probe"), tr("Traffic"), tr("Failed/all")}, {3});
    m_attentionCard->setTitle(tr("Needs attention"));
    m_attentionCard->setLink(tr("All workers"));
    m_attentionModel->setHeaders({tr("Worker"), tr("State"), tr("Since")}, {2});
    m_changesCard->setTitle(tr("Recent changes"));
    m_changesCard->setSecondary(tr("24 h"));
    m_changesModel->setHeaders({tr("Time"), tr("Change")});
    for (TableView* table : {m_starved, m_failing, m_attention, m_changes}) {
        table->setAccessibleName(static_cast<QWidget*>(table->parentWidget())->accessibleName());
    }
}

void OverviewPage::setTimeZone(const QTimeZone& zone)
{
    m_zone = zone;
    m_chart->setTimeZone(zone);
    flush();
}

FleetVerdict OverviewPage::verdict() const
{
    return m_verdict->verdict();
}

void OverviewPage::onBatch(const ChangeBatch& batch)
{
    m_state.apply(batch);
    if (batch.reset) {
        fetchHistory();
    }
    schedule();
}

void OverviewPage::onState(ControlPlaneClient::State state)
{
    m_state.setState(state, m_client.wallNowMs());
    // At once: nothing may stand as an all-clear that is not live any more.
    flush();
}

void OverviewPage::fetchHistory()
{
    const qint64 now = m_client.wallNowMs();
    m_client.fetchSeries({}, now - kHourMs, now, this, [this](const tl::expected<QList<SeriesPoint>, ClientError>& points) {
        if (points) {
            m_state.mergeSeries(*points);
            schedule();
        }
    });
    m_client.fetchEvents(now - kDayMs, now, kMostEvents, this, [this](const tl::expected<QList<EventRow>, ClientError>& events) {
        if (events) {
            m_state.mergeEvents(*events);
            schedule();
        }
    });
}

void OverviewPage::schedule()
{
    if (!m_flushTimer.isActive()) {
        const qint64 interval = isVisible() ? kFlushMs : kHiddenFlushMs;
        const qint64 since = m_sinceFlush.isValid() ? m_sinceFlush.elapsed() : interval;
        m_flushTimer.start(static_cast<int>(qMax<qint64>(0, interval - since)));
    }
}

void OverviewPage::flush()
{
    m_flushTimer.stop();
    m_sinceFlush.start();
    const qint64 nowMs = m_client.wallNowMs();
    const qint64 nowMonoMs = m_client.monotonicNowMs();
    const FleetVerdict verdict = fleetVerdict(m_state.facts(nowMonoMs), m_zone);
    if (verdict.sentence() != m_verdict->verdict().sentence()) {
        m_verdict->setVerdict(verdict);
        emit verdictChanged(verdict.sentence());
    }
    updateTiles(nowMs);
    m_chart->setEmptyText(tr("Collecting since %1 (%2).").arg(timetext::clock(m_startedMs, m_zone), timetext::zoneName(m_zone, m_startedMs)));
    m_chart->setMinimum(m_state.summary().minHealthy);
    m_chart->setPoints(m_state.series());
    m_chart->setMarks(m_state.marks(nowMs - kHourMs));
    m_chart->setNow(nowMs);
    updateTables(nowMonoMs);
}

void OverviewPage::tick()
{
    if (isVisible()) {
        m_chart->setNow(m_client.wallNowMs());
        updateTables(m_client.monotonicNowMs());
    }
}

void OverviewPage::updateTiles(qint64 nowMs)
{
    if (!m_state.hasSnapshot()) {
        return;
    }
    const TrafficTotals traffic = m_state.traffic();
    for (std::size_t i = 0; i < kTileCount; ++i) {
        const auto kind = static_cast<TileKind>(i);
        TileFigures figures = tileFigures(kind, m_state.summary(), traffic, m_targets);
        if (!m_state.isLive()) {
            // A target that was met then says nothing about now.
            figures.chip = chips::target(TargetWord::NoData);
            figures.dimmed = true;
        }
        figures.spark = m_state.spark(kind, nowMs, m_targets);
        m_tiles[i]->setFigures(figures);
    }
}

void OverviewPage::updateTables(qint64 nowMonoMs)
{
    const FleetSummary& summary = m_state.summary();
    m_starvedModel->setRows(overviewrows::starved(summary, m_zone));
    m_failingModel->setRows(overviewrows::greenButFailing(m_state.nodes(), nowMonoMs));
    m_attentionModel->setRows(overviewrows::attention(m_state, nowMonoMs, m_zone));
    m_changesModel->setRows(overviewrows::changes(m_state.events(), m_zone));
    for (ShortTableModel* model : {m_starvedModel, m_failingModel, m_attentionModel, m_changesModel}) {
        model->setDimmed(!m_state.isLive());
    }
    const auto counted = [](Card* card, int count) { card->setSecondary(count > 0 ? QString::number(count) : QString()); };
    counted(m_starvedCard, summary.appsStarved);
    counted(m_failingCard, m_failingModel->rowCount());
    counted(m_attentionCard, m_attentionModel->rowCount());
    const bool known = m_state.hasSnapshot() && m_state.isLive();
    const QString unknown = tr("Not known while no live state has come.");
    const QString noWorker = tr("No worker is registered yet.");
    m_starved->emptyState()->setText(!known            ? unknown
                                         : summary.apps == 0 ? (summary.admitsUnknownApps ? tr("No app is declared; one that asks resolves to default.") : tr("No app is declared yet."))
                                                             : tr("Every known app has a place to go."));
    m_failing->emptyState()->setText(!known                         ? unknown
                                         : m_state.traffic().measured ? tr("No worker fails traffic while its check is green.")
                                                                      : tr("Traffic is not measured until requests pass."));
    m_attention->emptyState()->setText(!known                        ? unknown
                                           : summary.workersTotal == 0 ? noWorker
                                                                       : tr("No worker is out, held or failing."));
    m_changes->emptyState()->setText(known ? tr("Nobody moved, drained or bound anything in 24\u00A0h.") : unknown);
}

void OverviewPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    flush();
}

void OverviewPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // The chip says the share already: the counts go first where both would not fit.
    m_failing->setColumnHidden(3, (width() - kRightColumn) / 2 < kRoomForCounts);
}

void OverviewPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        flush();
    }
}

} // namespace weir::ui
