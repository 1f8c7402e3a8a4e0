// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Primitives.h"

#include "core/base/NearestName.h"
#include "core/routing/condition/LeafArguments.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

namespace weir::routing {
namespace {

// Sorted by name.
constexpr std::array kPrimitives = std::to_array<Primitive>({
    {"bfe_periodic_time_range", "cce", Source::TimeOfDay, Match::Range},
    {"bfe_time_range", "dd", Source::Time, Match::Range},
    {"default_t", "", Source::Nothing, Match::Holds},
    {"req_body_json_in", "kpb", Source::BodyJson, Match::In},
    {"req_body_json_prefix_in", "kpb", Source::BodyJson, Match::Prefix},
    {"req_cip_hash_in", "h", Source::Client, Match::Hash},
    {"req_cip_range", "aa", Source::Client, Match::Range},
    {"req_cip_trusted", "", Source::ClientTrusted, Match::Holds},
    {"req_context_value_in", "kpb", Source::ContextValue, Match::In},
    {"req_cookie_key_in", "p", Source::CookieKey, Match::In},
    {"req_cookie_value_contain", "kpb", Source::CookieValue, Match::Contain},
    {"req_cookie_value_hash_in", "khb", Source::CookieValue, Match::Hash},
    {"req_cookie_value_in", "kpb", Source::CookieValue, Match::In},
    {"req_cookie_value_prefix_in", "kpb", Source::CookieValue, Match::Prefix},
    {"req_cookie_value_suffix_in", "kpb", Source::CookieValue, Match::Suffix},
    {"req_header_key_in", "p", Source::HeaderKey, Match::In},
    {"req_header_value_contain", "kpb", Source::HeaderValue, Match::Contain},
    {"req_header_value_hash_in", "khb", Source::HeaderValue, Match::Hash},
    {"req_header_value_in", "kpb", Source::HeaderValue, Match::In},
    {"req_header_value_prefix_in", "kpb", Source::HeaderValue, Match::Prefix},
    {"req_header_value_regmatch", "kr", Source::HeaderValue, Match::Regex},
    {"req_header_value_suffix_in", "kpb", Source::HeaderValue, Match::Suffix},
    {"req_host_in", "p", Source::Host, Match::In, true},
    {"req_host_regmatch", "r", Source::Host, Match::Regex},
    {"req_host_suffix_in", "p", Source::Host, Match::Suffix, true},
    {"req_host_tag_in", "p", Source::HostTag, Match::In, true},
    {"req_method_in", "p", Source::Method, Match::In, true},
    {"req_path_contain", "pb", Source::Path, Match::Contain},
    {"req_path_element_prefix_in", "pb", Source::ElementPath, Match::Prefix},
    {"req_path_in", "pb", Source::Path, Match::In},
    {"req_path_prefix_in", "pb", Source::Path, Match::Prefix},
    {"req_path_regmatch", "r", Source::Path, Match::Regex},
    {"req_path_suffix_in", "pb", Source::Path, Match::Suffix},
    {"req_port_in", "p", Source::Port, Match::In},
    {"req_proto_match", "t", Source::Protocol, Match::In, true},
    {"req_proto_secure", "", Source::Secure, Match::Holds},
    {"req_query_exist", "", Source::Query, Match::Holds},
    {"req_query_key_in", "p", Source::QueryKey, Match::In},
    {"req_query_key_prefix_in", "p", Source::QueryKey, Match::Prefix},
    {"req_query_value_contain", "kpb", Source::QueryValue, Match::Contain},
    {"req_query_value_hash_in", "khb", Source::QueryValue, Match::Hash},
    {"req_query_value_in", "kpb", Source::QueryValue, Match::In},
    {"req_query_value_prefix_in", "kpb", Source::QueryValue, Match::Prefix},
    {"req_query_value_regmatch", "kr", Source::QueryValue, Match::Regex},
    {"req_query_value_suffix_in", "kpb", Source::QueryValue, Match::Suffix},
    {"req_tag_match", "kt", Source::Tag, Match::In},
    {"req_ua_regmatch", "r", Source::UserAgent, Match::Regex},
    {"req_url_regmatch", "r", Source::Target, Match::Regex},
    {"req_vip_in", "v", Source::Vip, Match::In},
    {"req_vip_range", "aa", Source::Vip, Match::Range},
    {"res_code_in", "p", Source::ResponseCode, Match::In},
    {"res_header_key_in", "p", Source::ResponseHeaderKey, Match::In},
    {"res_header_value_in", "kpb", Source::ResponseHeaderValue, Match::In},
    {"res_json_in", "kp", Source::ResponseJson, Match::In},
    {"ses_sip_range", "aa", Source::Peer, Match::Range},
    {"ses_tls_client_auth", "", Source::ClientVerified, Match::Holds},
    {"ses_tls_client_ca_in", "p", Source::ClientCa, Match::In},
    {"ses_tls_sni_in", "p", Source::ServerName, Match::In, true},
    {"ses_vip_range", "aa", Source::Vip, Match::Range},
});

std::string kindOf(Literal::Kind kind)
{
    switch (kind) {
    case Literal::Kind::String:
        return "a string";
    case Literal::Kind::Boolean:
        return "true or false";
    case Literal::Kind::Integer:
        break;
    }
    return "a number";
}

std::string_view parameterName(char parameter) noexcept
{
    switch (parameter) {
    case 'k':
        return "key";
    case 'p':
    case 't':
        return "values";
    case 'r':
        return "regular expression";
    case 'b':
        return "ignore case";
    case 'h':
        return "hash sections";
    case 'a':
    case 'v':
        return "address";
    default:
        return "time";
    }
}

// `req_path_in(values, ignore case)`.
std::string signatureOf(const Primitive& primitive)
{
    std::string text = std::string(primitive.name) + '(';
    for (std::size_t i = 0; i < primitive.parameters.size(); ++i) {
        text += i > 0 ? ", " : "";
        text += parameterName(primitive.parameters[i]);
    }
    return text + ')';
}

bool argumentsFit(const SyntaxNode& call, const Primitive& primitive, ConditionIssues& issues)
{
    const std::size_t expected = primitive.parameters.size();
    if (call.arguments.size() != expected) {
        issues.push_back({"arity", call.place,
            signatureOf(primitive) + " takes " + std::to_string(expected) + (expected == 1 ? " argument, not " : " arguments, not ")
                + std::to_string(call.arguments.size())});
        return false;
    }
    bool fit = true;
    for (std::size_t i = 0; i < expected; ++i) {
        const auto kind = primitive.parameters[i] == 'b' ? Literal::Kind::Boolean : Literal::Kind::String;
        if (call.arguments[i].kind != kind) {
            // At the call, as the number of arguments is; the message says which one.
            issues.push_back({"arg_type", call.place,
                "argument " + std::to_string(i + 1) + " of " + signatureOf(primitive) + " is " + kindOf(kind) + ", not "
                    + quoted(call.arguments[i].source)});
            fit = false;
        }
    }
    return fit;
}

} // namespace

std::span<const Primitive> primitives() noexcept
{
    return kPrimitives;
}

const Primitive* findPrimitive(std::string_view name) noexcept
{
    const auto found = std::lower_bound(kPrimitives.begin(), kPrimitives.end(), name,
        [](const Primitive& primitive, std::string_view wanted) { return primitive.name < wanted; });
    return found != kPrimitives.end() && found->name == name ? &*found : nullptr;
}

std::optional<Leaf> makeLeaf(const SyntaxNode& call, ConditionIssues& issues)
{
    const Primitive* primitive = findPrimitive(call.name);
    if (primitive == nullptr) {
        std::vector<std::string> names;
        std::transform(
            kPrimitives.begin(), kPrimitives.end(), std::back_inserter(names), [](const Primitive& p) { return std::string(p.name); });
        const std::string nearest = nearestName(call.name, names);
        issues.push_back({"unknown_primitive", call.place,
            "unknown condition " + quoted(call.name) + (nearest.empty() ? "" : "; did you mean " + nearest + "?")});
        return std::nullopt;
    }
    if (!argumentsFit(call, *primitive, issues)) {
        return std::nullopt;
    }
    Leaf leaf;
    leaf.source = primitive->source;
    leaf.match = primitive->match;
    leaf.ignoreCase = primitive->ignoreCase;
    leaf.place = call.place;
    leaf.text = render(call);
    const std::size_t before = issues.size();
    fillLeaf(call, primitive->parameters, leaf, issues);
    return issues.size() == before ? std::optional(std::move(leaf)) : std::nullopt;
}

} // namespace weir::routing
