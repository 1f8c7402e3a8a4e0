// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/ProbeUrl.h"

#include <algorithm>
#include <charconv>

namespace weir::probe {
namespace {

constexpr std::uint16_t kSecurePort = 443;

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

} // namespace

std::optional<ProbeUrl> splitProbeUrl(std::string_view url)
{
    const std::size_t colon = url.find("://");
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string scheme = lowered(url.substr(0, colon));
    if (scheme != "http" && scheme != "https") {
        return std::nullopt;
    }
    ProbeUrl parts;
    parts.isSecure = scheme == "https";
    parts.port = parts.isSecure ? kSecurePort : parts.port;
    url.remove_prefix(colon + 3);
    const std::size_t path = url.find('/');
    if (path == std::string_view::npos) {
        return std::nullopt;
    }
    parts.target = url.substr(path);
    parts.authority = lowered(url.substr(0, path));
    std::string_view host = parts.authority;
    std::string_view port;
    const std::size_t bracket = host.find(']');
    const std::size_t split = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
    if (split != std::string_view::npos) {
        port = host.substr(split + 1);
        host = host.substr(0, split);
    }
    if (bracket != std::string_view::npos) {
        if (host.size() < 2 || host.front() != '[' || host.back() != ']') {
            return std::nullopt;
        }
        host = host.substr(1, host.size() - 2);
    }
    if (!port.empty()) {
        const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), parts.port);
        if (error != std::errc() || end != port.data() + port.size() || parts.port == 0) {
            return std::nullopt;
        }
    }
    if (host.empty()) {
        return std::nullopt;
    }
    parts.host = std::string(host);
    return parts;
}

} // namespace weir::probe
