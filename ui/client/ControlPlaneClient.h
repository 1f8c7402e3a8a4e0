// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QObject>
#include <functional>
#include <tl/expected.hpp>

namespace weir::ui {

/// What the console may ask of a control plane and hear from it. Every answer comes later, on the UI thread, also where the
/// plane lives in the same process: nothing in pages/ may assume that data is at hand.
///
/// A callback is dropped when its `context` dies first.
class ControlPlaneClient : public QObject {
    Q_OBJECT

public:
    template <typename T>
    using Callback = std::function<void(tl::expected<T, ClientError>)>;

    enum class State { Connecting, Live, Stale };

    using QObject::QObject;

    /// Asks for the snapshot; it comes as a batch with `reset`, batches of changes follow.
    virtual void start() = 0;

    [[nodiscard]] virtual State state() const = 0;
    [[nodiscard]] virtual AccessRole accessRole() const = 0;
    /// Clock of the plane, so that countdowns are right when its time runs faster than ours.
    [[nodiscard]] virtual qint64 wallNowMs() const = 0;
    [[nodiscard]] virtual qint64 monotonicNowMs() const = 0;

    /// Change points of workers_healthy in [sinceMs, untilMs], the value at `sinceMs` first; empty `pool`: the whole fleet.
    virtual void fetchSeries(const QString& pool, qint64 sinceMs, qint64 untilMs, QObject* context, Callback<QList<SeriesPoint>> done) = 0;
    /// Committed events of a window, oldest first, at most `limit` (the newest ones).
    virtual void fetchEvents(qint64 sinceMs, qint64 untilMs, int limit, QObject* context, Callback<QList<EventRow>> done) = 0;
    /// The node's last probes, newest first, at most 20.
    virtual void fetchProbeLog(const QString& node, QObject* context, Callback<QList<ProbeEntry>> done) = 0;
    /// The scheduler's own answer in the quiet form: nothing is reserved, recorded or counted.
    virtual void explain(const QString& app, Role role, int need, QObject* context, Callback<ExplanationView> done) = 0;

    /// Incidents in short form, the newest first, at most `limit`.
    virtual void fetchIncidents(int limit, QObject* context, Callback<QList<IncidentRow>> done) = 0;
    /// The post-mortem of an incident as Markdown. Error: `unknown_incident`.
    virtual void fetchReport(qint64 incident, QObject* context, Callback<QString> done) = 0;

    /// Stops further notifications of an alarm, not its record. Errors: `unknown_alarm`, `alarm_resolved`.
    virtual void acknowledgeAlarm(const QString& id, const QString& reason, QObject* context, Callback<bool> done) = 0;
    /// Answers with the id of the silence. Errors: `missing_field`, `invalid_value`, `too_many_silences`.
    virtual void silenceAlarms(const SilenceItem& silence, QObject* context, Callback<QString> done) = 0;
    /// Error: `unknown_silence`.
    virtual void endSilence(const QString& silence, QObject* context, Callback<bool> done) = 0;

    virtual void setDraining(const QString& node, bool draining, const QString& reason, QObject* context, Callback<bool> done) = 0;
    /// Ends a quarantine and probes at once; `reason` is required by the plane.
    virtual void revive(const QString& node, const QString& reason, QObject* context, Callback<bool> done) = 0;
    virtual void probeNow(const QString& node, QObject* context, Callback<ProbeEntry> done) = 0;

    /// What a move would do; quiet.
    virtual void previewMoves(const QList<MoveItem>& moves, QObject* context, Callback<MoveImpact> done) = 0;
    /// All or none, in one transaction. With a token the move is refused (`impact_changed`) when a verdict differs now. `source`
    /// says how it was asked for (drag, keyboard, dialog, undo, redo) and stands in the audit with the reason.
    virtual void moveNodes(const QList<MoveItem>& moves, std::optional<quint64> impactToken, const QString& reason, const QString& source,
        QObject* context, Callback<MoveResult> done) = 0;

    /// How the app would stand if it were bound to `pool`; an empty pool: without a binding. Quiet.
    virtual void previewBinding(const QString& app, const QString& pool, bool allowFallback, QObject* context, Callback<BindingPreview> done) = 0;
    virtual void setBinding(const QString& app, const QString& pool, bool allowFallback, QObject* context, Callback<bool> done) = 0;
    virtual void removeBinding(const QString& app, QObject* context, Callback<bool> done) = 0;
    /// An empty owner takes it away.
    virtual void setAppOwner(const QString& app, const QString& owner, QObject* context, Callback<bool> done) = 0;

signals:
    void batchReady(const weir::ui::ChangeBatch& batch);
    void stateChanged(weir::ui::ControlPlaneClient::State state);
};

} // namespace weir::ui
