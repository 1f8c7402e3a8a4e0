// SPDX-License-Identifier: GPL-3.0-or-later
// /admin/alarms, /admin/silences, /admin/webhooks.
#include "core/api/Api.h"
#include "core/http/JsonBody.h"
#include "core/http/Problem.h"

#include <boost/json.hpp>
#include <charconv>

namespace weir::api {
namespace json = boost::json;
using journal::Alarm;
namespace {

std::optional<std::uint64_t> idFrom(std::string_view text)
{
    std::uint64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    return error == std::errc() && end == text.data() + text.size() && id > 0 ? std::optional(id) : std::nullopt;
}

json::value textOrNull(const std::string& text)
{
    return text.empty() ? json::value(nullptr) : json::value(text);
}

json::object toJson(const journal::AlarmExplanation& explanation)
{
    json::object object{{"at", toRfc3339(explanation.at)}, {"sentence", explanation.sentence}};
    boost::system::error_code error;
    if (!explanation.detail.empty()) {
        json::value record = json::parse(explanation.detail, error);
        object["record"] = error ? json::value(nullptr) : std::move(record);
    }
    return object;
}

json::object toJson(const journal::AlarmKey& key)
{
    json::object object{{"role", textOrNull(key.role)}, {"poolId", textOrNull(key.poolId)}, {"appId", textOrNull(key.appId)}, {"nodeId", textOrNull(key.nodeId)}};
    if (!key.address.empty()) {
        object["address"] = key.address;
    }
    return object;
}

json::object toJson(const plane::AlarmView& view)
{
    const Alarm& alarm = view.alarm;
    const auto idOrNull = [](std::uint64_t id) { return id == 0 ? json::value(nullptr) : json::value(std::to_string(id)); };
    json::object object{
        {"id", std::to_string(alarm.id)},
        {"kind", journal::toText(alarm.key.kind)},
        {"key", toJson(alarm.key)},
        {"severity", journal::toText(alarm.severity)},
        {"state", journal::toText(alarm.state)},
        {"count", alarm.count},
        {"first", toRfc3339(alarm.first)},
        {"last", toRfc3339(alarm.last)},
        {"previous", idOrNull(alarm.previous)},
        {"incident", idOrNull(static_cast<std::uint64_t>(alarm.incident))},
        {"countedIn", idOrNull(alarm.countedIn)},
        {"stoodFor", alarm.stoodFor},
        {"folded", alarm.folded},
        {"delivered", alarm.delivery != journal::AlarmDelivery::None},
        {"silencedBy", textOrNull(view.silencedBy)},
        {"acknowledgedBy", textOrNull(alarm.acknowledgedBy)},
        {"explanation", json::object{{"sentence", alarm.latestExplanation.sentence}, {"first", toJson(alarm.firstExplanation)}, {"latest", toJson(alarm.latestExplanation)}}},
    };
    object["resolved"] = alarm.isOpen() ? json::value(nullptr) : json::value(toRfc3339(alarm.resolvedAt));
    object["acknowledged"] = alarm.acknowledgedBy.empty() ? json::value(nullptr) : json::value(toRfc3339(alarm.acknowledgedAt));
    return object;
}

json::object toJson(const store::SilenceRecord& silence)
{
    return {{"id", silence.id}, {"kind", textOrNull(silence.kind)}, {"role", textOrNull(silence.role)}, {"poolId", textOrNull(silence.pool)}, {"appId", textOrNull(silence.app)},
        {"nodeId", textOrNull(silence.node)}, {"until", toRfc3339(silence.until)}, {"reason", silence.reason}, {"createdBy", silence.createdBy},
        {"createdAt", toRfc3339(silence.createdAt)}};
}

// Filters compare whole values; an unknown kind or state is an error rather than an empty list.
Result<void> checkFilters(const http::Request& request)
{
    for (const auto& [key, value] : request.query) {
        if (key == "kind" && !journal::alarmKindFromText(value)) {
            return fail("invalid_value", "kind is '" + value + "', which is no kind of alarm.", key);
        }
        if (key == "state" && value != "open" && !journal::alarmStateFromText(value)) {
            return fail("invalid_value", "state is '" + value + "'; it must be firing, acknowledged, resolved, or open for the first two.", key);
        }
        if (key == "severity" && !journal::severityFromText(value)) {
            return fail("invalid_value", "severity is '" + value + "'; it must be warning or critical.", key);
        }
    }
    return {};
}

bool isWanted(const Alarm& alarm, const http::Request& request)
{
    for (const auto& [key, value] : request.query) {
        const bool fits = key == "kind" ? value == journal::toText(alarm.key.kind)
            : key == "state"            ? (value == "open" ? alarm.isOpen() : value == journal::toText(alarm.state))
            : key == "severity"         ? value == journal::toText(alarm.severity)
            : key == "role"             ? value == alarm.key.role
            : key == "poolId"           ? value == alarm.key.poolId
            : key == "appId"            ? value == alarm.key.appId
            : key == "nodeId"           ? value == alarm.key.nodeId
                                        : true;
        if (!fits) {
            return false;
        }
    }
    return true;
}

// The newest first; `after` is the id of the last one of the page before.
http::Response alarmList(plane::ControlPlane& plane, const http::Request& request)
{
    const auto page = pageOf(request, {"kind", "state", "severity", "role", "poolId", "appId", "nodeId"});
    if (!page) {
        return http::problem(page.error());
    }
    if (auto checked = checkFilters(request); !checked) {
        return http::problem(checked.error());
    }
    const auto after = page->after.empty() ? std::optional(std::uint64_t{0}) : idFrom(page->after);
    if (!after) {
        return http::problem(Error{"invalid_value", "after is '" + page->after + "'; it must be the id of an alarm.", "after"});
    }
    json::array items;
    json::value next = nullptr;
    std::uint64_t last = 0;
    plane.alarms().forEach([&](const plane::AlarmView& view) {
        if ((*after != 0 && view.alarm.id >= *after) || !isWanted(view.alarm, request)) {
            return true;
        }
        if (items.size() == page->limit) {
            next = std::to_string(last);
            return false;
        }
        last = view.alarm.id;
        items.push_back(toJson(view));
        return true;
    });
    return http::json(200, json::object{{"items", std::move(items)}, {"next", std::move(next)}});
}

Result<plane::SilenceRequest> readSilence(const http::Request& request)
{
    auto body = http::JsonBody::parse(request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    plane::SilenceRequest silence;
    silence.kind = body->optionalString("kind").value_or("");
    silence.role = body->optionalString("role").value_or("");
    silence.pool = body->optionalString("poolId").value_or("");
    silence.app = body->optionalString("appId").value_or("");
    silence.node = body->optionalString("nodeId").value_or("");
    silence.reason = body->requireString("reason");
    const std::string until = body->requireString("until");
    const auto time = fromRfc3339(until);
    if (!time) {
        body->refuse("until", "invalid_value", "until is '" + until + "'; it must be a time such as 2026-01-31T18:00:00Z.");
    }
    if (silence.reason.empty()) {
        body->refuse("reason", "invalid_value", "reason is empty; whoever finds the silence wants to know why it is there.");
    }
    if (auto checked = body->finish(); !checked) {
        return tl::unexpected(checked.error());
    }
    silence.until = *time;
    return silence;
}

} // namespace

void Api::addAlarms()
{
    add("GET", "/admin/alarms", {Access::Operator, Access::Viewer}, [this](const Call& call, const http::Reply& reply) {
        m_plane.read([this, reply, request = call.request](store::StoreReader&) { reply(alarmList(m_plane, request)); }); // what alarms come from may still be on its way
    });

    add("POST", "/admin/alarms/{id}:acknowledge", {Access::Operator}, [this](const Call& call, const http::Reply& reply) {
        auto body = http::JsonBody::parseOrEmpty(call.request);
        if (!body) {
            reply(http::problem(body.error()));
            return;
        }
        const std::string reason = body->optionalString("reason").value_or("");
        if (auto checked = body->finish(); !checked) {
            reply(http::problem(checked.error()));
            return;
        }
        const std::string& text = call.request.params.at("id");
        const auto id = idFrom(text);
        if (!id) {
            reply(http::problem(404, Error{"unknown_alarm", "There is no alarm '" + text + "'.", "id"}));
            return;
        }
        m_plane.alarms().acknowledge(*id, reason, call.actor(), [reply](const Result<plane::AlarmView>& result) {
            if (result) {
                reply(http::json(200, toJson(*result)));
                return;
            }
            const std::string& code = result.error().code;
            reply(code == "unknown_alarm" ? http::problem(404, result.error()) : code == "alarm_resolved" ? http::problem(409, result.error()) : http::problem(result.error()));
        });
    });

    add("GET", "/admin/silences", {Access::Operator}, [this](const Call& call, const http::Reply& reply) {
        const auto page = pageOf(call.request, {});
        if (!page) {
            reply(http::problem(page.error()));
            return;
        }
        reply(http::json(200, listOf(m_plane.alarms().silences(), *page, [](const store::SilenceRecord& silence) { return silence.id; }, [](const store::SilenceRecord&) { return true; },
                                  [](const store::SilenceRecord& silence) { return toJson(silence); })));
    });

    add("POST", "/admin/silences", {Access::Operator}, [this](const Call& call, const http::Reply& reply) {
        auto request = readSilence(call.request);
        if (!request) {
            reply(http::problem(request.error()));
            return;
        }
        m_plane.alarms().silence(std::move(*request), call.actor(), [reply](const Result<store::SilenceRecord>& result) {
            if (!result) {
                reply(result.error().code == "too_many_silences" ? http::problem(409, result.error()) : http::problem(result.error()));
                return;
            }
            http::Response response = http::json(201, toJson(*result));
            response.headers.emplace_back("Location", "/admin/silences/" + result->id);
            reply(std::move(response));
        });
    });

    add("DELETE", "/admin/silences/{id}", {Access::Operator}, [this](const Call& call, const http::Reply& reply) {
        m_plane.alarms().unsilence(call.request.params.at("id"), call.actor(), [reply](const Result<void>& result) {
            if (!result && result.error().code == "unknown_silence") {
                reply(http::problem(404, result.error()));
                return;
            }
            answerDone(reply, result);
        });
    });

    add("POST", "/admin/webhooks/{n}:test", {}, [this](const Call& call, const http::Reply& reply) {
        m_plane.webhooks().test(call.request.params.at("n"), [reply](const Result<int>& result) {
            if (!result) {
                reply(http::problem(result.error().code == "unknown_webhook" ? 404 : 502, result.error()));
                return;
            }
            reply(http::json(200, json::object{{"status", *result}}));
        });
    });
}

} // namespace weir::api
