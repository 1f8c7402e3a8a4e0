// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/ControlPlaneClient.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>

namespace weir::ui {

/// Ids whose rows differ from the flush before; the rows themselves are read from the store. An id that is in `removed…` and in the
/// changed set was deleted and created again: it is another object with the same name.
struct FleetDelta {
    bool reset = false; ///< first load, or the whole fleet again after a re-sync
    QSet<QString> nodes;
    QSet<QString> removedNodes;
    QSet<QString> pools;
    QSet<QString> removedPools;
    QSet<QString> apps;
    QSet<QString> removedApps;
    QSet<QString> alarms;
    QSet<QString> removedAlarms;
    QList<EventRow> events;

    [[nodiscard]] qsizetype size() const;
    /// Adds a later delta to this one.
    void merge(const FleetDelta& later);
};

/// The fleet as pages see it: takes the client's batches, keeps the latest row of every id, and hands changes on at most four times a
/// second. One timer serves flushes and every age and countdown of the console. UI thread only.
class FleetStore : public QObject {
    Q_OBJECT

public:
    static constexpr int kFlushMs = 250;
    static constexpr int kMaxRecentEvents = 500;

    explicit FleetStore(ControlPlaneClient& client, QObject* parent = nullptr);

    [[nodiscard]] ControlPlaneClient& client() const { return m_client; }
    [[nodiscard]] const NodeRow* node(const QString& id) const;
    [[nodiscard]] const PoolRow* pool(const QString& id) const;
    [[nodiscard]] const AppRow* app(const QString& id) const;
    [[nodiscard]] const AlarmRow* alarm(const QString& id) const;
    [[nodiscard]] const QHash<QString, NodeRow>& nodes() const { return m_nodes; }
    [[nodiscard]] const QHash<QString, PoolRow>& pools() const { return m_pools; }
    [[nodiscard]] const QHash<QString, AppRow>& apps() const { return m_apps; }
    [[nodiscard]] const QHash<QString, AlarmRow>& alarms() const { return m_alarms; }
    [[nodiscard]] const FleetSummary& summary() const { return m_summary; }
    /// Newest last, at most kMaxRecentEvents.
    [[nodiscard]] const QList<EventRow>& recentEvents() const { return m_events; }

    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    [[nodiscard]] bool isStale() const { return m_client.state() == ControlPlaneClient::State::Stale; }
    /// When the connection was lost, UTC ms; 0 while it is not.
    [[nodiscard]] qint64 staleSinceMs() const { return m_staleSinceMs; }
    /// The plane's time of the rows shown, UTC ms.
    [[nodiscard]] qint64 shownAtMs() const { return m_atMs; }
    /// How long the last batch took to get here, ms.
    [[nodiscard]] qint64 lagMs() const { return m_lagMs; }
    /// The plane's clocks, standing still while the data does (stale or paused), so that no age grows on old data.
    [[nodiscard]] qint64 nowMonoMs() const;
    [[nodiscard]] qint64 nowWallMs() const;

    /// Whether the person at the console locked changes: whoever offers a change refuses it with lockedReason().
    [[nodiscard]] bool isLocked() const { return m_locked; }
    void setLocked(bool locked);
    /// The sentence of such a refusal.
    [[nodiscard]] static QString lockedReason();

    [[nodiscard]] bool isPaused() const { return m_paused; }
    /// Rows and events that came in while paused.
    [[nodiscard]] int missedCount() const { return m_missed; }
    void setPaused(bool paused);
    /// Asks for the whole fleet again; rows stay until it comes.
    void resync();
    /// Hands pending changes on now instead of at the next tick.
    void flushNow();
    /// Rows of these nodes are what somebody at the console waits for: the first one of each that is in another pool is handed on
    /// at once.
    void awaitNodes(const QStringList& ids);
    void stopAwaiting(const QStringList& ids);

signals:
    void flushed(const weir::ui::FleetDelta& delta);
    /// Four times a second while live: ages and countdowns.
    void tick();
    /// The connection, or whether changes are locked.
    void stateChanged();
    void lockedChanged(bool locked);
    void pausedChanged(bool paused);
    void missedChanged(int count);

private:
    void take(const ChangeBatch& batch);
    void takeReset(const ChangeBatch& batch);
    bool takeAwaited(const ChangeBatch& batch);
    void onTimer();
    void onState();

    ControlPlaneClient& m_client;
    QHash<QString, NodeRow> m_nodes;
    QHash<QString, PoolRow> m_pools;
    QHash<QString, AppRow> m_apps;
    QHash<QString, AlarmRow> m_alarms;
    QList<EventRow> m_events;
    FleetSummary m_summary;
    qint64 m_atMs = 0;
    qint64 m_lagMs = 0;

    // What came since the last flush; kept apart so that a pause really shows the moment it began.
    QHash<QString, NodeRow> m_newNodes;
    QHash<QString, PoolRow> m_newPools;
    QHash<QString, AppRow> m_newApps;
    QHash<QString, AlarmRow> m_newAlarms;
    FleetDelta m_pending;
    FleetSummary m_newSummary;
    qint64 m_newAtMs = 0;
    bool m_hasPending = false;
    QSet<QString> m_awaited;

    QTimer m_timer;
    bool m_loaded = false;
    bool m_paused = false;
    bool m_locked = false;
    int m_missed = 0;
    qint64 m_staleSinceMs = 0;
    qint64 m_frozenMonoMs = 0;
    qint64 m_frozenWallMs = 0;
};

} // namespace weir::ui
