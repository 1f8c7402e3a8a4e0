// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plane/ControlPlane.h"
#include "ui/client/ControlPlaneClient.h"

#include <atomic>
#include <memory>

namespace weir::ui {

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
    void setState(State state);
    [[nodiscard]] plane::Actor actor() const;
    /// Nothing when the console's role may not do this.
    template <typename T>
    bool refuse(AccessRole needed, const Callback<T>& done) const;

    plane::ControlPlane& m_plane;
    AccessRole m_access;
    State m_state = State::Connecting;
    int m_subscription = 0;
    bool m_hasSnapshot = false;
    std::atomic<bool> m_trafficSeen = false; ///< by any node, ever
    QList<ChangeBatch> m_early; ///< batches that came before the snapshot
};

} // namespace weir::ui
