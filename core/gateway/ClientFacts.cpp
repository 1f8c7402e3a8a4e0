// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/ClientFacts.h"

#include "core/http/Message.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace weir::gateway {
namespace {

// Without a port: "192.0.2.1:4711", "[2001:db8::1]:4711".
std::string_view withoutPort(std::string_view hop)
{
    if (hop.starts_with('[')) {
        const std::size_t end = hop.find(']');
        return end == std::string_view::npos ? hop : hop.substr(1, end - 1);
    }
    return std::count(hop.begin(), hop.end(), ':') == 1 ? hop.substr(0, hop.find(':')) : hop;
}

} // namespace

Result<TrustedProxies> TrustedProxies::parse(const std::vector<std::string>& entries)
{
    std::vector<IpNetwork> networks;
    for (const std::string& entry : entries) {
        const auto network = IpNetwork::parse(entry);
        if (!network) {
            return fail("invalid_value", "'" + entry + "' is neither an address nor a network such as 10.0.0.0/8.");
        }
        networks.push_back(*network);
    }
    TrustedProxies proxies;
    if (!networks.empty()) {
        proxies.m_networks = std::make_shared<const std::vector<IpNetwork>>(std::move(networks));
    }
    return proxies;
}

bool TrustedProxies::contains(std::string_view address) const
{
    const auto parsed = isEmpty() ? std::nullopt : IpAddress::parse(address);
    return parsed && std::any_of(m_networks->begin(), m_networks->end(), [&](const IpNetwork& network) { return network.contains(*parsed); });
}

std::string_view clientAddress(const RequestView& request, const ClientFacts& facts, const TrustedProxies& trusted)
{
    if (!facts.isTrusted) {
        return facts.peer;
    }
    std::string_view client;
    // Later lines and later hops are nearer to us.
    for (auto field = request.fields.rbegin(); field != request.fields.rend(); ++field) {
        if (field->kind != FieldKind::ForwardedFor) {
            continue;
        }
        std::string_view rest = field->value;
        while (!rest.empty()) {
            const std::size_t comma = rest.rfind(',');
            const std::string_view hop = withoutPort(http::trimmed(rest.substr(comma == std::string_view::npos ? 0 : comma + 1)));
            rest = comma == std::string_view::npos ? std::string_view() : rest.substr(0, comma);
            if (!IpAddress::parse(hop)) {
                return client.empty() ? std::string_view(facts.peer) : client; // beyond this nothing can be believed
            }
            client = hop;
            if (!trusted.contains(hop)) {
                return client;
            }
        }
    }
    if (client.empty()) {
        const std::string_view real = request.field(FieldKind::RealIp);
        client = IpAddress::parse(real) ? real : std::string_view(facts.peer);
    }
    return client;
}

} // namespace weir::gateway
