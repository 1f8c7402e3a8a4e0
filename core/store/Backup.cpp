// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/Backup.h"

#include "core/store/Connection.h"
#include "core/store/Schema.h"
#include "core/store/SqliteDialect.h"
#include "core/store/Text.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPrivate = 0600;
constexpr std::array<const char*, 3> kParts{"-wal", "-shm", ""};

tl::unexpected<Error> systemFailure(const std::string& what, const fs::path& path, int number)
{
    return fail("store_failed", what + " " + path.string() + ": " + std::system_category().message(number) + ".");
}

/// Closes what it holds.
class Descriptor {
public:
    explicit Descriptor(int number) : m_number(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_number >= 0) {
            ::close(m_number);
        }
    }
    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number;
};

Result<void> sync(const fs::path& path, int flags)
{
    const Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
    if (file.number() < 0 || ::fsync(file.number()) != 0) {
        return systemFailure("Cannot write", path, errno);
    }
    return {};
}

fs::path folderOf(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// An empty private file under a name that nobody uses.
Result<void> makeDraft(const fs::path& draft)
{
    ::unlink(draft.c_str());
    const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, kPrivate));
    return file.number() < 0 ? systemFailure("Cannot create", draft, errno) : Result<void>();
}

/// Removes a draft and what the database put beside it.
void removeDraft(const fs::path& draft)
{
    for (const char* part : kParts) {
        ::unlink((draft.string() + part).c_str());
    }
}

