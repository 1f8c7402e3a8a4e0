// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::config {

/// Where a listener binds. `host` is always an address literal, without brackets (`127.0.0.1`, `::1`); port 0 takes a free one.
struct ListenAddress {
    std::string host;
    std::uint16_t port = 0;

    friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

/// Reads `127.0.0.1:8700` or `[::1]:0`; `localhost` stands for 127.0.0.1, other names are refused (a listener that depends on
/// DNS comes up somewhere else after an outage). Error: code `invalid_address`, field as given.
[[nodiscard]] Result<ListenAddress> parseListenAddress(std::string_view text, std::string_view field = "listen");

/// `127.0.0.1:8700`, `[::1]:8700`.
[[nodiscard]] std::string toText(const ListenAddress& address);

} // namespace weir::config
