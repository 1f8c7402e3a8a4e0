// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::http {

/// The one of `known` that was probably meant by `name`, by edit distance; case, `_` and `-` do not count. Empty when none is
/// near enough.
[[nodiscard]] std::string nearestName(std::string_view name, const std::vector<std::string>& known);

} // namespace weir::http
