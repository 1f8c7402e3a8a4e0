// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/incidents/IncidentReports.h"

#include "core/plane/incidents/IncidentJson.h"
#include "weir_version.h"

#include <algorithm>
#include <vector>

namespace weir::plane {
using journal::Incident;
namespace {

constexpr std::size_t kReportRows = 10'000;
constexpr std::size_t kReportPoints = 60;
constexpr std::size_t kReportSeries = 3;

// The series that tell of the incident: where apps were refused, then where its nodes stood.
std::vector<journal::SeriesKey> seriesOf(const Incident& incident)
{
    std::vector<journal::SeriesKey> keys;
    const auto add = [&](journal::SeriesKey key) {
        if (keys.size() < kReportSeries && std::find(keys.begin(), keys.end(), key) == keys.end()) {
            keys.push_back(std::move(key));
        }
    };
    if (incident.evidence) {
        add({incident.evidence->poolId, incident.evidence->role});
        if (!incident.evidence->elsewherePool.empty()) {
            add({incident.evidence->elsewherePool, incident.evidence->role});
        }
    }
    for (const journal::Subject& subject : membersOf(incident)) {
        if (subject.kind == journal::Subject::Kind::Pool && (!incident.evidence || subject.id != incident.evidence->poolId)) {
            add({subject.id, {}});
        }
    }
    if (keys.empty()) {
        add({});
    }
    return keys;
}

journal::ReportSeries readSeries(store::StoreReader& reader, const Incident& incident, const journal::SeriesKey& key, WallTime now)
{
    store::SeriesQuery query;
    query.key = key;
    query.since = incident.started;
    query.until = std::max(incident.ended.value_or(now), incident.started);
    query.maxPoints = kReportPoints;
    return {key, reader.series(query).value_or(std::vector<journal::SeriesPoint>())};
}

// The fewest healthy of the incident's first series; where a pool had no node of the role there is none, and nobody was healthy.
std::optional<journal::SeriesPoint> lowestOf(const Incident& incident, const journal::ReportSeries& series)
{
    std::optional<journal::SeriesPoint> lowest;
    if (incident.evidence && incident.evidence->poolNodes == 0) {
        return journal::SeriesPoint{incident.started, 0, 0, true};
    }
    for (const journal::SeriesPoint& point : series.points) {
        if (point.known && (!lowest || point.healthy < lowest->healthy)) {
            lowest = point;
        }
    }
    return lowest;
}

} // namespace

Result<Incident> readIncident(store::StoreReader& reader, std::int64_t number)
{
    const auto record = reader.incident(number);
    if (!record) {
        return tl::unexpected(record.error());
    }
    if (!*record) {
        return fail("unknown_incident", "There is no incident " + std::to_string(number) + ".", "id");
    }
    return incidentOf(**record);
}

std::optional<journal::SeriesPoint> lowestHealthy(store::StoreReader& reader, const Incident& incident, WallTime now)
{
    return lowestOf(incident, readSeries(reader, incident, seriesOf(incident).front(), now));
}

Result<IncidentReportText> readReport(store::StoreReader& reader, std::int64_t number, bool blameless, WallTime now)
{
    const auto incident = readIncident(reader, number);
    if (!incident) {
        return tl::unexpected(incident.error());
    }
    journal::ReportInput input;
    input.now = now;
    input.version = WEIR_VERSION;
    input.blameless = blameless;
    const auto records = reader.incidentRows(incident->number, 0, kReportRows);
    if (!records) {
        return tl::unexpected(records.error());
    }
    for (const store::IncidentRowRecord& record : *records) {
        if (auto row = rowOf(record)) {
            input.rows.push_back(std::move(*row));
        }
    }
    for (const journal::SeriesKey& key : seriesOf(*incident)) {
        input.series.push_back(readSeries(reader, *incident, key, now));
    }
    input.lowest = lowestOf(*incident, input.series.front());
    std::erase_if(input.series, [](const journal::ReportSeries& series) {
        return std::none_of(series.points.begin(), series.points.end(), [](const journal::SeriesPoint& point) { return point.known; });
    });
    return IncidentReportText{incident->number, journal::reportOf(*incident, input)};
}

} // namespace weir::plane
