// SPDX-License-Identifier: GPL-3.0-or-later
// /admin/incidents.
#include "core/api/Api.h"
#include "core/api/IncidentViews.h"
#include "core/api/JournalViews.h"
#include "core/api/QueryValues.h"
#include "core/http/JsonBody.h"
#include "core/http/Problem.h"
#include "core/plane/incidents/IncidentJson.h"
#include "core/plane/incidents/IncidentReports.h"

#include <algorithm>
#include <boost/json.hpp>
#include <limits>

namespace weir::api {
namespace json = boost::json;
using journal::Incident;
namespace {

constexpr std::size_t kMostText = 4'000;

Result<std::int64_t> numberIn(const http::Request& request)
{
    const std::string& text = request.params.at("id");
    const auto number = numberOf(text);
    if (!number || !*number || **number < 1) {
        return fail("unknown_incident", "There is no incident '" + text + "'.", "id");
    }
    return **number;
}

Result<store::IncidentFilter> filterOf(const http::Request& request)
{
    const auto page = pageOf(request, {"state", "severity", "since", "until"});
    if (!page) {
        return tl::unexpected(page.error());
    }
    const auto since = timeOf(request, "since");
    const auto until = timeOf(request, "until");
    const auto after = numberOf(page->after);
    for (const Error* error : {errorOf(since), errorOf(until), errorOf(after)}) {
        if (error != nullptr) {
            return tl::unexpected(*error);
        }
    }
    store::IncidentFilter filter;
    filter.since = *since;
    filter.until = *until;
    filter.below = *after;
    filter.limit = page->limit;
    if (const auto state = request.queryValue("state")) {
        const auto known = journal::incidentStateFromText(*state);
        if (!known || *known == journal::IncidentState::Merged) {
            return fail("invalid_value", "state is '" + std::string(*state) + "'; it must be open, acknowledged or resolved.", "state");
        }
        filter.states.emplace_back(*state);
    }
    if (const auto severity = request.queryValue("severity")) {
        if (*severity != "SEV1" && *severity != "SEV2" && *severity != "SEV3") {
            return fail("invalid_value", "severity is '" + std::string(*severity) + "'; it must be SEV1, SEV2 or SEV3.", "severity");
        }
        filter.severity = severity->back() - '0';
    }
    return filter;
}

http::Response listOfIncidents(store::StoreReader& reader, store::IncidentFilter filter, WallTime now)
{
    const std::size_t limit = filter.limit++;
    const auto records = reader.incidents(filter);
    if (!records) {
        return http::problem(records.error());
    }
    json::array items;
    json::value next = nullptr;
    for (const store::IncidentRecord& record : *records) {
        if (items.size() == limit) {
            next = std::string(items.back().as_object().at("id").as_string());
            break;
        }
        const auto incident = plane::incidentOf(record);
        if (!incident) {
            return http::problem(incident.error());
        }
        items.emplace_back(toJson(*incident, now));
    }
    return http::json(200, json::object{{"items", std::move(items)}, {"next", std::move(next)}});
}

http::Response oneIncident(store::StoreReader& reader, std::int64_t number, WallTime now)
{
    const auto incident = plane::readIncident(reader, number);
    if (!incident) {
        return http::problem(incident.error());
    }
    return http::json(200, detailsOf(*incident, plane::lowestHealthy(reader, *incident, now), now));
}

struct RowsRequest {
    std::int64_t number = 0;
    std::int64_t after = 0;
    std::int64_t row = 0; ///< 0: lines; else the events behind that line
    std::size_t limit = 100;
    bool onlyKey = false;
};

Result<RowsRequest> rowsRequestOf(const http::Request& request)
{
    const auto number = numberIn(request);
    const auto page = pageOf(request, {"row", "key"});
    for (const Error* error : {errorOf(number), errorOf(page)}) {
        if (error != nullptr) {
            return tl::unexpected(*error);
        }
    }
    const auto after = numberOf(page->after);
    const auto row = integerOf(request, "row", 0, 1, std::numeric_limits<std::int64_t>::max());
    const std::string_view key = request.queryValue("key").value_or("false");
    for (const Error* error : {errorOf(after), errorOf(row)}) {
        if (error != nullptr) {
            return tl::unexpected(*error);
        }
    }
    if (key != "true" && key != "false") {
        return fail("invalid_value", "key is '" + std::string(key) + "'; it must be true or false.", "key");
    }
    return RowsRequest{*number, after->value_or(0), *row, page->limit, key == "true"};
}

// The events behind one line, from the journal: those of its subject and kinds between its first and its last.
http::Response eventsBehind(store::StoreReader& reader, const Incident& incident, const RowsRequest& request)
{
    const auto rows = reader.incidentRows(incident.number, request.row - 1, 1);
    if (!rows || rows->empty() || rows->front().firstSeq != request.row) {
        return http::problem(rows ? Error{"not_found", "Incident " + std::to_string(incident.number) + " has no line " + std::to_string(request.row) + ".", "row"} : rows.error());
    }
    const auto row = plane::rowOf(rows->front());
    if (!row) {
        return http::problem(row.error());
    }
    using journal::EventKind;
    store::EventFilter filter;
    filter.nodeId = row->kind == EventKind::PoolExhausted || row->kind == EventKind::PoolFallback ? std::string() : row->nodeId;
    filter.poolId = filter.nodeId.empty() ? row->poolId : std::string();
    filter.appId = row->appId;
    filter.role = row->role;
    filter.kinds = {row->kind};
    if (row->fold.starts_with("out:") || row->fold.starts_with("back:")) {
        filter.kinds = {EventKind::NodeOffline, EventKind::NodeOnline, EventKind::QuarantineStarted, EventKind::QuarantineOver};
    } else if (row->fold.starts_with("alarm:")) {
        filter.kinds = {EventKind::AlarmFired, EventKind::AlarmChanged, EventKind::AlarmResolved};
    } else if (row->fold.starts_with("more:")) {
        filter.nodeId.clear();
        filter.poolId.clear();
        filter.appId.clear();
        filter.role.clear();
    }
    filter.afterSeq = std::max(request.after, row->firstSeq - 1);
    filter.beforeSeq = row->lastSeq + 1;
    filter.limit = request.limit + 1;
    filter.newestFirst = false;
    const auto events = reader.events(filter);
    return events ? http::json(200, pageOfEvents(*events, request.limit)) : http::problem(events.error());
}

http::Response timelineOf(store::StoreReader& reader, const RowsRequest& request)
{
    const auto incident = plane::readIncident(reader, request.number);
    if (!incident) {
        return http::problem(incident.error());
    }
    if (request.row != 0) {
        return eventsBehind(reader, *incident, request);
    }
    const auto records = reader.incidentRows(incident->number, request.after, request.limit + 1, request.onlyKey);
    if (!records) {
        return http::problem(records.error());
    }
    json::array items;
    json::value next = nullptr;
    for (const store::IncidentRowRecord& record : *records) {
        if (items.size() == request.limit) {
            next = std::to_string(items.back().as_object().at("seq").as_int64());
            break;
        }
        const auto row = plane::rowOf(record);
        if (!row) {
            return http::problem(row.error());
        }
        items.emplace_back(toJson(*row));
    }
    return http::json(200, json::object{{"items", std::move(items)}, {"next", std::move(next)}});
}

http::Response report(store::StoreReader& reader, std::int64_t number, bool blameless, WallTime now)
{
    auto found = plane::readReport(reader, number, blameless, now);
    if (!found) {
        return http::problem(found.error());
    }
    http::Response response;
    response.contentType = "text/markdown; charset=utf-8";
    response.body = std::move(found->markdown);
    response.headers.emplace_back("Content-Disposition", "inline; filename=\"incident-" + std::to_string(found->number) + ".md\"");
    return response;
}

// Answers with the incident as it is afterwards.
plane::Done<Incident> answerWith(const http::Reply& reply, WallTime now, unsigned status = 200)
{
    return [reply, now, status](const Result<Incident>& incident) {
        if (!incident) {
            reply(http::problem(incident.error()));
            return;
        }
        json::object object = toJson(*incident, now);
        if (incident->state == journal::IncidentState::Resolved && !incident->bad.empty()) {
            object["warning"] = std::to_string(incident->bad.size()) + " in its scope are not well; the next trigger opens it again.";
        }
        reply(http::json(status, object));
    };
}

Result<std::string> textIn(http::JsonBody& body, std::string_view key)
{
    const std::string text = body.requireString(key);
    if (text.size() > kMostText) {
        body.refuse(key, "out_of_range", std::string(key) + " has " + std::to_string(text.size()) + " bytes; at most " + std::to_string(kMostText) + " are kept.");
    }
    return text;
}

} // namespace

void Api::addIncidents()
{
    const std::initializer_list<Access> readers{Access::Operator, Access::Viewer};

    add("GET", "/admin/incidents", readers, [this](const Call& call, const http::Reply& reply) {
        auto filter = filterOf(call.request);
        if (!filter) {
            reply(http::problem(filter.error()));
            return;
        }
        m_plane.read([this, reply, filter = std::move(*filter)](store::StoreReader& reader) { reply(listOfIncidents(reader, filter, m_plane.clock().wall())); });
    });

    add("GET", "/admin/incidents/{id}", readers, [this](const Call& call, const http::Reply& reply) {
        const auto number = numberIn(call.request);
        if (!number) {
            reply(http::problem(number.error()));
            return;
        }
        m_plane.read([this, reply, number = *number](store::StoreReader& reader) { reply(oneIncident(reader, number, m_plane.clock().wall())); });
    });

    add("GET", "/admin/incidents/{id}/events", readers, [this](const Call& call, const http::Reply& reply) {
        const auto request = rowsRequestOf(call.request);
        if (!request) {
            reply(http::problem(request.error()));
            return;
        }
        m_plane.read([reply, request = *request](store::StoreReader& reader) { reply(timelineOf(reader, request)); });
    });

    add("GET", "/admin/incidents/{id}/report", readers, [this](const Call& call, const http::Reply& reply) {
        const auto number = numberIn(call.request);
        if (!number) {
            reply(http::problem(number.error()));
            return;
        }
        const bool blameless = call.request.queryValue("blameless").value_or("false") == "true";
        m_plane.read([this, reply, number = *number, blameless](store::StoreReader& reader) { reply(report(reader, number, blameless, m_plane.clock().wall())); });
    });

    addIncidentActions();
}

void Api::addIncidentActions()
{
    add("POST", "/admin/incidents/{id}:acknowledge", {Access::Operator}, [this](const Call& call, const http::Reply& reply) {
        const auto number = numberIn(call.request);
        const auto body = http::JsonBody::parseOrEmpty(call.request);
        const auto checked = body ? body->finish() : Result<void>(tl::unexpected(body.error()));
        for (const Error* error : {errorOf(number), errorOf(checked)}) {
            if (error != nullptr) {
                reply(http::problem(*error));
                return;
            }
        }
        m_plane.incidents().acknowledge(*number, call.actor(), answerWith(reply, m_plane.clock().wall()));
    });

    add("POST", "/admin/incidents/{id}:resolve", {Access::Operator}, [this](const Call& call, const http::Reply& reply) {
        const auto number = numberIn(call.request);
        auto body = http::JsonBody::parse(call.request);
        const auto reason = body ? textIn(*body, "reason") : Result<std::string>(tl::unexpected(body.error()));
        const auto checked = body ? body->finish() : Result<void>();
        for (const Error* error : {errorOf(number), errorOf(reason), errorOf(checked)}) {
            if (error != nullptr) {
                reply(http::problem(*error));
                return;
            }
        }
        m_plane.incidents().resolve(*number, *reason, call.actor(), answerWith(reply, m_plane.clock().wall()));
    });

    add("POST", "/admin/incidents/{id}:merge", {Access::Operator}, [this](const Call& call, const http::Reply& reply) {
        const auto number = numberIn(call.request);
        auto body = http::JsonBody::parse(call.request);
        const std::string text = body ? body->requireString("into") : std::string();
        const auto checked = body ? body->finish() : Result<void>(tl::unexpected(body.error()));
        for (const Error* error : {errorOf(number), errorOf(checked)}) {
            if (error != nullptr) {
                reply(http::problem(*error));
                return;
            }
        }
        const auto into = numberOf(text);
        if (!into || !*into) {
            reply(http::problem(Error{"invalid_value", "into is '" + text + "', which is no incident.", "into"}));
            return;
        }
        m_plane.incidents().merge(*number, **into, call.actor(), answerWith(reply, m_plane.clock().wall()));
    });

    add("GET", "/admin/incidents/{id}/notes", {Access::Operator, Access::Viewer}, [this](const Call& call, const http::Reply& reply) {
        const auto number = numberIn(call.request);
        if (!number) {
            reply(http::problem(number.error()));
            return;
        }
        m_plane.read([this, reply, number = *number](store::StoreReader& reader) {
            const auto incident = plane::readIncident(reader, number);
            reply(incident ? http::json(200, json::object{{"items", detailsOf(*incident, std::nullopt, m_plane.clock().wall()).at("notes")}, {"next", nullptr}}) : http::problem(incident.error()));
        });
    });

    add("POST", "/admin/incidents/{id}/notes", {Access::Operator}, [this](const Call& call, const http::Reply& reply) {
        const auto number = numberIn(call.request);
        auto body = http::JsonBody::parse(call.request);
        const auto text = body ? textIn(*body, "text") : Result<std::string>(tl::unexpected(body.error()));
        const auto at = body ? body->optionalString("at") : std::nullopt;
        if (at && !fromRfc3339(*at)) {
            body->refuse("at", "invalid_value", "at is '" + *at + "'; it must be a time such as 2026-01-31T08:15:00.000Z.");
        }
        const auto checked = body ? body->finish() : Result<void>();
        for (const Error* error : {errorOf(number), errorOf(text), errorOf(checked)}) {
            if (error != nullptr) {
                reply(http::problem(*error));
                return;
            }
        }
        m_plane.incidents().note(*number, *text, at ? fromRfc3339(*at) : std::nullopt, call.actor(), answerWith(reply, m_plane.clock().wall(), 201));
    });
}

} // namespace weir::api
