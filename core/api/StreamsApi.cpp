// SPDX-License-Identifier: GPL-3.0-or-later
// Publishing, playing, and the streams that run: the four selectors over HTTP.
#include "core/api/Api.h"
#include "core/api/JsonViews.h"
#include "core/http/FlatObject.h"
#include "core/http/JsonBody.h"
#include "core/http/JsonText.h"
#include "core/http/Problem.h"

#include <algorithm>
#include <boost/json.hpp>

namespace weir::api {
namespace json = boost::json;
namespace {

constexpr std::int64_t kMostNeed = 1'000'000;

struct StreamRequest {
    std::string app;
    std::string stream;
    weir::Endpoint endpoint = weir::Endpoint::Any;
    std::uint32_t need = 1;
};

Result<void> checkNames(const StreamRequest& request)
{
    if (auto app = AppId::parse(request.app, "appId"); !app) {
        return tl::unexpected(app.error());
    }
    if (auto stream = parseStream(request.stream, "stream"); !stream) {
        return tl::unexpected(stream.error());
    }
    return {};
}

// The usual body, which comes thousands of times a second. Nothing: it is another one, or something is wrong with it.
std::optional<StreamRequest> readUsualPublish(const http::Request& request)
{
    const auto body = http::FlatObject::read(request);
    const auto app = body ? body->text("appId") : std::nullopt;
    const auto stream = body ? body->text("stream") : std::nullopt;
    const auto protocol = body ? body->text("protocol") : std::nullopt;
    const auto need = body ? body->number("need") : std::nullopt;
    const std::int64_t wanted = need.value_or(1);
    if (!app || !stream || !protocol || body->size() != (need ? 4U : 3U) || wanted < 1 || wanted > kMostNeed) {
        return std::nullopt;
    }
    const auto endpoint = endpointFromText(*protocol);
    StreamRequest result{std::string(*app), std::string(*stream), endpoint.value_or(weir::Endpoint::Any), static_cast<std::uint32_t>(wanted)};
    return result.endpoint != weir::Endpoint::Any && checkNames(result) ? std::optional(std::move(result)) : std::nullopt;
}

Result<StreamRequest> readPublish(const http::Request& request)
{
    if (auto usual = readUsualPublish(request)) {
        return std::move(*usual);
    }
    auto body = http::JsonBody::parse(request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    StreamRequest result;
    result.app = body->requireString("appId");
    result.stream = body->requireString("stream");
    const std::string protocol = body->requireString("protocol");
    result.need = static_cast<std::uint32_t>(body->optionalInteger("need", 1, kMostNeed).value_or(1));
    const auto endpoint = endpointFromText(protocol);
    if (!endpoint || *endpoint == weir::Endpoint::Any) {
        body->refuse("protocol", "invalid_value", "protocol must be whip or srt.");
    }
    if (auto checked = body->finish(); !checked) {
        return tl::unexpected(checked.error());
    }
    result.endpoint = *endpoint;
    return checkNames(result).map([&] { return result; });
}

Result<StreamRequest> readPlay(const http::Request& request)
{
    auto body = http::JsonBody::parse(request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    StreamRequest result;
    result.app = body->requireString("appId");
    result.stream = body->requireString("stream");
    if (auto checked = body->finish(); !checked) {
        return tl::unexpected(checked.error());
    }
    return checkNames(result).map([&] { return result; });
}

Result<StreamRequest> readPath(const http::Request& request)
{
    StreamRequest result;
    result.app = request.params.at("appId");
    result.stream = request.params.at("stream");
    return checkNames(result).map([&] { return result; });
}

// Where a node is reached: nodes that register may say no more than where they take streams.
const std::string& addressOf(const fleet::NodeSpec& spec)
{
    return !spec.url.empty() ? spec.url : !spec.webrtcBaseUrl.empty() ? spec.webrtcBaseUrl : spec.publishUrl;
}

void appendText(std::string& out, std::string_view text)
{
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; });
    if (!plain) {
        out += http::jsonText(json::value(std::string(text)));
        return;
    }
    out += '"';
    out += text;
    out += '"';
}

/// A decision with the texts that its answer needs, made under one lock.
struct Answered {
    fleet::Decision decision;
    std::string node;
    std::string pool; ///< of the node, or the one the app resolves to
    std::string url;
    std::string sentence;
};

// {nodeId, poolId, publishUrl, placement, fallback}, written straight: as a JSON value it would take a dozen allocations.
http::Response placed(const Answered& answer)
{
    http::Response response;
    std::string& out = response.body;
    out.reserve(200);
    out += "{\"nodeId\":";
    appendText(out, answer.node);
    out += ",\"poolId\":";
    appendText(out, answer.pool);
    out += ",\"publishUrl\":";
    appendText(out, answer.url);
    out += ",\"placement\":";
    out += std::to_string(answer.decision.placement);
    out += answer.decision.fallback ? ",\"fallback\":true}" : ",\"fallback\":false}";
    return response;
}

template <typename Select>
Answered decide(plane::ControlPlane& plane, weir::Endpoint endpoint, Select select)
{
    return plane.fleet().with([&](fleet::Fleet& fleet, Instant now) {
        Answered answer;
        answer.decision = select(fleet, now);
        if (answer.decision.code == fleet::Code::Ok) {
            const fleet::NodeSpec& spec = fleet.node(answer.decision.node).spec;
            answer.node = spec.id.text();
            answer.pool = fleet.pool(answer.decision.pool).spec.id.text();
            answer.url = endpoint == weir::Endpoint::Whip ? spec.webrtcBaseUrl : endpoint == weir::Endpoint::Srt ? spec.publishUrl : addressOf(spec);
        } else {
            answer.sentence = fleet.refusalSentence(answer.decision);
            answer.pool = answer.decision.primary.isValid() ? fleet.pool(answer.decision.primary).spec.id.text() : std::string();
        }
        return answer;
    });
}

} // namespace

http::Response Api::refusedStream(const Call& call, const fleet::Decision& decision, const std::string& pool, const std::string& sentence)
{
    if (decision.code == fleet::Code::UnknownApp) {
        return http::problem(Error{"unknown_app", sentence, "appId"});
    }
    if (decision.code == fleet::Code::TooManyStreams) {
        http::Response response = http::problem(Error{"too_many_streams", sentence, {}});
        response.headers.emplace_back("Retry-After", "10");
        return response;
    }
    json::object explanation{{"sentence", sentence}};
    if (call.access == Access::Superadmin) {
        // The record may be up to a second old; the sentence is of now.
        const std::string app = decision.appText.str();
        explanation = m_refusals.get({decision.role, pool, app, decision.endpoint, decision.need}, m_plane.clock().now(), [&] {
            const WallTime wall = m_plane.clock().wall();
            const fleet::Request request{decision.role, app, decision.need, decision.endpoint};
            return toJson(m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant now) { return fleet.explain(request, now, wall); }), false);
        });
        explanation["sentence"] = sentence;
    }
    const char* code = decision.role == Role::Edge ? "no_healthy_edge" : "no_healthy_origin";
    return http::problem(503, Error{code, sentence, {}}, {{"explanation", std::move(explanation)}});
}

