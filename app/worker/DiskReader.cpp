// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/DiskReader.h"

#include <condition_variable>
#include <mutex>
#include <sys/statvfs.h>
#include <thread>

namespace weir::worker {

FreeGb freeGbOf(const std::string& path)
{
    struct statvfs figures {};
    if (::statvfs(path.c_str(), &figures) != 0) {
        return std::nullopt;
    }
    constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
    return static_cast<double>(figures.f_bavail) * static_cast<double>(figures.f_frsize) / kGib;
}

struct DiskReader::Shared {
    Ask ask;
    Done done;
    std::mutex mutex;
    std::condition_variable wake;
    QObject* context = nullptr; ///< none once the reader is gone
    bool wanted = false;
};

DiskReader::DiskReader(Ask ask, Done done)
    : m_shared(std::make_shared<Shared>())
{
    m_shared->ask = std::move(ask);
    m_shared->done = std::move(done);
    m_shared->context = &m_context;
    // Detached: one that hangs in the kernel cannot be joined. It touches nothing but what it shares.
    std::thread([shared = m_shared] { run(shared); }).detach();
}

DiskReader::~DiskReader()
{
    const std::scoped_lock lock(m_shared->mutex);
    m_shared->context = nullptr;
    m_shared->wake.notify_one();
}

void DiskReader::read()
{
    const std::scoped_lock lock(m_shared->mutex);
    m_shared->wanted = true;
    m_shared->wake.notify_one();
}

void DiskReader::run(const std::shared_ptr<Shared>& shared)
{
    std::unique_lock lock(shared->mutex);
    while (true) {
        shared->wake.wait(lock, [&] { return shared->wanted || shared->context == nullptr; });
        if (shared->context == nullptr) {
            return;
        }
        lock.unlock();
        const FreeGb gb = shared->ask();
        lock.lock();
        shared->wanted = false;
        if (shared->context != nullptr) {
            // An event of an object that is gone by then is dropped by Qt; while the lock is held it is there.
            QMetaObject::invokeMethod(shared->context, [shared, gb] { shared->done(gb); }, Qt::QueuedConnection);
        }
    }
}

} // namespace weir::worker
