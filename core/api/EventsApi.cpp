// SPDX-License-Identifier: GPL-3.0-or-later
// /admin/events, /admin/series.
#include "core/api/Api.h"
#include "core/api/JournalViews.h"
#include "core/api/QueryValues.h"
#include "core/http/Problem.h"

#include <boost/json.hpp>

namespace weir::api {
namespace json = boost::json;
namespace {

constexpr auto kUsualWindow = std::chrono::hours(1);
constexpr std::int64_t kUsualPoints = 1'000;
constexpr std::int64_t kFewestPoints = 3; // the first, and lowest and last of one slice
constexpr std::int64_t kMostPoints = 4'000;

// Errors: `invalid_value`, `invalid_cursor`, `out_of_range`, `unknown_field`.
Result<store::EventFilter> filterOf(const http::Request& request)
{
    const auto page = pageOf(request, {"kind", "nodeId", "poolId", "appId", "role", "since", "until", "order"});
    if (!page) {
        return tl::unexpected(page.error());
    }
    store::EventFilter filter;
    filter.limit = page->limit;
    filter.nodeId = std::string(request.queryValue("nodeId").value_or(""));
    filter.poolId = std::string(request.queryValue("poolId").value_or(""));
    filter.appId = std::string(request.queryValue("appId").value_or(""));
    const auto kinds = kindsOf(request);
    const auto role = roleOf(request);
    const auto since = timeOf(request, "since");
    const auto until = timeOf(request, "until");
    const auto after = numberOf(page->after);
    for (const Error* error : {errorOf(kinds), errorOf(role), errorOf(since), errorOf(until), errorOf(after)}) {
        if (error != nullptr) {
            return tl::unexpected(*error);
        }
    }
    const std::string_view order = request.queryValue("order").value_or("oldest");
    if (order != "oldest" && order != "newest") {
        return fail("invalid_value", "order is '" + std::string(order) + "'; it must be oldest or newest.", "order");
    }
    filter.kinds = *kinds;
    filter.role = *role;
    filter.since = *since;
    filter.until = *until;
    filter.newestFirst = order == "newest";
    (filter.newestFirst ? filter.beforeSeq : filter.afterSeq) = *after;
    return filter;
}

Result<store::SeriesQuery> seriesQueryOf(const http::Request& request, WallTime now)
{
    for (const auto& [key, value] : request.query) {
        if (key != "poolId" && key != "role" && key != "since" && key != "until" && key != "points") {
            return fail("unknown_field", "'" + key + "' is not a parameter of this call.", key);
        }
    }
    const auto role = roleOf(request);
    const auto since = timeOf(request, "since");
    const auto until = timeOf(request, "until");
    const auto points = integerOf(request, "points", kUsualPoints, kFewestPoints, kMostPoints);
    for (const Error* error : {errorOf(role), errorOf(since), errorOf(until), errorOf(points)}) {
        if (error != nullptr) {
            return tl::unexpected(*error);
        }
    }
    store::SeriesQuery query;
    query.key = {std::string(request.queryValue("poolId").value_or("")), *role};
    query.until = until->value_or(now);
    query.since = since->value_or(query.until - kUsualWindow);
    if (query.until < query.since) {
        return fail("invalid_value", "until lies before since.", "until");
    }
    query.maxPoints = static_cast<std::size_t>(*points) - 1; // the first point comes beside those of the window
    return query;
}

} // namespace

void Api::addJournal()
{
    add("GET", "/admin/events", {Access::Operator, Access::Viewer}, [this](const Call& call, const http::Reply& reply) {
        auto filter = filterOf(call.request);
        if (!filter) {
            reply(http::problem(filter.error()));
            return;
        }
        m_plane.read([reply, filter = std::move(*filter)](store::StoreReader& reader) mutable {
            const std::size_t limit = filter.limit++; // one more tells whether there are more
            const auto events = reader.events(filter);
            reply(events ? http::json(200, pageOfEvents(*events, limit)) : http::problem(events.error()));
        });
    });

    add("GET", "/admin/series", {Access::Operator, Access::Viewer}, [this](const Call& call, const http::Reply& reply) {
        auto query = seriesQueryOf(call.request, m_plane.clock().wall());
        if (!query) {
            reply(http::problem(query.error()));
            return;
        }
        m_plane.read([reply, query = std::move(*query)](store::StoreReader& reader) {
            const auto points = reader.series(query);
            if (!points) {
                reply(http::problem(points.error()));
                return;
            }
            reply(http::json(200, json::object{{"poolId", query.key.poolId}, {"role", query.key.role}, {"since", toRfc3339(query.since)}, {"until", toRfc3339(query.until)},
                                      {"points", toJson(*points)}}));
        });
    });
}

} // namespace weir::api
