// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <span>
#include <string_view>

class QSqlDatabase;
class QSqlError;

namespace weir::store::dialect {

// All that only SQLite says this way. Another database brings another file like this one.

/// Points `database` (driver QSQLITE) at a file. The file is never created here, so that its mode is the caller's choice.
void configure(QSqlDatabase& database, const std::filesystem::path& file, bool readOnly);

/// Settings of a connection; they are not kept in the file. The first answers with its new value, `wal`, where it took effect.
[[nodiscard]] QString useWriteAheadLog();
[[nodiscard]] QStringList writerSettings();
[[nodiscard]] QStringList readerSettings();
/// For a connection that is open: what holds the file may hold its thread this long, and no longer.
[[nodiscard]] QString shortWait();

/// A write that takes its lock at once: one that begins as a read fails when it turns into a write.
[[nodiscard]] QString beginWrite();
[[nodiscard]] QString beginRead();

[[nodiscard]] QString readVersion();
[[nodiscard]] QString writeVersion(int version);
/// Marks the file as Weir's, apart from every other SQLite file.
[[nodiscard]] QString readApplication();
[[nodiscard]] QString writeApplication();
inline constexpr int kApplication = 0x57656972; // "Weir"

[[nodiscard]] QString countTables();
/// One row `ok` when the file is whole, otherwise what is wrong.
[[nodiscard]] QString quickCheck();
/// Writes a consistent copy to a file (bound), which must not exist or be empty.
[[nodiscard]] QString copyInto();
/// A reading connection may not copy unless it is told so.
[[nodiscard]] QString allowCopies();
/// Takes the write-ahead log into the database file.
[[nodiscard]] QString takeLogIn();
/// Bytes that hold data, free pages left out.
[[nodiscard]] QString usedBytes();

/// Type of a column whose values grow by one and by which the rows are kept.
[[nodiscard]] QString rowNumber();
/// Type of a column of bytes.
[[nodiscard]] QString bytes();

/// An insert that takes the place of the row with the same key.
[[nodiscard]] QString upsert(std::string_view table, std::span<const std::string_view> keys, std::span<const std::string_view> columns);

/// The error says that the file itself is wrong, not that it cannot be used just now.
[[nodiscard]] bool isDamage(const QSqlError& error);

} // namespace weir::store::dialect
