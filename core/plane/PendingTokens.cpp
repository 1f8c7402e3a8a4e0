// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/PendingTokens.h"

#include "core/plane/Traces.h"

#include <array>
#include <boost/json.hpp>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <pwd.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace weir::plane {
namespace json = boost::json;
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "pending-token-";
constexpr std::string_view kSuffix = ".json";
constexpr std::size_t kMost = 16;
constexpr std::size_t kMostBytes = 4096;

tl::unexpected<Error> systemFailure(const std::string& what, const fs::path& path, int number)
{
    return fail("data_dir_failed", what + " " + path.string() + ": " + std::system_category().message(number) + ".");
}

std::string loginOf(uid_t user)
{
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) {
        return found->pw_name;
    }
    return std::to_string(user);
}

// The file appears whole or not at all, and belongs to the directory's owner before it has its name.
Result<void> writeFile(const fs::path& file, const std::string& text, const struct stat& directory)
{
    const fs::path draft = file.string() + ".new";
    const int descriptor = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) {
        return systemFailure("Cannot create", draft, errno);
    }
    const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size())
        && (directory.st_uid == ::geteuid() || ::fchown(descriptor, directory.st_uid, directory.st_gid) == 0) && ::fsync(descriptor) == 0;
    int number = written ? 0 : errno;
    ::close(descriptor);
    if (number == 0 && ::rename(draft.c_str(), file.c_str()) != 0) {
        number = errno;
    }
    if (number != 0) {
        ::unlink(draft.c_str());
        return systemFailure("Cannot write", file, number);
    }
    return {};
}

std::optional<std::string> readOwn(const fs::path& file, uid_t owner)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) {
        return std::nullopt;
    }
    struct stat state{};
    std::optional<std::string> text;
    if (::fstat(descriptor, &state) == 0 && S_ISREG(state.st_mode) && state.st_uid == owner && (state.st_mode & (S_IWGRP | S_IWOTH)) == 0) {
        std::array<char, kMostBytes> buffer{};
        const ssize_t length = ::read(descriptor, buffer.data(), buffer.size());
        if (length > 0) {
            text.emplace(buffer.data(), static_cast<std::size_t>(length));
        }
    }
    ::close(descriptor);
    return text;
}

std::optional<PendingToken> parsed(const fs::path& file, const std::string& text)
{
    boost::system::error_code error;
    const json::value value = json::parse(text, error);
    if (error || !value.is_object()) {
        return std::nullopt;
    }
    const json::object& object = value.get_object();
    const auto member = [&object](std::string_view key) {
        const json::value* found = object.if_contains(key);
        return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
    };
    PendingToken token;
    token.file = file;
    token.by = member("by");
    token.record.name = member("name");
    token.record.sha256 = member("sha256");
    token.record.role = "superadmin";
    token.record.createdAt = fromRfc3339(member("createdAt")).value_or(WallTime());
    constexpr std::size_t kHexDigits = 64;
    return token.record.name.empty() || token.record.sha256.size() != kHexDigits ? std::nullopt : std::optional(token);
}

} // namespace

Result<LeftToken> leaveToken(const fs::path& dataDir, std::string_view name, WallTime now)
{
    struct stat directory{};
    if (::stat(dataDir.c_str(), &directory) != 0) {
        return systemFailure("Cannot look at", dataDir, errno);
    }
    if (directory.st_uid != ::geteuid() && ::geteuid() != 0) {
        return fail("not_owner", "The data directory " + dataDir.string() + " belongs to " + loginOf(directory.st_uid) + "; only they (or root) can make a token for it.");
    }
    LeftToken left;
    left.secret = randomSecret("weir_");
    const std::string mark = randomSecret("");
    if (left.secret.empty() || mark.empty()) {
        return fail("no_randomness", "The operating system gave no random bytes for a token.");
    }
    left.name = std::string(name);
    left.file = dataDir / (std::string(kPrefix) + mark.substr(0, 16) + std::string(kSuffix));
    const json::object content{{"name", left.name}, {"sha256", sha256Hex(left.secret)}, {"by", loginOf(::getuid())}, {"createdAt", toRfc3339(now)}};
    if (auto written = writeFile(left.file, json::serialize(content) + "\n", directory); !written) {
        return tl::unexpected(written.error());
    }
    const fs::path known = dataDir / "superadmin.token";
    std::error_code error;
    if (!fs::exists(fs::symlink_status(known, error))) {
        if (auto written = writeFile(known, left.secret + "\n", directory); !written) {
            return tl::unexpected(written.error());
        }
    }
    return left;
}

std::vector<PendingToken> pendingTokens(const fs::path& dataDir)
{
    std::vector<PendingToken> tokens;
    struct stat directory{};
    if (::stat(dataDir.c_str(), &directory) != 0) {
        return tokens;
    }
    std::error_code error;
    for (fs::directory_iterator at(dataDir, error), end; !error && at != end && tokens.size() < kMost; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) {
            continue;
        }
        if (const auto text = readOwn(at->path(), directory.st_uid)) {
            if (auto token = parsed(at->path(), *text)) {
                tokens.push_back(std::move(*token));
            }
        }
    }
    return tokens;
}

void forget(const PendingToken& token)
{
    ::unlink(token.file.c_str());
}

} // namespace weir::plane
