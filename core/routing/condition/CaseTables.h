// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace weir::routing {

/// The one character that stands for this one in the other case, for characters beyond ASCII; itself where there is none.
[[nodiscard]] std::uint32_t simpleUpper(std::uint32_t codePoint) noexcept;
[[nodiscard]] std::uint32_t simpleLower(std::uint32_t codePoint) noexcept;

} // namespace weir::routing
