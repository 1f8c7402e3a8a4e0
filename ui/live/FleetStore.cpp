// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/FleetStore.h"

namespace weir::ui {

namespace {

void mergeIds(QSet<QString>& changed, QSet<QString>& removed, const QSet<QString>& laterChanged, const QSet<QString>& laterRemoved)
{
    for (const QString& id : laterRemoved) {
        changed.remove(id);
        removed.insert(id);
    }
    changed.unite(laterChanged);
}

template <typename Row>
const Row* find(const QHash<QString, Row>& rows, const QString& id)
{
    const auto it = rows.constFind(id);
    return it == rows.cend() ? nullptr : &it.value();
}

/// One kind of row of a batch into what is pending.
template <typename Row>
void takeRows(const QList<Row>& rows, const QStringList& removed, QHash<QString, Row>& fresh, QSet<QString>& changedIds,
    QSet<QString>& removedIds)
{
    for (const QString& id : removed) {
        fresh.remove(id);
        changedIds.remove(id);
        removedIds.insert(id);
    }
    for (const Row& row : rows) {
        fresh.insert(row.id, row);
        changedIds.insert(row.id);
    }
}

/// A snapshot says nothing of what is gone: everything known and not in it is.
template <typename Row>
QStringList missingFrom(const QList<Row>& snapshot, const QHash<QString, Row>& known, const QHash<QString, Row>& fresh)
{
    QSet<QString> present;
    present.reserve(snapshot.size());
    for (const Row& row : snapshot) {
        present.insert(row.id);
    }
    QStringList gone;
    for (const auto* rows : {&known, &fresh}) {
        for (auto it = rows->cbegin(); it != rows->cend(); ++it) {
            if (!present.contains(it.key())) {
                gone.append(it.key());
            }
        }
    }
    return gone;
}

template <typename Row>
void commit(QHash<QString, Row>& rows, QHash<QString, Row>& fresh, const QSet<QString>& removed)
{
    for (const QString& id : removed) {
        rows.remove(id);
    }
    for (auto it = fresh.cbegin(); it != fresh.cend(); ++it) {
        rows.insert(it.key(), it.value());
    }
    fresh.clear();
}

} // namespace

qsizetype FleetDelta::size() const
{
    return nodes.size() + removedNodes.size() + pools.size() + removedPools.size() + apps.size() + removedApps.size() + alarms.size() + removedAlarms.size()
        + events.size();
}

void FleetDelta::merge(const FleetDelta& later)
{
    reset = reset || later.reset;
    mergeIds(nodes, removedNodes, later.nodes, later.removedNodes);
    mergeIds(pools, removedPools, later.pools, later.removedPools);
    mergeIds(apps, removedApps, later.apps, later.removedApps);
    mergeIds(alarms, removedAlarms, later.alarms, later.removedAlarms);
    events += later.events;
}

FleetStore::FleetStore(ControlPlaneClient& client, QObject* parent)
    : QObject(parent)
    , m_client(client)
{
    connect(&client, &ControlPlaneClient::batchReady, this, &FleetStore::take);
    connect(&client, &ControlPlaneClient::stateChanged, this, &FleetStore::onState);
    connect(&m_timer, &QTimer::timeout, this, &FleetStore::onTimer);
    m_timer.start(kFlushMs);
}

const NodeRow* FleetStore::node(const QString& id) const
{
    return find(m_nodes, id);
}

const PoolRow* FleetStore::pool(const QString& id) const
{
    return find(m_pools, id);
}

const AppRow* FleetStore::app(const QString& id) const
{
    return find(m_apps, id);
}

const AlarmRow* FleetStore::alarm(const QString& id) const
{
    return find(m_alarms, id);
}

qint64 FleetStore::nowMonoMs() const
{
    return m_paused || m_staleSinceMs != 0 ? m_frozenMonoMs : m_client.monotonicNowMs();
}

qint64 FleetStore::nowWallMs() const
{
    return m_paused || m_staleSinceMs != 0 ? m_frozenWallMs : m_client.wallNowMs();
}

void FleetStore::setLocked(bool locked)
{
    if (m_locked != locked) {
        m_locked = locked;
        emit lockedChanged(locked);
        emit stateChanged();
    }
}

QString FleetStore::lockedReason()
{
    return tr("Changes are locked. Unlock with Ctrl+L.");
}

void FleetStore::setPaused(bool paused)
{
    if (m_paused == paused) {
        return;
    }
    if (paused) {
        flushNow();
        m_frozenMonoMs = nowMonoMs();
        m_frozenWallMs = nowWallMs();
    }
    m_paused = paused;
    m_missed = 0;
    if (!paused) {
        flushNow();
    }
    emit pausedChanged(paused);
    emit missedChanged(0);
}

void FleetStore::resync()
{
    m_client.start();
}

void FleetStore::take(const ChangeBatch& batch)
{
    if (batch.reset) {
        takeReset(batch);
    } else {
        takeRows(batch.nodes, batch.removedNodes, m_newNodes, m_pending.nodes, m_pending.removedNodes);
        takeRows(batch.pools, batch.removedPools, m_newPools, m_pending.pools, m_pending.removedPools);
        takeRows(batch.apps, batch.removedApps, m_newApps, m_pending.apps, m_pending.removedApps);
        takeRows(batch.alarms, batch.removedAlarms, m_newAlarms, m_pending.alarms, m_pending.removedAlarms);
    }
    m_pending.events += batch.events;
    if (m_pending.events.size() > kMaxRecentEvents) {
        m_pending.events = m_pending.events.last(kMaxRecentEvents);
    }
    m_newSummary = batch.summary;
    m_newAtMs = batch.atMs;
    m_lagMs = qMax<qint64>(0, m_client.wallNowMs() - batch.atMs);
    m_hasPending = true;
    if (m_paused) {
        m_missed += int(batch.nodes.size() + batch.removedNodes.size() + batch.pools.size() + batch.removedPools.size() + batch.events.size());
        emit missedChanged(m_missed);
    } else if (!m_loaded || takeAwaited(batch)) {
        flushNow();
    }
}

void FleetStore::awaitNodes(const QStringList& ids)
{
    m_awaited.unite(QSet<QString>(ids.begin(), ids.end()));
}

void FleetStore::stopAwaiting(const QStringList& ids)
{
    m_awaited.subtract(QSet<QString>(ids.begin(), ids.end()));
}

bool FleetStore::takeAwaited(const ChangeBatch& batch)
{
    bool found = false;
    if (!m_awaited.isEmpty()) {
        for (const NodeRow& row : batch.nodes) {
            const NodeRow* shown = node(row.id);
            if (shown == nullptr || shown->pool != row.pool) {
                found = m_awaited.remove(row.id) || found;
            }
        }
    }
    return found;
}

void FleetStore::takeReset(const ChangeBatch& batch)
{
    m_pending.reset = true;
    takeRows(batch.nodes, missingFrom(batch.nodes, m_nodes, m_newNodes), m_newNodes, m_pending.nodes, m_pending.removedNodes);
    takeRows(batch.pools, missingFrom(batch.pools, m_pools, m_newPools), m_newPools, m_pending.pools, m_pending.removedPools);
    takeRows(batch.apps, missingFrom(batch.apps, m_apps, m_newApps), m_newApps, m_pending.apps, m_pending.removedApps);
    takeRows(batch.alarms, missingFrom(batch.alarms, m_alarms, m_newAlarms), m_newAlarms, m_pending.alarms, m_pending.removedAlarms);
}

void FleetStore::flushNow()
{
    if (!m_hasPending || m_paused) {
        return;
    }
    FleetDelta delta;
    std::swap(delta, m_pending);
    commit(m_nodes, m_newNodes, delta.removedNodes);
    commit(m_pools, m_newPools, delta.removedPools);
    commit(m_apps, m_newApps, delta.removedApps);
    commit(m_alarms, m_newAlarms, delta.removedAlarms);
    m_events += delta.events;
    if (m_events.size() > kMaxRecentEvents) {
        m_events = m_events.last(kMaxRecentEvents);
    }
    m_summary = m_newSummary;
    m_atMs = m_newAtMs;
    m_hasPending = false;
    m_loaded = true;
    emit flushed(delta);
}

void FleetStore::onTimer()
{
    flushNow();
    if (!m_paused && m_staleSinceMs == 0 && m_loaded) {
        emit tick();
    }
}

void FleetStore::onState()
{
    const bool stale = isStale();
    if (stale && m_staleSinceMs == 0) {
        if (!m_paused) {
            m_frozenMonoMs = m_client.monotonicNowMs();
            m_frozenWallMs = m_client.wallNowMs();
        }
        m_staleSinceMs = m_client.wallNowMs();
    } else if (!stale) {
        m_staleSinceMs = 0;
    }
    emit stateChanged();
}

} // namespace weir::ui
