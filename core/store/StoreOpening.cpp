// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/StoreOpening.h"

#include "core/store/Connection.h"
#include "core/store/SqliteDialect.h"
#include "core/store/Text.h"

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPrivate = 0600;

tl::unexpected<Error> systemFailure(const std::string& what, const fs::path& path, int number)
{
    return fail("store_failed", what + " " + path.string() + ": " + std::system_category().message(number) + ".");
}

std::uintmax_t sizeOf(const fs::path& file)
{
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    return error ? 0 : size;
}

fs::path besides(const fs::path& file, const char* suffix)
{
    return file.parent_path() / (file.filename().string() + suffix);
}

/// The latest copy beside the database, whoever made it.
std::optional<fs::path> newestBackup(const fs::path& file)
{
    const std::string prefix = file.filename().string() + ".backup";
    std::optional<fs::path> newest;
    fs::file_time_type newestTime;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(file.parent_path(), error)) {
        std::error_code unreadable;
        const fs::file_time_type time = entry.last_write_time(unreadable);
        const std::string name = entry.path().filename().string();
        if (unreadable || !name.starts_with(prefix) || name.ends_with(".new")) {
            continue;
        }
        if (!newest || time > newestTime) {
            newest = entry.path();
            newestTime = time;
        }
    }
    return newest;
}

tl::unexpected<Error> damaged(const fs::path& file, const std::string& what)
{
    const std::optional<fs::path> backup = newestBackup(file);
    return fail("store_damaged", "The store " + file.string() + " is damaged (" + what + "). It was left as it is. " +
                                     (backup ? "The newest backup is " + backup->string() + "." : "There is no backup beside it."));
}

/// Names the file and the backup in an error that says only what the database said.
tl::unexpected<Error> explained(const fs::path& file, const Error& error)
{
    if (error.code == "store_damaged") {
        return damaged(file, error.message);
    }
    return fail(error.code, file.string() + ": " + error.message);
}

/// Makes the file before the database does, so that it and what lies beside it are never readable by others.
Result<void> makePrivate(const fs::path& file)
{
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kPrivate);
    if (descriptor < 0) {
        return systemFailure("Cannot open", file, errno);
    }
    ::close(descriptor);
    for (const char* suffix : {"", "-wal", "-shm"}) {
        const fs::path path = besides(file, suffix);
        if (::chmod(path.c_str(), kPrivate) != 0 && errno != ENOENT) {
            return systemFailure("Cannot protect", path, errno);
        }
    }
    return {};
}

struct Condition {
    int version = 0;
    bool isNew = false;
};

/// Looks at the file without changing it.
Result<Condition> inspect(const fs::path& file, int newestVersion)
{
    const Result<std::unique_ptr<Connection>> connection = Connection::open(file, Connection::Mode::ReadOnly);
    if (!connection) {
        return explained(file, connection.error());
    }
    Result<QVariant> version = (*connection)->value(dialect::readVersion());
    const Result<QVariant> application = version ? (*connection)->value(dialect::readApplication()) : version;
    const Result<QVariant> tables = application ? (*connection)->value(dialect::countTables()) : application;
    if (!tables) {
        return explained(file, tables.error());
    }
    Condition condition{version->toInt(), version->toInt() == 0 && tables->toInt() == 0};
    if (condition.isNew) {
        return condition;
    }
    if (application->toInt() != dialect::kApplication) {
        return damaged(file, "it is a database, but not one of Weir's");
    }
    if (condition.version > newestVersion) {
        return fail("store_newer", "The store " + file.string() + " has version " + std::to_string(condition.version) +
                                       ", written by a later Weir; this one knows versions up to " + std::to_string(newestVersion) +
                                       ". Nothing was changed.");
    }
    const Result<QVariant> check = (*connection)->value(dialect::quickCheck());
    if (!check) {
        return explained(file, check.error());
    }
    if (check->toString() != "ok"_L1) {
        return damaged(file, check->toString().toStdString());
    }
    return condition;
}

