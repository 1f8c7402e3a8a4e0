// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/store/IncidentRecords.h"
#include "core/store/Queries.h"
#include "core/store/Records.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace weir::store {

class Connection;

/// Reads of the journal, the series and the audit on a read-only connection of its own, beside the writing one. The
/// connection is opened by the first read, in its thread; all further reads and the end (or close()) belong to that thread.
/// Errors: `store_failed`, `store_damaged`.
class StoreReader {
public:
    explicit StoreReader(std::filesystem::path databaseFile);
    StoreReader(const StoreReader&) = delete;
    StoreReader& operator=(const StoreReader&) = delete;
    ~StoreReader();

    [[nodiscard]] Result<std::vector<journal::Event>> events(const EventFilter& filter);

    /// The latest event among `kinds` of each node that has one at or after `since`, newest first.
    [[nodiscard]] Result<std::vector<journal::Event>> latestPerNode(const std::vector<journal::EventKind>& kinds, WallTime since);

    /// The points of the window in order of time. The first one lies at `since` and has the value that held there; it is
    /// unknown where nothing was stored before. A key with a pool alone, or a role alone, is the sum over what it leaves open
    /// (`unassigned` apart).
    [[nodiscard]] Result<std::vector<journal::SeriesPoint>> series(const SeriesQuery& query);

    [[nodiscard]] Result<std::vector<AuditRow>> audit(const AuditFilter& filter);

    /// A configuration with its text; nothing when it is not kept any more.
    [[nodiscard]] Result<std::optional<ConfigVersion>> configVersion(std::int64_t version);
    /// All that are kept, without their texts, the oldest first.
    [[nodiscard]] Result<std::vector<ConfigVersion>> configVersions();
    /// Number of the last row of the audit that an export handed out; 0: none.
    [[nodiscard]] Result<std::int64_t> auditExportedUpTo();
    // IncidentTables.cpp:
    [[nodiscard]] Result<std::vector<IncidentRecord>> incidents(const IncidentFilter& filter);
    /// The incident of that number, or the one it was merged into.
    [[nodiscard]] Result<std::optional<IncidentRecord>> incident(std::int64_t number);
    /// Rows of its timeline in the order of their first events, those after `afterSeq`.
    [[nodiscard]] Result<std::vector<IncidentRowRecord>> incidentRows(std::int64_t incident, std::int64_t afterSeq, std::size_t limit, bool onlyKey = false);
    /// What Writer::putMark() wrote; nothing when it never did.
    [[nodiscard]] Result<std::optional<std::int64_t>> mark(std::string_view id);

    /// Gives the connection up; the next read opens another, in whatever thread it comes from.
    void close();

private:
    [[nodiscard]] Result<Connection*> connection();
    [[nodiscard]] Result<std::vector<journal::SeriesPoint>> summedSeries(Connection& connection, const SeriesQuery& query);
    [[nodiscard]] Result<std::vector<journal::SeriesPoint>> seriesIn(Connection& connection, const SeriesQuery& query);

    std::filesystem::path m_file;
    std::unique_ptr<Connection> m_connection;
};

} // namespace weir::store
