// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/Store.h"

#include "core/store/Connection.h"
#include "core/store/DataDirectory.h"
#include "core/store/RecordTables.h"
#include "core/store/SqliteDialect.h"
#include "core/store/StoreOpening.h"
#include "core/store/Text.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

template <typename Record>
Result<void> readAll(Connection& connection, std::vector<Record>& records)
{
    const TableShape shape = Table<Record>::shape();
    const QString sql = u"SELECT %1 FROM %2 ORDER BY %3"_s.arg(columnList(shape), toQt(shape.name), toQt(shape.columns.front()));
    return connection.each(sql, {}, [&records](const QSqlQuery& row) {
        records.push_back(Table<Record>::read(row));
        return Result<void>();
    });
}

Result<void> readLatestPoints(Connection& connection, std::vector<journal::SeriesChange>& points)
{
    const QString sql = u"SELECT s.pool_id, s.role, s.at, s.healthy, s.total, s.known FROM series s "
                        "JOIN (SELECT pool_id, role, MAX(at) AS at FROM series GROUP BY pool_id, role) l "
                        "ON s.pool_id = l.pool_id AND s.role = l.role AND s.at = l.at ORDER BY s.pool_id, s.role"_s;
    return connection.each(sql, {}, [&points](const QSqlQuery& row) {
        points.push_back({{toText(row.value(0)), toText(row.value(1))},
                          {toWallTime(row.value(2)), row.value(3).toInt(), row.value(4).toInt(), row.value(5).toInt() != 0}});
        return Result<void>();
    });
}

Result<void> readLastAlive(Connection& connection, std::optional<WallTime>& at)
{
    return connection.each(u"SELECT at FROM marks WHERE id = ?"_s, {u"alive"_s}, [&at](const QSqlQuery& row) {
        at = toWallTime(row.value(0));
        return Result<void>();
    });
}

} // namespace

/// Rolls back unless it was committed, and gives the numbers back that were handed out meanwhile.
class Store::Transaction {
public:
    explicit Transaction(Store& store)
        : m_store(store)
        , m_events(store.m_events.state())
        , m_auditHead(store.m_auditHead)
    {
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction()
    {
        if (!m_committed) {
            // Fails when the database has rolled back by itself, as it does on a full disk; either way nothing is left of it.
            static_cast<void>(m_store.m_connection->exec(u"ROLLBACK"_s));
            m_store.m_events.restore(m_events);
            m_store.m_auditHead = m_auditHead;
        }
    }

    Result<void> commit()
    {
        Result<void> done = m_store.m_connection->exec(u"COMMIT"_s);
        m_committed = done.has_value();
        return done;
    }

private:
    Store& m_store;
    EventTable::State m_events;
    journal::AuditChain::Head m_auditHead;
    bool m_committed = false;
};

Store::Store(std::unique_ptr<Connection> connection)
    : m_connection(std::move(connection))
{
}

Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::open(const DataDirectory& directory)
{
    return open(directory, migrations());
}

Result<std::unique_ptr<Store>> Store::open(const DataDirectory& directory, const std::vector<Migration>& steps)
{
    Result<std::unique_ptr<Connection>> connection = openDatabase(directory.databaseFile(), steps);
    if (!connection) {
        return tl::unexpected<Error>(connection.error());
    }
    std::unique_ptr<Store> store(new Store(std::move(*connection)));
    Result<void> done = store->m_events.load(*store->m_connection);
    if (done) {
        done = loadAuditHead(*store->m_connection, store->m_auditHead).and_then([&] { return store->m_connection->exec(dialect::shortWait()); });
    }
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return store;
}

Result<Snapshot> Store::load()
{
    Snapshot snapshot;
    Connection& connection = *m_connection;
    // Only this connection writes, so that reads in a row see one moment.
    const Result<void> done = readAll(connection, snapshot.users)
                                  .and_then([&] { return readAll(connection, snapshot.pools); })
                                  .and_then([&] { return readAll(connection, snapshot.nodes); })
                                  .and_then([&] { return readAll(connection, snapshot.tombstones); })
                                  .and_then([&] { return readAll(connection, snapshot.apps); })
                                  .and_then([&] { return readAll(connection, snapshot.bindings); })
                                  .and_then([&] { return readAll(connection, snapshot.tokens); })
                                  .and_then([&] { return readAll(connection, snapshot.settings); })
                                  .and_then([&] { return readAll(connection, snapshot.licences); })
                                  .and_then([&] { return readAll(connection, snapshot.alarms); })
                                  .and_then([&] { return readAll(connection, snapshot.acknowledgements); })
                                  .and_then([&] { return readAll(connection, snapshot.silences); })
                                  .and_then([&] { return readAll(connection, snapshot.webhooks); })
                                  .and_then([&] { return readLatestPoints(connection, snapshot.latestPoints); })
                                  .and_then([&] { return readLastAlive(connection, snapshot.lastAlive); });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    snapshot.lastSeq = lastSeq();
    return snapshot;
}

Result<void> Store::inTransaction(const std::function<Result<void>(Writer&)>& work)
{
    if (Result<void> begun = m_connection->exec(dialect::beginWrite()); !begun) {
        return begun;
    }
    Transaction transaction(*this);
    Writer writer(*m_connection, m_events, m_auditHead);
    Result<void> done = work(writer);
    if (done) {
        done = transaction.commit();
    }
    return done;
}

Result<std::optional<WallTime>> Store::lastAlive()
{
    std::optional<WallTime> at;
    if (Result<void> done = readLastAlive(*m_connection, at); !done) {
        return tl::unexpected<Error>(done.error());
    }
    return at;
}

Result<std::int64_t> Store::usedBytes()
{
    const Result<QVariant> bytes = m_connection->value(dialect::usedBytes());
    if (!bytes) {
        return tl::unexpected<Error>(bytes.error());
    }
    return bytes->toLongLong();
}

} // namespace weir::store
