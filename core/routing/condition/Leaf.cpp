// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Leaf.h"

#include "core/base/MurmurHash3.h"
#include "core/routing/condition/Fetch.h"
#include "core/routing/condition/FormText.h"
#include "core/routing/condition/JsonLookup.h"
#include "core/routing/condition/Utf8Text.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace weir::routing {
namespace {

using Text = std::optional<std::string_view>;

constexpr std::int64_t kDaySeconds = 86400;

// A missing value that reads as "".
std::string_view orEmpty(const Text& text) noexcept
{
    return text.value_or(std::string_view{});
}

Text cookieValue(const HeaderFields& headers, std::string_view name)
{
    Text found;
    anyCookie(headers, [&](std::string_view key, std::string_view value) {
        found = key == name ? Text(value) : std::nullopt;
        return found.has_value();
    });
    return found;
}

Text addressText(const std::optional<IpAddress>& address, Scratch& scratch)
{
    if (!address) {
        return std::nullopt;
    }
    IpAddress::Buffer buffer{};
    const std::string_view text = address->text(buffer);
    return std::string_view(std::copy(text.begin(), text.end(), scratch.room(text.size())) - text.size(), text.size());
}

Text codeText(int status, Scratch& scratch)
{
    char* const out = scratch.room(16);
    return std::string_view(out, static_cast<std::size_t>(std::to_chars(out, out + 16, status).ptr - out));
}

Text fetchTls(Source source, const TlsView& tls)
{
    if (!tls.isSecure) {
        return std::nullopt;
    }
    if (source == Source::ServerName) {
        return tls.serverName;
    }
    return tls.clientVerified ? Text(tls.clientCa) : std::nullopt;
}

Text fetchResponse(Source source, std::string_view key, const ResponseView& response, Scratch& scratch)
{
    switch (source) {
    case Source::ResponseCode:
        return codeText(response.status, scratch);
    case Source::ResponseHeaderValue:
        return headerValue(response.headers, key);
    case Source::ResponseJson:
        return orEmpty(jsonValueAt(response.body.substr(0, kMaxSeenResponseBody), key, scratch));
    default:
        return std::nullopt;
    }
}

Text fetchRequest(Source source, std::string_view key, const RequestView& request, Scratch& scratch)
{
    switch (source) {
    case Source::Host:
        return hostWithoutPort(request.host);
    case Source::HostTag:
        return request.hostTag;
    case Source::Port:
        return portOf(request);
    case Source::Method:
        return request.method;
    case Source::Protocol:
        return request.tls.isSecure ? request.tls.protocol : request.version;
    case Source::Path:
    case Source::ElementPath:
        return request.path;
    case Source::Target:
        return request.target;
    case Source::QueryValue:
        return orEmpty(queryValue(request.query, key, scratch));
    case Source::CookieValue:
        return cookieValue(request.headers, key);
    case Source::HeaderValue:
        return headerValue(request.headers, key);
    case Source::UserAgent:
        return request.headers.first("user-agent");
    case Source::Client:
        return addressText(request.client, scratch);
    case Source::Peer:
        return addressText(request.peer, scratch);
    case Source::Vip:
        return addressText(request.vip, scratch);
    case Source::ServerName:
    case Source::ClientCa:
        return fetchTls(source, request.tls);
    case Source::ContextValue:
        return request.context != nullptr ? request.context->value(key) : std::nullopt;
    case Source::BodyJson:
        return orEmpty(jsonValueAt(request.body, key, scratch));
    default:
        return std::nullopt;
    }
}

bool isOfResponse(Source source) noexcept
{
    return source == Source::ResponseCode || source == Source::ResponseHeaderKey || source == Source::ResponseHeaderValue
        || source == Source::ResponseJson;
}

// The one text that a primitive looks at; nothing for those that look at something else.
Text fetch(const Leaf& leaf, const Exchange& exchange, Scratch& scratch)
{
    if (isOfResponse(leaf.source)) {
        return exchange.response != nullptr ? fetchResponse(leaf.source, leaf.key, *exchange.response, scratch) : std::nullopt;
    }
    return exchange.request != nullptr ? fetchRequest(leaf.source, leaf.key, *exchange.request, scratch) : std::nullopt;
}

// `prefix` of `path` with a '/' put at its end where it has none; `prefix` ends with one.
bool isElementPrefix(std::string_view path, std::string_view prefix) noexcept
{
    if (path.starts_with(prefix)) {
        return true;
    }
    return !path.ends_with('/') && prefix.substr(0, prefix.size() - 1) == path;
}

} // namespace

Leaf::Leaf() noexcept = default;
Leaf::Leaf(Leaf&&) noexcept = default;
Leaf& Leaf::operator=(Leaf&&) noexcept = default;
Leaf::~Leaf() = default;

