// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace weir::plane {

/// A thread that runs what it is given, in order. Used for SQL reads, which may take long and need a connection of their own.
class TaskThread {
public:
    TaskThread();
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;
    ~TaskThread() { stop(); }

    /// False when the thread is stopping and the task will not run.
    bool post(std::function<void()> task);
    /// Runs what is waiting, then joins. Idempotent.
    void stop();

private:
    void run();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_tasks;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace weir::plane
