// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Log.h"
#include "core/base/Result.h"
#include "core/runtime/Runtime.h"

#include <QTemporaryDir>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace weir::demo {

class DemoWorkers;

/// The local demo: real HTTP workers on loopback inside this process, a configuration that names them, temporary data, and a
/// thread that plays callers and mishaps. It drives a Runtime from outside, as an operator's scripts would.
class DemoFleet {
public:
    /// Starts the workers and writes the configuration. Error: `demo_failed`, when loopback gives no ports or no temporary
    /// directory can be made.
    [[nodiscard]] static Result<std::unique_ptr<DemoFleet>> create(Log& log);
    DemoFleet(const DemoFleet&) = delete;
    DemoFleet& operator=(const DemoFleet&) = delete;
    ~DemoFleet();

    /// Data directory and configuration of the demo; listeners are up to the program.
    [[nodiscard]] runtime::RuntimeOptions runtimeOptions() const;

    /// Life begins: load goes up and down, now and then a node fails, is ejected, drains. The plane must outlive stop().
    void start(plane::ControlPlane& plane);
    void stop();

    /// Where the temporary data lies; removed with this object.
    [[nodiscard]] std::string dataPath() const;

private:
    explicit DemoFleet(Log& log);
    Result<void> prepare();
    void run(plane::ControlPlane& plane);

    Log& m_log;
    QTemporaryDir m_directory;
    std::unique_ptr<DemoWorkers> m_workers;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace weir::demo
