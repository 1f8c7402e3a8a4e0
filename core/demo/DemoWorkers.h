// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Log.h"
#include "core/base/Result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir::demo {

/// How a simulated worker answers its health check.
enum class WorkerMode : std::uint8_t {
    Healthy,
    DiskFull,    ///< 503, disk_free_below_5.0g; of its work nine answers in ten are a 200 with an error inside, the tenth is a 500
    Dependency,  ///< 503, dep_down:comfyui
    Silent,      ///< takes the request and never answers
};

/// Real HTTP workers on loopback, all on one thread. Thread-safe.
class DemoWorkers {
public:
    /// Starts `count` workers on free ports. Error: what the listener says.
    [[nodiscard]] static Result<std::unique_ptr<DemoWorkers>> start(std::size_t count, Log& log);
    ~DemoWorkers();

    /// `http://127.0.0.1:<port>` of the worker.
    [[nodiscard]] std::string url(std::size_t worker) const;
    void setMode(std::size_t worker, WorkerMode mode);
    /// Deep (as it begins): /health looks at the disk. Shallow: a worker with a full disk says that its model is loaded.
    void setDeepHealth(bool deep);
    [[nodiscard]] WorkerMode mode(std::size_t worker) const;

private:
    struct Private;
    DemoWorkers();
    std::unique_ptr<Private> m_private;
};

} // namespace weir::demo
