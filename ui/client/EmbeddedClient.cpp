// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/client/EmbeddedClient.h"

#include "ui/client/Delivery.h"
#include "ui/client/RowConversion.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace weir::ui {
namespace {

constexpr std::size_t kProbeLog = 20;

ClientError toClient(const plane::MoveRefusal& refusal)
{
    ClientError error = ui::toClient(refusal.error);
    for (const plane::MoveRefusal::Meanwhile& node : refusal.movedMeanwhile) {
        error.movedMeanwhile.append({QString::fromStdString(node.nodeId), QString::fromStdString(node.poolId), QString::fromStdString(node.by), toMs(node.at)});
    }
    if (refusal.impact) {
        error.impact = toImpact(*refusal.impact);
    }
    for (const std::string& name : refusal.suggestions) {
        error.suggestions.append(QString::fromStdString(name));
    }
    return error;
}

plane::MoveRequest toRequest(const QList<MoveItem>& moves)
{
    plane::MoveRequest request;
    for (const MoveItem& move : moves) {
        request.moves.push_back({move.node.toStdString(), move.pool.toStdString(),
            move.expectedFrom.isEmpty() ? std::nullopt : std::optional(move.expectedFrom.toStdString())});
    }
    return request;
}

WallTime wallOf(qint64 ms)
{
    return WallTime(std::chrono::milliseconds(ms));
}

std::string loginName()
{
    for (const char* variable : {"LOGNAME", "USER"}) {
        if (const char* name = std::getenv(variable); name != nullptr && name[0] != '\0') {
            return name;
        }
    }
    return "console";
}

} // namespace

EmbeddedClient::EmbeddedClient(plane::ControlPlane& plane, AccessRole access, QObject* parent)
    : ControlPlaneClient(parent)
    , m_plane(plane)
    , m_access(access)
    , m_alarms(plane.alarms(), plane.clock())
{
}

EmbeddedClient::~EmbeddedClient()
{
    if (m_subscription != 0) {
        m_plane.flow().unsubscribe(m_subscription);
    }
}

ConversionContext EmbeddedClient::conversionContext(const std::vector<plane::NodeFacts>& nodes)
{
    const auto hasTraffic = [](const plane::NodeFacts& node) { return node.traffic.total() > 0; };
    if (!m_trafficSeen && std::any_of(nodes.begin(), nodes.end(), hasTraffic)) {
        m_trafficSeen = true;
    }
    const bool admits = m_plane.fleet().read([](const fleet::Fleet& fleet, Instant) { return fleet.settings().admitUnknownApps; });
    return {m_plane.healthSettings(), monotonicNowMs(), wallNowMs(), m_trafficSeen, !m_plane.outcomes().settings().rules.empty(), admits};
}

void EmbeddedClient::start()
{
    if (m_subscription == 0) {
        m_subscription = m_plane.flow().subscribe([this](const plane::ChangeBatch& batch) {
            ChangeBatch rows = toBatch(batch, conversionContext(batch.nodes));
            const quint64 round = m_alarms.addChanges(rows);
            QMetaObject::invokeMethod(this, [this, rows = std::move(rows), round] { take(rows, round); }, Qt::QueuedConnection);
        });
    }
    // The snapshot is read off the UI thread; batches that come meanwhile wait for it and are then, by revision, newer.
    m_hasSnapshot = false;
    m_plane.read([this, self = QPointer<EmbeddedClient>(this)](store::StoreReader&) {
        const plane::ChangeBatch snapshot = m_plane.flow().snapshot();
        ChangeBatch rows = toBatch(snapshot, conversionContext(snapshot.nodes));
        rows.reset = true;
        const quint64 round = m_alarms.addAll(rows);
        QMetaObject::invokeMethod(
            this,
            [this, self, rows = std::move(rows), round] {
                if (!self) {
                    return;
                }
                m_hasSnapshot = true;
                m_alarmRound = round;
                setState(State::Live);
                emit batchReady(rows);
                for (const auto& [early, earlyRound] : std::exchange(m_early, {})) {
                    take(early, earlyRound);
                }
            },
            Qt::QueuedConnection);
    });
}

void EmbeddedClient::take(ChangeBatch batch, quint64 alarmRound)
{
    if (!m_hasSnapshot) {
        m_early.append({std::move(batch), alarmRound});
        return;
    }
    if (alarmRound < m_alarmRound) {
        batch.alarms.clear();
        batch.removedAlarms.clear();
    }
    emit batchReady(batch);
}

void EmbeddedClient::setState(State state)
{
    if (m_state != state) {
        m_state = state;
        emit stateChanged(state);
    }
}

