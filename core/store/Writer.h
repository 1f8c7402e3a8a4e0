// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/journal/AuditChain.h"
#include "core/journal/Event.h"
#include "core/journal/HealthySeries.h"
#include "core/store/IncidentRecords.h"
#include "core/store/Records.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace weir::store {

class Connection;
class EventTable;

/// What a transaction may do; only Store::inTransaction() hands one out, and it ends with the call. put() takes the place of
/// the record with the same id; removing what is not there is no error. Every call gives `store_failed` when it fails, after
/// which the transaction must fail too.
class Writer {
public:
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    [[nodiscard]] Result<void> put(const UserRecord& record);
    [[nodiscard]] Result<void> put(const PoolRecord& record);
    [[nodiscard]] Result<void> put(const NodeRecord& record);
    [[nodiscard]] Result<void> put(const TombstoneRecord& record);
    [[nodiscard]] Result<void> put(const AppRecord& record);
    [[nodiscard]] Result<void> put(const BindingRecord& record);
    [[nodiscard]] Result<void> put(const TokenRecord& record);
    [[nodiscard]] Result<void> put(const SettingRecord& record);
    [[nodiscard]] Result<void> put(const LicenceRecord& record);

    [[nodiscard]] Result<void> put(const journal::Alarm& alarm);
    [[nodiscard]] Result<void> put(const AcknowledgementRecord& record);
    [[nodiscard]] Result<void> put(const SilenceRecord& record);
    [[nodiscard]] Result<void> put(const WebhookRecord& record);

    [[nodiscard]] Result<void> removeUser(std::string_view id);
    [[nodiscard]] Result<void> removePool(std::string_view id);
    [[nodiscard]] Result<void> removeNode(std::string_view id);
    [[nodiscard]] Result<void> removeTombstone(std::string_view nodeId);
    [[nodiscard]] Result<void> removeApp(std::string_view id);
    [[nodiscard]] Result<void> removeBinding(std::string_view app);
    [[nodiscard]] Result<void> removeToken(std::string_view name);
    [[nodiscard]] Result<void> removeSetting(std::string_view key);
    [[nodiscard]] Result<void> removeLicence(std::string_view id);

    [[nodiscard]] Result<void> put(const IncidentRecord& record);
    [[nodiscard]] Result<void> put(const IncidentRowRecord& record);
    [[nodiscard]] Result<void> removeIncidentRow(std::int64_t incident, std::int64_t firstSeq);
    /// Rows of one incident become another's; where both have a row of the same event, the other's stays.
    [[nodiscard]] Result<void> moveIncidentRows(std::int64_t from, std::int64_t into);
    /// A number kept under a name.
    [[nodiscard]] Result<void> putMark(std::string_view id, std::int64_t value);
    /// With its acknowledgement.
    [[nodiscard]] Result<void> removeAlarm(std::uint64_t id);
    [[nodiscard]] Result<void> removeSilence(std::string_view id);
    [[nodiscard]] Result<void> removeWebhook(std::uint64_t id);

    /// Writes the events and sets their `seq`: the last one + 1, and so on. The numbers count once the transaction is
    /// committed; one that is rolled back gives them to the next.
    [[nodiscard]] Result<void> appendEvents(std::span<journal::Event> events);
    [[nodiscard]] Result<void> appendSeries(std::span<const journal::SeriesChange> changes);
    /// Writes the rows and sets their `id` and hashes, in the way of appendEvents().
    [[nodiscard]] Result<void> appendAudit(std::span<AuditRow> rows);
    /// Everything up to this row was handed out by an export; what is not may never be pruned.
    [[nodiscard]] Result<void> markAuditExported(std::int64_t upTo);
    /// Removes at most `limit` of the oldest rows that were exported and are older than `before`, and says how many. The newest
    /// row always stays.
    [[nodiscard]] Result<std::int64_t> pruneAudit(WallTime before, std::int64_t limit);
    [[nodiscard]] Result<void> put(const ConfigVersion& version);
    /// Removes all versions but the latest `count`.
    [[nodiscard]] Result<void> keepConfigVersions(std::int64_t count);
    [[nodiscard]] Result<void> markAlive(WallTime at);

    /// Retention, in small steps: removes at most `limit` of the oldest events that are older than `before`, and says how many.
    /// The newest event always stays.
    [[nodiscard]] Result<std::int64_t> pruneEvents(WallTime before, std::int64_t limit);
    /// The same for incidents that ended before: removes at most `limit` rows of the oldest one, and itself with its last row.
    [[nodiscard]] Result<std::int64_t> pruneIncidents(WallTime endedBefore, std::int64_t limit);
    /// The same for the series, one key a call, the one after `after`, which moves on: removes at most `limit` points that a later one
    /// at or before `before` makes needless, so that the value that held at `before` stays known.
    [[nodiscard]] Result<std::int64_t> pruneSeries(journal::SeriesKey& after, WallTime before, std::int64_t limit);
    [[nodiscard]] Result<std::optional<WallTime>> oldestEventAt();

private:
    friend class Store;
    Writer(Connection& connection, EventTable& events, journal::AuditChain::Head& auditHead);

    Connection& m_connection;
    EventTable& m_events;
    journal::AuditChain::Head& m_auditHead;
};

} // namespace weir::store
