// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/ClientFacts.h"

#include "core/http/Message.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <optional>

namespace weir::gateway {
namespace {

using Bytes = std::array<unsigned char, 16>;

std::optional<Bytes> bytesOf(std::string_view text, bool* isV4 = nullptr)
{
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(std::string(text), error);
    if (error) {
        return std::nullopt;
    }
    if (isV4 != nullptr) {
        *isV4 = address.is_v4();
    }
    return address.is_v4() ? boost::asio::ip::make_address_v6(boost::asio::ip::v4_mapped, address.to_v4()).to_bytes() : address.to_v6().to_bytes();
}

bool samePrefix(const Bytes& a, const Bytes& b, unsigned bits)
{
    const std::size_t whole = bits / 8;
    const unsigned rest = bits % 8;
    if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(whole), b.begin())) {
        return false;
    }
    return rest == 0 || (a[whole] >> (8 - rest)) == (b[whole] >> (8 - rest));
}

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
    TrustedProxies proxies;
    for (const std::string& entry : entries) {
        const std::size_t slash = entry.find('/');
        bool isV4 = false;
        const auto bytes = bytesOf(std::string_view(entry).substr(0, slash), &isV4);
        if (!bytes) {
            return fail("invalid_value", "'" + entry + "' is neither an address nor a network such as 10.0.0.0/8.");
        }
        unsigned prefix = isV4 ? 32 : 128;
        if (slash != std::string::npos) {
            const char* begin = entry.data() + slash + 1;
            const char* end = entry.data() + entry.size();
            unsigned given = 0;
            const auto read = std::from_chars(begin, end, given);
            if (read.ec != std::errc() || read.ptr != end || given > prefix) {
                return fail("invalid_value", "'" + entry + "' does not end with a prefix length from 0 to " + std::to_string(prefix) + ".");
            }
            prefix = given;
        }
        proxies.m_networks.push_back({*bytes, prefix + (isV4 ? 96 : 0)});
    }
    return proxies;
}

bool TrustedProxies::contains(std::string_view address) const
{
    if (m_networks.empty()) {
        return false;
    }
    const auto bytes = bytesOf(address);
    return bytes && std::any_of(m_networks.begin(), m_networks.end(), [&](const Network& network) { return samePrefix(network.bytes, *bytes, network.prefix); });
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
            if (!bytesOf(hop)) {
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
        client = bytesOf(real) ? real : std::string_view(facts.peer);
    }
    return client;
}

} // namespace weir::gateway
