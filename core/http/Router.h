// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/Message.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir::http {

/// Finds the handler of a request. Paths are matched as sent, still encoded, and parameters decoded after the split: `%2F` and
/// `%3A` in an id neither split it nor start an action. Filled before it serves; dispatch() is const and keeps no state.
class Router {
public:
    /// `pattern`: segments are literal text, `{name}` or `{name}:action`; a parameter is never empty. Where several patterns
    /// match a path, the more literal one has it, whatever the method. Adding the same method and pattern twice is a defect.
    void add(std::string_view method, std::string_view pattern, Handler handler);

    /// Calls the handler, or answers: 404 `not_found`; 405 `method_not_allowed` with `Allow`; 204 with `Allow` to OPTIONS where
    /// no handler is registered for it; 400 `malformed_target`. HEAD goes to the handler of GET.
    void dispatch(Request&& request, Reply reply) const;

    /// Method and pattern of every route, in the order they were added.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> routes() const { return m_routes; }

private:
    struct Segment {
        enum class Kind : unsigned char { Parameter, Action, Literal }; // in order of rank
        Kind kind = Kind::Literal;
        std::string text; // the literal, or ":action"
    };
    struct Route {
        std::string method;
        std::vector<std::string> parameterNames;
        Handler handler;
    };
    struct Resource {
        std::vector<Segment> segments;
        std::vector<Route> routes;
    };

    struct Match {
        const Resource* resource = nullptr;
        std::vector<std::string_view> parameters; // encoded
    };

    [[nodiscard]] static bool matches(
        const std::vector<Segment>& segments, std::string_view path, std::vector<std::string_view>& parameters);
    [[nodiscard]] static bool isMoreLiteral(const Resource& a, const Resource& b);
    [[nodiscard]] static const Route* find(const Resource& resource, std::string_view method);
    [[nodiscard]] static std::string allowed(const std::vector<Route>& routes);
    [[nodiscard]] Resource& resourceOf(std::vector<Segment> segments, bool literal, std::string_view pattern);
    [[nodiscard]] Match match(std::string_view path) const;
    void answerServerOptions(const Reply& reply) const;

    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
    };

    std::unordered_map<std::string, Resource, TextHash, std::equal_to<>> m_literal; // patterns without parameters, by path
    std::vector<std::vector<Resource>> m_bySegmentCount; // patterns with parameters, the more literal first
    std::vector<std::pair<std::string, std::string>> m_routes;
};

} // namespace weir::http
