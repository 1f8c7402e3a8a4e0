// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/Connection.h"

#include "core/store/SqliteDialect.h"
#include "core/store/Text.h"

#include <QSqlDatabase>
#include <QSqlError>

#include <utility>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

/// Filters make a statement a shape; their number is small, but it is not for this class to trust that.
constexpr std::size_t kMostStatements = 200;

tl::unexpected<Error> failure(const QSqlError& error)
{
    QString text = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    if (!error.nativeErrorCode().isEmpty()) {
        text += u" (code %1)"_s.arg(error.nativeErrorCode());
    }
    const bool damaged = dialect::isDamage(error);
    return fail(damaged ? "store_damaged" : "store_failed", "The store cannot be used: " + text.toStdString() + ".");
}

} // namespace

Connection::Connection(QString name)
    : m_name(std::move(name))
{
}

Connection::~Connection()
{
    m_statements.clear();
    QSqlDatabase::database(m_name, false).close();
    QSqlDatabase::removeDatabase(m_name);
}

Result<std::unique_ptr<Connection>> Connection::open(const std::filesystem::path& file, Mode mode)
{
    std::unique_ptr<Connection> connection(new Connection({}));
    connection->m_name = u"weir-%1"_s.arg(reinterpret_cast<quintptr>(connection.get()), 0, 16);
    QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, connection->m_name);
    if (!database.isValid()) {
        return fail("store_failed", "The store cannot be used: Qt's SQLite driver is not installed.");
    }
    dialect::configure(database, file, mode == Mode::ReadOnly);
    if (!database.open()) {
        return failure(database.lastError());
    }
    const QStringList settings = mode == Mode::ReadOnly ? dialect::readerSettings() : dialect::writerSettings();
    for (const QString& setting : settings) {
        if (Result<void> done = connection->exec(setting); !done) {
            return tl::unexpected<Error>(done.error());
        }
    }
    return connection;
}

Result<void> Connection::exec(const QString& sql)
{
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    if (!query.exec(sql)) {
        return failure(query.lastError());
    }
    return {};
}

Result<QVariant> Connection::value(const QString& sql)
{
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    query.setForwardOnly(true);
    if (!query.exec(sql)) {
        return failure(query.lastError());
    }
    if (query.next()) {
        return query.value(0);
    }
    if (query.lastError().isValid()) {
        return failure(query.lastError());
    }
    return QVariant();
}

Result<std::shared_ptr<QSqlQuery>> Connection::prepared(const QString& sql)
{
    const auto found = m_statements.find(sql);
    if (found != m_statements.end()) {
        return found->second;
    }
    if (m_statements.size() >= kMostStatements) {
        m_statements.clear();
    }
    auto query = std::make_shared<QSqlQuery>(QSqlDatabase::database(m_name, false));
    query->setForwardOnly(true);
    if (!query->prepare(sql)) {
        return failure(query->lastError());
    }
    return m_statements.emplace(sql, std::move(query)).first->second;
}

Result<void> Connection::execute(QSqlQuery& query)
{
    if (!query.exec()) {
        const QSqlError error = query.lastError();
        query.finish();
        return failure(error);
    }
    return {};
}

Result<void> Connection::run(const QString& sql, const QVariantList& values)
{
    return each(sql, values, [](const QSqlQuery&) { return Result<void>(); });
}

Result<void> Connection::each(const QString& sql, const QVariantList& values, const std::function<Result<void>(const QSqlQuery&)>& onRow)
{
    const Result<std::shared_ptr<QSqlQuery>> query = prepared(sql);
    if (!query) {
        return tl::unexpected<Error>(query.error());
    }
    for (int i = 0; i < static_cast<int>(values.size()); ++i) {
        (*query)->bindValue(i, values[i]);
    }
    if (Result<void> done = execute(**query); !done) {
        return done;
    }
    Result<void> outcome;
    while (outcome && (*query)->isSelect() && (*query)->next()) {
        outcome = onRow(**query);
    }
    if (outcome && (*query)->lastError().isValid()) {
        outcome = failure((*query)->lastError());
    }
    (*query)->finish(); // an unfinished one keeps its lock and holds back the log's checkpoint
    return outcome;
}

} // namespace weir::store
