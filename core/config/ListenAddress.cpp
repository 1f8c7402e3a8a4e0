// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/ListenAddress.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <optional>

namespace weir::config {
namespace {

bool isAddress(int family, const std::string& host)
{
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return host.find('\0') == std::string::npos && inet_pton(family, host.c_str(), bytes.data()) == 1;
}

std::optional<std::uint16_t> parsePort(std::string_view text)
{
    std::uint16_t port = 0;
    const char* end = text.data() + text.size();
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const bool digits = !text.empty() && text.size() <= 5 && std::all_of(text.begin(), text.end(), isDigit);
    if (!digits) {
        return std::nullopt;
    }
    const auto result = std::from_chars(text.data(), end, port);
    return result.ec == std::errc() && result.ptr == end ? std::optional(port) : std::nullopt;
}

} // namespace

Result<ListenAddress> parseListenAddress(std::string_view text, std::string_view field)
{
    const auto refuse = [&](const char* what) {
        return fail("invalid_address",
            std::string(what) + "; it must be an IP address and a port, as 127.0.0.1:8700 or [::1]:8700", std::string(field));
    };
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || text.ends_with(']')) {
        return refuse("has no port");
    }
    const std::optional<std::uint16_t> port = parsePort(text.substr(colon + 1));
    if (!port) {
        return refuse("the port is not a number from 0 to 65535");
    }
    std::string host(text.substr(0, colon));
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
        return isAddress(AF_INET6, host) ? Result<ListenAddress>(ListenAddress{host, *port})
                                         : refuse("not an IPv6 address in the brackets");
    }
    if (host.find(':') != std::string::npos) {
        return refuse("an IPv6 address stands in brackets");
    }
    if (host == "localhost") {
        host = "127.0.0.1";
    }
    return isAddress(AF_INET, host) ? Result<ListenAddress>(ListenAddress{host, *port}) : refuse("not an IP address");
}

std::string toText(const ListenAddress& address)
{
    const bool v6 = address.host.find(':') != std::string::npos;
    return (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

} // namespace weir::config
