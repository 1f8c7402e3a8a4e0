// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace weir::demo {

/// Clients of the gateway: real HTTP requests on loopback, one connection each, a few at a time on threads of their own, so that a slow
/// answer never holds the scenario. Thread-safe.
class DemoCallers {
public:
    /// What the callers got. An error that hides in a 200 is one that no status tells.
    struct Counts {
        std::uint64_t asked = 0;
        std::uint64_t served = 0;
        std::uint64_t failed = 0; ///< a status of 400 and more, or no answer
        std::uint64_t hidden = 0; ///< a 200 with an error in its body
        std::string lastError;    ///< of the last one that was not served, in a few words
    };

    /// `url`: of the gateway, `http://127.0.0.1:<port>`; empty: nobody calls.
    explicit DemoCallers(const std::string& url);
    DemoCallers(const DemoCallers&) = delete;
    DemoCallers& operator=(const DemoCallers&) = delete;
    /// Waits for the requests under way, at most their time limit.
    ~DemoCallers();

    /// So many more requests, soon. Those that pile up behind a slow gateway are forgotten.
    void call(unsigned requests);
    [[nodiscard]] Counts counts() const;
    void forget();

private:
    void run();
    void note(int status, const std::string& body);

    std::uint16_t m_port;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    unsigned m_waiting = 0;
    bool m_stopping = false;
    Counts m_counts;
    std::vector<std::thread> m_threads;
};

} // namespace weir::demo
