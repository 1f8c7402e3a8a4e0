// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Router.h"

#include "core/http/Problem.h"
#include "core/http/Target.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace weir::http {
namespace {

std::size_t segmentCount(std::string_view path)
{
    return static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
}

// The segment after the leading '/', cut off `path`.
std::string_view takeSegment(std::string_view& path)
{
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    return segment;
}

std::string joined(const std::set<std::string>& methods)
{
    std::string text;
    for (const std::string& method : methods) {
        text += (text.empty() ? "" : ", ") + method;
    }
    return text;
}

Response noContent(std::string allow)
{
    Response response;
    response.status = 204;
    response.contentType.clear();
    response.headers.emplace_back("Allow", std::move(allow));
    return response;
}

} // namespace

void Router::add(std::string_view method, std::string_view pattern, Handler handler)
{
    assert(pattern.starts_with('/'));
    std::vector<Segment> segments;
    std::vector<std::string> names;
    std::string_view rest = pattern;
    while (!rest.empty()) {
        const std::string_view text = takeSegment(rest);
        const std::size_t end = text.starts_with('{') ? text.find('}') : std::string_view::npos;
        if (end == std::string_view::npos) {
            segments.push_back({Segment::Kind::Literal, std::string(text)});
            continue;
        }
        names.emplace_back(text.substr(1, end - 1));
        const std::string_view action = text.substr(end + 1);
        assert(action.empty() || action.starts_with(':'));
        segments.push_back({action.empty() ? Segment::Kind::Parameter : Segment::Kind::Action, std::string(action)});
    }
    Resource& resource = resourceOf(std::move(segments), names.empty(), pattern);
    assert(!find(resource, method));
    resource.routes.push_back({std::string(method), std::move(names), std::move(handler)});
    m_routes.emplace_back(method, pattern);
}

Router::Resource& Router::resourceOf(std::vector<Segment> segments, bool literal, std::string_view pattern)
{
    if (literal) {
        Resource& resource = m_literal[std::string(pattern)];
        resource.segments = std::move(segments);
        return resource;
    }
    const std::size_t count = segments.size();
    if (m_bySegmentCount.size() <= count) {
        m_bySegmentCount.resize(count + 1);
    }
    std::vector<Resource>& group = m_bySegmentCount[count];
    const auto same = std::find_if(group.begin(), group.end(), [&](const Resource& other) {
        return std::equal(other.segments.begin(), other.segments.end(), segments.begin(), segments.end(),
            [](const Segment& a, const Segment& b) { return a.kind == b.kind && a.text == b.text; });
    });
    if (same != group.end()) {
        return *same;
    }
    Resource resource{std::move(segments), {}};
    const auto place = std::upper_bound(group.begin(), group.end(), resource, isMoreLiteral);
    return *group.insert(place, std::move(resource));
}

bool Router::isMoreLiteral(const Resource& a, const Resource& b)
{
    return std::lexicographical_compare(a.segments.begin(), a.segments.end(), b.segments.begin(), b.segments.end(),
        [](const Segment& x, const Segment& y) { return x.kind > y.kind; });
}

bool Router::matches(const std::vector<Segment>& segments, std::string_view path, std::vector<std::string_view>& parameters)
{
    parameters.clear();
    for (const Segment& segment : segments) {
        const std::string_view text = takeSegment(path);
        if (segment.kind == Segment::Kind::Literal) {
            if (text != segment.text) {
                return false;
            }
            continue;
        }
        if (text.size() <= segment.text.size() || !text.ends_with(segment.text)) {
            return false;
        }
        parameters.push_back(text.substr(0, text.size() - segment.text.size()));
    }
    return true;
}

const Router::Route* Router::find(const Resource& resource, std::string_view method)
{
    const auto route = std::find_if(resource.routes.begin(), resource.routes.end(), [&](const Route& r) { return r.method == method; });
    return route == resource.routes.end() ? nullptr : &*route;
}

Router::Match Router::match(std::string_view path) const
{
    Match match;
    if (const auto literal = m_literal.find(path); literal != m_literal.end()) {
        match.resource = &literal->second;
        return match;
    }
    const std::size_t count = segmentCount(path);
    if (path.starts_with('/') && count < m_bySegmentCount.size()) {
        for (const Resource& resource : m_bySegmentCount[count]) {
            if (matches(resource.segments, path, match.parameters)) {
                match.resource = &resource;
                return match;
            }
        }
    }
    return match;
}

std::string Router::allowed(const std::vector<Route>& routes)
{
    std::set<std::string> methods{"OPTIONS"};
    for (const Route& route : routes) {
        methods.insert(route.method);
        if (route.method == "GET") {
            methods.insert("HEAD");
        }
    }
    return joined(methods);
}

void Router::answerServerOptions(const Reply& reply) const
{
    std::set<std::string> methods{"OPTIONS"};
    for (const auto& [method, pattern] : m_routes) {
        methods.insert(method);
        if (method == "GET") {
            methods.insert("HEAD");
        }
    }
    reply(noContent(joined(methods)));
}

void Router::dispatch(Request&& request, Reply reply) const
{
    if (request.path == "*") {
        answerServerOptions(reply);
        return;
    }
    const Match found = match(request.path);
    if (!found.resource) {
        reply(problem(404, Error{"not_found", "There is nothing at this path."}));
        return;
    }
    const Route* route = find(*found.resource, request.method);
    if (!route && request.method == "HEAD") {
        route = find(*found.resource, "GET");
    }
    if (!route) {
        std::string allow = allowed(found.resource->routes);
        if (request.method == "OPTIONS") {
            reply(noContent(std::move(allow)));
            return;
        }
        Response response = problem(405, Error{"method_not_allowed", "This path takes " + allow + "."});
        response.headers.emplace_back("Allow", std::move(allow));
        reply(std::move(response));
        return;
    }
    for (std::size_t i = 0; i < found.parameters.size(); ++i) {
        auto decoded = percentDecode(found.parameters[i]);
        if (!decoded) {
            reply(problem(400, Error{"malformed_target", "The path has a broken percent-encoding.", route->parameterNames[i]}));
            return;
        }
        request.params[route->parameterNames[i]] = std::move(*decoded);
    }
    route->handler(std::move(request), std::move(reply));
}

} // namespace weir::http
