// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/PauseGate.h"

namespace weir::ui {

namespace {

constexpr qsizetype kMaxHeldEvents = 5000;

template <typename Row>
void hold(const QList<Row>& rows, const QStringList& removed, QHash<QString, Row>& byId, QStringList& allRemoved)
{
    for (const QString& id : removed) {
        byId.remove(id);
        allRemoved.append(id);
    }
    for (const Row& row : rows) {
        byId.insert(row.id, row);
    }
}

} // namespace

PauseGate::PauseGate(ControlPlaneClient& client, QObject* parent)
    : ControlPlaneClient(parent)
    , m_client(client)
{
    connect(&client, &ControlPlaneClient::batchReady, this, &PauseGate::take);
    connect(&client, &ControlPlaneClient::stateChanged, this, &PauseGate::stateChanged);
}

void PauseGate::setPaused(bool paused)
{
    if (paused == m_paused) {
        return;
    }
    if (paused) {
        m_wallMs = m_client.wallNowMs();
        m_monoMs = m_client.monotonicNowMs();
    }
    m_paused = paused;
    if (!paused) {
        release();
    }
}

void PauseGate::take(const ChangeBatch& batch)
{
    if (!m_paused) {
        emit batchReady(batch);
        return;
    }
    if (batch.reset) {
        m_held = ChangeBatch();
        m_held.reset = true;
        m_nodes.clear();
        m_pools.clear();
        m_apps.clear();
        m_alarms.clear();
    }
    hold(batch.nodes, batch.removedNodes, m_nodes, m_held.removedNodes);
    hold(batch.pools, batch.removedPools, m_pools, m_held.removedPools);
    hold(batch.apps, batch.removedApps, m_apps, m_held.removedApps);
    hold(batch.alarms, batch.removedAlarms, m_alarms, m_held.removedAlarms);
    m_held.events += batch.events;
    if (m_held.events.size() > kMaxHeldEvents) {
        m_held.events = m_held.events.last(kMaxHeldEvents);
    }
    m_held.summary = batch.summary;
    m_held.revision = batch.revision;
    m_held.atMs = batch.atMs;
    m_hasHeld = true;
}

void PauseGate::release()
{
    if (!m_hasHeld) {
        return;
    }
    ChangeBatch batch;
    std::swap(batch, m_held);
    batch.nodes = m_nodes.values();
    batch.pools = m_pools.values();
    batch.apps = m_apps.values();
    batch.alarms = m_alarms.values();
    m_nodes.clear();
    m_pools.clear();
    m_apps.clear();
    m_alarms.clear();
    m_hasHeld = false;
    emit batchReady(batch);
}

void PauseGate::fetchSeries(const QString& pool, qint64 sinceMs, qint64 untilMs, QObject* context, Callback<QList<SeriesPoint>> done)
{
    m_client.fetchSeries(pool, sinceMs, untilMs, context, std::move(done));
}

void PauseGate::fetchEvents(qint64 sinceMs, qint64 untilMs, int limit, QObject* context, Callback<QList<EventRow>> done)
{
    m_client.fetchEvents(sinceMs, untilMs, limit, context, std::move(done));
}

void PauseGate::fetchProbeLog(const QString& node, QObject* context, Callback<QList<ProbeEntry>> done)
{
    m_client.fetchProbeLog(node, context, std::move(done));
}

void PauseGate::explain(const QString& app, Role role, int need, QObject* context, Callback<ExplanationView> done)
{
    m_client.explain(app, role, need, context, std::move(done));
}

void PauseGate::fetchIncidents(int limit, QObject* context, Callback<QList<IncidentRow>> done)
{
    m_client.fetchIncidents(limit, context, std::move(done));
}

void PauseGate::fetchReport(qint64 incident, QObject* context, Callback<QString> done)
{
    m_client.fetchReport(incident, context, std::move(done));
}

void PauseGate::acknowledgeAlarm(const QString& id, const QString& reason, QObject* context, Callback<bool> done)
{
    m_client.acknowledgeAlarm(id, reason, context, std::move(done));
}

void PauseGate::silenceAlarms(const SilenceItem& silence, QObject* context, Callback<QString> done)
{
    m_client.silenceAlarms(silence, context, std::move(done));
}

void PauseGate::endSilence(const QString& silence, QObject* context, Callback<bool> done)
{
    m_client.endSilence(silence, context, std::move(done));
}

void PauseGate::setDraining(const QString& node, bool draining, const QString& reason, QObject* context, Callback<bool> done)
{
    m_client.setDraining(node, draining, reason, context, std::move(done));
}

void PauseGate::revive(const QString& node, const QString& reason, QObject* context, Callback<bool> done)
{
    m_client.revive(node, reason, context, std::move(done));
}

void PauseGate::probeNow(const QString& node, QObject* context, Callback<ProbeEntry> done)
{
    m_client.probeNow(node, context, std::move(done));
}

void PauseGate::previewMoves(const QList<MoveItem>& moves, QObject* context, Callback<MoveImpact> done)
{
    m_client.previewMoves(moves, context, std::move(done));
}

void PauseGate::moveNodes(const QList<MoveItem>& moves, std::optional<quint64> impactToken, const QString& reason, const QString& source, QObject* context,
    Callback<MoveResult> done)
{
    m_client.moveNodes(moves, impactToken, reason, source, context, std::move(done));
}

void PauseGate::previewBinding(const QString& app, const QString& pool, bool allowFallback, QObject* context, Callback<BindingPreview> done)
{
    m_client.previewBinding(app, pool, allowFallback, context, std::move(done));
}

void PauseGate::setBinding(const QString& app, const QString& pool, bool allowFallback, QObject* context, Callback<bool> done)
{
    m_client.setBinding(app, pool, allowFallback, context, std::move(done));
}

void PauseGate::removeBinding(const QString& app, QObject* context, Callback<bool> done)
{
    m_client.removeBinding(app, context, std::move(done));
}

void PauseGate::setAppOwner(const QString& app, const QString& owner, QObject* context, Callback<bool> done)
{
    m_client.setAppOwner(app, owner, context, std::move(done));
}

} // namespace weir::ui
