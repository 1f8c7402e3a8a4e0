// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/AccessLog.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace weir::gateway {
namespace {

constexpr std::chrono::milliseconds kGather{50};
// So much is worth a write of its own before that time is over.
constexpr std::size_t kBatch = 256U << 10U;

} // namespace

Result<std::unique_ptr<AccessLog>> AccessLog::open(Options options)
{
    std::unique_ptr<AccessLog> log(new AccessLog(std::move(options)));
    if (!log->openFile()) {
        const std::string why = std::generic_category().message(errno);
        return fail("log_failed", "The access log '" + log->m_options.path.string() + "' cannot be opened: " + why + ".", "access_log");
    }
    log->m_thread = std::thread([raw = log.get()] { raw->run(); });
    return log;
}

AccessLog::~AccessLog()
{
    if (m_thread.joinable()) {
        {
            const std::scoped_lock lock(m_mutex);
            m_stopping = true;
        }
        m_wake.notify_one();
        m_thread.join();
    }
    closeFile();
}

bool AccessLog::write(std::string_view line)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_waiting.size() + line.size() > m_options.mostWaiting) {
            m_dropped.fetch_add(1, std::memory_order_relaxed);
            return false;
        }
        const bool wasSmall = m_waiting.size() < kBatch;
        m_waiting += line;
        ++m_waitingLines;
        const bool isFull = wasSmall && m_waiting.size() >= kBatch;
        if (!isFull && !std::exchange(m_isIdle, false)) {
            return true; // it comes by itself
        }
    }
    m_wake.notify_one();
    return true;
}

void AccessLog::reopen()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_reopen = true;
    }
    m_wake.notify_one();
}

void AccessLog::run()
{
    std::string lines;
    for (bool stopping = false; !stopping;) {
        bool reopens = false;
        std::uint64_t count = 0;
        {
            std::unique_lock lock(m_mutex);
            m_isIdle = m_waiting.empty();
            m_wake.wait(lock, [this] { return m_stopping || m_reopen || !m_waiting.empty(); });
            m_isIdle = false;
            m_wake.wait_for(lock, kGather, [this] { return m_stopping || m_reopen || m_waiting.size() >= kBatch; });
            lines.clear();
            lines.swap(m_waiting);
            count = std::exchange(m_waitingLines, 0);
            reopens = std::exchange(m_reopen, false);
            stopping = m_stopping;
        }
        if (reopens) {
            closeFile();
        }
        if (m_file < 0 && !openFile()) {
            m_dropped.fetch_add(count, std::memory_order_relaxed);
            continue;
        }
        if (!lines.empty()) {
            writeOut(lines);
        }
    }
}

bool AccessLog::openFile()
{
    m_file = ::open(m_options.path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    struct stat status {};
    m_size = m_file >= 0 && ::fstat(m_file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
    return m_file >= 0;
}

void AccessLog::closeFile()
{
    if (m_file >= 0) {
        ::close(std::exchange(m_file, -1));
    }
}

// Whole lines only go to a file; a full disk loses them, and that is counted.
void AccessLog::writeOut(std::string_view lines)
{
    while (!lines.empty()) {
        if (m_options.rotateBytes > 0 && m_size >= m_options.rotateBytes) {
            rotate();
        }
        // As many lines as fit before the next rotation, one at least.
        std::size_t end = lines.size();
        if (m_options.rotateBytes > 0 && m_size + end > m_options.rotateBytes) {
            const std::size_t room = m_options.rotateBytes > m_size ? static_cast<std::size_t>(m_options.rotateBytes - m_size) : 0;
            const std::size_t feed = lines.find('\n', room);
            end = feed == std::string_view::npos ? lines.size() : feed + 1;
        }
        const std::string_view piece = lines.substr(0, end);
        lines.remove_prefix(end);
        const auto count = static_cast<std::uint64_t>(std::count(piece.begin(), piece.end(), '\n'));
        std::size_t sent = 0;
        while (m_file >= 0 && sent < piece.size()) {
            const ssize_t result = ::write(m_file, piece.data() + sent, piece.size() - sent);
            if (result < 0 && errno != EINTR) {
                break;
            }
            sent += result > 0 ? static_cast<std::size_t>(result) : 0;
        }
        m_size += sent;
        if (sent == piece.size()) {
            m_written.fetch_add(count, std::memory_order_relaxed);
        } else {
            const auto whole =
                static_cast<std::uint64_t>(std::count(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(sent), '\n'));
            m_written.fetch_add(whole, std::memory_order_relaxed);
            m_dropped.fetch_add(count - whole, std::memory_order_relaxed);
        }
    }
}

// path.1 becomes path.2 and so on; the last one goes.
void AccessLog::rotate()
{
    closeFile();
    const auto numbered = [this](unsigned number) {
        std::filesystem::path path = m_options.path;
        path += '.' + std::to_string(number);
        return path;
    };
    std::error_code ignored; // what cannot be moved is written on to
    if (m_options.keep == 0) {
        std::filesystem::remove(m_options.path, ignored);
    } else {
        for (unsigned number = m_options.keep; number > 1; --number) {
            std::filesystem::rename(numbered(number - 1), numbered(number), ignored);
        }
        std::filesystem::rename(m_options.path, numbered(1), ignored);
    }
    m_rotated.fetch_add(1, std::memory_order_relaxed);
    openFile();
    if (m_size >= m_options.rotateBytes) {
        m_size = 0; // could not be moved: not tried again for every line
    }
}

} // namespace weir::gateway
