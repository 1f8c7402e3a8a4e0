// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/ControlPlaneClient.h"

#include <QHash>
#include <QPointer>

namespace weir::test {

/// A control plane that the test plays: it writes down what it is asked, and answers and sends what the test says, when it says so.
/// Its clocks stand still until they are moved.
class RecordingClient : public ui::ControlPlaneClient {
    Q_OBJECT

public:
    using ControlPlaneClient::ControlPlaneClient;

    qint64 wallMs = 1'796'000'000'000;
    qint64 monoMs = 1'000'000;
    ui::AccessRole role = ui::AccessRole::Superadmin;
    /// One line a call: "drain edge-05 on disk swap", "revive gpu-01 repaired", "probe gpu-01", "explain app-9 origin 1", …
    QStringList calls;
    /// With a code, every request is refused with it.
    ui::ClientError refusal;
    /// Without it, answers wait for answerAll().
    bool answersAtOnce = true;

    QList<ui::SeriesPoint> series;
    QList<ui::EventRow> events;
    QHash<QString, QList<ui::ProbeEntry>> probeLogs;
    ui::ExplanationView explanation;
    ui::ProbeEntry probed;
    ui::MoveImpact impact;
    ui::BindingPreview bindingPreview;
    QList<ui::IncidentRow> incidents;
    QHash<qint64, QString> reports;

    void advance(qint64 ms)
    {
        wallMs += ms;
        monoMs += ms;
    }
    void send(ui::ChangeBatch batch)
    {
        batch.atMs = batch.atMs == 0 ? wallMs : batch.atMs;
        batch.revision = ++m_revision;
        emit batchReady(batch);
    }
    void setState(State state)
    {
        m_state = state;
        emit stateChanged(state);
    }
    void answerAll()
    {
        const auto waiting = std::exchange(m_waiting, {});
        for (const auto& answer : waiting) {
            answer();
        }
    }

    void start() override { calls.append(QStringLiteral("start")); }
    State state() const override { return m_state; }
    ui::AccessRole accessRole() const override { return role; }
    qint64 wallNowMs() const override { return wallMs; }
    qint64 monotonicNowMs() const override { return monoMs; }

