// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that come by themselves: /v1/nodes; their credentials and licences for superadmins.
#include "core/api/Api.h"
#include "core/api/JsonViews.h"
#include "core/http/FlatObject.h"
#include "core/http/JsonBody.h"
#include "core/http/JsonText.h"
#include "core/http/Problem.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

namespace weir::api {
namespace json = boost::json;
namespace {

constexpr std::size_t kMostText = 200;
constexpr std::size_t kMostAddress = 2'000;
constexpr std::size_t kMostClaim = 100;
constexpr std::int64_t kMostCapacity = 1'000'000;
constexpr std::size_t kMostStreams = 100'000;
constexpr std::int64_t kMostMachines = 1'000'000;
constexpr std::array<const char*, 3> kPoolClaims{"poolId", "pool_id", "pool"};

// Text of the message; null and "" say nothing where `emptyIsNothing`, as clients leave fields open that way.
std::optional<std::string> textOf(http::JsonBody& body, const char* key, std::size_t most, bool emptyIsNothing = true)
{
    http::Patched<std::string> member = body.patchedString(key);
    if (!member.value || (emptyIsNothing && member.value->empty())) {
        return std::nullopt;
    }
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    if (member.value->size() > most || std::any_of(member.value->begin(), member.value->end(), isControl)) {
        body.refuse(key, "invalid_value", std::string(key) + " must have at most " + std::to_string(most) + " bytes and no control characters.");
        return std::nullopt;
    }
    return member.value;
}

std::vector<std::string> claimsIn(http::JsonBody& body)
{
    std::vector<std::string> claims;
    for (const char* key : kPoolClaims) {
        if (const json::value* value = body.raw(key)) {
            const std::string text = value->is_string() ? std::string(value->get_string()) : http::jsonText(*value);
            claims.push_back(std::string(key) + "=" + text.substr(0, kMostClaim));
        }
    }
    return claims;
}

Result<plane::Registration> readRegistration(const http::Request& request)
{
    auto body = http::JsonBody::parse(request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    body->allowUnknown();
    plane::Registration registration;
    registration.nodeSecret = textOf(*body, "nodeSecret", kMostText);
    registration.licenceCode = textOf(*body, "licenseCode", kMostText);
    registration.nodeType = textOf(*body, "nodeType", kMostText);
    registration.diskSerial = textOf(*body, "diskSerial", kMostText);
    registration.version = textOf(*body, "version", kMostText, false);
    registration.region = textOf(*body, "region", kMostText, false);
    registration.webrtcBaseUrl = textOf(*body, "webrtcBaseUrl", kMostAddress, false);
    registration.publishUrl = textOf(*body, "publishUrl", kMostAddress, false);
    registration.abrNegotiationAddr = textOf(*body, "abrNegotiationAddr", kMostText, false);
    registration.url = textOf(*body, "url", kMostAddress, false);
    registration.healthUrl = textOf(*body, "healthUrl", kMostAddress, false);
    registration.capacity = body->patchedInteger("capacity", 1, kMostCapacity).value;
    registration.poolClaims = claimsIn(*body);
    if (!registration.nodeSecret && !registration.licenceCode) {
        body->refuse("nodeSecret", "missing_field", "Neither nodeSecret nor licenseCode is given; one of them says who registers.");
    } else if (registration.nodeSecret && registration.licenceCode) {
        body->refuse("licenseCode", "invalid_value", "Both nodeSecret and licenseCode are given; one of them says who registers.");
    }
    if (auto checked = body->finish(); !checked) {
        return tl::unexpected(checked.error());
    }
    return registration;
}

// The usual heartbeat, without streams. Nothing: it is another one, or something is wrong with it.
std::optional<plane::HeartbeatReport> readUsualHeartbeat(const http::Request& request)
{
    const auto body = http::FlatObject::read(request);
    const auto boot = body ? body->text("bootId") : std::nullopt;
    const auto seq = body ? body->number("seq") : std::nullopt;
    const auto capacity = body ? body->number("capacity") : std::nullopt;
    const auto used = body ? body->number("used") : std::nullopt;
    const auto seen = body ? body->number("seenPlacement") : std::nullopt;
    if (!boot || boot->empty() || boot->size() > kMostText || !seq || !capacity || !used || body->size() != (seen ? 5U : 4U)) {
        return std::nullopt;
    }
    plane::HeartbeatReport report;
    report.bootId = *boot;
    report.seq = static_cast<std::uint64_t>(*seq);
    report.capacity = *capacity;
    report.used = *used;
    if (seen) {
        report.seenPlacement = static_cast<std::uint64_t>(*seen);
    }
    return report;
}

Result<plane::HeartbeatReport> readHeartbeat(const http::Request& request)
{
    if (auto usual = readUsualHeartbeat(request)) {
        return std::move(*usual);
    }
    auto body = http::JsonBody::parse(request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    plane::HeartbeatReport report;
    report.bootId = body->requireString("bootId");
    report.seq = static_cast<std::uint64_t>(body->requireInteger("seq", 0));
    report.capacity = body->requireInteger("capacity", 0);
    report.used = body->requireInteger("used", 0);
    if (const auto seen = body->optionalInteger("seenPlacement", 0)) {
        report.seenPlacement = static_cast<std::uint64_t>(*seen);
    }
    const auto streams = body->optionalObjects("streams", kMostStreams);
    if (report.bootId.empty() || report.bootId.size() > kMostText) {
        body->refuse("bootId", "invalid_value", "bootId must have 1 to 200 bytes.");
    }
    if (streams) {
        report.streams.emplace();
        report.streams->reserve(streams->size());
        for (http::JsonBody item : *streams) {
            plane::ReportedStream stream{item.requireString("appId"), item.requireString("stream")};
            const auto app = AppId::parse(stream.app, item.fieldOf("appId"));
            const auto name = parseStream(stream.stream, item.fieldOf("stream"));
            if (!app || !name) {
                const Error& error = app ? name.error() : app.error();
                item.refuse(app ? "stream" : "appId", error.code, error.message);
            }
            report.streams->push_back(std::move(stream));
        }
    }
    if (auto checked = body->finish(); !checked) {
        return tl::unexpected(checked.error());
    }
    return report;
}

void heartbeat(plane::ControlPlane& plane, const http::Request& request, const http::Reply& reply)
{
    const std::string& id = request.params.at("id");
    if (auto node = NodeId::parse(id, "nodeId"); !node) {
        reply(http::problem(node.error()));
        return;
    }
    const auto token = bearerOf(request);
    if (!token) {
        reply(unauthorized("missing_token", "A heartbeat needs the session's token in a header 'Authorization: Bearer <token>'."));
        return;
    }
    const auto report = readHeartbeat(request);
    if (!report) {
        reply(http::problem(plane.registrar().refuseHeartbeat(id, *token, request.peer, report.error())));
        return;
    }
    const Result<bool> taken = plane.registrar().heartbeat(id, *token, *report, request.peer);
    if (!taken) {
        reply(http::problem(taken.error()));
        return;
    }
    http::Response response;
    response.body = *taken ? "{\"ignored\":false}" : "{\"ignored\":true}";
    reply(std::move(response));
}

void leave(plane::ControlPlane& plane, const http::Request& request, const http::Reply& reply)
{
    const std::string& id = request.params.at("id");
    const auto token = bearerOf(request);
    auto body = http::JsonBody::parseOrEmpty(request);
    if (!token) {
        reply(unauthorized("missing_token", "Leaving needs the session's token in a header 'Authorization: Bearer <token>'."));
    } else if (!body) {
        reply(http::problem(body.error()));
    } else if (auto checked = body->finish(); !checked) {
        reply(http::problem(checked.error()));
    } else {
        answerDone(reply, plane.registrar().leave(id, *token, request.peer));
    }
}

Result<plane::NewLicence> readLicence(const http::Request& request)
{
    auto body = http::JsonBody::parse(request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    plane::NewLicence licence;
    const std::string owner = body->requireString("owner");
    const std::string role = body->requireString("role");
    licence.pool = body->optionalString("poolId");
    licence.nodes = static_cast<int>(body->requireInteger("nodes", 1, kMostMachines));
    const http::Patched<std::string> expires = body->patchedString("expires");
    if (expires.value) {
        licence.expires = fromRfc3339(*expires.value);
        if (!licence.expires) {
            body->refuse("expires", "invalid_value", "expires must be a time such as 2027-01-31T00:00:00Z.");
        }
    }
    if (auto checked = body->finish(); !checked) {
        return tl::unexpected(checked.error());
    }
    const auto parsedOwner = UserId::parse(owner, "owner");
    if (!parsedOwner) {
        return tl::unexpected(parsedOwner.error());
    }
    const auto parsedRole = roleFromText(role);
    if (!parsedRole) {
        return fail("invalid_value", "role is '" + role + "'; it must be origin, edge, worker, recorder, forward or standalone.", "role");
    }
    licence.owner = *parsedOwner;
    licence.role = *parsedRole;
    return licence;
}

json::object toJson(const store::LicenceRecord& licence)
{
    const std::string pool = licence.pool.empty() ? userPoolOf(UserId::trusted(licence.owner)).text() : licence.pool;
    json::object object{{"licenceId", licence.id}, {"owner", licence.owner}, {"role", licence.role}, {"poolId", pool}, {"nodes", licence.nodes},
        {"createdAt", toRfc3339(licence.createdAt)}};
    object["expires"] = licence.expires ? json::value(toRfc3339(*licence.expires)) : json::value(nullptr);
    return object;
}

} // namespace

void Api::addRegistration()
{
    // These three prove who they are by themselves: a secret, a session's token.
    m_control.add("POST", "/v1/nodes/register", [this](const http::Request& request, const http::Reply& reply) {
        auto registration = readRegistration(request);
        if (!registration) {
            reply(http::problem(registration.error()));
            return;
        }
        m_plane.registrar().enrol(std::move(*registration), request.peer, [reply](const Result<plane::Registered>& registered) {
            if (!registered) {
                reply(http::problem(registered.error()));
                return;
            }
            reply(http::json(200, json::object{{"nodeId", registered->nodeId}, {"sessionToken", registered->sessionToken},
                                      {"heartbeatIntervalSeconds", registered->heartbeatIntervalSeconds}}));
        });
    });
    m_control.add("POST", "/v1/nodes/{id}/heartbeat", [this](const http::Request& request, const http::Reply& reply) { heartbeat(m_plane, request, reply); });
    m_control.add("POST", "/v1/nodes/{id}/leave", [this](const http::Request& request, const http::Reply& reply) { leave(m_plane, request, reply); });

    add("POST", "/admin/mmx-nodes/{id}:rotate-secret", {}, [this](const Call& call, const http::Reply& reply) {
        const std::string id = call.request.params.at("id");
        m_plane.registrar().rotateSecret(id, call.actor(), [id, reply](const Result<std::string>& secret) {
            reply(secret ? http::json(200, json::object{{"nodeId", id}, {"nodeSecret", *secret}}) : http::problem(secret.error()));
        });
    });
    add("POST", "/admin/mmx-nodes/{id}:clear-serial", {}, [this](const Call& call, const http::Reply& reply) {
        m_plane.registrar().clearSerial(call.request.params.at("id"), call.actor(), [reply](const Result<void>& result) { answerDone(reply, result); });
    });
    for (const bool disabled : {true, false}) {
        add("POST", disabled ? "/admin/mmx-nodes/{id}:disable" : "/admin/mmx-nodes/{id}:enable", {}, [this, disabled](const Call& call, const http::Reply& reply) {
            m_plane.registrar().setDisabled(call.request.params.at("id"), disabled, call.actor(), [reply](const Result<void>& result) { answerDone(reply, result); });
        });
    }
    addLicences();
}

void Api::addLicences()
{
    add("GET", "/admin/licences", {}, [this](const Call& call, const http::Reply& reply) {
        const auto page = pageOf(call.request, {"owner", "role"});
        if (!page) {
            reply(http::problem(page.error()));
            return;
        }
        const auto owner = call.request.queryValue("owner");
        const auto role = call.request.queryValue("role");
        const auto wanted = [owner = owner ? std::optional(std::string(*owner)) : std::nullopt, role = role ? std::optional(std::string(*role)) : std::nullopt](
                                const plane::LicenceFacts& facts) { return (!owner || *owner == facts.licence.owner) && (!role || *role == facts.licence.role); };
        m_plane.licences().list([page = *page, wanted, reply](const std::vector<plane::LicenceFacts>& licences) {
            reply(http::json(200, listOf(
                                      licences, page, [](const plane::LicenceFacts& facts) { return facts.licence.id; }, wanted,
                                      [](const plane::LicenceFacts& facts) {
                                          json::object object = toJson(facts.licence);
                                          object["used"] = facts.used;
                                          return object;
                                      })));
        });
    });
    add("POST", "/admin/licences", {}, [this](const Call& call, const http::Reply& reply) {
        auto licence = readLicence(call.request);
        if (!licence) {
            reply(http::problem(licence.error()));
            return;
        }
        m_plane.licences().create(std::move(*licence), call.actor(), [reply](const Result<plane::LicenceCreated>& created) {
            if (!created) {
                reply(http::problem(created.error()));
                return;
            }
            json::object object = toJson(created->licence);
            object["licenseCode"] = created->code;
            http::Response response = http::json(201, object);
            response.headers.emplace_back("Location", "/admin/licences/" + created->licence.id);
            reply(std::move(response));
        });
    });
    add("DELETE", "/admin/licences/{id}", {}, [this](const Call& call, const http::Reply& reply) {
        m_plane.licences().remove(call.request.params.at("id"), call.actor(), [reply](const Result<void>& result) { answerDone(reply, result); });
    });
}

} // namespace weir::api
