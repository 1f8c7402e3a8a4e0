// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/journal/AuditChain.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace weir::store {

/// An audit whose chain holds.
struct AuditReport {
    std::int64_t rows = 0;            ///< that were read
    std::int64_t prunedUpTo = 0;      ///< rows that retention removed after their export
    journal::AuditChain::Head head{}; ///< the last one
};

/// Reads the whole audit of a database and checks its chain, beside a server that may be writing it. `expected`: a head that was logged
/// or kept elsewhere; it shows a tail that was cut off together with the store's own mark. Errors: `audit_broken`, naming the row;
/// `store_missing`, `store_failed`, `store_damaged`; `store_older` for one without a chain.
[[nodiscard]] Result<AuditReport> checkAudit(const std::filesystem::path& databaseFile, const std::optional<journal::AuditChain::Head>& expected = {});

} // namespace weir::store
