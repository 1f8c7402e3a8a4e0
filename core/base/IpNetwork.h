// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/IpAddress.h"

#include <optional>
#include <string_view>

namespace weir {

/// A network in CIDR form: `10.0.0.0/8`, `2001:db8::/32`; an address alone is a network of one.
class IpNetwork {
public:
    /// Bits behind the prefix may be set, they do not count. Nothing for text that is not one.
    [[nodiscard]] static std::optional<IpNetwork> parse(std::string_view text) noexcept;

    /// An IPv4 network holds v4-mapped addresses too; they are the same.
    [[nodiscard]] bool contains(const IpAddress& address) const noexcept;

    friend auto operator<=>(const IpNetwork&, const IpNetwork&) = default;

private:
    IpAddress m_address;
    unsigned m_prefix = 128; ///< of the sixteen bytes
};

} // namespace weir
