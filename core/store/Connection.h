// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <QSqlQuery>
#include <QString>
#include <QVariant>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace weir::store {

/// One connection to the database with the statements it has prepared. Belongs to the thread that opens it, its end included.
/// Errors: `store_failed` with the database's own text, `store_damaged` where that text says that the file is broken.
class Connection {
public:
    enum class Mode { ReadWrite, ReadOnly };

    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const std::filesystem::path& file, Mode mode);

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    /// One statement without result, not kept.
    [[nodiscard]] Result<void> exec(const QString& sql);
    /// The first column of the first row, or an invalid value; not kept.
    [[nodiscard]] Result<QVariant> value(const QString& sql);

    /// A kept statement with its values, without result.
    [[nodiscard]] Result<void> run(const QString& sql, const QVariantList& values);
    /// A kept statement with its values; `onRow` sees each row and ends the reading by an error.
    [[nodiscard]] Result<void> each(const QString& sql, const QVariantList& values, const std::function<Result<void>(const QSqlQuery&)>& onRow);

    /// A statement prepared at its first use and kept; for callers that bind by themselves, with execute().
    [[nodiscard]] Result<std::shared_ptr<QSqlQuery>> prepared(const QString& sql);
    [[nodiscard]] Result<void> execute(QSqlQuery& query);

private:
    explicit Connection(QString name);

    QString m_name; ///< never the QSqlDatabase itself: no copy of it may outlive removeDatabase()
    std::unordered_map<QString, std::shared_ptr<QSqlQuery>> m_statements;
};

} // namespace weir::store
