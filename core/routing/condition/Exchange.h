// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/IpAddress.h"
#include "core/routing/condition/Context.h"
#include "core/routing/condition/HeaderFields.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::routing {

/// Of a response's body conditions see this much; a body that is longer is handed over cut off.
inline constexpr std::size_t kMaxSeenResponseBody = 64 * std::size_t{1024};

/// What the client's connection says about TLS; all empty on a plain one.
struct TlsView {
    bool isSecure = false;
    std::string_view protocol; ///< of the session: "https", "h2"
    std::string_view serverName;
    bool clientVerified = false; ///< it showed a certificate, and that was checked
    std::string_view clientCa;   ///< name of the authority that vouched for it
};

/// A request as conditions read it: views into what the gateway holds, nothing copied or decoded twice. All views must live as
/// long as the evaluation.
struct RequestView {
    std::string_view method = "GET";
    std::string_view target = "/"; ///< as the client sent it
    std::string_view path = "/";   ///< decoded, not cleaned up; see splitTarget()
    std::string_view query;        ///< raw, without '?'
    std::string_view version = "HTTP/1.1";
    std::string_view host;           ///< the Host header or the authority of an absolute target, raw, with its port
    HeaderFields headers;            ///< `Host` may be among them, conditions do not see it there
    std::optional<IpAddress> client; ///< who asks: of a trusted proxy's header, else the peer
    std::uint16_t clientPort = 0;
    std::optional<IpAddress> peer; ///< other end of the socket
    std::optional<IpAddress> vip;  ///< the address that was called, from the PROXY protocol
    bool isTrusted = false;        ///< the peer is one of the trusted proxies
    TlsView tls;
    std::string_view hostTag; ///< of the product lookup
    const Context* context = nullptr;
    std::string_view body;           ///< as much as is buffered
    std::chrono::sys_seconds time{}; ///< of the server, when the request came
};

/// The answer to it.
struct ResponseView {
    int status = 0;
    HeaderFields headers;
    std::string_view body; ///< the first kMaxSeenResponseBody bytes
};

/// What one condition is evaluated on. Before an answer `response` is null, and what asks for it is false.
struct Exchange {
    const RequestView* request = nullptr;
    const ResponseView* response = nullptr;
};

/// A request target in the parts that RequestView names.
struct TargetParts {
    std::string_view authority; ///< of the absolute form only
    std::string_view path;      ///< decoded; points into `scratch` when there was something to decode
    std::string_view query;
};

/// Splits `/path?query`, `http://host/path?query` or `*`. A '%' without two hexadecimal digits stays as it is. `scratch` is
/// only touched when the path has an escape, and must outlive the result.
[[nodiscard]] TargetParts splitTarget(std::string_view target, std::string& scratch);

} // namespace weir::routing
