// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/AsioEngine.h"

#include "core/probe/AsioExchange.h"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace weir::probe {
namespace {

using std::chrono::steady_clock;

/// The clock may run faster than real time, so the timer never sleeps for long while a deadline is open; nor does it wake for
/// every one of many.
constexpr auto kLongestSleep = std::chrono::milliseconds(50);
constexpr auto kShortestSleep = std::chrono::milliseconds(10);
/// Answers that come close together wake the other thread once.
constexpr auto kFlushGap = std::chrono::milliseconds(10);
/// Exchanges kept for reuse.
constexpr std::size_t kMostIdle = 256;

} // namespace

AsioEngine::AsioEngine(Clock& clock, std::function<void()> notify)
    : m_clock(clock)
    , m_notify(std::move(notify))
    , m_thread([this] { m_context.run(); })
{
}

AsioEngine::~AsioEngine()
{
    m_context.stop();
    m_thread.join();
}

void AsioEngine::start(Start start)
{
    give(Order{std::move(start)});
}

void AsioEngine::cancel(std::uint64_t id)
{
    give(Order{{id, {}, {}, {}}});
}

void AsioEngine::give(Order order)
{
    bool first = false;
    {
        const std::scoped_lock lock(m_mutex);
        first = m_orders.empty();
        m_orders.push_back(std::move(order));
    }
    if (first) {
        boost::asio::post(m_context, [this] { takeOrders(); });
    }
}

std::vector<AsioEngine::Ended> AsioEngine::takeEnded()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_ended, {});
}

void AsioEngine::takeOrders()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_takenOrders.swap(m_orders);
    }
    for (const Order& order : m_takenOrders) {
        if (!order.start.url.empty()) {
            begin(order.start);
        } else if (const auto at = m_underWay.find(order.start.id); at != m_underWay.end()) {
            AsioExchange& exchange = *at->second;
            retire(exchange);
            exchange.drop();
        }
    }
    m_takenOrders.clear();
}

void AsioEngine::begin(const Start& start)
{
    std::unique_ptr<AsioExchange> exchange;
    if (m_idle.empty()) {
        exchange = std::make_unique<AsioExchange>(*this);
    } else {
        exchange = std::move(m_idle.back());
        m_idle.pop_back();
    }
    AsioExchange& started = *exchange;
    m_underWay.emplace(start.id, std::move(exchange));
    started.begin(start.id, start.url, start.timeout, start.tls);
}

void AsioEngine::retire(AsioExchange& exchange)
{
    auto node = m_underWay.extract(exchange.id());
    if (node.empty()) {
        return;
    }
    // Never deleted here: the exchange may be the caller, and its handlers may still be on their way.
    m_idle.push_back(std::move(node.mapped()));
    if (m_idle.size() > kMostIdle && m_idle.size() > 2 * m_underWay.size() && !std::exchange(m_trimPending, true)) {
        boost::asio::post(m_context, [this] {
            m_trimPending = false;
            std::erase_if(m_idle, [left = m_idle.size()](const std::unique_ptr<AsioExchange>& idle) mutable {
                const bool goes = left > kMostIdle && !idle->hasHandlers();
                left -= goes ? 1 : 0;
                return goes;
            });
        });
    }
}

void AsioEngine::watch(std::uint64_t id, Instant at)
{
    m_deadlines.add(at, id);
    armDeadlines();
}

void AsioEngine::armDeadlines()
{
    const std::optional<Instant> next = m_deadlines.next();
    if (!next) {
        return;
    }
    const Duration left = *next - m_clock.now();
    const auto at = steady_clock::now() + std::clamp<Duration>(left, kShortestSleep, kLongestSleep);
    if (m_deadlineArmed <= at) {
        return;
    }
    m_deadlineArmed = at;
    m_deadlineTimer.expires_at(at);
    m_deadlineTimer.async_wait([this](const boost::system::error_code& error) {
        if (!error) {
            m_deadlineArmed = steady_clock::time_point::max();
            expireDue();
        }
    });
}

void AsioEngine::expireDue()
{
    const Instant now = m_clock.now();
    while (const std::optional<std::uint64_t> due = m_deadlines.takeDue(now)) {
        const auto at = m_underWay.find(*due);
        if (at != m_underWay.end()) {
            at->second->expire(now);
        }
    }
    armDeadlines();
}

void AsioEngine::finish(AsioExchange& exchange, ProbeAnswer&& answer)
{
    m_fresh.push_back({exchange.id(), std::move(answer)});
    retire(exchange);
    if (!std::exchange(m_flushPending, true)) {
        m_flushTimer.expires_at(std::max(m_lastFlush + kFlushGap, steady_clock::now()));
        m_flushTimer.async_wait([this](const boost::system::error_code& error) {
            if (!error) {
                flush();
            }
        });
    }
}

void AsioEngine::flush()
{
    m_flushPending = false;
    m_lastFlush = steady_clock::now();
    bool first = false;
    {
        const std::scoped_lock lock(m_mutex);
        first = m_ended.empty();
        if (first) {
            m_ended.swap(m_fresh);
        } else {
            std::move(m_fresh.begin(), m_fresh.end(), std::back_inserter(m_ended));
        }
    }
    m_fresh.clear();
    if (first) {
        QMetaObject::invokeMethod(&m_home, m_notify, Qt::QueuedConnection);
    }
}

} // namespace weir::probe
