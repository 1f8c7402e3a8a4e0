// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/SqliteDialect.h"

#include "core/store/Text.h"

#include <QSqlDatabase>
#include <QSqlError>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace weir::store::dialect {

void configure(QSqlDatabase& database, const std::filesystem::path& file, bool readOnly)
{
    database.setDatabaseName(toQt(file.string()));
    QString options = u"QSQLITE_BUSY_TIMEOUT=5000"_s;
    if (readOnly) {
        options += u";QSQLITE_OPEN_READONLY"_s;
    }
    database.setConnectOptions(options);
}

QString useWriteAheadLog()
{
    return u"PRAGMA journal_mode=WAL"_s;
}

QStringList writerSettings()
{
    // A checkpoint at 16 MiB keeps batches of a storm together; the log file is cut back to that once it was larger.
    return {u"PRAGMA synchronous=FULL"_s, u"PRAGMA foreign_keys=ON"_s, u"PRAGMA wal_autocheckpoint=4000"_s, u"PRAGMA journal_size_limit=16777216"_s};
}

QStringList readerSettings()
{
    return {u"PRAGMA query_only=ON"_s};
}

QString shortWait()
{
    return u"PRAGMA busy_timeout=200"_s;
}

QString beginWrite()
{
    return u"BEGIN IMMEDIATE"_s;
}

QString beginRead()
{
    return u"BEGIN"_s;
}

QString readVersion()
{
    return u"PRAGMA user_version"_s;
}

QString writeVersion(int version)
{
    return u"PRAGMA user_version=%1"_s.arg(version);
}

QString readApplication()
{
    return u"PRAGMA application_id"_s;
}

QString writeApplication()
{
    return u"PRAGMA application_id=%1"_s.arg(kApplication);
}

QString countTables()
{
    return u"SELECT COUNT(*) FROM sqlite_master"_s;
}

QString quickCheck()
{
    return u"PRAGMA quick_check(1)"_s;
}

QString copyInto()
{
    return u"VACUUM INTO ?"_s;
}

QString allowCopies()
{
    return u"PRAGMA query_only=OFF"_s;
}

QString takeLogIn()
{
    return u"PRAGMA wal_checkpoint(TRUNCATE)"_s;
}

QString usedBytes()
{
    return u"SELECT (p.page_count - f.freelist_count) * s.page_size FROM pragma_page_count p, pragma_freelist_count f, pragma_page_size s"_s;
}

QString rowNumber()
{
    return u"INTEGER PRIMARY KEY"_s;
}

QString bytes()
{
    return u"BLOB"_s;
}

QString upsert(std::string_view table, std::span<const std::string_view> keys, std::span<const std::string_view> columns)
{
    QStringList names;
    QStringList places;
    QStringList changes;
    QStringList key;
    for (const std::string_view name : keys) {
        key << toQt(name);
    }
    for (const std::string_view name : columns) {
        names << toQt(name);
        places << u"?"_s;
        if (std::find(keys.begin(), keys.end(), name) == keys.end()) {
            changes << u"%1 = excluded.%1"_s.arg(toQt(name));
        }
    }
    const QString action = changes.isEmpty() ? u"NOTHING"_s : u"UPDATE SET "_s + changes.join(u", "_s);
    return u"INSERT INTO %1 (%2) VALUES (%3) ON CONFLICT (%4) DO %5"_s.arg(toQt(table), names.join(u", "_s), places.join(u", "_s),
                                                                          key.join(u", "_s), action);
}

bool isDamage(const QSqlError& error)
{
    const int code = error.nativeErrorCode().toInt();
    constexpr int kCorrupt = 11;
    constexpr int kNotADatabase = 26;
    constexpr int kShortRead = 522; // the file ends before a page that it says it has
    return (code & 0xFF) == kCorrupt || (code & 0xFF) == kNotADatabase || code == kShortRead;
}

} // namespace weir::store::dialect
