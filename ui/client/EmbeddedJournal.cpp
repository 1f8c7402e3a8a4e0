// SPDX-License-Identifier: GPL-3.0-or-later
// What the embedded client reads and does about incidents and alarms.
#include "ui/client/EmbeddedClient.h"

#include "core/plane/incidents/IncidentJson.h"
#include "core/plane/incidents/IncidentReports.h"
#include "ui/client/Delivery.h"
#include "ui/client/RowConversion.h"

#include <algorithm>
#include <optional>

namespace weir::ui {

namespace {

std::optional<std::uint64_t> alarmNumber(const QString& id)
{
    bool ok = false;
    const qulonglong number = id.toULongLong(&ok);
    return ok ? std::optional<std::uint64_t>(number) : std::nullopt;
}

} // namespace

void EmbeddedClient::fetchIncidents(int limit, QObject* context, Callback<QList<IncidentRow>> done)
{
    store::IncidentFilter filter;
    filter.limit = static_cast<std::size_t>(std::max(1, limit));
    m_plane.read([this, filter, context = QPointer<QObject>(context), done = std::move(done)](store::StoreReader& reader) {
        const auto records = reader.incidents(filter);
        if (!records) {
            deliver<QList<IncidentRow>>(this, context, done, tl::unexpected(toClient(records.error())));
            return;
        }
        QList<IncidentRow> rows;
        for (const store::IncidentRecord& record : *records) {
            const auto incident = plane::incidentOf(record);
            if (!incident) {
                deliver<QList<IncidentRow>>(this, context, done, tl::unexpected(toClient(incident.error())));
                return;
            }
            rows.append(toRow(*incident, m_plane.clock().wall()));
        }
        deliver<QList<IncidentRow>>(this, context, done, rows);
    });
}

void EmbeddedClient::fetchReport(qint64 incident, QObject* context, Callback<QString> done)
{
    m_plane.read([this, incident, context = QPointer<QObject>(context), done = std::move(done)](store::StoreReader& reader) {
        const auto report = plane::readReport(reader, incident, false, m_plane.clock().wall());
        deliver<QString>(this, context, done,
            report ? tl::expected<QString, ClientError>(QString::fromStdString(report->markdown))
                   : tl::unexpected(toClient(report.error())));
    });
}

void EmbeddedClient::acknowledgeAlarm(const QString& id, const QString& reason, QObject* context, Callback<bool> done)
{
    if (refuse(AccessRole::Operator, done)) {
        return;
    }
    m_plane.alarms().acknowledge(alarmNumber(id).value_or(0), reason.toStdString(), actor(),
        [this, context = QPointer<QObject>(context), done = std::move(done)](const Result<plane::AlarmView>& result) {
            deliver<bool>(this, context, done, result ? tl::expected<bool, ClientError>(true) : tl::unexpected(toClient(result.error())));
        });
}

void EmbeddedClient::silenceAlarms(const SilenceItem& silence, QObject* context, Callback<QString> done)
{
    if (refuse(AccessRole::Operator, done)) {
        return;
    }
    plane::SilenceRequest request;
    request.kind = silence.kind.toStdString();
    request.role = silence.role.toStdString();
    request.pool = silence.pool.toStdString();
    request.app = silence.app.toStdString();
    request.node = silence.node.toStdString();
    request.until = WallTime(std::chrono::milliseconds(silence.untilMs));
    request.reason = silence.reason.toStdString();
    m_plane.alarms().silence(std::move(request), actor(),
        [this, context = QPointer<QObject>(context), done = std::move(done)](const Result<store::SilenceRecord>& result) {
            deliver<QString>(this, context, done,
                result ? tl::expected<QString, ClientError>(QString::fromStdString(result->id)) : tl::unexpected(toClient(result.error())));
        });
}

void EmbeddedClient::endSilence(const QString& silence, QObject* context, Callback<bool> done)
{
    if (refuse(AccessRole::Operator, done)) {
        return;
    }
    m_plane.alarms().unsilence(
        silence.toStdString(), actor(), [this, context = QPointer<QObject>(context), done = std::move(done)](const Result<void>& result) {
            deliver<bool>(this, context, done, result ? tl::expected<bool, ClientError>(true) : tl::unexpected(toClient(result.error())));
        });
}

} // namespace weir::ui
