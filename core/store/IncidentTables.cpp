// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing of incidents.
#include "core/store/Connection.h"
#include "core/store/Queries.h"
#include "core/store/SqliteDialect.h"
#include "core/store/StoreReader.h"
#include "core/store/Text.h"
#include "core/store/Writer.h"

#include <QStringList>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

constexpr std::array<std::string_view, 1> kIncidentKey{"number"};
constexpr std::array<std::string_view, 7> kIncidentColumns{"number", "state", "severity", "started", "ended", "merged_into", "body"};
constexpr std::array<std::string_view, 2> kRowKey{"incident", "first_seq"};
constexpr std::array<std::string_view, 5> kRowColumns{"incident", "first_seq", "last_seq", "is_key", "body"};
constexpr std::array<std::string_view, 1> kMarkKey{"id"};
constexpr std::array<std::string_view, 2> kMarkColumns{"id", "at"};

QVariant number(std::int64_t value)
{
    return QVariant::fromValue<qlonglong>(value);
}

QVariant timeOrNull(const std::optional<WallTime>& time)
{
    return time ? toColumn(*time) : QVariant(QMetaType::fromType<qlonglong>());
}

IncidentRecord incidentFrom(const QSqlQuery& row)
{
    const QVariant ended = row.value(4);
    return {row.value(0).toLongLong(), toText(row.value(1)), row.value(2).toInt(), toWallTime(row.value(3)), ended.isNull() ? std::nullopt : std::optional(toWallTime(ended)),
        row.value(5).toLongLong(), toText(row.value(6))};
}

const QString& selectIncidents()
{
    static const QString sql = u"SELECT number, state, severity, started, ended, merged_into, body FROM incidents"_s;
    return sql;
}

} // namespace

Result<void> Writer::put(const IncidentRecord& record)
{
    return m_connection.run(dialect::upsert("incidents", kIncidentKey, kIncidentColumns),
        {number(record.number), toQt(record.state), record.severity, toColumn(record.started), timeOrNull(record.ended), number(record.mergedInto), toQt(record.body)});
}

Result<void> Writer::put(const IncidentRowRecord& record)
{
    return m_connection.run(dialect::upsert("incident_rows", kRowKey, kRowColumns),
        {number(record.incident), number(record.firstSeq), number(record.lastSeq), int{record.isKey}, toQt(record.body)});
}

Result<void> Writer::removeIncidentRow(std::int64_t incident, std::int64_t firstSeq)
{
    return m_connection.run(u"DELETE FROM incident_rows WHERE incident = ? AND first_seq = ?"_s, {number(incident), number(firstSeq)});
}

Result<void> Writer::moveIncidentRows(std::int64_t from, std::int64_t into)
{
    return m_connection
        .run(u"DELETE FROM incident_rows WHERE incident = ? AND first_seq IN (SELECT first_seq FROM incident_rows WHERE incident = ?)"_s, {number(from), number(into)})
        .and_then([&] { return m_connection.run(u"UPDATE incident_rows SET incident = ? WHERE incident = ?"_s, {number(into), number(from)}); });
}

Result<void> Writer::putMark(std::string_view id, std::int64_t value)
{
    return m_connection.run(dialect::upsert("marks", kMarkKey, kMarkColumns), {toQt(id), number(value)});
}

Result<std::int64_t> Writer::pruneIncidents(WallTime endedBefore, std::int64_t limit)
{
    // Rows first, in bounded numbers: an incident goes when it has none left.
    std::int64_t oldest = 0;
    Result<void> done = m_connection.each(u"SELECT number FROM incidents WHERE ended IS NOT NULL AND ended < ? ORDER BY number LIMIT 1"_s, {toColumn(endedBefore)},
        [&oldest](const QSqlQuery& row) {
            oldest = row.value(0).toLongLong();
            return Result<void>();
        });
    if (!done || oldest == 0) {
        return done ? Result<std::int64_t>(0) : tl::unexpected<Error>(done.error());
    }
    std::int64_t last = -1;
    std::int64_t rows = 0;
    done = m_connection.each(u"SELECT first_seq FROM incident_rows WHERE incident = ? ORDER BY first_seq LIMIT ?"_s, {number(oldest), number(limit)}, [&](const QSqlQuery& row) {
        last = row.value(0).toLongLong();
        ++rows;
        return Result<void>();
    });
    if (done && rows > 0) {
        done = m_connection.run(u"DELETE FROM incident_rows WHERE incident = ? AND first_seq <= ?"_s, {number(oldest), number(last)});
    }
    if (done && rows < limit) {
        done = m_connection.run(u"DELETE FROM incidents WHERE number = ?"_s, {number(oldest)});
        ++rows;
    }
    return done ? Result<std::int64_t>(rows) : tl::unexpected<Error>(done.error());
}