bool Leaf::matchesText(std::string_view value) const
{
    if (!ignoreCase || match == Match::Hash || match == Match::Regex) {
        return matchesFolded(value);
    }
    Scratch folded;
    char* const out = folded.room(casedRoom(value.size()));
    return matchesFolded({out, toUpper(value, out)});
}

bool Leaf::matchesFolded(std::string_view value) const
{
    const auto any = [this](auto test) { return std::any_of(patterns.begin(), patterns.end(), test); };
    switch (match) {
    case Match::In:
        return std::binary_search(patterns.begin(), patterns.end(), value, std::less<std::string_view>());
    case Match::Prefix:
        return source == Source::ElementPath ? any([value](std::string_view pattern) { return isElementPrefix(value, pattern); })
                                             : any([value](std::string_view pattern) { return value.starts_with(pattern); });
    case Match::Suffix:
        return any([value](std::string_view pattern) { return value.ends_with(pattern); });
    case Match::Contain:
        return any([value](std::string_view pattern) { return value.find(pattern) != std::string_view::npos; });
    case Match::Regex:
        return re2::RE2::PartialMatch(re2::StringPiece(value.data(), value.size()), *regex);
    case Match::Hash:
        return matchesHash(value);
    case Match::Holds:
    case Match::Range:
        break;
    }
    return false;
}

bool Leaf::matchesHash(std::string_view value) const
{
    Scratch folded;
    if (ignoreCase) {
        char* const out = folded.room(casedRoom(value.size()));
        value = {out, toLower(value, out)};
    }
    const auto bucket = static_cast<unsigned>(murmurHash3(value) % kHashBuckets);
    return std::any_of(
        sections.begin(), sections.end(), [bucket](const auto& section) { return bucket >= section.first && bucket <= section.second; });
}

bool Leaf::matchesAddress(const std::optional<IpAddress>& address) const
{
    if (!address) {
        return false;
    }
    if (match == Match::In) {
        return std::binary_search(addresses.begin(), addresses.end(), *address);
    }
    return addresses.front() <= *address && *address <= addresses.back();
}

bool Leaf::matchesTime(std::chrono::sys_seconds now) const
{
    std::int64_t seconds = now.time_since_epoch().count();
    if (source == Source::TimeOfDay) {
        seconds = ((seconds + zoneSeconds) % kDaySeconds + kDaySeconds) % kDaySeconds;
    }
    return firstTime <= seconds && seconds <= lastTime;
}

bool Leaf::matchesAnyKey(const Exchange& exchange) const
{
    const HeaderFields& headers = isOfResponse(source) ? exchange.response->headers : exchange.request->headers;
    switch (source) {
    case Source::Query:
        return anyQueryPair(exchange.request->query, [](std::string_view, std::string_view) { return true; });
    case Source::QueryKey:
        return anyQueryPair(exchange.request->query, [this](std::string_view encoded, std::string_view) {
            Scratch scratch;
            const Text decoded = formDecoded(encoded, scratch);
            return decoded && matchesFolded(*decoded);
        });
    case Source::CookieKey:
        return anyCookie(headers, [this](std::string_view name, std::string_view) { return matchesFolded(name); });
    default:
        return std::any_of(
            patterns.begin(), patterns.end(), [&headers](const std::string& name) { return !headerValue(headers, name).empty(); });
    }
}

bool Leaf::matches(const Exchange& exchange) const
{
    if (source == Source::Nothing) {
        return true;
    }
    if (isOfResponse(source) ? exchange.response == nullptr : exchange.request == nullptr) {
        return false;
    }
    switch (source) {
    case Source::Secure:
        return exchange.request->tls.isSecure;
    case Source::ClientTrusted:
        return exchange.request->isTrusted;
    case Source::ClientVerified:
        return exchange.request->tls.isSecure && exchange.request->tls.clientVerified;
    case Source::Query:
    case Source::QueryKey:
    case Source::CookieKey:
    case Source::HeaderKey:
    case Source::ResponseHeaderKey:
        return matchesAnyKey(exchange);
    case Source::Tag:
        return exchange.request->context != nullptr && exchange.request->context->hasTag(key, patterns.front());
    case Source::Time:
    case Source::TimeOfDay:
        return matchesTime(exchange.request->time);
    case Source::Client:
        if (match == Match::Range) {
            return matchesAddress(exchange.request->client);
        }
        break;
    case Source::Peer:
        return matchesAddress(exchange.request->peer);
    case Source::Vip:
        return matchesAddress(exchange.request->vip);
    default:
        break;
    }
    Scratch scratch;
    const Text value = fetch(*this, exchange, scratch);
    return value && matchesText(*value);
}

std::optional<std::string> Leaf::fetchedText(const Exchange& exchange) const
{
    Scratch scratch;
    const Text value = fetch(*this, exchange, scratch);
    return value ? std::optional(std::string(*value)) : std::nullopt;
}

} // namespace weir::routing