void Api::addStreams()
{
    add("POST", "/v1/publish/requests", {Access::Gateway, Access::App}, [this](const Call& call, const http::Reply& reply) {
        const auto request = readPublish(call.request);
        if (!request) {
            reply(http::problem(request.error()));
            return;
        }
        if (!call.mayActFor(request->app)) {
            reply(m_access->refuseApp(call, request->app));
            return;
        }
        const Answered answer = decide(m_plane, request->endpoint, [&](fleet::Fleet& fleet, Instant now) {
            return request->endpoint == weir::Endpoint::Whip ? fleet.selectOriginForPublish(request->app, request->stream, request->need, now)
                                                       : fleet.selectOriginForSrtPublish(request->app, request->stream, request->need, now);
        });
        if (answer.decision.code != fleet::Code::Ok) {
            reply(refusedStream(call, answer.decision, answer.pool, answer.sentence));
            return;
        }
        if (call.access == Access::App && answer.decision.placement != 0) {
            m_placements.note(answer.decision.placement, request->app);
        }
        reply(placed(answer));
    });

    add("GET", "/v1/streams/{appId}/{stream}/origin", {Access::Gateway, Access::App}, [this](const Call& call, const http::Reply& reply) {
        const auto request = readPath(call.request);
        if (!request) {
            reply(http::problem(request.error()));
            return;
        }
        if (!call.mayActFor(request->app)) {
            reply(m_access->refuseApp(call, request->app));
            return;
        }
        const Answered answer = decide(m_plane, weir::Endpoint::Any, [&](fleet::Fleet& fleet, Instant now) { return fleet.selectOriginForStream(request->app, request->stream, now); });
        if (answer.decision.code != fleet::Code::Ok) {
            reply(refusedStream(call, answer.decision, answer.pool, answer.sentence));
            return;
        }
        if (call.access == Access::App && answer.decision.placement != 0) {
            m_placements.note(answer.decision.placement, request->app);
        }
        json::object object{{"nodeId", answer.node}, {"poolId", answer.pool}, {"url", answer.url}, {"fallback", answer.decision.fallback}};
        object["placement"] = answer.decision.placement == 0 ? json::value(nullptr) : json::value(answer.decision.placement); // null: it was there already
        reply(http::json(200, object));
    });

    add("POST", "/v1/play/requests", {Access::Gateway, Access::App}, [this](const Call& call, const http::Reply& reply) {
        const auto request = readPlay(call.request);
        if (!request) {
            reply(http::problem(request.error()));
            return;
        }
        if (!call.mayActFor(request->app)) {
            reply(m_access->refuseApp(call, request->app));
            return;
        }
        const Answered answer = decide(m_plane, weir::Endpoint::Any, [&](fleet::Fleet& fleet, Instant now) { return fleet.selectEdgeForStream(request->app, request->stream, now); });
        if (answer.decision.code != fleet::Code::Ok) {
            reply(refusedStream(call, answer.decision, answer.pool, answer.sentence));
            return;
        }
        if (call.access == Access::App && answer.decision.placement != 0) {
            m_placements.note(answer.decision.placement, request->app);
        }
        reply(http::json(200, json::object{{"nodeId", answer.node}, {"poolId", answer.pool}, {"url", answer.url}, {"placement", answer.decision.placement},
                                  {"fallback", answer.decision.fallback}}));
    });
    addStreamReads();
}

