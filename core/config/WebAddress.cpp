// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/WebAddress.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <vector>

namespace weir::config {
namespace {

std::string schemeFault(std::span<const std::string_view> schemes)
{
    std::vector<std::string> names;
    for (const std::string_view scheme : schemes) {
        names.push_back(std::string(scheme) + "://");
    }
    return "must begin with one of " + listed(names);
}

bool isPort(std::string_view text)
{
    int value = 0;
    if (text.empty() || text.size() > 5) {
        return false;
    }
    for (const char c : text) {
        if (c < '0' || c > '9') {
            return false;
        }
        value = value * 10 + (c - '0');
    }
    return value >= 1 && value <= 65'535;
}

std::string authorityFault(std::string_view authority)
{
    if (authority.find('@') != std::string_view::npos) {
        return "must not hold a user name or password";
    }
    std::size_t hostEnd = authority.find(':');
    if (authority.starts_with('[')) {
        const std::size_t close = authority.find(']');
        if (close == std::string_view::npos || close < 3) {
            return "an IPv6 address stands in brackets, as http://[::1]:9000";
        }
        hostEnd = close + 1;
    }
    hostEnd = std::min(hostEnd, authority.size());
    if (hostEnd == 0) {
        return "has no host";
    }
    const std::string_view rest = authority.substr(hostEnd);
    if (!rest.empty() && !(rest.front() == ':' && isPort(rest.substr(1)))) {
        return "the port must be a number from 1 to 65535";
    }
    return {};
}

} // namespace

std::string webAddressFault(std::string_view text, std::span<const std::string_view> schemes)
{
    const std::size_t mark = text.find("://");
    const std::string_view scheme = text.substr(0, std::min(mark, text.size()));
    if (mark == std::string_view::npos || std::find(schemes.begin(), schemes.end(), scheme) == schemes.end()) {
        return schemeFault(schemes);
    }
    const auto isAllowed = [](char c) { return c > 0x20 && c < 0x7F && c != '"' && c != '<' && c != '>' && c != '\\'; };
    if (!std::all_of(text.begin(), text.end(), isAllowed)) {
        return "must hold printable ASCII without spaces, quotes, '<', '>' or '\\'";
    }
    if (text.find('#') != std::string_view::npos) {
        return "must not hold a fragment ('#')";
    }
    const std::string_view rest = text.substr(mark + 3);
    return authorityFault(rest.substr(0, std::min(rest.find_first_of("/?"), rest.size())));
}

} // namespace weir::config
