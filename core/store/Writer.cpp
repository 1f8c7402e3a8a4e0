// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/Writer.h"

#include "core/store/AuditTable.h"
#include "core/store/Connection.h"
#include "core/store/EventTable.h"
#include "core/store/RecordTables.h"
#include "core/store/SqliteDialect.h"
#include "core/store/Text.h"

#include <array>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

constexpr std::array<std::string_view, 3> kSeriesKey{"pool_id", "role", "at"};
constexpr std::array<std::string_view, 6> kSeriesColumns{"pool_id", "role", "at", "healthy", "total", "known"};
constexpr std::array<std::string_view, 1> kMarkKey{"id"};
constexpr std::array<std::string_view, 2> kMarkColumns{"id", "at"};

template <typename Record>
Result<void> putRecord(Connection& connection, const Record& record)
{
    const TableShape shape = Table<Record>::shape();
    return connection.run(dialect::upsert(shape.name, shape.columns.first(1), shape.columns), Table<Record>::row(record));
}

template <typename Record>
Result<void> removeRecord(Connection& connection, std::string_view key)
{
    const TableShape shape = Table<Record>::shape();
    return connection.run(u"DELETE FROM %1 WHERE %2 = ?"_s.arg(toQt(shape.name), toQt(shape.columns.front())), {toQt(key)});
}

} // namespace

Writer::Writer(Connection& connection, EventTable& events, journal::AuditChain::Head& auditHead)
    : m_connection(connection)
    , m_events(events)
    , m_auditHead(auditHead)
{
}

Result<void> Writer::put(const UserRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const PoolRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const NodeRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const TombstoneRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const AppRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const BindingRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const TokenRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const SettingRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const LicenceRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const journal::Alarm& alarm)
{
    return putRecord(m_connection, alarm);
}