qint64 EmbeddedClient::wallNowMs() const
{
    return toMs(m_plane.clock().wall());
}

qint64 EmbeddedClient::monotonicNowMs() const
{
    return toMonoMs(m_plane.clock().now());
}

plane::Actor EmbeddedClient::actor() const
{
    return {"local:" + loginName(), {}, {}, "console"};
}

bool EmbeddedClient::isAllowed(AccessRole needed) const
{
    return static_cast<int>(m_access) >= static_cast<int>(needed);
}

ClientError EmbeddedClient::forbidden()
{
    return {QStringLiteral("forbidden"), tr("This console was started with a role that may not do that."), {}, {}, {}};
}

void EmbeddedClient::fetchSeries(const QString& pool, qint64 sinceMs, qint64 untilMs, QObject* context, Callback<QList<SeriesPoint>> done)
{
    store::SeriesQuery query;
    query.key.poolId = pool.toStdString();
    query.since = wallOf(sinceMs);
    query.until = wallOf(untilMs);
    m_plane.read([this, query, context = QPointer<QObject>(context), done = std::move(done)](store::StoreReader& reader) {
        const auto points = reader.series(query);
        if (!points) {
            deliver<QList<SeriesPoint>>(this, context, done, tl::unexpected(toClient(points.error())));
            return;
        }
        QList<SeriesPoint> rows;
        for (const journal::SeriesPoint& point : *points) {
            rows.append(toRow(point));
        }
        deliver<QList<SeriesPoint>>(this, context, done, rows);
    });
}

void EmbeddedClient::fetchEvents(qint64 sinceMs, qint64 untilMs, int limit, QObject* context, Callback<QList<EventRow>> done)
{
    store::EventFilter filter;
    filter.since = wallOf(sinceMs);
    filter.until = wallOf(untilMs);
    filter.limit = static_cast<std::size_t>(std::max(1, limit));
    m_plane.read([this, filter, context = QPointer<QObject>(context), done = std::move(done)](store::StoreReader& reader) {
        const auto events = reader.events(filter);
        if (!events) {
            deliver<QList<EventRow>>(this, context, done, tl::unexpected(toClient(events.error())));
            return;
        }
        QList<EventRow> rows;
        for (auto event = events->rbegin(); event != events->rend(); ++event) {
            rows.append(toRow(*event));
        }
        deliver<QList<EventRow>>(this, context, done, rows);
    });
}

void EmbeddedClient::fetchProbeLog(const QString& node, QObject* context, Callback<QList<ProbeEntry>> done)
{
    const std::string id = node.toStdString();
    const auto handle = m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant) { return fleet.findNode(id); });
    QList<ProbeEntry> rows;
    for (const plane::ProbeRecord& record : handle ? m_plane.history().probes(*handle, kProbeLog) : std::vector<plane::ProbeRecord>()) {
        rows.append(toRow(record));
    }
    deliver<QList<ProbeEntry>>(this, QPointer<QObject>(context), done, rows);
}

void EmbeddedClient::explain(const QString& app, Role role, int need, QObject* context, Callback<ExplanationView> done)
{
    const std::string appId = app.toStdString();
    fleet::Request request;
    request.app = appId;
    request.role = static_cast<weir::Role>(static_cast<int>(role));
    request.need = static_cast<std::uint32_t>(std::max(1, need));
    const WallTime wall = m_plane.clock().wall();
    const fleet::Explanation record = m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant now) { return fleet.explain(request, now, wall); });
    deliver<ExplanationView>(this, QPointer<QObject>(context), done, toView(record));
}

void EmbeddedClient::setDraining(const QString& node, bool draining, const QString& reason, QObject* context, Callback<bool> done)
{
    if (refuse(AccessRole::Superadmin, done)) {
        return;
    }
    m_plane.nodes().setDraining(node.toStdString(), draining, reason.toStdString(), actor(),
        [this, context = QPointer<QObject>(context), done = std::move(done)](const Result<void>& result) {
            deliver<bool>(this, context, done, result ? tl::expected<bool, ClientError>(true) : tl::unexpected(toClient(result.error())));
        });
}

void EmbeddedClient::revive(const QString& node, const QString& reason, QObject* context, Callback<bool> done)
{
    if (refuse(AccessRole::Superadmin, done)) {
        return;
    }
    m_plane.nodes().revive(node.toStdString(), reason.toStdString(), actor(),
        [this, context = QPointer<QObject>(context), done = std::move(done)](const Result<void>& result) {
            deliver<bool>(this, context, done, result ? tl::expected<bool, ClientError>(true) : tl::unexpected(toClient(result.error())));
        });
}

