// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <sys/types.h>

namespace weir::bench {

/// Many workers in one process of its own: each listens on an address of 127.1.0.0/16, all on one port, answers any request
/// with 200 and a small JSON object, and closes.
class ProbeWorkers {
public:
    /// Forks. `core`: where the process runs; negative: anywhere.
    ProbeWorkers(int count, int core);
    ProbeWorkers(const ProbeWorkers&) = delete;
    ProbeWorkers& operator=(const ProbeWorkers&) = delete;
    ~ProbeWorkers();

    [[nodiscard]] bool isUp() const { return m_port != 0; }
    [[nodiscard]] std::string host(int worker) const;
    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] std::uint64_t answered() const;
    /// From now on no request is answered; or again they are.
    void setSilent(bool silent);

private:
    struct Shared {
        std::atomic<std::uint64_t> answered;
        std::atomic<bool> silent;
        std::atomic<int> port; ///< -1: could not listen
    };

    [[noreturn]] void run(int count, int core);

    Shared* m_shared = nullptr;
    pid_t m_child = -1;
    std::uint16_t m_port = 0;
};

/// Keeps this process, and what it forks, on one core; negative: nothing happens.
void stayOnCore(int core);

} // namespace weir::bench