Result<void> Writer::put(const AcknowledgementRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const SilenceRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::put(const WebhookRecord& record)
{
    return putRecord(m_connection, record);
}

Result<void> Writer::removeUser(std::string_view id)
{
    return removeRecord<UserRecord>(m_connection, id);
}

Result<void> Writer::removePool(std::string_view id)
{
    return removeRecord<PoolRecord>(m_connection, id);
}

Result<void> Writer::removeNode(std::string_view id)
{
    return removeRecord<NodeRecord>(m_connection, id);
}

Result<void> Writer::removeTombstone(std::string_view nodeId)
{
    return removeRecord<TombstoneRecord>(m_connection, nodeId);
}

Result<void> Writer::removeApp(std::string_view id)
{
    return removeRecord<AppRecord>(m_connection, id);
}

Result<void> Writer::removeBinding(std::string_view app)
{
    return removeRecord<BindingRecord>(m_connection, app);
}

Result<void> Writer::removeToken(std::string_view name)
{
    return removeRecord<TokenRecord>(m_connection, name);
}

Result<void> Writer::removeSetting(std::string_view key)
{
    return removeRecord<SettingRecord>(m_connection, key);
}

Result<void> Writer::removeLicence(std::string_view id)
{
    return removeRecord<LicenceRecord>(m_connection, id);
}

Result<void> Writer::removeAlarm(std::uint64_t id)
{
    const QVariant key = QVariant::fromValue<qlonglong>(static_cast<qlonglong>(id));
    return m_connection.run(u"DELETE FROM alarms WHERE id = ?"_s, {key}).and_then([&] {
        return m_connection.run(u"DELETE FROM alarm_acknowledgements WHERE alarm_id = ?"_s, {key});
    });
}

Result<void> Writer::removeSilence(std::string_view id)
{
    return removeRecord<SilenceRecord>(m_connection, id);
}

Result<void> Writer::removeWebhook(std::uint64_t id)
{
    return m_connection.run(u"DELETE FROM webhook_queue WHERE id = ?"_s, {QVariant::fromValue<qlonglong>(static_cast<qlonglong>(id))});
}

Result<void> Writer::appendEvents(std::span<journal::Event> events)
{
    return m_events.append(m_connection, events);
}

Result<void> Writer::appendSeries(std::span<const journal::SeriesChange> changes)
{
    const QString sql = dialect::upsert("series", kSeriesKey, kSeriesColumns);
    for (const journal::SeriesChange& change : changes) {
        const Result<void> done =
            m_connection.run(sql, {toQt(change.key.poolId), toQt(change.key.role), toColumn(change.point.at), change.point.healthy,
                                   change.point.total, int{change.point.known}});
        if (!done) {
            return done;
        }
    }
    return {};
}

Result<void> Writer::appendAudit(std::span<AuditRow> rows)
{
    return store::appendAudit(m_connection, rows, m_auditHead);
}

Result<void> Writer::markAuditExported(std::int64_t upTo)
{
    return store::markAuditExported(m_connection, upTo);
}

Result<std::int64_t> Writer::pruneAudit(WallTime before, std::int64_t limit)
{
    return store::pruneAudit(m_connection, before, limit);
}

Result<void> Writer::put(const ConfigVersion& version)
{
    return putRecord(m_connection, version);
}

Result<void> Writer::keepConfigVersions(std::int64_t count)
{
    return m_connection.run(u"DELETE FROM config_versions WHERE version <= (SELECT MAX(version) FROM config_versions) - ?"_s, {QVariant::fromValue<qlonglong>(count)});
}

Result<void> Writer::markAlive(WallTime at)
{
    return m_connection.run(dialect::upsert("marks", kMarkKey, kMarkColumns), {u"alive"_s, toColumn(at)});
}

Result<std::int64_t> Writer::pruneEvents(WallTime before, std::int64_t limit)
{
    return m_events.prune(m_connection, before, limit);
}

Result<std::optional<WallTime>> Writer::oldestEventAt()
{
    std::optional<WallTime> at;
    const Result<void> done = m_connection.each(u"SELECT at FROM events ORDER BY seq LIMIT 1"_s, {}, [&at](const QSqlQuery& row) {
        at = toWallTime(row.value(0));
        return Result<void>();
    });
    return done ? Result<std::optional<WallTime>>(at) : tl::unexpected<Error>(done.error());
}

Result<std::int64_t> Writer::pruneSeries(journal::SeriesKey& after, WallTime before, std::int64_t limit)
{
    std::optional<journal::SeriesKey> key;
    Result<void> done = m_connection.each(
        u"SELECT pool_id, role FROM series WHERE pool_id > ? OR (pool_id = ? AND role > ?) ORDER BY pool_id, role LIMIT 1"_s,
        {toQt(after.poolId), toQt(after.poolId), toQt(after.role)}, [&key](const QSqlQuery& row) {
            key = journal::SeriesKey{toText(row.value(0)), toText(row.value(1))};
            return Result<void>();
        });
    // The series of the whole fleet has an empty key, which nothing comes before: it is looked at when the others are through.
    const journal::SeriesKey one = key.value_or(journal::SeriesKey{});
    std::optional<qlonglong> last;
    std::int64_t removed = 0;
    if (done) {
        done = m_connection.each(u"SELECT at FROM series WHERE pool_id = ? AND role = ? AND at < (SELECT MAX(at) FROM series WHERE pool_id = ? AND role = ? AND at <= ?) ORDER BY at LIMIT ?"_s,
            {toQt(one.poolId), toQt(one.role), toQt(one.poolId), toQt(one.role), toColumn(before), QVariant::fromValue<qlonglong>(limit)}, [&](const QSqlQuery& row) {
                last = row.value(0).toLongLong();
                ++removed;
                return Result<void>();
            });
    }
    if (done && last) {
        done = m_connection.run(u"DELETE FROM series WHERE pool_id = ? AND role = ? AND at <= ?"_s, {toQt(one.poolId), toQt(one.role), *last});
    }
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    after = removed == limit ? after : one; // a key with more is looked at again
    return removed;
}

} // namespace weir::store
