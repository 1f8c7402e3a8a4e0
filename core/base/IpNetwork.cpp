// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/IpNetwork.h"

#include <algorithm>
#include <charconv>

namespace weir {

std::optional<IpNetwork> IpNetwork::parse(std::string_view text) noexcept
{
    const std::size_t slash = text.find('/');
    const std::string_view addressText = text.substr(0, slash);
    const auto address = IpAddress::parse(addressText);
    if (!address) {
        return std::nullopt;
    }
    // By the spelling: a v4-mapped text in IPv6 form counts its prefix in 128 bits.
    const bool isV4 = addressText.find(':') == std::string_view::npos;
    const unsigned most = isV4 ? 32 : 128;
    unsigned prefix = most;
    if (slash != std::string_view::npos) {
        const std::string_view digits = text.substr(slash + 1);
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), prefix);
        if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || prefix > most) {
            return std::nullopt;
        }
    }
    IpNetwork network;
    network.m_address = *address;
    network.m_prefix = prefix + (isV4 ? 96 : 0);
    return network;
}

bool IpNetwork::contains(const IpAddress& address) const noexcept
{
    const IpAddress::Bytes& own = m_address.bytes();
    const IpAddress::Bytes& other = address.bytes();
    const std::size_t whole = m_prefix / 8;
    const unsigned rest = m_prefix % 8;
    if (!std::equal(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(whole), other.begin())) {
        return false;
    }
    return rest == 0 || (own[whole] >> (8 - rest)) == (other[whole] >> (8 - rest));
}

} // namespace weir
