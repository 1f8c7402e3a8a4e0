// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/NodeAddress.h"

#include <charconv>

namespace weir::gateway {

Result<NodeAddress> NodeAddress::parse(std::string_view url)
{
    const auto bad = [&] { return fail("invalid_url", "'" + std::string(url) + "' is not http://host[:port][/path].", "url"); };
    NodeAddress address;
    std::string_view rest = url;
    if (rest.starts_with("https://")) {
        address.isSecure = true;
        address.port = 443;
        rest.remove_prefix(8);
    } else if (rest.starts_with("http://")) {
        rest.remove_prefix(7);
    } else {
        return bad();
    }
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
    rest.remove_prefix(authority.size());
    const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
    if (bracket == std::string_view::npos) {
        return bad();
    }
    const std::size_t colon = authority.find(':', bracket);
    address.host = bracket > 0 ? authority.substr(1, bracket - 1) : authority.substr(0, colon);
    if (address.host.empty()) {
        return bad();
    }
    if (colon != std::string_view::npos) {
        const std::string_view port = authority.substr(colon + 1);
        const auto read = std::from_chars(port.data(), port.data() + port.size(), address.port);
        if (read.ec != std::errc() || read.ptr != port.data() + port.size() || address.port == 0) {
            return bad();
        }
    }
    rest = rest.substr(0, rest.find('?'));
    while (rest.ends_with('/')) {
        rest.remove_suffix(1);
    }
    address.basePath = rest;
    return address;
}

} // namespace weir::gateway
