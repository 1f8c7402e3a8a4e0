// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/journal/AuditChain.h"
#include "core/store/Records.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir::store {

class Connection;

// The table `audit` as journal::AuditChain sees it, and its marks. All errors are `store_failed` unless said otherwise.

/// SHA-256 as the chain wants it.
[[nodiscard]] std::string sha256Hex(std::string_view bytes);

/// The fields of a row that its hash covers, in the order of the columns; the time in milliseconds since 1970.
[[nodiscard]] std::array<std::string, 11> chainedFields(const AuditRow& row);

/// Numbers the rows, chains them behind `head` and writes them; `head` becomes the last of them.
[[nodiscard]] Result<void> appendAudit(Connection& connection, std::span<AuditRow> rows, journal::AuditChain::Head& head);

[[nodiscard]] Result<void> loadAuditHead(Connection& connection, journal::AuditChain::Head& head);

/// A step of the schema: chains rows that were written before there was a chain.
[[nodiscard]] Result<void> chainExistingRows(Connection& connection);

/// Marks: `head` (the last row), `pruned` (the last one that retention removed), `exported`.
[[nodiscard]] Result<std::optional<journal::AuditChain::Head>> auditMark(Connection& connection, std::string_view name);

[[nodiscard]] Result<void> markAuditExported(Connection& connection, std::int64_t upTo);
[[nodiscard]] Result<std::int64_t> pruneAudit(Connection& connection, WallTime before, std::int64_t limit);

} // namespace weir::store
