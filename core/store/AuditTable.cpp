// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/AuditTable.h"

#include "core/store/Connection.h"
#include "core/store/RecordTables.h"
#include "core/store/SqliteDialect.h"
#include "core/store/Text.h"

#include <QCryptographicHash>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

using Head = journal::AuditChain::Head;

constexpr std::array<std::string_view, 1> kMarkKey{"id"};
constexpr std::array<std::string_view, 3> kMarkColumns{"id", "row_id", "hash"};
constexpr std::size_t kRowsAtOnce = 1'000;

Result<void> putMark(Connection& connection, std::string_view name, const Head& mark)
{
    return connection.run(dialect::upsert("audit_marks", kMarkKey, kMarkColumns), {toQt(name), QVariant::fromValue<qlonglong>(mark.id), toQt(mark.hash)});
}

/// The row with the largest number that is not above `limit`.
Result<std::optional<Head>> lastRow(Connection& connection, std::int64_t limit)
{
    std::optional<Head> last;
    Result<void> done = connection.each(u"SELECT id, hash FROM audit WHERE id <= ? ORDER BY id DESC LIMIT 1"_s, {QVariant::fromValue<qlonglong>(limit)}, [&last](const QSqlQuery& row) {
        last = Head{row.value(0).toLongLong(), toText(row.value(1))};
        return Result<void>();
    });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return last;
}

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

} // namespace

std::string sha256Hex(std::string_view bytes)
{
    return QCryptographicHash::hash(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())), QCryptographicHash::Sha256).toHex().toStdString();
}

std::array<std::string, 11> chainedFields(const AuditRow& row)
{
    return {std::to_string(row.at.time_since_epoch().count()), row.actor, row.from, row.action, row.target, row.before, row.after, row.reason, row.outcome, row.requestId, row.source};
}

Result<void> appendAudit(Connection& connection, std::span<AuditRow> rows, Head& head)
{
    if (rows.empty()) {
        return {};
    }
    const TableShape shape = Table<AuditRow>::shape();
    const QString sql = u"INSERT INTO %1 (%2) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"_s.arg(toQt(shape.name), columnList(shape));
    journal::AuditChain chain(sha256Hex, head);
    for (AuditRow& row : rows) {
        row.previousHash = chain.head().hash;
        const Head& next = chain.extend(chainedFields(row));
        row.id = next.id;
        row.hash = next.hash;
        if (Result<void> done = connection.run(sql, Table<AuditRow>::row(row)); !done) {
            return done;
        }
    }
    head = chain.head();
    return putMark(connection, "head", head);
}

Result<void> loadAuditHead(Connection& connection, Head& head)
{
    const auto last = lastRow(connection, kNoLimit);
    if (!last) {
        return tl::unexpected<Error>(last.error());
    }
    head = last->value_or(Head());
    return {};
}

Result<void> chainExistingRows(Connection& connection)
{
    const TableShape shape = Table<AuditRow>::shape();
    const QString select = u"SELECT %1 FROM %2 WHERE id > ? ORDER BY id LIMIT ?"_s.arg(columnList(shape), toQt(shape.name));
    const QString update = u"UPDATE audit SET previous_hash = ?, hash = ? WHERE id = ?"_s;
    Head head;
    for (;;) {
        std::vector<AuditRow> rows;
        Result<void> done = connection.each(select, {QVariant::fromValue<qlonglong>(head.id), QVariant::fromValue<qlonglong>(kRowsAtOnce)}, [&rows](const QSqlQuery& row) {
            rows.push_back(Table<AuditRow>::read(row));
            return Result<void>();
        });
        for (const AuditRow& row : rows) {
            journal::AuditChain chain(sha256Hex, Head{row.id - 1, head.hash}); // ids have no holes: only this program wrote them
            const Head next = chain.extend(chainedFields(row));
            done = done.and_then([&] { return connection.run(update, {toQt(head.hash), toQt(next.hash), QVariant::fromValue<qlonglong>(row.id)}); });
            head = next;
        }
        if (!done) {
            return done;
        }
        if (rows.size() < kRowsAtOnce) {
            return head.id > 0 ? putMark(connection, "head", head) : done;
        }
    }
}

Result<std::optional<Head>> auditMark(Connection& connection, std::string_view name)
{
    std::optional<Head> mark;
    Result<void> done = connection.each(u"SELECT row_id, hash FROM audit_marks WHERE id = ?"_s, {toQt(name)}, [&mark](const QSqlQuery& row) {
        mark = Head{row.value(0).toLongLong(), toText(row.value(1))};
        return Result<void>();
    });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return mark;
}

Result<void> markAuditExported(Connection& connection, std::int64_t upTo)
{
    const auto row = lastRow(connection, upTo);
    if (!row) {
        return tl::unexpected<Error>(row.error());
    }
    return *row ? putMark(connection, "exported", **row) : Result<void>();
}

Result<std::int64_t> pruneAudit(Connection& connection, WallTime before, std::int64_t limit)
{
    const auto exported = auditMark(connection, "exported");
    const auto pruned = exported ? auditMark(connection, "pruned") : exported;
    const auto newest = pruned ? lastRow(connection, kNoLimit) : pruned;
    if (!newest) {
        return tl::unexpected<Error>(newest.error());
    }
    if (!*exported || !*newest) {
        return 0;
    }
    const std::int64_t from = *pruned ? (*pruned)->id : 0;
    std::int64_t end = std::min({(*exported)->id + 1, (*newest)->id, from + 1 + std::max<std::int64_t>(limit, 0)}); // the first that stays
    Result<void> done = connection.each(u"SELECT MIN(id) FROM audit WHERE id < ? AND at >= ?"_s, {QVariant::fromValue<qlonglong>(end), toColumn(before)}, [&end](const QSqlQuery& row) {
        end = row.value(0).isNull() ? end : row.value(0).toLongLong();
        return Result<void>();
    });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    const auto last = lastRow(connection, end - 1);
    if (!last) {
        return tl::unexpected<Error>(last.error());
    }
    if (!*last) {
        return 0;
    }
    done = putMark(connection, "pruned", **last).and_then([&] { return connection.run(u"DELETE FROM audit WHERE id < ?"_s, {QVariant::fromValue<qlonglong>(end)}); });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return (*last)->id - from;
}

} // namespace weir::store