Result<void> syncPath(const fs::path& path, int flags)
{
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0) {
        return systemFailure("Cannot open", path, errno);
    }
    const int number = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    if (number != 0) {
        return systemFailure("Cannot write", path, number);
    }
    return {};
}

/// A whole copy under its final name, or none.
Result<void> backUp(Connection& connection, const fs::path& file, int version)
{
    const fs::path target = besides(file, (".backup-v" + std::to_string(version)).c_str());
    const fs::path draft = target.string() + ".new";
    ::unlink(draft.c_str());
    const int descriptor = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kPrivate);
    if (descriptor < 0) {
        return systemFailure("Cannot create the backup", draft, errno);
    }
    ::close(descriptor);
    Result<void> done = connection.run(dialect::copyInto(), {toQt(draft.string())});
    if (done) {
        done = syncPath(draft, O_RDONLY);
    }
    if (done && ::rename(draft.c_str(), target.c_str()) != 0) {
        done = systemFailure("Cannot write the backup", target, errno);
    }
    if (!done) {
        ::unlink(draft.c_str());
        return done;
    }
    return syncPath(file.parent_path(), O_RDONLY | O_DIRECTORY);
}

/// All steps that are missing, in one transaction.
Result<void> migrate(Connection& connection, const std::vector<Migration>& steps, int from)
{
    Result<void> done = connection.exec(dialect::beginWrite());
    if (!done) {
        return done;
    }
    for (const Migration& step : steps) {
        if (step.version <= from) {
            continue;
        }
        for (const QString& statement : step.statements) {
            done = done.and_then([&] { return connection.exec(statement); });
        }
        if (done && step.rest) {
            done = step.rest(connection);
        }
        done = done.and_then([&] { return connection.exec(dialect::writeVersion(step.version)); });
    }
    done = done.and_then([&] { return connection.exec(dialect::writeApplication()); }).and_then([&] { return connection.exec(u"COMMIT"_s); });
    if (!done) {
        static_cast<void>(connection.exec(u"ROLLBACK"_s));
    }
    return done;
}

Result<void> useWriteAheadLog(Connection& connection)
{
    const Result<QVariant> mode = connection.value(dialect::useWriteAheadLog());
    if (!mode) {
        return tl::unexpected<Error>(mode.error());
    }
    if (mode->toString() != "wal"_L1) {
        return fail("store_failed", "The file system under the store does not allow its write-ahead log (mode " + toText(*mode) + ").");
    }
    return {};
}

} // namespace

Result<std::unique_ptr<Connection>> openDatabase(const fs::path& file, const std::vector<Migration>& steps)
{
    const int newest = steps.back().version;
    std::error_code error;
    const bool exists = fs::exists(file, error);
    // The database would take an empty file for a new one and throw its log away.
    if (sizeOf(file) == 0 && (sizeOf(besides(file, "-wal")) > 0 || newestBackup(file))) {
        return damaged(file, exists ? "the file is empty" : "the file is missing, but not what lies beside it");
    }
    if (Result<void> made = makePrivate(file); !made) {
        return tl::unexpected<Error>(made.error());
    }
    Condition condition{0, true};
    if (exists && sizeOf(file) > 0) {
        const Result<Condition> found = inspect(file, newest);
        if (!found) {
            return tl::unexpected<Error>(found.error());
        }
        condition = *found;
    }
    Result<std::unique_ptr<Connection>> connection = Connection::open(file, Connection::Mode::ReadWrite);
    if (!connection) {
        return explained(file, connection.error());
    }
    Result<void> done = useWriteAheadLog(**connection);
    if (condition.version < newest) {
        if (!condition.isNew) {
            done = done.and_then([&] { return backUp(**connection, file, condition.version); });
        }
        done = done.and_then([&] { return migrate(**connection, steps, condition.version); });
    }
    if (!done) {
        return explained(file, done.error());
    }
    return connection;
}

} // namespace weir::store
