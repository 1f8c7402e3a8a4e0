// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/store/AuditTable.h"
#include "core/store/EventTable.h"
#include "core/store/Records.h"
#include "core/store/Schema.h"
#include "core/store/Writer.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace weir::store {

class Connection;
class DataDirectory;

/// The one writing connection to the database of a data directory. Opened, used and destroyed in one thread, the store
/// thread. What inTransaction() has answered is on disk; a failed one has changed nothing, and the store stays usable.
class Store {
public:
    /// Opens the database, or makes it; brings an older one to this version in one transaction, after a copy to
    /// `weir.db.backup-v<version>`. The directory must outlive the store. Errors, in none of which a file was changed:
    /// `store_newer` (written by a later Weir), `store_damaged` (names the newest backup, if there is one), `store_failed`.
    [[nodiscard]] static Result<std::unique_ptr<Store>> open(const DataDirectory& directory);
    /// The same with the steps of another schema; for the tests of the steps themselves.
    [[nodiscard]] static Result<std::unique_ptr<Store>> open(const DataDirectory& directory, const std::vector<Migration>& steps);

    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    ~Store();

    /// Everything that a start needs, as of one moment. An empty pool id comes as `default`.
    [[nodiscard]] Result<Snapshot> load();

    /// Runs `work` in one transaction: all of it is committed, or nothing when it or the commit fails. Not nested.
    [[nodiscard]] Result<void> inTransaction(const std::function<Result<void>(Writer&)>& work);

    /// The latest mark of Writer::markAlive(), of this run or the one before; nothing when there never was one.
    [[nodiscard]] Result<std::optional<WallTime>> lastAlive();

    /// Number of the last committed event; 0 when there is none.
    [[nodiscard]] std::int64_t lastSeq() const { return m_events.state().lastSeq; }

    /// The last row of the audit and its hash, as committed.
    [[nodiscard]] const journal::AuditChain::Head& auditHead() const { return m_auditHead; }

    /// Bytes of data in the database, for retention by size.
    [[nodiscard]] Result<std::int64_t> usedBytes();

private:
    class Transaction;
    explicit Store(std::unique_ptr<Connection> connection);

    std::unique_ptr<Connection> m_connection;
    EventTable m_events;
    journal::AuditChain::Head m_auditHead;
};

} // namespace weir::store
