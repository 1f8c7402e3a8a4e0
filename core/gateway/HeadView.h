// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace weir::gateway {

/// Fields that the gateway itself understands or replaces; found once, while parsing.
enum class FieldKind : std::uint8_t {
    Other,
    HopByHop, ///< Keep-Alive, Proxy-Connection, Proxy-Authenticate, Proxy-Authorization, and whatever Connection names
    Host,
    Connection,
    ContentLength,
    TransferEncoding,
    Upgrade,
    Te,
    Trailer,
    Expect,
    ForwardedFor,
    ForwardedProto,
    ForwardedHost,
    ForwardedOther, ///< X-Forwarded-Port and the like: as little to be believed as the others
    RealIp,
    Forwarded,
    Traceparent,
};

/// One header line; both point into the head's text.
struct FieldView {
    std::string_view name;
    std::string_view value;
    FieldKind kind = FieldKind::Other;
};

/// A request's head, as views into its text. Reused from request to request, so that it stops allocating.
struct RequestView {
    std::string_view method;
    std::string_view target; ///< as sent
    std::string_view path;   ///< of the target, still encoded; "*" for OPTIONS *
    std::string_view query;  ///< without its '?'
    bool hasQuery = false;
    std::string_view host; ///< with its port: the absolute target's, else the Host header's
    std::vector<FieldView> fields;
    std::uint64_t contentLength = 0;
    std::string_view upgrade; ///< the protocol asked for; empty: none
    bool hasLength = false;
    bool isChunked = false;
    bool isVersion11 = true;
    bool keepAlive = true;
    bool expectsContinue = false;
    bool takesTrailers = false;

    [[nodiscard]] bool hasBody() const { return isChunked || contentLength > 0; }
    [[nodiscard]] std::string_view field(FieldKind kind) const
    {
        for (const FieldView& one : fields) {
            if (one.kind == kind) {
                return one.value;
            }
        }
        return {};
    }
};

/// A node's response head, as views into its text.
struct ResponseView {
    unsigned status = 0;
    std::string_view reason;
    std::vector<FieldView> fields;
    std::uint64_t contentLength = 0;
    std::string_view upgrade;
    bool hasLength = false;
    bool isChunked = false;
    bool keepAlive = true;
};

} // namespace weir::gateway