Result<void> copyFile(const fs::path& source, const fs::path& draft)
{
    const Descriptor in(::open(source.c_str(), O_RDONLY | O_CLOEXEC));
    if (in.number() < 0) {
        return errno == ENOENT ? fail("store_missing", "There is no file " + source.string() + ".") : systemFailure("Cannot read", source, errno);
    }
    if (Result<void> made = makeDraft(draft); !made) {
        return made;
    }
    const Descriptor out(::open(draft.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    std::array<char, 64U << 10U> buffer{};
    for (;;) {
        const ssize_t count = ::read(in.number(), buffer.data(), buffer.size());
        if (count == 0) {
            break;
        }
        for (ssize_t done = 0; done < count;) {
            const ssize_t written = ::write(out.number(), buffer.data() + done, static_cast<std::size_t>(count - done));
            if (written <= 0) {
                return systemFailure("Cannot write", draft, errno);
            }
            done += written;
        }
        if (count < 0) {
            return systemFailure("Cannot read", source, errno);
        }
    }
    return ::fsync(out.number()) == 0 ? Result<void>() : systemFailure("Cannot write", draft, errno);
}

/// Form, version and pages; the error names `source`, of which `copy` is a copy.
Result<void> checkCopy(const fs::path& copy, const fs::path& source)
{
    const Result<std::unique_ptr<Connection>> connection = Connection::open(copy, Connection::Mode::ReadOnly);
    if (!connection) {
        return tl::unexpected<Error>(connection.error());
    }
    const auto version = (*connection)->value(dialect::readVersion());
    const auto application = version ? (*connection)->value(dialect::readApplication()) : version;
    const auto check = application ? (*connection)->value(dialect::quickCheck()) : application;
    if (!check) {
        return fail(check.error().code, source.string() + ": " + check.error().message);
    }
    if (application->toInt() != dialect::kApplication) {
        return fail("store_damaged", source.string() + " is not a store of Weir's.");
    }
    const int newest = migrations().back().version;
    if (version->toInt() > newest) {
        return fail("store_newer", source.string() + " has version " + std::to_string(version->toInt()) + ", written by a later Weir; this one knows versions up to " + std::to_string(newest) + ".");
    }
    if (check->toString() != "ok"_L1) {
        return fail("store_damaged", source.string() + " is damaged (" + toText(*check) + ").");
    }
    return {};
}

/// What the directory holds goes under another name; the log first, which must never lie beside another database.
Result<void> keepOld(const fs::path& database, const std::string& mark, std::vector<fs::path>& kept)
{
    const fs::path name = database.string() + ".before-restore-" + mark;
    for (const char* part : kParts) {
        const fs::path from = database.string() + part;
        const fs::path to = name.string() + part;
        if (::link(from.c_str(), to.c_str()) != 0) {
            if (errno == ENOENT) {
                continue;
            }
            return systemFailure("Cannot keep", from, errno);
        }
        kept.push_back(to);
        if (part[0] != '\0' && ::unlink(from.c_str()) != 0) {
            return systemFailure("Cannot move", from, errno);
        }
    }
    return {};
}

// A whole log is taken into its database, so that the kept file is one. Where that fails both are kept as they are.
void takeLogIn(const fs::path& database)
{
    std::error_code error;
    if (fs::exists(database, error) && fs::file_size(database, error) > 0) {
        const auto connection = Connection::open(database, Connection::Mode::ReadWrite);
        if (connection) {
            static_cast<void>((*connection)->value(dialect::takeLogIn()));
        }
    }
}

// "20261129T213008Z"
std::string markOf(WallTime now)
{
    std::string text;
    for (const char c : toRfc3339(now)) {
        if (c == '.') {
            break;
        }
        text += c == '-' || c == ':' ? std::string() : std::string(1, c);
    }
    return text + "Z";
}

} // namespace

Result<BackupReport> backUpTo(const fs::path& dataDir, const fs::path& target)
{
    const fs::path database = dataDir / "weir.db";
    std::error_code error;
    if (!fs::exists(database, error)) {
        return fail("store_missing", "There is no store " + database.string() + ".");
    }
    if (fs::exists(fs::symlink_status(target, error))) {
        return fail("file_exists", target.string() + " exists already; a backup never takes another file's place.");
    }
    const fs::path draft = target.string() + ".new";
    Result<void> done = makeDraft(draft);
    if (done) {
        const auto connection = Connection::open(database, Connection::Mode::ReadOnly);
        done = connection ? (*connection)->exec(dialect::allowCopies()).and_then([&] { return (*connection)->run(dialect::copyInto(), {toQt(draft.string())}); }) : tl::unexpected<Error>(connection.error());
    }
    BackupReport report;
    if (done) {
        auto audit = checkAudit(draft);
        done = audit ? Result<void>() : tl::unexpected<Error>(audit.error());
        report.audit = audit.value_or(AuditReport());
        report.bytes = fs::file_size(draft, error);
    }
    done = done.and_then([&] { return sync(draft, O_RDONLY); });
    // A link fails where the name was taken meanwhile; a rename would take its place.
    if (done && ::link(draft.c_str(), target.c_str()) != 0) {
        done = systemFailure("Cannot write", target, errno);
    }
    removeDraft(draft);
    done = done.and_then([&] { return sync(folderOf(target), O_RDONLY | O_DIRECTORY); });
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
    return report;
}

Result<RestoreReport> restoreFrom(const DataDirectory& directory, const fs::path& source, WallTime now)
{
    const fs::path database = directory.databaseFile();
    const fs::path draft = database.string() + ".restoring";
    RestoreReport report;
    Result<void> done = copyFile(source, draft).and_then([&] { return checkCopy(draft, source); });
    if (done) {
        auto audit = checkAudit(draft);
        if (audit) {
            report.audit = *audit;
        } else if (audit.error().code != "store_older") {
            done = fail(audit.error().code, source.string() + ": " + audit.error().message);
        }
    }
    for (const char* part : {"-wal", "-shm"}) {
        ::unlink((draft.string() + part).c_str());
    }
    if (done) {
        takeLogIn(database);
        done = keepOld(database, markOf(now), report.kept);
    }
    if (done && ::rename(draft.c_str(), database.c_str()) != 0) {
        done = systemFailure("Cannot put the backup in place as", database, errno);
    }
    done = done.and_then([&] { return sync(directory.path(), O_RDONLY | O_DIRECTORY); });
    if (!done) {
        removeDraft(draft);
        return tl::unexpected<Error>(done.error());
    }
    return report;
}

} // namespace weir::store
