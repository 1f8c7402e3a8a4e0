// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/api/WrongTokens.h"
#include "core/http/Message.h"
#include "core/plane/ControlPlane.h"

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

namespace weir::api {

/// Roles of api.md "Who may call".
enum class Access : unsigned char { Superadmin, Operator, Viewer, Gateway, App };

/// A request that may do what it asks.
struct Call {
    http::Request request;
    std::string token; ///< its name
    Access access = Access::Superadmin;
    std::shared_ptr<const std::vector<std::string>> apps{}; ///< those that a token of the role `app` names

    /// Whether the caller may act for `app`: tokens of the role `app` for those they name, all others for any.
    [[nodiscard]] bool mayActFor(std::string_view app) const;
    /// Whose name a change made by this call bears.
    [[nodiscard]] plane::Actor actor() const { return {"token:" + token, request.peer, request.requestId, "api"}; }
};

/// Who a token's bearer is and whether they may make a call; what it turns away is audited. Io thread only.
class AccessCheck {
public:
    explicit AccessCheck(plane::ControlPlane& plane) : m_plane(plane) {}

    /// `call` is the method and pattern of the route. The answer to give instead: 401 `missing_token`, `bad_token`; 403 `forbidden`;
    /// 429 `too_many_attempts` with Retry-After after ten wrong tokens in a minute.
    [[nodiscard]] tl::expected<Call, http::Response> admit(http::Request&& request, const std::vector<Access>& roles, const std::string& call);

    /// The answer to a caller who may not act for `app`: 403 `forbidden`, audited.
    [[nodiscard]] http::Response refuseApp(const Call& call, std::string_view app);

private:
    void note(const http::Request& request, const std::string& token, const std::string& code, const std::string& call);
    [[nodiscard]] const std::string& hashOf(std::string_view token);

    plane::ControlPlane& m_plane;
    std::string m_latest; ///< the token that was hashed last: a busy caller sends the same one again and again
    std::string m_latestHash;
    WrongTokens m_wrongTokens;
};

/// Which app tokens' placements were for which app, so that they release no other's. The latest ones; one thread.
class OwnPlacements {
public:
    explicit OwnPlacements(std::size_t most = 65'536) : m_most(most) {}

    void note(std::uint64_t placement, std::string app);
    /// Null when nobody was told of it, or long ago.
    [[nodiscard]] const std::string* appOf(std::uint64_t placement) const;

private:
    std::size_t m_most;
    std::unordered_map<std::uint64_t, std::string> m_apps;
    std::deque<std::uint64_t> m_order;
};

} // namespace weir::api
