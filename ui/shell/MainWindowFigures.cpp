// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says around the pages: status bar, verdict, badges, strips.
#include "ui/shell/MainWindow.h"

#include "ui/live/Words.h"
#include "ui/pages/apps/AppsPage.h"
#include "ui/pages/nodepools/NodePoolsPage.h"
#include "ui/pages/nodes/NodesPage.h"
#include "ui/shell/NavBar.h"
#include "ui/shell/ShellParts.h"
#include "ui/widgets/ContextStrip.h"

namespace weir::ui {

void MainWindow::refreshFigures()
{
    const FleetSummary& summary = m_store->summary();
    StatusFigures figures;
    if (m_store->isStale()) {
        figures.connection = StatusFigures::Connection::Stale;
        figures.connectionText = tr("Disconnected %1").arg(m_times.time(m_store->staleSinceMs()));
    } else if (m_store->isPaused()) {
        figures.connection = StatusFigures::Connection::Paused;
        figures.connectionText = tr("Paused");
    } else if (m_client.state() == ControlPlaneClient::State::Connecting || !m_store->isLoaded()) {
        figures.connectionText = tr("Connecting");
    } else {
        figures.connection = StatusFigures::Connection::Live;
        figures.connectionText = tr("Live · %1 s behind").arg(QString::number(static_cast<double>(m_store->lagMs()) / 1000.0, 'f', 1));
    }
    if (m_store->isLoaded()) {
        figures.healthy = tr("%1/%2 healthy").arg(summary.workersHealthy).arg(summary.workersTotal);
        figures.unschedulable =
            m_store->isStale() && summary.appsStarved == 0 ? QString() : tr("%n app(s) unschedulable", nullptr, summary.appsStarved);
        figures.config = tr("cfg v%1").arg(summary.configVersion);
        figures.asOf = tr("as of %1").arg(m_times.dateTimeZone(m_store->nowWallMs()));
    }
    figures.notice = summary.storeBehind ? tr("storage is behind; events may be missing") : m_notice;
    // The overview has no rows to select, and a page of pools selects nodes too.
    const bool ofNodes = page() == nullptr || page() == m_pools || page() == m_nodes;
    const qsizetype selected = ofNodes ? m_actions->targets().size() : page()->selection().size();
    figures.selected = selected > 0 ? tr("%n selected", nullptr, static_cast<int>(selected)) : QString();
    m_status->setFigures(figures);

    FleetFacts facts;
    facts.state = m_client.state();
    facts.snapshot = m_store->isLoaded();
    facts.staleSinceMs = m_store->staleSinceMs();
    facts.summary = summary;
    for (const NodeRow& row : m_store->nodes()) {
        facts.addNode(row, m_store->nowMonoMs());
    }
    m_header->setVerdict(fleetVerdict(facts, m_times.zone()));
}

void MainWindow::refreshBadges()
{
    NavBadge pools;
    for (const PoolRow& row : m_store->pools()) {
        const bool exhausted = row.verdict == PoolVerdict::Exhausted;
        pools.count += exhausted || row.verdict == PoolVerdict::AtRisk ? 1 : 0;
        pools.needsAction = pools.needsAction || exhausted;
    }
    NavBadge nodes;
    for (const NodeRow& row : m_store->nodes()) {
        nodes.count += Words::severity(row, m_store->nowMonoMs()) > 0 ? 1 : 0;
    }
    m_nav->button(QStringLiteral("nodepools"))->setBadge(pools);
    m_nav->button(QStringLiteral("nodes"))->setBadge(nodes);
    NavBadge apps;
    for (const AppRow& row : m_store->apps()) {
        apps.count += row.verdict == AppVerdict::FailsClosed ? 1 : 0;
    }
    apps.needsAction = apps.count > 0;
    m_nav->button(QStringLiteral("apps"))->setBadge(apps);
    NavBadge alarms;
    for (const AlarmRow& row : m_store->alarms()) {
        alarms.count += row.needsSomebody() ? 1 : 0;
        alarms.needsAction = alarms.needsAction || (row.needsSomebody() && row.severity == Severity::Critical);
    }
    m_nav->button(QStringLiteral("alarms"))->setBadge(alarms);
    refreshTray();
}

void MainWindow::refreshStrips()
{
    if (m_demo) {
        m_context->setContext(ContextStrip::Kind::Demo, QStringLiteral("DEMO"), tr("simulated fleet on this computer · nothing is saved"));
    }
    const bool stale = m_store->isStale();
    m_stale->setVisible(stale);
    if (stale) {
        m_stale->setContext(ContextStrip::Kind::Stale, {},
            tr("Disconnected %1 — showing data as of then").arg(m_times.time(m_store->staleSinceMs())), tr("Re-sync (F5)"));
    }
    const bool paused = m_store->isPaused();
    m_paused->setVisible(paused);
    if (paused) {
        m_paused->setContext(ContextStrip::Kind::Plain, tr("PAUSED"),
            tr("showing data as of %1 · %n change(s) missed", nullptr, m_store->missedCount()).arg(m_times.time(m_store->nowWallMs())),
            tr("Resume (Pause)"));
    }
}

} // namespace weir::ui
