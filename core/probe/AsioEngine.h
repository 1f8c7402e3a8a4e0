// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/TimerQueue.h"
#include "core/probe/HostResolver.h"
#include "core/probe/ProbeTransport.h"
#include "core/probe/TlsSession.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <QObject>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace weir::probe {

class AsioExchange;

/// The thread of AsioTransport: starts exchanges, watches their deadlines, and hands what ended back in batches.
class AsioEngine {
public:
    struct Start {
        std::uint64_t id = 0;
        std::string url;
        Duration timeout{};
        ProbeTls tls;
    };
    struct Ended {
        std::uint64_t id = 0;
        ProbeAnswer answer;
    };

    /// `notify` is called on the maker's thread, through its event loop, when there is something to take.
    AsioEngine(Clock& clock, std::function<void()> notify);
    AsioEngine(const AsioEngine&) = delete;
    AsioEngine& operator=(const AsioEngine&) = delete;
    ~AsioEngine();

    // For the maker's thread.
    void start(Start start);
    void cancel(std::uint64_t id);
    [[nodiscard]] std::vector<Ended> takeEnded();

    // For exchanges, on the engine's thread.
    [[nodiscard]] boost::asio::io_context& context() { return m_context; }
    [[nodiscard]] Clock& clock() { return m_clock; }
    [[nodiscard]] HostResolver& resolver() { return m_resolver; }
    [[nodiscard]] TlsContexts& tlsContexts() { return m_tlsContexts; }
    /// Shared: used only within one call.
    [[nodiscard]] std::array<char, 64U << 10U>& buffer() { return m_buffer; }
    /// Calls expire() of the exchange at `at` or up to 50 ms later, unless it is over by then.
    void watch(std::uint64_t id, Instant at);
    /// The exchange is over and may serve another one.
    void finish(AsioExchange& exchange, ProbeAnswer&& answer);

private:
    using Timer = boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
        boost::asio::io_context::executor_type>;
    struct Order {
        Start start; ///< an empty URL: cancel
    };

    void give(Order order);
    void takeOrders();
    void begin(const Start& start);
    void retire(AsioExchange& exchange);
    void armDeadlines();
    void expireDue();
    void flush();

    Clock& m_clock;
    std::function<void()> m_notify;
    QObject m_home; ///< lives on the maker's thread; calls to it go through that thread's event loop

    std::mutex m_mutex; ///< guards the next two
    std::vector<Order> m_orders;
    std::vector<Ended> m_ended;

    // The rest belongs to the engine's thread.
    boost::asio::io_context m_context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> m_work = boost::asio::make_work_guard(m_context);
    HostResolver m_resolver{m_context};
    TlsContexts m_tlsContexts;
    Timer m_deadlineTimer{m_context.get_executor()};
    std::chrono::steady_clock::time_point m_deadlineArmed = std::chrono::steady_clock::time_point::max();
    Timer m_flushTimer{m_context.get_executor()};
    bool m_flushPending = false;
    std::chrono::steady_clock::time_point m_lastFlush{};
    TimerQueue<std::uint64_t> m_deadlines;
    std::vector<Order> m_takenOrders;
    std::vector<Ended> m_fresh; ///< ended since the last flush
    std::unordered_map<std::uint64_t, std::unique_ptr<AsioExchange>> m_underWay;
    std::vector<std::unique_ptr<AsioExchange>> m_idle; ///< for the next exchanges
    bool m_trimPending = false;
    std::array<char, 64U << 10U> m_buffer{};
    std::thread m_thread;
};

} // namespace weir::probe
