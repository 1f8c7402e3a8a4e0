// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/AuditCheck.h"

#include "core/store/AuditTable.h"
#include "core/store/Connection.h"
#include "core/store/RecordTables.h"
#include "core/store/SqliteDialect.h"
#include "core/store/Text.h"

#include <limits>
#include <system_error>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

using Head = journal::AuditChain::Head;

constexpr int kFirstChained = 2; // version of the schema
constexpr qlonglong kRowsAtOnce = 2'000;

Result<void> matches(const Head& known, const Head& expected)
{
    if (known.id == expected.id && known.hash != expected.hash) {
        return fail("audit_broken", "Row " + std::to_string(known.id) + " does not have the hash that was noted for it: the audit was written anew.");
    }
    return {};
}

Result<void> readChain(Connection& connection, journal::AuditChain& chain, const std::optional<Head>& expected, std::int64_t& rows)
{
    const TableShape shape = Table<AuditRow>::shape();
    const QString sql = u"SELECT %1 FROM %2 WHERE id > ? ORDER BY id LIMIT ?"_s.arg(columnList(shape), toQt(shape.name));
    std::int64_t after = std::numeric_limits<std::int64_t>::min();
    for (std::int64_t found = kRowsAtOnce; found == kRowsAtOnce;) {
        found = 0;
        Result<void> done = connection.each(sql, {QVariant::fromValue<qlonglong>(after), kRowsAtOnce}, [&](const QSqlQuery& query) {
            const AuditRow row = Table<AuditRow>::read(query);
            after = row.id;
            ++found;
            return chain.check(row.id, chainedFields(row), row.previousHash, row.hash).and_then([&] { return expected ? matches(chain.head(), *expected) : Result<void>(); });
        });
        if (!done) {
            return done;
        }
        rows += found;
    }
    return {};
}

Result<AuditReport> check(Connection& connection, const std::optional<Head>& expected)
{
    const auto version = connection.value(dialect::readVersion());
    if (!version) {
        return tl::unexpected<Error>(version.error());
    }
    if (version->toInt() < kFirstChained) {
        return fail("store_older", "The store has version " + std::to_string(version->toInt()) + ", from before the audit was chained; the server brings it forward when it starts.");
    }
    const auto pruned = auditMark(connection, "pruned");
    const auto marked = pruned ? auditMark(connection, "head") : pruned;
    if (!marked) {
        return tl::unexpected<Error>(marked.error());
    }
    AuditReport report;
    report.prunedUpTo = *pruned ? (*pruned)->id : 0;
    journal::AuditChain chain(sha256Hex, pruned->value_or(Head()));
    Result<void> done = expected ? matches(chain.head(), *expected) : Result<void>();
    done = done.and_then([&] { return readChain(connection, chain, expected, report.rows); });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    report.head = chain.head();
    for (const auto& [head, what] : {std::pair(marked->value_or(report.head), "the store's own mark"), std::pair(expected.value_or(report.head), "the head that was noted")}) {
        if (head.id > report.head.id) {
            return fail("audit_broken", "Row " + std::to_string(report.head.id + 1) + " is missing: the audit ends with row " + std::to_string(report.head.id) + ", but " + what + " says " + std::to_string(head.id) + ".");
        }
    }
    if (*marked && **marked != report.head) {
        return fail("audit_broken", "Row " + std::to_string(report.head.id) + " is not the last one by the store's own mark, which says " + std::to_string((*marked)->id) + ".");
    }
    return report;
}

} // namespace

Result<AuditReport> checkAudit(const std::filesystem::path& databaseFile, const std::optional<Head>& expected)
{
    std::error_code error;
    if (!std::filesystem::exists(databaseFile, error)) {
        return fail("store_missing", "There is no store " + databaseFile.string() + ".");
    }
    const Result<std::unique_ptr<Connection>> connection = Connection::open(databaseFile, Connection::Mode::ReadOnly);
    if (!connection) {
        return tl::unexpected<Error>(connection.error());
    }
    // One moment for all of it: rows that a server adds meanwhile are not seen.
    if (Result<void> begun = (*connection)->exec(dialect::beginRead()); !begun) {
        return tl::unexpected<Error>(begun.error());
    }
    Result<AuditReport> report = check(**connection, expected);
    static_cast<void>((*connection)->exec(u"COMMIT"_s));
    return report;
}

} // namespace weir::store
