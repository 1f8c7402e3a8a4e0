// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/api/RefusalRecords.h"
#include "core/http/Message.h"
#include "core/http/Router.h"
#include "core/plane/ControlPlane.h"

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace weir::api {

/// Roles of api.md "Who may call".
enum class Access : unsigned char { Superadmin, Operator, Viewer, Gateway, App };

/// A request that may do what it asks.
struct Call {
    http::Request request;
    plane::Actor actor;
    Access access = Access::Superadmin;
};

/// The HTTP interface of a control plane (api.md). Handlers run on the io thread; commands answer from the store thread.
class Api {
public:
    explicit Api(plane::ControlPlane& plane);
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;

    /// Root of the control listener.
    void handleControl(http::Request request, http::Reply reply) const { m_control.dispatch(std::move(request), std::move(reply)); }
    /// Root of the traffic listener: `/gateway-health`; everything else is 404 `no_route`.
    void handleTraffic(http::Request request, http::Reply reply) const;

    /// Method and pattern of every route of the control listener.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> routes() const { return m_control.routes(); }

private:
    using Endpoint = std::function<void(const Call&, const http::Reply&)>;

    /// Adds a route that needs a token with one of these roles; superadmins may everything.
    void add(std::string_view method, std::string_view pattern, std::initializer_list<Access> allowed, Endpoint endpoint);

    void addHealth();      // HealthApi.cpp: open, without token
    void addPools();       // PoolsApi.cpp
    void addNodes();       // NodesApi.cpp
    void addMoves();       // MovesApi.cpp
    void addUsersAndApps(); // AppsApi.cpp
    void addSettings();    // SettingsApi.cpp
    void addScheduling();  // ScheduleApi.cpp
    void addAlarms();      // AlarmsApi.cpp

    [[nodiscard]] http::Response gatewayHealth() const;

    plane::ControlPlane& m_plane;
    RefusalRecords m_refusals; // used by the handlers of m_control alone, on the io thread
    http::Router m_control;
    http::Router m_traffic;
};

/// Page of a list: `limit` (default 100, at most 1,000) and `after`, the last id of the page before.
struct Page {
    std::size_t limit = 100;
    std::string after;
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

/// Answers 204, or the problem of the error.
void answerDone(const http::Reply& reply, const Result<void>& result);

} // namespace weir::api
