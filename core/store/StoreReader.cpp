// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/StoreReader.h"

#include "core/store/AuditTable.h"
#include "core/journal/SeriesMath.h"
#include "core/store/Connection.h"
#include "core/store/EventTable.h"
#include "core/store/RecordTables.h"
#include "core/store/SqliteDialect.h"
#include "core/store/Text.h"

#include <QStringList>

#include <algorithm>
#include <unordered_set>
#include <utility>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

/// Conditions and their values, grown together, so that no value ever gets into the text of a statement.
class Conditions {
public:
    void add(const QString& condition, std::initializer_list<QVariant> values)
    {
        m_conditions << condition;
        m_values << values;
    }
    void addEquals(const QString& column, const std::string& text)
    {
        if (!text.empty()) {
            add(column + u" = ?"_s, {toQt(text)});
        }
    }
    void addRange(const QString& column, const std::optional<std::int64_t>& after, const std::optional<std::int64_t>& before)
    {
        if (after) {
            add(column + u" > ?"_s, {QVariant::fromValue<qlonglong>(*after)});
        }
        if (before) {
            add(column + u" < ?"_s, {QVariant::fromValue<qlonglong>(*before)});
        }
    }
    void addTimes(const std::optional<WallTime>& since, const std::optional<WallTime>& until)
    {
        if (since) {
            add(u"at >= ?"_s, {toColumn(*since)});
        }
        if (until) {
            add(u"at <= ?"_s, {toColumn(*until)});
        }
    }
    /// Narrows the numbers to the blocks whose times reach into the window; addTimes() makes it exact.
    void addBlocks(const std::optional<WallTime>& since, const std::optional<WallTime>& until)
    {
        if (since) {
            add(u"seq >= (SELECT COALESCE(MIN(block), 9000000000000000) * %1 FROM event_blocks WHERE max_at >= ?)"_s.arg(EventTable::kBlock),
                {toColumn(*since)});
        }
        if (until) {
            add(u"seq < (SELECT (COALESCE(MAX(block), -1) + 1) * %1 FROM event_blocks WHERE min_at <= ?)"_s.arg(EventTable::kBlock),
                {toColumn(*until)});
        }
    }
    void addKinds(const std::vector<journal::EventKind>& kinds)
    {
        if (kinds.empty()) {
            return;
        }
        QStringList places;
        for (const journal::EventKind kind : std::unordered_set<journal::EventKind>(kinds.begin(), kinds.end())) {
            places << u"?"_s;
            m_values << toQt(journal::toText(kind));
        }
        m_conditions << u"kind IN (%1)"_s.arg(places.join(u", "_s));
    }

    [[nodiscard]] QString where() const { return m_conditions.isEmpty() ? QString() : u" WHERE "_s + m_conditions.join(u" AND "_s); }
    [[nodiscard]] const QVariantList& values() const { return m_values; }

private:
    QStringList m_conditions;
    QVariantList m_values;
};

QVariant rowLimit(std::size_t limit)
{
    return QVariant::fromValue<qlonglong>(static_cast<qlonglong>(std::min(limit, kMostRows)));
}

QString order(const QString& column, bool newestFirst)
{
    return u" ORDER BY %1 %2 LIMIT ?"_s.arg(column, newestFirst ? u"DESC"_s : u"ASC"_s);
}

/// Adds what `filter` asks to `conditions` and appends what is found, up to the filter's limit.
Result<void> readEvents(Connection& connection, const EventFilter& filter, Conditions conditions, std::vector<journal::Event>& events)
{
    conditions.addRange(u"seq"_s, filter.afterSeq, filter.beforeSeq);
    conditions.addTimes(filter.since, filter.until);
    conditions.addKinds(filter.kinds);
    conditions.addEquals(u"node_id"_s, filter.nodeId);
    conditions.addEquals(u"pool_id"_s, filter.poolId);
    conditions.addEquals(u"app_id"_s, filter.appId);
    conditions.addEquals(u"role"_s, filter.role);
    return connection.each(u"SELECT %1 FROM events"_s.arg(EventTable::columns()) + conditions.where() + order(u"seq"_s, filter.newestFirst),
                           conditions.values() + QVariantList{rowLimit(std::min(filter.limit, kMostRows) - events.size())},
                           [&events](const QSqlQuery& row) {
                               return EventTable::read(row).map([&events](journal::Event&& event) { events.push_back(std::move(event)); });
                           });
}

