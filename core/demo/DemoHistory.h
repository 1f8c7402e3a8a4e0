// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Result.h"
#include "core/demo/DemoCast.h"

#include <filesystem>

namespace weir::demo {

/// Writes half an hour of made-up history of `cast` before `now` into the demo's empty store, so that the chart has a shape from the first
/// second on: change points of the healthy-worker series, and the events behind them. Every sentence says that it is generated.
/// Error: what the store says.
[[nodiscard]] Result<void> writeHistory(const std::filesystem::path& dataDir, const DemoCast& cast, WallTime now);

} // namespace weir::demo