void EmbeddedClient::probeNow(const QString& node, QObject* context, Callback<ProbeEntry> done)
{
    if (refuse(AccessRole::Operator, done)) {
        return;
    }
    m_plane.probeNow(node.toStdString(), [this, context = QPointer<QObject>(context), done = std::move(done)](const Result<plane::ProbeRecord>& result) {
        deliver<ProbeEntry>(this, context, done, result ? tl::expected<ProbeEntry, ClientError>(toRow(*result)) : tl::unexpected(toClient(result.error())));
    });
}

void EmbeddedClient::previewMoves(const QList<MoveItem>& moves, QObject* context, Callback<MoveImpact> done)
{
    const auto answer = m_plane.nodes().previewMove(toRequest(moves));
    deliver<MoveImpact>(this, QPointer<QObject>(context), done,
        answer ? tl::expected<MoveImpact, ClientError>(toImpact(answer->impact)) : tl::unexpected(toClient(answer.error())));
}

void EmbeddedClient::moveNodes(const QList<MoveItem>& moves, std::optional<quint64> impactToken, const QString& reason, const QString& source, QObject* context,
    Callback<MoveResult> done)
{
    if (refuse(AccessRole::Superadmin, done)) {
        return;
    }
    plane::MoveRequest request = toRequest(moves);
    request.impactToken = impactToken;
    request.reason = reason.toStdString();
    plane::Actor by = actor();
    by.source = source.toStdString();
    m_plane.nodes().move(std::move(request), std::move(by),
        [this, context = QPointer<QObject>(context), done = std::move(done)](const tl::expected<plane::MoveAnswer, plane::MoveRefusal>& answer) {
            if (!answer) {
                deliver<MoveResult>(this, context, done, tl::unexpected(toClient(answer.error())));
                return;
            }
            MoveResult result;
            for (const plane::MoveAnswer::One& one : answer->moves) {
                result.moves.append({QString::fromStdString(one.nodeId), QString::fromStdString(one.from), QString::fromStdString(one.to), one.changed});
            }
            result.impact = toImpact(answer->impact);
            deliver<MoveResult>(this, context, done, result);
        });
}

void EmbeddedClient::previewBinding(const QString& app, const QString& pool, bool allowFallback, QObject* context, Callback<BindingPreview> done)
{
    const auto preview = m_plane.apps().previewBinding(app.toStdString(), pool.toStdString(), allowFallback);
    if (!preview) {
        deliver<BindingPreview>(this, QPointer<QObject>(context), done, tl::unexpected(toClient(preview.error())));
        return;
    }
    BindingPreview view;
    for (const fleet::AppImpact& row : *preview) {
        view.rows.append({QString::fromStdString(row.app), static_cast<Role>(static_cast<int>(row.role)), QString::fromStdString(row.pool), toView(row.before), toView(row.after),
            row.hasTraffic});
    }
    deliver<BindingPreview>(this, QPointer<QObject>(context), done, view);
}

void EmbeddedClient::setBinding(const QString& app, const QString& pool, bool allowFallback, QObject* context, Callback<bool> done)
{
    if (refuse(AccessRole::Superadmin, done)) {
        return;
    }
    m_plane.apps().putBinding(app.toStdString(), pool.toStdString(), allowFallback, actor(),
        [this, context = QPointer<QObject>(context), done = std::move(done)](const Result<bool>& result) {
            deliver<bool>(this, context, done, result ? tl::expected<bool, ClientError>(true) : tl::unexpected(toClient(result.error())));
        });
}

void EmbeddedClient::removeBinding(const QString& app, QObject* context, Callback<bool> done)
{
    if (refuse(AccessRole::Superadmin, done)) {
        return;
    }
    m_plane.apps().removeBinding(app.toStdString(), actor(), [this, context = QPointer<QObject>(context), done = std::move(done)](const Result<void>& result) {
        deliver<bool>(this, context, done, result ? tl::expected<bool, ClientError>(true) : tl::unexpected(toClient(result.error())));
    });
}

void EmbeddedClient::setAppOwner(const QString& app, const QString& owner, QObject* context, Callback<bool> done)
{
    if (refuse(AccessRole::Superadmin, done)) {
        return;
    }
    m_plane.apps().putApp(AppId::trusted(app.toStdString()), owner.toStdString(), actor(),
        [this, context = QPointer<QObject>(context), done = std::move(done)](const Result<bool>& result) {
            deliver<bool>(this, context, done, result ? tl::expected<bool, ClientError>(true) : tl::unexpected(toClient(result.error())));
        });
}

} // namespace weir::ui