    void fetchSeries(const QString& pool, qint64, qint64, QObject* context, Callback<QList<ui::SeriesPoint>> done) override
    {
        answer<QList<ui::SeriesPoint>>(QStringLiteral("series ") + pool, series, context, std::move(done));
    }
    void fetchEvents(qint64, qint64, int limit, QObject* context, Callback<QList<ui::EventRow>> done) override
    {
        answer<QList<ui::EventRow>>(QStringLiteral("events %1").arg(limit), events, context, std::move(done));
    }
    void fetchProbeLog(const QString& node, QObject* context, Callback<QList<ui::ProbeEntry>> done) override
    {
        answer<QList<ui::ProbeEntry>>(QStringLiteral("probelog ") + node, probeLogs.value(node), context, std::move(done));
    }
    void explain(const QString& app, ui::Role askedRole, int need, QObject* context, Callback<ui::ExplanationView> done) override
    {
        answer<ui::ExplanationView>(
            QStringLiteral("explain %1 %2 %3").arg(app).arg(static_cast<int>(askedRole)).arg(need), explanation, context, std::move(done));
    }
    void fetchIncidents(int limit, QObject* context, Callback<QList<ui::IncidentRow>> done) override
    {
        answer<QList<ui::IncidentRow>>(QStringLiteral("incidents %1").arg(limit), incidents, context, std::move(done));
    }
    void fetchReport(qint64 incident, QObject* context, Callback<QString> done) override
    {
        answer<QString>(QStringLiteral("report %1").arg(incident), reports.value(incident), context, std::move(done));
    }
    void acknowledgeAlarm(const QString& id, const QString& reason, QObject* context, Callback<bool> done) override
    {
        answer<bool>(QStringLiteral("acknowledge %1 %2").arg(id, reason).trimmed(), true, context, std::move(done));
    }
    void silenceAlarms(const ui::SilenceItem& silence, QObject* context, Callback<QString> done) override
    {
        const QString covers = QStringList{silence.kind, silence.role, silence.pool, silence.app, silence.node}.join(QLatin1Char('/'));
        answer<QString>(QStringLiteral("silence %1 until %2 %3").arg(covers).arg(silence.untilMs).arg(silence.reason), QStringLiteral("s1"), context, std::move(done));
    }
    void endSilence(const QString& silence, QObject* context, Callback<bool> done) override
    {
        answer<bool>(QStringLiteral("end-silence ") + silence, true, context, std::move(done));
    }
    void setDraining(const QString& node, bool draining, const QString& reason, QObject* context, Callback<bool> done) override
    {
        answer<bool>(QStringLiteral("%1 %2 %3").arg(draining ? QStringLiteral("drain") : QStringLiteral("undrain"), node, reason).trimmed(), true, context,
            std::move(done));
    }
    void revive(const QString& node, const QString& reason, QObject* context, Callback<bool> done) override
    {
        answer<bool>(QStringLiteral("revive %1 %2").arg(node, reason), true, context, std::move(done));
    }
    void probeNow(const QString& node, QObject* context, Callback<ui::ProbeEntry> done) override
    {
        answer<ui::ProbeEntry>(QStringLiteral("probe ") + node, probed, context, std::move(done));
    }
    void previewMoves(const QList<ui::MoveItem>& moves, QObject* context, Callback<ui::MoveImpact> done) override
    {
        answer<ui::MoveImpact>(QStringLiteral("preview ") + movesText(moves), impact, context, std::move(done));
    }
    void moveNodes(const QList<ui::MoveItem>& moves, std::optional<quint64> impactToken, const QString& reason, const QString& source, QObject* context,
        Callback<ui::MoveResult> done) override
    {
        ui::MoveResult result;
        for (const ui::MoveItem& move : moves) {
            result.moves.append({move.node, move.expectedFrom, move.pool, true});
        }
        result.impact = impact;
        const QString token = impactToken ? QString::number(*impactToken) : QStringLiteral("-");
        answer<ui::MoveResult>(QStringLiteral("move %1 token %2 by %3 %4").arg(movesText(moves), token, source, reason).trimmed(), result, context, std::move(done));
    }
    void previewBinding(const QString& app, const QString& pool, bool allowFallback, QObject* context, Callback<ui::BindingPreview> done) override
    {
        answer<ui::BindingPreview>(QStringLiteral("preview-binding %1 %2 %3").arg(app, pool).arg(allowFallback), bindingPreview, context, std::move(done));
    }
    void setBinding(const QString& app, const QString& pool, bool allowFallback, QObject* context, Callback<bool> done) override
    {
        answer<bool>(QStringLiteral("bind %1 %2 %3").arg(app, pool).arg(allowFallback), true, context, std::move(done));
    }
    void removeBinding(const QString& app, QObject* context, Callback<bool> done) override
    {
        answer<bool>(QStringLiteral("unbind ") + app, true, context, std::move(done));
    }
    void setAppOwner(const QString& app, const QString& owner, QObject* context, Callback<bool> done) override
    {
        answer<bool>(QStringLiteral("owner %1 %2").arg(app, owner), true, context, std::move(done));
    }

private:
    /// "edge-02>pool-7(pool-3) edge-05>pool-7(pool-3)": what is asked for, with where each node is expected.
    static QString movesText(const QList<ui::MoveItem>& moves)
    {
        QStringList parts;
        for (const ui::MoveItem& move : moves) {
            parts.append(move.expectedFrom.isEmpty() ? QStringLiteral("%1>%2").arg(move.node, move.pool)
                                                     : QStringLiteral("%1>%2(%3)").arg(move.node, move.pool, move.expectedFrom));
        }
        return parts.join(QLatin1Char(' '));
    }

    template <typename T>
    void answer(const QString& call, const T& value, QObject* context, Callback<T> done)
    {
        calls.append(call);
        const auto refused = refusal;
        auto reply = [value, refused, guard = QPointer<QObject>(context), done = std::move(done)] {
            if (guard == nullptr) {
                return;
            }
            if (!refused.code.isEmpty()) {
                done(tl::unexpected(refused));
            } else {
                done(value);
            }
        };
        if (answersAtOnce) {
            QMetaObject::invokeMethod(this, reply, Qt::QueuedConnection);
        } else {
            m_waiting.append(reply);
        }
    }

    State m_state = State::Live;
    quint64 m_revision = 0;
    QList<std::function<void()>> m_waiting;
};

} // namespace weir::test
