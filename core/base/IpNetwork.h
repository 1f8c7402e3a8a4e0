// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/IpAddress.h"

#include <optional>
#include <string_view>

namespace weir {

/// A block of addresses: `10.0.0.0/8`, `fd00::/8`, or a single address.
class IpNetwork {
public:
    IpNetwork() = default;
    IpNetwork(const IpAddress& address, unsigned bits) noexcept : m_address(address), m_bits(bits) {}

    /// Nothing where the text is none, the length is out of range, or bits beyond the length are set.
    [[nodiscard]] static std::optional<IpNetwork> parse(std::string_view text) noexcept;

    [[nodiscard]] bool contains(const IpAddress& address) const noexcept;

    friend bool operator==(const IpNetwork&, const IpNetwork&) = default;

private:
    IpAddress m_address{};
    unsigned m_bits = 128; ///< of the sixteen bytes
};

} // namespace weir
