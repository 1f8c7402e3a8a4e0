// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/MurmurHash3.h"

#include <bit>
#include <cstddef>

namespace weir {
namespace {

constexpr std::uint64_t kFirst = 0x87c37b91114253d5;
constexpr std::uint64_t kSecond = 0x4cf5ad432745937f;
constexpr std::size_t kBlock = 16;

// Up to eight bytes, the first one lowest, whatever the machine's order.
std::uint64_t load(std::string_view bytes) noexcept
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return value;
}

std::uint64_t mixFirst(std::uint64_t k) noexcept
{
    return std::rotl(k * kFirst, 31) * kSecond;
}

std::uint64_t mixSecond(std::uint64_t k) noexcept
{
    return std::rotl(k * kSecond, 33) * kFirst;
}

std::uint64_t finish(std::uint64_t k) noexcept
{
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccd;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53;
    return k ^ k >> 33;
}

} // namespace

std::uint64_t murmurHash3(std::string_view bytes) noexcept
{
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::string_view rest = bytes;
    for (; rest.size() >= kBlock; rest.remove_prefix(kBlock)) {
        low ^= mixFirst(load(rest.substr(0, 8)));
        low = (std::rotl(low, 27) + high) * 5 + 0x52dce729;
        high ^= mixSecond(load(rest.substr(8, 8)));
        high = (std::rotl(high, 31) + low) * 5 + 0x38495ab5;
    }
    if (rest.size() > 8) {
        high ^= mixSecond(load(rest.substr(8)));
    }
    low ^= mixFirst(load(rest.substr(0, 8)));
    low ^= bytes.size();
    high ^= bytes.size();
    low += high;
    high += low;
    return finish(low) + finish(high);
}

} // namespace weir
