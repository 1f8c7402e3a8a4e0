// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plane/ControlPlane.h"
#include "ui/client/AlarmFeed.h"
#include "ui/client/ControlPlaneClient.h"

#include <atomic>
#include <memory>
#include <vector>

namespace weir::ui {

struct ConversionContext;

/// The control plane in the same process, behind the interface that pages use. Lives on the UI thread; the plane calls in from
/// its own threads, and everything is handed over by the event loop.
class EmbeddedClient final : public ControlPlaneClient {
    Q_OBJECT

public:
    /// `plane` must outlive this. `access` is what `--as-role` shows the console as.
    EmbeddedClient(plane::ControlPlane& plane, AccessRole access, QObject* parent = nullptr);
    ~EmbeddedClient() override;

    void start() override;
    [[nodiscard]] State state() const override { return m_state; }
    [[nodiscard]] AccessRole accessRole() const override { return m_access; }
    [[nodiscard]] qint64 wallNowMs() const override;
    [[nodiscard]] qint64 monotonicNowMs() const override;

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
    void take(ChangeBatch batch, quint64 alarmRound);
    [[nodiscard]] ConversionContext conversionContext(const std::vector<plane::NodeFacts>& nodes);
    void setState(State state);
    [[nodiscard]] plane::Actor actor() const;
    [[nodiscard]] bool isAllowed(AccessRole needed) const;
    [[nodiscard]] static ClientError forbidden();
    /// Answers when the console's role may not do this.
    template <typename T>
    bool refuse(AccessRole needed, const Callback<T>& done) const
    {
        if (isAllowed(needed)) {
            return false;
        }
        done(tl::unexpected(forbidden()));
        return true;
    }

    plane::ControlPlane& m_plane;
    AccessRole m_access;
    State m_state = State::Connecting;
    int m_subscription = 0;
    bool m_hasSnapshot = false;
    std::atomic<bool> m_trafficSeen = false; ///< by any node, ever
    AlarmFeed m_alarms;
    quint64 m_alarmRound = 0; ///< of the snapshot; alarms that were read before it are older than what it brought
    QList<std::pair<ChangeBatch, quint64>> m_early; ///< batches that came before the snapshot
};

} // namespace weir::ui
