// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/DataDirectory.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weir::store {
namespace {

tl::unexpected<Error> systemFailure(const std::string& what, const std::filesystem::path& path, int number)
{
    return fail("data_dir_failed", what + " " + path.string() + ": " + std::system_category().message(number) + ".");
}

bool writeAll(int descriptor, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return false;
        }
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::string readHolder(int descriptor)
{
    std::array<char, 32> text{};
    const ssize_t length = ::pread(descriptor, text.data(), text.size(), 0);
    std::string holder(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    holder.erase(holder.find_last_not_of("\n ") + 1);
    return holder;
}

int syncDirectory(const std::filesystem::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return errno;
    }
    const int number = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    return number;
}

} // namespace

DataDirectory::DataDirectory(std::filesystem::path path, int lock)
    : m_path(std::move(path))
    , m_lock(lock)
{
}

DataDirectory::DataDirectory(DataDirectory&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_lock(std::exchange(other.m_lock, -1))
{
}

DataDirectory& DataDirectory::operator=(DataDirectory&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_lock, other.m_lock);
    return *this;
}

DataDirectory::~DataDirectory()
{
    if (m_lock >= 0) {
        ::close(m_lock); // the lock goes with the descriptor; the file stays, since removing it would race with the next holder
    }
}

Result<DataDirectory> DataDirectory::open(const std::filesystem::path& path)
{
    std::error_code error;
    if (const std::filesystem::path parent = path.parent_path(); !parent.empty()) {
        std::filesystem::create_directories(parent, error);
        if (error) {
            return systemFailure("Cannot create", parent, error.value());
        }
    }
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
        return systemFailure("Cannot create the data directory", path, errno);
    }
    const std::filesystem::path lockFile = path / "weir.lock";
    const int lock = ::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) {
        return systemFailure("Cannot open", lockFile, errno);
    }
    DataDirectory directory(path, lock);
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) {
            return systemFailure("Cannot lock", lockFile, errno);
        }
        const std::string holder = readHolder(lock);
        return fail("data_dir_in_use",
                    "The data directory " + path.string() + " is in use by " + (holder.empty() ? "another process" : "process " + holder) + ".");
    }
    if (::ftruncate(lock, 0) != 0 || !writeAll(lock, std::to_string(::getpid()) + "\n")) {
        return systemFailure("Cannot write", lockFile, errno);
    }
    return directory;
}

std::optional<std::string> DataDirectory::holderOf(const std::filesystem::path& path)
{
    const int lock = ::open((path / "weir.lock").c_str(), O_RDONLY | O_CLOEXEC);
    if (lock < 0) {
        return std::nullopt;
    }
    std::optional<std::string> holder;
    if (::flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        holder = readHolder(lock);
        holder = holder->empty() ? "another process" : "process " + *holder;
    }
    ::close(lock);
    return holder;
}

Result<void> DataDirectory::writePrivateFile(std::string_view name, std::string_view content) const
{
    const std::filesystem::path target = m_path / name;
    const std::filesystem::path draft = m_path / (std::string(name) + ".new");
    ::unlink(draft.c_str());
    const int descriptor = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        return systemFailure("Cannot create", draft, errno);
    }
    const bool written = writeAll(descriptor, content) && ::fsync(descriptor) == 0;
    int number = written ? 0 : errno;
    ::close(descriptor);
    if (number == 0 && ::rename(draft.c_str(), target.c_str()) != 0) {
        number = errno;
    }
    if (number == 0) {
        number = syncDirectory(m_path);
    } else {
        ::unlink(draft.c_str());
    }
    if (number != 0) {
        return systemFailure("Cannot write", target, number);
    }
    return {};
}

} // namespace weir::store
