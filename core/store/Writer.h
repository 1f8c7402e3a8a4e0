// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/journal/Event.h"
#include "core/journal/HealthySeries.h"
#include "core/store/Records.h"

#include <cstdint>
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
    /// With its acknowledgement.
    [[nodiscard]] Result<void> removeAlarm(std::uint64_t id);
    [[nodiscard]] Result<void> removeSilence(std::string_view id);
    [[nodiscard]] Result<void> removeWebhook(std::uint64_t id);

    /// Writes the events and sets their `seq`: the last one + 1, and so on. The numbers count once the transaction is
    /// committed; one that is rolled back gives them to the next.
    [[nodiscard]] Result<void> appendEvents(std::span<journal::Event> events);
    [[nodiscard]] Result<void> appendSeries(std::span<const journal::SeriesChange> changes);
    /// Writes the rows and sets their `id`, in the way of appendEvents().
    [[nodiscard]] Result<void> appendAudit(std::span<AuditRow> rows);
    [[nodiscard]] Result<void> markAlive(WallTime at);

    /// Retention, in small steps: removes at most `limit` of the oldest events that are older than `before`, and says how many.
    /// The newest event always stays.
    [[nodiscard]] Result<std::int64_t> pruneEvents(WallTime before, std::int64_t limit);

private:
    friend class Store;
    Writer(Connection& connection, EventTable& events, std::int64_t& lastAuditId);

    Connection& m_connection;
    EventTable& m_events;
    std::int64_t& m_lastAuditId;
};

} // namespace weir::store
