// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/ControlPlaneClient.h"

#include <QHash>

namespace weir::ui {

/// Stands between a page that listens to the control plane itself and the plane: while paused, nothing comes through and the clocks
/// stand still; afterwards everything that came in arrives as one batch. Requests always go through.
class PauseGate : public ControlPlaneClient {
    Q_OBJECT

public:
    explicit PauseGate(ControlPlaneClient& client, QObject* parent = nullptr);

    void setPaused(bool paused);

    void start() override { m_client.start(); }
    [[nodiscard]] State state() const override { return m_client.state(); }
    [[nodiscard]] AccessRole accessRole() const override { return m_client.accessRole(); }
    [[nodiscard]] qint64 wallNowMs() const override { return m_paused ? m_wallMs : m_client.wallNowMs(); }
    [[nodiscard]] qint64 monotonicNowMs() const override { return m_paused ? m_monoMs : m_client.monotonicNowMs(); }

    void fetchSeries(const QString& pool, qint64 sinceMs, qint64 untilMs, QObject* context, Callback<QList<SeriesPoint>> done) override;
    void fetchEvents(qint64 sinceMs, qint64 untilMs, int limit, QObject* context, Callback<QList<EventRow>> done) override;
    void fetchProbeLog(const QString& node, QObject* context, Callback<QList<ProbeEntry>> done) override;
    void explain(const QString& app, Role role, int need, QObject* context, Callback<ExplanationView> done) override;
    void fetchIncidents(int limit, QObject* context, Callback<QList<IncidentRow>> done) override;
    void fetchReport(qint64 incident, QObject* context, Callback<QString> done) override;
    void acknowledgeAlarm(const QString& id, const QString& reason, QObject* context, Callback<bool> done) override;
    void silenceAlarms(const SilenceItem& silence, QObject* context, Callback<QString> done) override;
    void endSilence(const QString& silence, QObject* context, Callback<bool> done) override;
    void setDraining(const QString& node, bool draining, const QString& reason, QObject* context, Callback<bool> done) override;
    void revive(const QString& node, const QString& reason, QObject* context, Callback<bool> done) override;
    void probeNow(const QString& node, QObject* context, Callback<ProbeEntry> done) override;
    void previewMoves(const QList<MoveItem>& moves, QObject* context, Callback<MoveImpact> done) override;
    void moveNodes(const QList<MoveItem>& moves, std::optional<quint64> impactToken, const QString& reason, const QString& source, QObject* context,
        Callback<MoveResult> done) override;
    void previewBinding(const QString& app, const QString& pool, bool allowFallback, QObject* context, Callback<BindingPreview> done) override;
    void setBinding(const QString& app, const QString& pool, bool allowFallback, QObject* context, Callback<bool> done) override;
    void removeBinding(const QString& app, QObject* context, Callback<bool> done) override;
    void setAppOwner(const QString& app, const QString& owner, QObject* context, Callback<bool> done) override;

private:
    void take(const ChangeBatch& batch);
    void release();

    ControlPlaneClient& m_client;
    bool m_paused = false;
    qint64 m_wallMs = 0;
    qint64 m_monoMs = 0;
    bool m_hasHeld = false;
    ChangeBatch m_held; ///< its rows are kept by id in the maps below until released
    QHash<QString, NodeRow> m_nodes;
    QHash<QString, PoolRow> m_pools;
    QHash<QString, AppRow> m_apps;
    QHash<QString, AlarmRow> m_alarms;
};

} // namespace weir::ui
