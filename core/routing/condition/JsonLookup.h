// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/routing/condition/Scratch.h"

#include <optional>
#include <string_view>

namespace weir::routing {

/// The text of the value at a dotted path (`error.items.0.code`; `\.` for a dot within a key) of a JSON text; nothing when there
/// is none. A string comes decoded, a number in plain decimal form, true and false as words, null as "", an object or array as
/// it stands in the text. Of equal keys the first counts.
///
/// Reads no further than the value and checks no more than it passes, so a body that was cut off behind it is fine.
/// Bounded by the length of the text, whatever its nesting. The view points into `text` or `scratch`.
[[nodiscard]] std::optional<std::string_view> jsonValueAt(std::string_view text, std::string_view path, Scratch& scratch);

} // namespace weir::routing