/// Numbers of the next blocks that may speak of the filter's node, in its order, from `position` on, which is moved past those
/// that were looked at; false where there are no more.
Result<bool> nextBlocks(Connection& connection, const EventFilter& filter, std::optional<std::int64_t>& position, std::vector<std::int64_t>& blocks)
{
    Conditions conditions;
    const auto blockOf = [](std::int64_t seq) { return QVariant::fromValue<qlonglong>(seq / EventTable::kBlock); };
    if (filter.afterSeq) {
        conditions.add(u"block >= ?"_s, {blockOf(*filter.afterSeq)});
    }
    if (filter.beforeSeq) {
        conditions.add(u"block <= ?"_s, {blockOf(*filter.beforeSeq)});
    }
    if (filter.since) {
        conditions.add(u"max_at >= ?"_s, {toColumn(*filter.since)});
    }
    if (filter.until) {
        conditions.add(u"min_at <= ?"_s, {toColumn(*filter.until)});
    }
    if (position) {
        conditions.add(filter.newestFirst ? u"block < ?"_s : u"block > ?"_s, {QVariant::fromValue<qlonglong>(*position)});
    }
    constexpr std::size_t kStep = 256;
    bool found = false;
    blocks.clear();
    const Result<void> done =
        connection.each(u"SELECT block, nodes FROM event_blocks"_s + conditions.where() + order(u"block"_s, filter.newestFirst),
                        conditions.values() + QVariantList{rowLimit(kStep)}, [&](const QSqlQuery& row) {
                            position = row.value(0).toLongLong();
                            found = true;
                            const QByteArray nodes = row.value(1).toByteArray();
                            if (NodeFilter({nodes.constData(), static_cast<std::size_t>(nodes.size())}).mayContain(filter.nodeId)) {
                                blocks.push_back(*position);
                            }
                            return Result<void>();
                        });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return found;
}

Result<void> readEventsOfNode(Connection& connection, const EventFilter& filter, std::vector<journal::Event>& events)
{
    std::optional<std::int64_t> position;
    std::vector<std::int64_t> blocks;
    for (;;) {
        const Result<bool> more = nextBlocks(connection, filter, position, blocks);
        if (!more) {
            return tl::unexpected<Error>(more.error());
        }
        if (!*more) {
            return {};
        }
        for (const std::int64_t block : blocks) {
            Conditions conditions;
            conditions.add(u"seq >= ?"_s, {QVariant::fromValue<qlonglong>(block * EventTable::kBlock)});
            conditions.add(u"seq < ?"_s, {QVariant::fromValue<qlonglong>((block + 1) * EventTable::kBlock)});
            if (Result<void> done = readEvents(connection, filter, conditions, events); !done) {
                return done;
            }
            if (events.size() >= std::min(filter.limit, kMostRows)) {
                return {};
            }
        }
    }
}

journal::SeriesPoint pointFrom(const QSqlQuery& row)
{
    return {toWallTime(row.value(0)), row.value(1).toInt(), row.value(2).toInt(), row.value(3).toInt() != 0};
}

} // namespace

StoreReader::StoreReader(std::filesystem::path databaseFile)
    : m_file(std::move(databaseFile))
{
}

StoreReader::~StoreReader() = default;

void StoreReader::close()
{
    m_connection.reset();
}

Result<Connection*> StoreReader::connection()
{
    if (!m_connection) {
        Result<std::unique_ptr<Connection>> opened = Connection::open(m_file, Connection::Mode::ReadOnly);
        if (!opened) {
            return tl::unexpected<Error>(opened.error());
        }
        m_connection = std::move(*opened);
    }
    return m_connection.get();
}

