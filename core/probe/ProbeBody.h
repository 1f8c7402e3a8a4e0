// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/ProbeTypes.h"

#include <string_view>

namespace weir::probe {

/// Looks into the body of a health answer for its reason. Never fails: what is not a JSON object (binary, cut off, nested
/// deeper than 32) is kept as text. Of an object `status`, `reason`, `disk_free_gb` and `deps` (names with true or false) are
/// kept where they have the right type: texts up to 1 KiB, 64 dependencies. Pure; any thread.
[[nodiscard]] ProbeBody readProbeBody(std::string_view bytes);

} // namespace weir::probe
