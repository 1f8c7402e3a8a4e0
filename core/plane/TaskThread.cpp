// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/TaskThread.h"

namespace weir::plane {

TaskThread::TaskThread()
    : m_thread([this] { run(); })
{
}

bool TaskThread::post(std::function<void()> task)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_stopping) {
            return false;
        }
        m_tasks.push_back(std::move(task));
    }
    m_wake.notify_one();
    return true;
}

void TaskThread::stop()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void TaskThread::run()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_stopping || !m_tasks.empty(); });
        if (m_tasks.empty()) {
            return;
        }
        const std::function<void()> task = std::move(m_tasks.front());
        m_tasks.pop_front();
        lock.unlock();
        task();
        lock.lock();
    }
}

} // namespace weir::plane
