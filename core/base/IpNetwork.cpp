// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/IpNetwork.h"

#include <algorithm>
#include <charconv>

namespace weir {
namespace {

constexpr unsigned kAllBits = 128;
constexpr unsigned kMappedBits = 96; ///< before the four bytes of an IPv4 address

} // namespace

std::optional<IpNetwork> IpNetwork::parse(std::string_view text) noexcept
{
    const std::size_t slash = text.find('/');
    const auto address = IpAddress::parse(text.substr(0, slash));
    if (!address) {
        return std::nullopt;
    }
    const bool isV4 = text.substr(0, slash).find(':') == std::string_view::npos;
    unsigned bits = kAllBits;
    if (slash != std::string_view::npos) {
        const std::string_view length = text.substr(slash + 1);
        unsigned value = 0;
        const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), value);
        if (error != std::errc() || end != length.data() + length.size() || value > (isV4 ? kAllBits - kMappedBits : kAllBits)) {
            return std::nullopt;
        }
        bits = isV4 ? kMappedBits + value : value;
    }
    for (unsigned bit = bits; bit < kAllBits; ++bit) {
        if ((address->bytes()[bit / 8] & (0x80U >> (bit % 8))) != 0) {
            return std::nullopt;
        }
    }
    return IpNetwork(*address, bits);
}

bool IpNetwork::contains(const IpAddress& address) const noexcept
{
    const IpAddress::Bytes& a = m_address.bytes();
    const IpAddress::Bytes& b = address.bytes();
    const std::size_t whole = m_bits / 8;
    if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(whole), b.begin())) {
        return false;
    }
    const unsigned rest = m_bits % 8;
    return rest == 0 || (a[whole] >> (8 - rest)) == (b[whole] >> (8 - rest));
}

} // namespace weir
