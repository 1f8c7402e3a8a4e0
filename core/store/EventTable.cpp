// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/EventTable.h"

#include "core/store/Connection.h"
#include "core/store/SqliteDialect.h"
#include "core/store/Text.h"

#include <algorithm>
#include <array>
#include <memory>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

constexpr std::array<std::string_view, 1> kBlockKey{"block"};
constexpr std::array<std::string_view, 4> kBlockColumns{"block", "min_at", "max_at", "nodes"};

void bind(QSqlQuery& query, const journal::Event& event)
{
    query.bindValue(0, QVariant::fromValue<qlonglong>(event.seq));
    query.bindValue(1, toColumn(event.at));
    query.bindValue(2, toQt(journal::toText(event.kind)));
    query.bindValue(3, toQt(journal::toText(event.severity)));
    query.bindValue(4, toQt(event.nodeId));
    query.bindValue(5, toQt(event.poolId));
    query.bindValue(6, toQt(event.appId));
    query.bindValue(7, toQt(event.role));
    query.bindValue(8, toQt(event.actor));
    query.bindValue(9, toQt(event.sentence));
    query.bindValue(10, toQt(event.detail));
}

} // namespace

QString EventTable::columns()
{
    return u"seq, at, kind, severity, node_id, pool_id, app_id, role, actor, sentence, detail"_s;
}

Result<void> EventTable::load(Connection& connection)
{
    m_state = {};
    Result<void> done = connection.each(u"SELECT MAX(seq) FROM events"_s, {}, [this](const QSqlQuery& row) {
        m_state.lastSeq = row.value(0).toLongLong();
        return Result<void>();
    });
    if (!done) {
        return done;
    }
    return connection.each(u"SELECT block, min_at, max_at, nodes FROM event_blocks WHERE block = ?"_s,
                           {QVariant::fromValue<qlonglong>(m_state.lastSeq / kBlock)}, [this](const QSqlQuery& row) {
                               m_state.block = row.value(0).toLongLong();
                               m_state.minAt = toWallTime(row.value(1));
                               m_state.maxAt = toWallTime(row.value(2));
                               m_state.nodes = NodeFilter(row.value(3).toByteArray().toStdString());
                               return Result<void>();
                           });
}

Result<void> EventTable::append(Connection& connection, std::span<journal::Event> events)
{
    if (events.empty()) {
        return {};
    }
    const Result<std::shared_ptr<QSqlQuery>> insert =
        connection.prepared(u"INSERT INTO events (%1) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"_s.arg(columns()));
    if (!insert) {
        return tl::unexpected<Error>(insert.error());
    }
    for (journal::Event& event : events) {
        event.seq = ++m_state.lastSeq;
        const std::int64_t block = event.seq / kBlock;
        if (block != m_state.block) {
            if (m_state.block >= 0) {
                if (Result<void> done = writeBlock(connection); !done) {
                    return done;
                }
            }
            m_state.block = block;
            m_state.minAt = event.at;
            m_state.maxAt = event.at;
            m_state.nodes = {};
        }
        m_state.minAt = std::min(m_state.minAt, event.at);
        m_state.maxAt = std::max(m_state.maxAt, event.at);
        if (!event.nodeId.empty()) {
            m_state.nodes.add(event.nodeId);
        }
        bind(**insert, event);
        if (Result<void> done = connection.execute(**insert); !done) {
            return done;
        }
    }
    return writeBlock(connection);
}

Result<void> EventTable::writeBlock(Connection& connection) const
{
    return connection.run(dialect::upsert("event_blocks", kBlockKey, kBlockColumns),
                          {QVariant::fromValue<qlonglong>(m_state.block), toColumn(m_state.minAt), toColumn(m_state.maxAt),
                           QByteArray(reinterpret_cast<const char*>(m_state.nodes.bytes().data()), NodeFilter::kBytes)});
}

Result<std::int64_t> EventTable::prune(Connection& connection, WallTime before, std::int64_t limit)
{
    std::int64_t first = m_state.lastSeq;
    Result<void> done = connection.each(u"SELECT MIN(seq) FROM events"_s, {}, [&first](const QSqlQuery& row) {
        first = row.value(0).isNull() ? first : row.value(0).toLongLong();
        return Result<void>();
    });
    std::int64_t end = std::min(first + std::max<std::int64_t>(limit, 0), m_state.lastSeq); // the first that stays
    if (done) {
        done = connection.each(u"SELECT MIN(seq) FROM events WHERE seq >= ? AND seq < ? AND at >= ?"_s,
                               {QVariant::fromValue<qlonglong>(first), QVariant::fromValue<qlonglong>(end), toColumn(before)},
                               [&end](const QSqlQuery& row) {
                                   end = row.value(0).isNull() ? end : row.value(0).toLongLong();
                                   return Result<void>();
                               });
    }
    if (done) {
        done = connection.run(u"DELETE FROM events WHERE seq < ?"_s, {QVariant::fromValue<qlonglong>(end)});
    }
    if (done) {
        done = connection.run(u"DELETE FROM event_blocks WHERE block < ?"_s, {QVariant::fromValue<qlonglong>(end / kBlock)});
    }
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return end - first;
}

Result<journal::Event> EventTable::read(const QSqlQuery& query)
{
    journal::Event event;
    event.seq = query.value(0).toLongLong();
    event.at = toWallTime(query.value(1));
    const std::optional<journal::EventKind> kind = journal::eventKindFromText(toText(query.value(2)));
    const std::optional<journal::Severity> severity = journal::severityFromText(toText(query.value(3)));
    if (!kind || !severity) {
        return fail("store_failed", "Event " + std::to_string(event.seq) + " in the store has a kind or severity that no version of Weir writes.");
    }
    event.kind = *kind;
    event.severity = *severity;
    event.nodeId = toText(query.value(4));
    event.poolId = toText(query.value(5));
    event.appId = toText(query.value(6));
    event.role = toText(query.value(7));
    event.actor = toText(query.value(8));
    event.sentence = toText(query.value(9));
    event.detail = toText(query.value(10));
    return event;
}

} // namespace weir::store