void Api::addStreamReads()
{
    add("GET", "/v1/streams/{appId}/{stream}/edges", {Access::Gateway, Access::App, Access::Operator, Access::Viewer}, [this](const Call& call, const http::Reply& reply) {
        const auto request = readPath(call.request);
        const auto page = pageOf(call.request, {});
        if (!request || !page) {
            reply(http::problem(request ? page.error() : request.error()));
            return;
        }
        if (!call.mayActFor(request->app)) {
            reply(m_access->refuseApp(call, request->app));
            return;
        }
        const bool showsAddresses = call.access != Access::Operator && call.access != Access::Viewer;
        json::object object;
        m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant now) {
            json::array items;
            const fleet::Decision head = fleet.preview({Role::Edge, request->app, 1, weir::Endpoint::Any}, now);
            for (const NodeHandle node : fleet.findEdgesForStream(request->app, request->stream, page->limit, now)) {
                const fleet::NodeSpec& spec = fleet.node(node).spec;
                json::object item{{"nodeId", spec.id.text()}, {"poolId", fleet.pool(fleet.core(node).pool).spec.id.text()}, {"free", fleet.core(node).free}};
                if (showsAddresses) {
                    item["url"] = addressOf(spec);
                }
                items.emplace_back(std::move(item));
            }
            object = {{"code", fleet::toText(head.code)}, {"fallback", head.fallback}, {"items", std::move(items)}};
            if (head.code != fleet::Code::Ok) {
                object["explanation"] = json::object{{"sentence", fleet.refusalSentence(head)}};
            }
        });
        m_plane.countQuietRead();
        reply(http::json(200, object));
    });

    add("GET", "/v1/streams", {Access::Gateway, Access::App, Access::Operator, Access::Viewer}, [this](const Call& call, const http::Reply& reply) {
        const auto page = pageOf(call.request, {"appId", "nodeId"});
        if (!page) {
            reply(http::problem(page.error()));
            return;
        }
        reply(http::json(200, streamList(call, *page)));
    });

    add("DELETE", "/v1/streams/{appId}/{stream}", {Access::Gateway, Access::App}, [this](const Call& call, const http::Reply& reply) {
        const auto request = readPath(call.request);
        if (!request) {
            reply(http::problem(request.error()));
            return;
        }
        if (!call.mayActFor(request->app)) {
            reply(m_access->refuseApp(call, request->app));
            return;
        }
        const bool ended = m_plane.fleet().with([&](fleet::Fleet& fleet, Instant) { return fleet.endStream(request->app, request->stream); });
        answerDone(reply, ended ? Result<void>() : fail("unknown_stream", "App '" + request->app + "' has no stream '" + request->stream + "'.", "stream"));
    });
}

json::object Api::streamList(const Call& call, const Page& page) const
{
    const http::Request& request = call.request;
    constexpr std::size_t kMostLooked = 10'000; // under the lock; what a filter leaves out counts too
    const auto app = request.queryValue("appId");
    const auto node = request.queryValue("nodeId");
    const WallTime wall = m_plane.clock().wall();
    json::array items;
    json::value next = nullptr;
    m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant now) {
        std::size_t looked = 0;
        std::string last;
        // Keys of one app stand together, so a filter by app starts at its first one.
        const std::string from = app && page.after.empty() ? std::string(*app) + "/" : page.after;
        fleet.streams().forEachAfter(from, [&](const fleet::Streams::Stream& stream) {
            if (items.size() == page.limit || looked == kMostLooked) {
                next = last;
                return false;
            }
            if (app && stream.app != *app) {
                return stream.app < *app; // past its streams
            }
            ++looked;
            last = std::string(stream.app) + "/" + std::string(stream.stream);
            const fleet::NodeSpec& spec = fleet.node(stream.node).spec;
            if ((node && spec.id.text() != *node) || !call.mayActFor(stream.app)) {
                return true;
            }
            const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(now - stream.since);
            items.emplace_back(json::object{{"appId", stream.app}, {"stream", stream.stream}, {"nodeId", spec.id.text()},
                {"poolId", fleet.pool(fleet.core(stream.node).pool).spec.id.text()}, {"since", toRfc3339(wall - age)}, {"reported", stream.reported}});
            return true;
        });
    });
    m_plane.countQuietRead();
    return {{"items", std::move(items)}, {"next", std::move(next)}};
}

} // namespace weir::api
