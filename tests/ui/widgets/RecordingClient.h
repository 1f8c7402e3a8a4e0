// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/ControlPlaneClient.h"

namespace weir::ui {

/// A client that answers from what a test has put into it, and keeps what it was asked for.
class RecordingClient : public ControlPlaneClient {
    Q_OBJECT

public:
    using ControlPlaneClient::ControlPlaneClient;

    void start() override { setState(State::Live); }
    [[nodiscard]] State state() const override { return m_state; }
    [[nodiscard]] AccessRole accessRole() const override { return AccessRole::Superadmin; }
    [[nodiscard]] qint64 wallNowMs() const override { return wallMs; }
    [[nodiscard]] qint64 monotonicNowMs() const override { return monotonicMs; }

    void fetchSeries(const QString& pool, qint64 sinceMs, qint64, QObject*, Callback<QList<SeriesPoint>> done) override
    {
        asked.append(QStringLiteral("series %1 %2").arg(pool).arg(sinceMs));
        done(series);
    }
    void fetchEvents(qint64 sinceMs, qint64, int, QObject*, Callback<QList<EventRow>> done) override
    {
        asked.append(QStringLiteral("events %1").arg(sinceMs));
        done(events);
    }
    void fetchProbeLog(const QString& node, QObject*, Callback<QList<ProbeEntry>> done) override
    {
        asked.append(QStringLiteral("probes %1").arg(node));
        done(QList<ProbeEntry>());
    }
    void explain(const QString& app, Role, int, QObject*, Callback<ExplanationView> done) override
    {
        asked.append(QStringLiteral("explain %1").arg(app));
        done(ExplanationView());
    }
    void fetchIncidents(int, QObject*, Callback<QList<IncidentRow>> done) override
    {
        asked.append(QStringLiteral("incidents"));
        done(QList<IncidentRow>());
    }
    void fetchReport(qint64 incident, QObject*, Callback<QString> done) override
    {
        asked.append(QStringLiteral("report %1").arg(incident));
        done(QString());
    }
    void acknowledgeAlarm(const QString& id, const QString&, QObject*, Callback<bool> done) override
    {
        asked.append(QStringLiteral("acknowledge %1").arg(id));
        done(true);
    }
    void silenceAlarms(const SilenceItem&, QObject*, Callback<QString> done) override
    {
        asked.append(QStringLiteral("silence"));
        done(QString());
    }
    void endSilence(const QString& silence, QObject*, Callback<bool> done) override
    {
        asked.append(QStringLiteral("end-silence %1").arg(silence));
        done(true);
    }
    void setDraining(const QString& node, bool draining, const QString&, QObject*, Callback<bool> done) override
    {
        asked.append(QStringLiteral("drain %1 %2").arg(node).arg(draining));
        done(true);
    }
    void revive(const QString& node, const QString&, QObject*, Callback<bool> done) override
    {
        asked.append(QStringLiteral("revive %1").arg(node));
        done(true);
    }
    void probeNow(const QString& node, QObject*, Callback<ProbeEntry> done) override
    {
        asked.append(QStringLiteral("probe %1").arg(node));
        done(ProbeEntry());
    }

    void previewMoves(const QList<MoveItem>&, QObject*, Callback<MoveImpact> done) override
    {
        asked.append(QStringLiteral("preview"));
        done(MoveImpact());
    }
    void moveNodes(const QList<MoveItem>&, std::optional<quint64>, const QString&, const QString&, QObject*, Callback<MoveResult> done) override
    {
        asked.append(QStringLiteral("move"));
        done(MoveResult());
    }
    void previewBinding(const QString& app, const QString&, bool, QObject*, Callback<BindingPreview> done) override
    {
        asked.append(QStringLiteral("preview-binding %1").arg(app));
        done(BindingPreview());
    }
    void setBinding(const QString& app, const QString&, bool, QObject*, Callback<bool> done) override
    {
        asked.append(QStringLiteral("bind %1").arg(app));
        done(true);
    }
    void removeBinding(const QString& app, QObject*, Callback<bool> done) override
    {
        asked.append(QStringLiteral("unbind %1").arg(app));
        done(true);
    }
    void setAppOwner(const QString& app, const QString&, QObject*, Callback<bool> done) override
    {
        asked.append(QStringLiteral("owner %1").arg(app));
        done(true);
    }

    void setState(State state)
    {
        m_state = state;
        emit stateChanged(state);
    }
    void send(const ChangeBatch& batch) { emit batchReady(batch); }

    qint64 wallMs = 1'796'000'000'000;
    qint64 monotonicMs = 1'000'000;
    QList<SeriesPoint> series;
    QList<EventRow> events;
    QStringList asked;

private:
    State m_state = State::Connecting;
};

} // namespace weir::ui
