// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weir {

/// The one of `names` that `name` most likely stands for, or empty when none is near: few letters differ, or only case,
/// `_` and `-` do (`intervalSeconds`). Among equally near ones the first. Names over 64 bytes are near nothing.
[[nodiscard]] std::string nearestName(std::string_view name, std::span<const std::string> names);

} // namespace weir
