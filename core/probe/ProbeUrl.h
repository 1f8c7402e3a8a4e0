// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::probe {

/// The parts of a canonical health address (see joinHealthUrl).
struct ProbeUrl {
    bool isSecure = false;
    std::string host;        ///< in lower case, an IPv6 address without brackets
    std::uint16_t port = 80;
    std::string authority;   ///< for the Host header: the host, and the port where the address names one
    std::string_view target; ///< path and query, byte for byte; points into the text that was split
};

/// Nothing for a text that is no canonical health address. Pure.
[[nodiscard]] std::optional<ProbeUrl> splitProbeUrl(std::string_view url);

} // namespace weir::probe
