// SPDX-License-Identifier: GPL-3.0-or-later
// /v1/schedule, placements, outcomes.
#include "core/api/Api.h"
#include "core/api/JsonViews.h"
#include "core/http/JsonBody.h"
#include "core/http/Problem.h"

#include <boost/json.hpp>
#include <charconv>

namespace weir::api {
namespace json = boost::json;
namespace {

constexpr std::int64_t kMostNeed = 1'000'000;

struct ScheduleRequest {
    std::string app;
    Role role = Role::Worker;
    Endpoint endpoint = Endpoint::Any;
    std::uint32_t need = 1;
    bool dryRun = false;

    [[nodiscard]] fleet::Request request() const { return {role, app, need, endpoint}; }
};

Result<ScheduleRequest> readSchedule(const http::Request& request)
{
    auto body = http::JsonBody::parse(request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    ScheduleRequest result;
    const std::string role = body->requireString("role");
    result.app = body->requireString("appId");
    result.need = static_cast<std::uint32_t>(body->optionalInteger("need", 1, kMostNeed).value_or(1));
    const auto endpoint = body->optionalString("endpoint");
    result.dryRun = body->optionalBool("dryRun").value_or(false);
    if (auto checked = body->finish(); !checked) {
        return tl::unexpected(checked.error());
    }
    const auto parsedRole = roleFromText(role);
    if (!parsedRole) {
        return fail("invalid_value", "role is '" + role + "'; it must be origin, edge or worker.", "role");
    }
    if (!isScheduled(*parsedRole)) {
        return fail("unscheduled_role", "No pool schedules the role " + role + "; it must be origin, edge or worker.", "role");
    }
    if (auto app = AppId::parse(result.app, "appId"); !app) {
        return tl::unexpected(app.error());
    }
    if (endpoint) {
        const auto parsed = endpointFromText(*endpoint);
        if (!parsed || *parsed == Endpoint::Any) {
            return fail("invalid_value", "endpoint is '" + *endpoint + "'; it must be whip or srt.", "endpoint");
        }
        result.endpoint = *parsed;
    }
    result.role = *parsedRole;
    return result;
}

http::Response dryRun(plane::ControlPlane& plane, const ScheduleRequest& request, bool own)
{
    const WallTime wall = plane.clock().wall();
    const fleet::Explanation record = plane.fleet().read([&](const fleet::Fleet& fleet, Instant now) { return fleet.explain(request.request(), now, wall); });
    const auto orNull = [](const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); };
    return http::json(200, json::object{{"code", fleet::toText(record.code)}, {"nodeId", orNull(record.chosen)}, {"poolId", orNull(record.chosenPool)}, {"fallback", record.fallback},
                               {"explanation", toJson(record, own)}});
}

http::Response schedule(plane::ControlPlane& plane, RefusalRecords& records, const ScheduleRequest& request, bool own)
{
    struct Placed {
        fleet::Decision decision;
        std::string node;
        std::string pool;
        std::string url;
        std::string sentence;
    };
    const Placed placed = plane.fleet().with([&](fleet::Fleet& fleet, Instant now) {
        Placed result;
        result.decision = fleet.decide(request.request(), now);
        if (result.decision.code == fleet::Code::Ok) {
            const fleet::NodeSpec& spec = fleet.node(result.decision.node).spec;
            result.node = spec.id.text();
            result.pool = fleet.pool(result.decision.pool).spec.id.text();
            result.url = request.endpoint == Endpoint::Whip ? spec.webrtcBaseUrl : request.endpoint == Endpoint::Srt ? spec.publishUrl : spec.url;
        } else {
            result.sentence = fleet.refusalSentence(result.decision);
            result.pool = result.decision.primary.isValid() ? fleet.pool(result.decision.primary).spec.id.text() : std::string();
        }
        return result;
    });
    if (placed.decision.code == fleet::Code::Ok) {
        return http::json(200, json::object{{"nodeId", placed.node}, {"poolId", placed.pool}, {"url", placed.url}, {"placement", placed.decision.placement}, {"fallback", placed.decision.fallback}});
    }
    if (placed.decision.code == fleet::Code::UnknownApp) {
        return http::problem(Error{"unknown_app", placed.sentence, "appId"});
    }
    json::object explanation{{"sentence", placed.sentence}};
    if (!own) {
        // The record may be up to a second old; the sentence is of now.
        explanation = records.get({request.role, placed.pool, request.app, request.endpoint, request.need}, plane.clock().now(), [&] {
            const WallTime wall = plane.clock().wall();
            return toJson(plane.fleet().read([&](const fleet::Fleet& fleet, Instant now) { return fleet.explain(request.request(), now, wall); }), false);
        });
        explanation["sentence"] = placed.sentence;
    }
    return http::problem(503, Error{"no_candidate", placed.sentence, {}}, {{"explanation", std::move(explanation)}});
}

/// A reported outcome, read.
struct ReportedOutcome {
    std::string node;
    int status = 0; ///< 0: none
    std::string error;
    std::string body;
};

Result<ReportedOutcome> readOutcome(const http::Request& request)
{
    auto body = http::JsonBody::parse(request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    ReportedOutcome outcome;
    outcome.node = body->requireString("nodeId");
    const auto app = body->optionalString("appId");
    const auto status = body->optionalInteger("status", 100, 599);
    const auto error = body->optionalString("error");
    outcome.status = static_cast<int>(status.value_or(0));
    outcome.error = error.value_or(std::string());
    outcome.body = body->optionalString("body").value_or(std::string());
    if (auto checked = body->finish(); !checked) {
        return tl::unexpected(checked.error());
    }
    if (app) {
        if (auto id = AppId::parse(*app, "appId"); !id) {
            return tl::unexpected(id.error());
        }
    }
    if (error && !outcome::isTransportError(*error)) {
        return fail("invalid_value", "error is '" + *error + "'; it must be refused, reset, timeout, incomplete, tls or dns.", "error");
    }
    if (!status && !error) {
        return fail("missing_field", "Neither status nor error is given; one of them says how the request ended.", "status");
    }
    return outcome;
}

} // namespace

void Api::addScheduling()
{
    add("POST", "/v1/schedule", {Access::Gateway}, [this](const Call& call, const http::Reply& reply) {
        const auto request = readSchedule(call.request);
        if (!request) {
            reply(http::problem(request.error()));
            return;
        }
        const bool own = call.access != Access::Superadmin;
        reply(request->dryRun ? dryRun(m_plane, *request, own) : schedule(m_plane, m_refusals, *request, own));
    });

    add("POST", "/v1/placements/{placement}:release", {Access::Gateway}, [this](const Call& call, const http::Reply& reply) {
        const std::string& text = call.request.params.at("placement");
        std::uint64_t placement = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), placement);
        if (error != std::errc() || end != text.data() + text.size() || placement == 0) {
            reply(http::problem(Error{"invalid_value", "'" + text + "' is not a placement number.", "placement"}));
            return;
        }
        m_plane.fleet().with([&](fleet::Fleet& fleet, Instant now) { static_cast<void>(fleet.release(placement, now)); }); // gone already is fine too
        answerDone(reply, {});
    });

    add("POST", "/v1/outcomes", {Access::Gateway}, [this](const Call& call, const http::Reply& reply) {
        const auto outcome = readOutcome(call.request);
        if (!outcome) {
            reply(http::problem(outcome.error()));
            return;
        }
        routing::ResponseView response;
        response.status = outcome->status;
        response.body = outcome->body;
        const auto answer = m_plane.reportOutcome(outcome->node, {nullptr, outcome->error.empty() ? &response : nullptr}, outcome->error);
        if (!answer) {
            reply(http::problem(answer.error()));
            return;
        }
        reply(http::json(200, json::object{{"verdict", answer->verdict}, {"rule", answer->rule.empty() ? json::value(nullptr) : json::value(answer->rule)},
                                  {"inRotation", answer->inRotation}, {"quarantineRemainingSeconds", answer->quarantineRemainingSeconds}}));
    });
}

} // namespace weir::api
