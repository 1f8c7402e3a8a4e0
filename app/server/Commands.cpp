// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/server/Commands.h"

#include "core/base/Clock.h"
#include "core/plane/PendingTokens.h"
#include "core/plane/TokenCommands.h"
#include "core/store/AuditCheck.h"
#include "core/store/Backup.h"
#include "core/store/DataDirectory.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

namespace weir::server {
namespace {

namespace fs = std::filesystem;

constexpr int kFine = 0;
constexpr int kBroken = 1;
constexpr int kUsage = 2;
constexpr int kDataDirectory = 3;
constexpr auto kAdoptionDeadline = std::chrono::seconds(10);

int refuse(int code, const std::string& message)
{
    std::fprintf(stderr, "weir-server: %s\n", message.c_str());
    return code;
}

int refuse(const Error& error)
{
    if (error.code == "audit_broken") {
        return refuse(kBroken, error.message);
    }
    const bool usage = error.code == "file_exists" || error.code == "not_owner" || error.code == "invalid_id";
    return refuse(usage ? kUsage : kDataDirectory, error.message);
}

// "20261129-213008": a name that nobody has yet.
std::string usualName(WallTime now)
{
    std::string text = toRfc3339(now).substr(0, 19);
    std::erase(text, '-');
    std::erase(text, ':');
    text[text.find('T')] = '-';
    return "superadmin-" + text;
}

int newToken(const fs::path& dataDir, const QString& name)
{
    const WallTime now = SystemClock().wall();
    const std::string wanted = name.isEmpty() ? usualName(now) : name.toStdString();
    if (const auto checked = plane::checkToken({wanted, "superadmin", {}, {}}, now); !checked) {
        return refuse(checked.error());
    }
    const auto left = plane::leaveToken(dataDir, wanted, now);
    if (!left) {
        return refuse(left.error());
    }
    const auto holder = store::DataDirectory::holderOf(dataDir);
    const auto deadline = std::chrono::steady_clock::now() + kAdoptionDeadline;
    std::error_code error;
    while (holder && fs::exists(left->file, error) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::printf("%s\n", left->secret.c_str());
    if (!holder) {
        std::fprintf(stderr, "The token '%s' holds from the next start of weir-server on.\n", wanted.c_str());
    } else if (fs::exists(left->file, error)) {
        return refuse(kDataDirectory, "The directory is in use by " + *holder + ", which has not taken the token over yet; it does when it can write its store again.");
    }
    return kFine;
}

int verifyAudit(const fs::path& dataDir, const QString& expect)
{
    std::optional<journal::AuditChain::Head> expected;
    if (!expect.isEmpty()) {
        bool isNumber = false;
        const qlonglong id = expect.section(QLatin1Char(':'), 0, 0).toLongLong(&isNumber);
        const QString hash = expect.section(QLatin1Char(':'), 1);
        constexpr int kHexDigits = 64;
        if (!isNumber || id < 1 || hash.size() != kHexDigits) {
            return refuse(kUsage, "--expect is '" + expect.toStdString() + "'; it must be COUNT:HASH as the server logs it hourly.");
        }
        expected = journal::AuditChain::Head{id, hash.toLower().toStdString()};
    }
    const auto report = store::checkAudit(dataDir / "weir.db", expected);
    if (!report) {
        if (report.error().code == "audit_broken") {
            std::printf("broken: %s\n", report.error().message.c_str());
            return kBroken;
        }
        return refuse(report.error());
    }
    std::printf("holds: %lld rows, head %lld:%s\n", static_cast<long long>(report->rows), static_cast<long long>(report->head.id), report->head.hash.c_str());
    return kFine;
}

int backUp(const fs::path& dataDir, const fs::path& file)
{
    const auto report = store::backUpTo(dataDir, file);
    if (!report) {
        return refuse(report.error());
    }
    std::printf("%s: %llu bytes, audit head %lld:%s\n", file.c_str(), static_cast<unsigned long long>(report->bytes), static_cast<long long>(report->audit.head.id), report->audit.head.hash.c_str());
    return kFine;
}

int restore(const fs::path& dataDir, const fs::path& file)
{
    const auto directory = store::DataDirectory::open(dataDir);
    if (!directory) {
        return refuse(directory.error());
    }
    const auto report = store::restoreFrom(*directory, file, SystemClock().wall());
    if (!report) {
        return refuse(report.error());
    }
    for (const fs::path& kept : report->kept) {
        std::printf("kept %s\n", kept.c_str());
    }
    std::printf("restored %s: audit head %lld:%s\n", file.c_str(), static_cast<long long>(report->audit.head.id), report->audit.head.hash.c_str());
    return kFine;
}

} // namespace

void describeDataCommands(QCommandLineParser& parser)
{
    parser.addOptions({
        {QStringLiteral("name"), QStringLiteral("token new: the token's name (default: superadmin- and the time)."), QStringLiteral("NAME")},
        {QStringLiteral("expect"), QStringLiteral("audit verify: a head that was logged before; a tail cut off since then is seen."), QStringLiteral("COUNT:HASH")},
    });
    const QString commands = QStringLiteral("token new: make another superadmin's token. audit verify: check the audit's chain; 0 holds, 1 broken. "
                                            "backup FILE: copy the store, also while a server runs. restore FILE: put a backup in its place, while none does.");
    parser.addPositionalArgument(QStringLiteral("data command"), commands, QStringLiteral("[token new | audit verify | backup FILE | restore FILE]"));
}

std::optional<int> runDataCommand(const QCommandLineParser& parser, const QStringList& arguments, const QString& dataDir)
{
    const fs::path directory = dataDir.toStdString();
    const QString command = arguments.value(0);
    if (command == QStringLiteral("token") || command == QStringLiteral("audit")) {
        const QString verb = command == QStringLiteral("token") ? QStringLiteral("new") : QStringLiteral("verify");
        if (arguments.size() != 2 || arguments[1] != verb) {
            return refuse(kUsage, "it is: weir-server " + command.toStdString() + " " + verb.toStdString() + " --data-dir DIR");
        }
        return verb == QStringLiteral("new") ? newToken(directory, parser.value(QStringLiteral("name"))) : verifyAudit(directory, parser.value(QStringLiteral("expect")));
    }
    if (command == QStringLiteral("backup") || command == QStringLiteral("restore")) {
        if (arguments.size() != 2 || arguments[1].isEmpty()) {
            return refuse(kUsage, "it is: weir-server " + command.toStdString() + " --data-dir DIR FILE");
        }
        const fs::path file = arguments[1].toStdString();
        return command == QStringLiteral("backup") ? backUp(directory, file) : restore(directory, file);
    }
    return std::nullopt;
}

} // namespace weir::server