Result<std::vector<IncidentRecord>> StoreReader::incidents(const IncidentFilter& filter)
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    QStringList conditions{u"merged_into = 0"_s};
    QVariantList values;
    if (!filter.states.empty()) {
        QStringList places;
        for (const std::string& state : filter.states) {
            places << u"?"_s;
            values << toQt(state);
        }
        conditions << u"state IN (%1)"_s.arg(places.join(u", "_s));
    }
    if (filter.severity) {
        conditions << u"severity = ?"_s;
        values << *filter.severity;
    }
    if (filter.since) {
        conditions << u"(ended IS NULL OR ended >= ?)"_s;
        values << toColumn(*filter.since);
    }
    if (filter.until) {
        conditions << u"started <= ?"_s;
        values << toColumn(*filter.until);
    }
    if (filter.below) {
        conditions << u"number < ?"_s;
        values << number(*filter.below);
    }
    values << number(static_cast<std::int64_t>(std::min(filter.limit, kMostRows)));
    std::vector<IncidentRecord> records;
    const Result<void> done =
        (*open)->each(selectIncidents() + u" WHERE "_s + conditions.join(u" AND "_s) + u" ORDER BY number DESC LIMIT ?"_s, values, [&records](const QSqlQuery& row) {
            records.push_back(incidentFrom(row));
            return Result<void>();
        });
    return done ? Result<std::vector<IncidentRecord>>(std::move(records)) : tl::unexpected<Error>(done.error());
}

Result<std::optional<IncidentRecord>> StoreReader::incident(std::int64_t wanted)
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    std::optional<IncidentRecord> found;
    // A merged one leads to another, which may have been merged since; more steps than this would be a circle.
    for (int step = 0; step < 1'000 && wanted != 0; ++step) {
        found.reset();
        const Result<void> done = (*open)->each(selectIncidents() + u" WHERE number = ?"_s, {number(wanted)}, [&found](const QSqlQuery& row) {
            found = incidentFrom(row);
            return Result<void>();
        });
        if (!done) {
            return tl::unexpected<Error>(done.error());
        }
        wanted = found ? found->mergedInto : 0;
    }
    return found;
}

Result<std::vector<IncidentRowRecord>> StoreReader::incidentRows(std::int64_t incident, std::int64_t afterSeq, std::size_t limit, bool onlyKey)
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    std::vector<IncidentRowRecord> records;
    const QString sql = u"SELECT incident, first_seq, last_seq, is_key, body FROM incident_rows WHERE incident = ? AND first_seq > ?%1 ORDER BY first_seq LIMIT ?"_s.arg(
        onlyKey ? u" AND is_key = 1"_s : QString());
    const Result<void> done = (*open)->each(sql, {number(incident), number(afterSeq), number(static_cast<std::int64_t>(limit))}, [&records](const QSqlQuery& row) {
        records.push_back({row.value(0).toLongLong(), row.value(1).toLongLong(), row.value(2).toLongLong(), row.value(3).toInt() != 0, toText(row.value(4))});
        return Result<void>();
    });
    return done ? Result<std::vector<IncidentRowRecord>>(std::move(records)) : tl::unexpected<Error>(done.error());
}

Result<std::optional<std::int64_t>> StoreReader::mark(std::string_view id)
{
    const Result<Connection*> open = connection();
    if (!open) {
        return tl::unexpected<Error>(open.error());
    }
    std::optional<std::int64_t> value;
    const Result<void> done = (*open)->each(u"SELECT at FROM marks WHERE id = ?"_s, {toQt(id)}, [&value](const QSqlQuery& row) {
        value = row.value(0).toLongLong();
        return Result<void>();
    });
    return done ? Result<std::optional<std::int64_t>>(value) : tl::unexpected<Error>(done.error());
}

} // namespace weir::store
