// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::gateway {

/// Where a node's traffic goes, taken apart.
struct NodeAddress {
    bool isSecure = false;
    std::string host; ///< a name or an address, without brackets
    std::uint16_t port = 80;
    std::string basePath; ///< without a slash at its end; empty for "/"

    /// `http://host[:port][/path]` or `https://…`. Error: `invalid_url`.
    [[nodiscard]] static Result<NodeAddress> parse(std::string_view url);
};

} // namespace weir::gateway
