// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/BroughtAddress.h"

#include "core/base/Ids.h"
#include "core/config/WebAddress.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace weir::plane {
namespace {

constexpr std::size_t kMostBytes = 2'000;
constexpr std::array<std::string_view, 2> kHttp{"http", "https"};
constexpr std::array<std::string_view, 4> kPublish{"srt", "rtmp", "http", "https"};

struct Refused {
    std::string_view network;
    const char* why;
};
constexpr std::array kRefused{
    Refused{"169.254.0.0/16", "is link-local, where clouds keep their metadata"},
    Refused{"fe80::/10", "is link-local"},
    Refused{"fd00:ec2::254", "is a cloud's metadata address"},
    Refused{"fd20:ce::254", "is a cloud's metadata address"},
    Refused{"100.100.100.200", "is a cloud's metadata address"},
    Refused{"192.0.0.192", "is a cloud's metadata address"},
    Refused{"168.63.129.16", "is a cloud's metadata address"},
    Refused{"0.0.0.0/8", "is not the address of a node"},
    Refused{"::", "is not the address of a node"},
    Refused{"224.0.0.0/3", "is not the address of a node"},
    Refused{"ff00::/8", "is not the address of a node"},
};
constexpr std::array<std::string_view, 6> kMetadataNames{"metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal",
    "metadata.azure.internal"};

// An IPv4 address inside an IPv6 one that routers translate: 64:ff9b::/96 (NAT64), 2002::/16 (6to4).
IpAddress embedded(const IpAddress& address)
{
    const IpAddress::Bytes& bytes = address.bytes();
    if (IpNetwork::parse("64:ff9b::/96")->contains(address)) {
        return IpAddress::v4(bytes[12], bytes[13], bytes[14], bytes[15]);
    }
    return IpNetwork::parse("2002::/16")->contains(address) ? IpAddress::v4(bytes[2], bytes[3], bytes[4], bytes[5]) : address;
}

std::string addressFault(const IpAddress& address, std::span<const IpNetwork> allowed)
{
    for (const Refused& refused : kRefused) {
        const auto network = IpNetwork::parse(refused.network);
        if (network->contains(address) || network->contains(embedded(address))) {
            return refused.why;
        }
    }
    const bool inside = allowed.empty() || std::any_of(allowed.begin(), allowed.end(), [&](const IpNetwork& network) { return network.contains(address); });
    return inside ? std::string() : "is in none of registration.probe_allowed_networks";
}

// The host in lower case, without brackets, port and the dot that ends a whole name.
std::string hostOf(std::string_view url)
{
    std::string_view rest = url.substr(url.find("://") + 3);
    rest = rest.substr(0, rest.find_first_of("/?#"));
    std::string host = foldCase(rest.starts_with('[') ? rest.substr(0, rest.find(']') + 1) : rest.substr(0, rest.find(':')));
    while (host.ends_with('.')) {
        host.pop_back();
    }
    return host;
}

// Resolvers take `2852039166`, `0xA9FEA9FE` and `169.254.43518` for addresses; a name whose last label is a number is one of those.
bool endsInNumber(std::string_view host)
{
    const std::string_view last = host.substr(host.rfind('.') + 1);
    return !last.empty() && (last.find_first_not_of("0123456789") == std::string_view::npos || last.starts_with("0x"));
}

std::string hostFault(const std::string& host, BroughtKind kind, std::span<const IpNetwork> allowed)
{
    if (host.starts_with('[')) {
        const auto address = IpAddress::parse(std::string_view(host).substr(1, host.size() - 2));
        return address ? addressFault(*address, allowed) : "has a host that is no IPv6 address";
    }
    if (const auto address = IpAddress::parse(host)) {
        return addressFault(*address, allowed);
    }
    if (host.empty() || host.find('%') != std::string::npos || endsInNumber(host)) {
        return "has a host that is neither a name nor an address of four decimal numbers";
    }
    if (std::find(kMetadataNames.begin(), kMetadataNames.end(), host) != kMetadataNames.end()) {
        return "names a cloud's metadata service";
    }
    return !allowed.empty() && kind == BroughtKind::Probed ? "has a host name; while registration.probe_allowed_networks is set it must be an address" : "";
}

} // namespace

Result<void> checkBroughtAddress(const char* field, const std::string& address, BroughtKind kind, std::span<const IpNetwork> allowed)
{
    if (address.empty()) {
        return {};
    }
    if (address.size() > kMostBytes) {
        return fail("url_not_allowed", std::string(field) + " has more than " + std::to_string(kMostBytes) + " bytes.", field);
    }
    const std::span<const std::string_view> schemes = kind == BroughtKind::Publishing ? std::span<const std::string_view>(kPublish) : std::span<const std::string_view>(kHttp);
    std::string fault = config::webAddressFault(address, schemes);
    if (fault.empty()) {
        fault = hostFault(hostOf(address), kind, allowed);
    }
    // The address itself is not repeated: it may hold a password.
    return fault.empty() ? Result<void>() : fail("url_not_allowed", std::string(field) + " cannot be used: it " + fault + ".", field);
}

} // namespace weir::plane