Result<std::vector<journal::Event>> StoreReader::events(const EventFilter& filter)
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    std::vector<journal::Event> events;
    // Several reads that must see one moment.
    Result<void> done = (*open)->exec(dialect::beginRead());
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    if (filter.nodeId.empty()) {
        Conditions conditions;
        conditions.addBlocks(filter.since, filter.until);
        done = readEvents(**open, filter, conditions, events);
    } else {
        done = readEventsOfNode(**open, filter, events);
    }
    static_cast<void>((*open)->exec(u"ROLLBACK"_s)); // nothing to keep of a read
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return events;
}

Result<std::vector<journal::Event>> StoreReader::latestPerNode(const std::vector<journal::EventKind>& kinds, WallTime since)
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    Conditions conditions;
    conditions.addBlocks(since, std::nullopt);
    conditions.addTimes(since, std::nullopt);
    conditions.addKinds(kinds);
    std::vector<journal::Event> events;
    std::unordered_set<std::string> seen;
    const QString sql = u"SELECT %1 FROM events"_s.arg(EventTable::columns()) + conditions.where() + u" ORDER BY seq DESC"_s;
    const Result<void> done = (*open)->each(sql, conditions.values(), [&](const QSqlQuery& row) {
        return EventTable::read(row).map([&](journal::Event&& event) {
            if (!event.nodeId.empty() && seen.insert(event.nodeId).second) {
                events.push_back(std::move(event));
            }
        });
    });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return events;
}

Result<std::vector<journal::SeriesPoint>> StoreReader::series(const SeriesQuery& query)
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    if (query.until < query.since) {
        return fail("invalid_window", "A window ends before it begins.", "until");
    }
    // Several reads that must see one moment.
    if (Result<void> begun = (*open)->exec(dialect::beginRead()); !begun) {
        return tl::unexpected<Error>(begun.error());
    }
    const bool isStored = query.key.poolId.empty() == query.key.role.empty();
    Result<std::vector<journal::SeriesPoint>> points = isStored ? seriesIn(**open, query) : summedSeries(**open, query);
    static_cast<void>((*open)->exec(u"ROLLBACK"_s)); // nothing to keep of a read
    return points;
}

// All roles of one pool, or one role in all pools that are scheduled: no series of its own, the sum of those that are stored.
Result<std::vector<journal::SeriesPoint>> StoreReader::summedSeries(Connection& connection, const SeriesQuery& query)
{
    const bool byPool = !query.key.poolId.empty();
    std::vector<journal::SeriesKey> keys;
    const QString sql = byPool ? u"SELECT DISTINCT pool_id, role FROM series WHERE pool_id = ?"_s
                               : u"SELECT DISTINCT pool_id, role FROM series WHERE role = ? AND pool_id <> '' AND pool_id <> 'unassigned'"_s;
    Result<void> done = connection.each(sql, {toQt(byPool ? query.key.poolId : query.key.role)}, [&keys](const QSqlQuery& row) {
        keys.push_back({toText(row.value(0)), toText(row.value(1))});
        return Result<void>();
    });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    std::vector<std::vector<journal::SeriesPoint>> parts;
    for (const journal::SeriesKey& key : keys) {
        SeriesQuery part = query;
        part.key = key;
        Result<std::vector<journal::SeriesPoint>> points = seriesIn(connection, part);
        if (!points) {
            return points;
        }
        parts.push_back(std::move(*points));
    }
    const std::vector<journal::SeriesPoint> sum = journal::sumOf(parts);
    if (sum.size() <= query.maxPoints) {
        return sum.empty() ? std::vector<journal::SeriesPoint>{{query.since, 0, 0, false}} : sum;
    }
    std::vector<journal::SeriesPoint> points{sum.front()};
    journal::SeriesThinner thinner(query.since, query.until, query.maxPoints, points);
    for (std::size_t i = 1; i < sum.size(); ++i) {
        thinner.add(sum[i]);
    }
    thinner.finish();
    return points;
}

