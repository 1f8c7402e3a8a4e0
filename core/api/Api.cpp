// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/Api.h"

#include "core/api/EventStream.h"

#include "core/http/Problem.h"

#include <algorithm>
#include <charconv>

namespace weir::api {
namespace {

constexpr std::size_t kMostItems = 1'000;

} // namespace

Api::Api(plane::ControlPlane& plane)
    : m_plane(plane)
    , m_access(std::make_unique<AccessCheck>(plane))
    , m_events(std::make_unique<EventStream>(plane))
{
    addHealth();
    addMetrics();
    addStream();
    addPools();
    addNodes();
    addMoves();
    addUsersAndApps();
    addSettings();
    addScheduling();
    addTokens();
    addAudit();
    addConfig();
    addRegistration();
    addStreams();
    addFleet();
    addJournal();
    addIncidents();
    addAlarms();
}

Api::~Api() = default;

void Api::handleTraffic(http::Request&& request, http::Reply reply) const
{
    m_traffic.dispatch(std::move(request), std::move(reply));
}

void Api::add(std::string_view method, std::string_view pattern, std::initializer_list<Access> allowed, Endpoint endpoint)
{
    const std::vector<Access> roles(allowed);
    m_control.add(method, pattern,
        [this, roles, name = std::string(method) + " " + std::string(pattern), endpoint = std::move(endpoint)](http::Request&& request, const http::Reply& reply) {
            auto call = m_access->admit(std::move(request), roles, name);
            if (!call) {
                reply(std::move(call.error()));
                return;
            }
            endpoint(*call, reply);
        });
}

Result<Page> pageOf(const http::Request& request, std::initializer_list<std::string_view> filters)
{
    Page page;
    for (const auto& [key, value] : request.query) {
        if (key == "limit") {
            std::size_t limit = 0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), limit);
            if (error != std::errc() || end != value.data() + value.size() || limit < 1 || limit > kMostItems) {
                return fail("out_of_range", "limit is '" + value + "'; it must be a whole number from 1 to 1000.", "limit");
            }
            page.limit = limit;
        } else if (key == "after") {
            page.after = value;
        } else if (std::find(filters.begin(), filters.end(), std::string_view(key)) == filters.end()) {
            return fail("unknown_field", "'" + key + "' is not a parameter of this list.", key);
        }
    }
    return page;
}

void answerDone(const http::Reply& reply, const Result<void>& result)
{
    if (!result) {
        reply(http::problem(result.error()));
        return;
    }
    http::Response response;
    response.status = 204;
    response.contentType.clear();
    reply(std::move(response));
}

} // namespace weir::api
