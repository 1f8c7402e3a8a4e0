// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/store/Schema.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace weir::store {

class Connection;

/// Makes or checks the database file and brings it to the version of the last step. The caller holds the directory's lock.
/// A file that is newer, damaged or not ours is left exactly as it is. Errors: `store_newer`, `store_damaged`, `store_failed`.
[[nodiscard]] Result<std::unique_ptr<Connection>> openDatabase(const std::filesystem::path& file, const std::vector<Migration>& steps);

} // namespace weir::store