Result<std::vector<journal::SeriesPoint>> StoreReader::seriesIn(Connection& connection, const SeriesQuery& query)
{
    const QVariantList key{toQt(query.key.poolId), toQt(query.key.role)};
    const QVariantList window = key + QVariantList{toColumn(query.since), toColumn(query.until)};
    std::vector<journal::SeriesPoint> points{{query.since, 0, 0, false}};
    std::size_t count = 0;
    Result<void> done = connection.each(
        u"SELECT at, healthy, total, known FROM series WHERE pool_id = ? AND role = ? AND at <= ? ORDER BY at DESC LIMIT 1"_s,
        key + QVariantList{toColumn(query.since)}, [&](const QSqlQuery& row) {
            points.front() = pointFrom(row);
            points.front().at = query.since;
            return Result<void>();
        });
    if (done) {
        done = connection.each(u"SELECT COUNT(*) FROM series WHERE pool_id = ? AND role = ? AND at > ? AND at <= ?"_s, window,
                               [&count](const QSqlQuery& row) {
                                   count = static_cast<std::size_t>(row.value(0).toLongLong());
                                   return Result<void>();
                               });
    }
    const bool isExact = count < std::min(query.maxPoints, kMostRows);
    journal::SeriesThinner thinner(query.since, query.until, std::min(query.maxPoints, kMostRows), points);
    if (done) {
        done = connection.each(
            u"SELECT at, healthy, total, known FROM series WHERE pool_id = ? AND role = ? AND at > ? AND at <= ? ORDER BY at"_s, window,
            [&](const QSqlQuery& row) {
                if (isExact) {
                    points.push_back(pointFrom(row));
                } else {
                    thinner.add(pointFrom(row));
                }
                return Result<void>();
            });
    }
    thinner.finish();
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return points;
}

Result<std::vector<AuditRow>> StoreReader::audit(const AuditFilter& filter)
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    Conditions conditions;
    conditions.addRange(u"id"_s, filter.afterId, filter.beforeId);
    conditions.addTimes(filter.since, filter.until);
    conditions.addEquals(u"actor"_s, filter.actor);
    conditions.addEquals(u"action"_s, filter.action);
    conditions.addEquals(u"target"_s, filter.target);
    conditions.addEquals(u"outcome"_s, filter.outcome);
    const TableShape shape = Table<AuditRow>::shape();
    std::vector<AuditRow> rows;
    const Result<void> done = (*open)->each(
        u"SELECT %1 FROM %2"_s.arg(columnList(shape), toQt(shape.name)) + conditions.where() + order(u"id"_s, filter.newestFirst),
        conditions.values() + QVariantList{rowLimit(filter.limit)}, [&rows](const QSqlQuery& row) {
            rows.push_back(Table<AuditRow>::read(row));
            return Result<void>();
        });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return rows;
}

Result<std::optional<ConfigVersion>> StoreReader::configVersion(std::int64_t version)
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    const TableShape shape = Table<ConfigVersion>::shape();
    std::optional<ConfigVersion> found;
    const Result<void> done = (*open)->each(u"SELECT %1 FROM %2 WHERE version = ?"_s.arg(columnList(shape), toQt(shape.name)), {QVariant::fromValue<qlonglong>(version)}, [&found](const QSqlQuery& row) {
        found = Table<ConfigVersion>::read(row);
        return Result<void>();
    });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return found;
}

Result<std::vector<ConfigVersion>> StoreReader::configVersions()
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    std::vector<ConfigVersion> versions;
    const Result<void> done = (*open)->each(u"SELECT version, at, loaded_by, note, '' FROM config_versions ORDER BY version"_s, {}, [&versions](const QSqlQuery& row) {
        versions.push_back(Table<ConfigVersion>::read(row));
        return Result<void>();
    });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return versions;
}

Result<std::int64_t> StoreReader::auditExportedUpTo()
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    const auto mark = auditMark(**open, "exported");
    if (!mark) {
        return tl::unexpected<Error>(mark.error());
    }
    return *mark ? (*mark)->id : 0;
}

} // namespace weir::store
