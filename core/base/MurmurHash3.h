// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace weir {

/// The lower 64 bits of MurmurHash3 x64 128 with seed 0: the hash of routing.md, the same on every machine.
[[nodiscard]] std::uint64_t murmurHash3(std::string_view bytes) noexcept;

} // namespace weir
