// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Result.h"
#include "core/store/AuditCheck.h"
#include "core/store/DataDirectory.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weir::store {

struct BackupReport {
    AuditReport audit; ///< of the copy, checked
    std::uintmax_t bytes = 0;
};

/// Writes a consistent copy of a data directory's store to `target`, beside a server that may be writing it. The copy appears whole or not
/// at all, mode 0600, and its audit is checked. Errors: `file_exists` (a backup is never overwritten), `store_missing`, `store_failed`,
/// `store_damaged`, `audit_broken`, `store_older`.
[[nodiscard]] Result<BackupReport> backUpTo(const std::filesystem::path& dataDir, const std::filesystem::path& target);

struct RestoreReport {
    AuditReport audit;
    std::vector<std::filesystem::path> kept; ///< what the directory held before, under new names
};

/// Puts a backup in the place of the directory's store, which is kept under another name. The file is copied and checked first (form,
/// version, pages, audit chain; one from before the chain is taken as it is). Nothing is changed when that fails. Errors:
/// `store_missing`, `store_newer`, `store_damaged`, `audit_broken`, `store_failed`.
[[nodiscard]] Result<RestoreReport> restoreFrom(const DataDirectory& directory, const std::filesystem::path& source, WallTime now);

} // namespace weir::store
