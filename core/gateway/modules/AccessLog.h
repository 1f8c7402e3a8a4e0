// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace weir::gateway {

/// Writes lines to a file on a thread of its own, so that a slow disk holds no request up. Lines are written together, a line at most
/// 50 ms late: waking the thread for each costs more than the request. What comes faster than it can be written is dropped by whole lines
/// and counted.
class AccessLog {
public:
    struct Options {
        std::filesystem::path path;
        std::uint64_t rotateBytes = 256ULL << 20U; ///< 0: never by size
        unsigned keep = 5;                         ///< rotated files: path.1 is the newest
        std::size_t mostWaiting = 8U << 20U;       ///< bytes that may wait for the disk
    };

    /// Errors: `log_failed`, the file cannot be opened.
    [[nodiscard]] static Result<std::unique_ptr<AccessLog>> open(Options options);
    AccessLog(const AccessLog&) = delete;
    AccessLog& operator=(const AccessLog&) = delete;
    /// Writes what waits, and joins.
    ~AccessLog();

    /// Any thread. False: dropped. `line` ends with its line feed.
    bool write(std::string_view line);

    /// Opens the file of that name again, which somebody may have moved away (SIGHUP). Any thread.
    void reopen();

    [[nodiscard]] std::uint64_t written() const { return m_written.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t dropped() const { return m_dropped.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t rotated() const { return m_rotated.load(std::memory_order_relaxed); }

private:
    explicit AccessLog(Options options)
        : m_options(std::move(options))
    {
    }

    void run();
    bool openFile();
    void closeFile();
    void writeOut(std::string_view lines);
    void rotate();

    Options m_options;
    int m_file = -1; ///< of the thread once it runs
    std::uint64_t m_size = 0;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::string m_waiting;
    std::uint64_t m_waitingLines = 0;
    bool m_isIdle = false; ///< the thread waits for a first line
    bool m_reopen = false;
    bool m_stopping = false;

    std::atomic<std::uint64_t> m_written{0};
    std::atomic<std::uint64_t> m_dropped{0};
    std::atomic<std::uint64_t> m_rotated{0};
    std::thread m_thread;
};

} // namespace weir::gateway
