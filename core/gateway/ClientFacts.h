// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/IpNetwork.h"
#include "core/base/Result.h"
#include "core/gateway/HeadView.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::gateway {

/// The networks whose word about a client is taken (`gateway.trusted_proxies`). Copies share them.
class TrustedProxies {
public:
    /// Each entry is an address or a network in CIDR form, IPv4 or IPv6. Error: `invalid_value`, naming the entry.
    [[nodiscard]] static Result<TrustedProxies> parse(const std::vector<std::string>& entries);

    /// False for what is not an address.
    [[nodiscard]] bool contains(std::string_view address) const;
    [[nodiscard]] bool isEmpty() const { return !m_networks; }
    /// Whether this is a copy of `other`, or both are empty.
    [[nodiscard]] bool isSameAs(const TrustedProxies& other) const { return m_networks == other.m_networks; }

private:
    std::shared_ptr<const std::vector<IpNetwork>> m_networks; ///< null: none
};

/// Who sends a request, as far as the gateway knows.
struct ClientFacts {
    std::string peer;       ///< who connected: the socket's other end, or whom the PROXY protocol announces; without port
    std::string socketPeer; ///< the socket's other end where the PROXY protocol announced another; else empty
    std::string vip;        ///< the address that was called, as the PROXY protocol has it; else empty
    bool isTrusted = false; ///< the peer is one of the trusted proxies
    bool isSecure = false; ///< came by TLS
    std::string serverName; ///< that it asked for in its handshake; empty: none
};

/// The client behind trusted proxies: of X-Forwarded-For (else X-Real-Ip) the right-most hop that is not trusted itself; the peer
/// when it is not trusted, or says nothing usable. The result points into `request` or `facts`.
[[nodiscard]] std::string_view clientAddress(const RequestView& request, const ClientFacts& facts, const TrustedProxies& trusted);

} // namespace weir::gateway
