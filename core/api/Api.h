// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/api/Access.h"
#include "core/api/RefusalRecords.h"
#include "core/http/Message.h"
#include "core/http/Router.h"
#include "core/plane/ControlPlane.h"

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::api {

class EventStream;
class MetricSheet;

/// Page of a list: `limit` (default 100, at most 1,000) and `after`, the last id of the page before.
struct Page {
    std::size_t limit = 100;
    std::string after;
};

/// The HTTP interface of a control plane (api.md). Handlers run on the io thread; commands answer from the store thread.
class Api {
public:
    explicit Api(plane::ControlPlane& plane);
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;
    ~Api();

    /// Root of the control listener.
    void handleControl(http::Request&& request, http::Reply reply) const { m_control.dispatch(std::move(request), std::move(reply)); }
    /// Root of the traffic listener: `/gateway-health`; everything else is 404 `no_route`.
    void handleTraffic(http::Request&& request, http::Reply reply) const;

    /// Adds its series to every answer of /metrics. Before requests come; called on the io thread.
    using MetricSource = std::function<void(MetricSheet&)>;
    void addMetricSource(MetricSource source) { m_metricSources.push_back(std::move(source)); }

    /// Method and pattern of every route of the control listener.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> routes() const { return m_control.routes(); }

private:
    using Endpoint = std::function<void(const Call&, const http::Reply&)>;

    /// Adds a route that needs a token with one of these roles; superadmins may everything.
    void add(std::string_view method, std::string_view pattern, std::initializer_list<Access> allowed, Endpoint endpoint);

    void addHealth();      // HealthApi.cpp: open, without token
    void addMetrics();     // MetricsApi.cpp: open, without token
    void addStream();      // StreamApi.cpp
    void addPools();       // PoolsApi.cpp
    void addNodes();       // NodesApi.cpp
    void addMoves();       // MovesApi.cpp
    void addUsersAndApps(); // AppsApi.cpp
    void addSettings();    // SettingsApi.cpp
    void addScheduling();  // ScheduleApi.cpp
    void addTokens();      // TokensApi.cpp
    void addAudit();       // AuditApi.cpp
    void addConfig();      // ConfigApi.cpp
    void addRegistration(); // RegistrationApi.cpp
    void addLicences();     // RegistrationApi.cpp
    void addStreams();      // StreamsApi.cpp
    void addStreamReads();  // StreamsApi.cpp
    void addFleet();        // FleetApi.cpp
    void addJournal();     // EventsApi.cpp
    void addIncidents();   // IncidentsApi.cpp
    void addIncidentActions();
    void addAlarms();      // AlarmsApi.cpp

    [[nodiscard]] http::Response gatewayHealth() const;
    [[nodiscard]] http::Response refusedStream(const Call& call, const fleet::Decision& decision, const std::string& pool, const std::string& sentence);
    [[nodiscard]] boost::json::object streamList(const Call& call, const Page& page) const;

    plane::ControlPlane& m_plane;
    std::unique_ptr<AccessCheck> m_access; // as are these two
    OwnPlacements m_placements;
    RefusalRecords m_refusals; // used by the handlers of m_control alone, on the io thread
    std::vector<MetricSource> m_metricSources;
    std::unique_ptr<EventStream> m_events;
    http::Router m_control;
    http::Router m_traffic;
};

/// Error: `out_of_range` (field `limit`); `unknown_field` for a query parameter that is none of `filters`.
[[nodiscard]] Result<Page> pageOf(const http::Request& request, std::initializer_list<std::string_view> filters);

/// `{items, next}` from rows in the order of their ids; `idOf(row)`, `wanted(row)`, `toJson(row)`.
template <typename Rows, typename IdOf, typename Wanted, typename ToJson>
boost::json::object listOf(const Rows& rows, const Page& page, IdOf idOf, Wanted wanted, ToJson toJson)
{
    boost::json::array items;
    boost::json::value next = nullptr;
    std::string last;
    for (const auto& row : rows) {
        if (idOf(row) <= page.after || !wanted(row)) {
            continue;
        }
        if (items.size() == page.limit) {
            next = last;
            break;
        }
        last = idOf(row);
        items.push_back(toJson(row));
    }
    return {{"items", std::move(items)}, {"next", std::move(next)}};
}

/// The token of `Authorization: Bearer …`; nothing without one. The view is of the request's header.
[[nodiscard]] std::optional<std::string_view> bearerOf(const http::Request& request);
/// 401 with `WWW-Authenticate`.
[[nodiscard]] http::Response unauthorized(std::string code, std::string message);

/// Answers 204, or the problem of the error.
void answerDone(const http::Reply& reply, const Result<void>& result);

} // namespace weir::api
