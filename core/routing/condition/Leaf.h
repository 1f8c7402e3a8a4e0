// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/IpAddress.h"
#include "core/routing/condition/Exchange.h"
#include "core/routing/condition/Scratch.h"
#include "core/routing/condition/Syntax.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace weir::routing {

/// What a primitive looks at.
enum class Source : unsigned char {
    Nothing,
    Host,
    HostTag,
    Port,
    Method,
    Protocol,
    Secure,
    Path,
    ElementPath,
    Target,
    Query,
    QueryKey,
    QueryValue,
    CookieKey,
    CookieValue,
    HeaderKey,
    HeaderValue,
    UserAgent,
    Client,
    ClientTrusted,
    Peer,
    Vip,
    ServerName,
    ClientVerified,
    ClientCa,
    Tag,
    ContextValue,
    BodyJson,
    ResponseCode,
    ResponseHeaderKey,
    ResponseHeaderValue,
    ResponseJson,
    Time,
    TimeOfDay,
};

/// What must hold of it.
enum class Match : unsigned char { Holds, In, Prefix, Suffix, Contain, Regex, Hash, Range };

/// One primitive with its arguments, ready to be evaluated. Which members count follows from `source` and `match`.
struct Leaf {
    Leaf() noexcept;
    Leaf(Leaf&&) noexcept;
    Leaf& operator=(Leaf&&) noexcept;
    ~Leaf();

    Source source = Source::Nothing;
    Match match = Match::Holds;
    bool ignoreCase = false;
    std::string key;                   ///< of a header, cookie, query, JSON value, context value, tag table
    std::vector<std::string> patterns; ///< upper case when `ignoreCase`; sorted for `In`
    std::unique_ptr<re2::RE2> regex;
    std::vector<std::pair<unsigned, unsigned>> sections; ///< of hash buckets, both ends included
    std::vector<IpAddress> addresses;                    ///< sorted for `In`; first and last for `Range`
    std::int64_t firstTime = 0;                          ///< seconds since 1970 or since midnight
    std::int64_t lastTime = 0;
    std::int64_t zoneSeconds = 0; ///< east of Greenwich
    Place place;
    std::string text; ///< as written

    /// Thread-safe, and allocates only where Scratch does.
    [[nodiscard]] bool matches(const Exchange& exchange) const;

    /// What `matches` looks at, for people; nothing where it cannot be fetched.
    [[nodiscard]] std::optional<std::string> fetchedText(const Exchange& exchange) const;

private:
    [[nodiscard]] bool matchesText(std::string_view value) const;
    [[nodiscard]] bool matchesFolded(std::string_view value) const;
    [[nodiscard]] bool matchesHash(std::string_view value) const;
    [[nodiscard]] bool matchesAddress(const std::optional<IpAddress>& address) const;
    [[nodiscard]] bool matchesAnyKey(const Exchange& exchange) const;
    [[nodiscard]] bool matchesTime(std::chrono::sys_seconds now) const;
};

/// Buckets that the hash primitives count in.
inline constexpr unsigned kHashBuckets = 10000;

} // namespace weir::routing
