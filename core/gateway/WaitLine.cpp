// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/WaitLine.h"

#include <utility>

namespace weir::gateway {

WaitLine::~WaitLine()
{
    for (const auto& [end, waiter] : m_byTime) {
        waiter->m_line = nullptr;
    }
}

std::list<WaitLine::AppLine>::iterator WaitLine::lineOf(std::string_view app)
{
    std::string name(app);
    const auto found = m_index.find(name);
    if (found != m_index.end()) {
        return found->second;
    }
    const auto line = m_apps.insert(m_apps.end(), AppLine{name, {}});
    m_index.emplace(std::move(name), line);
    return line;
}

bool WaitLine::enter(Waiter& waiter, std::string_view app, Instant now)
{
    if (size() >= m_max) {
        return false;
    }
    waiter.m_app = lineOf(app);
    waiter.m_place = waiter.m_app->waiters.insert(waiter.m_app->waiters.end(), &waiter);
    add(waiter, now);
    return true;
}

void WaitLine::enterFirst(Waiter& waiter, std::string_view app, Instant now)
{
    waiter.m_app = lineOf(app);
    waiter.m_place = waiter.m_app->waiters.insert(waiter.m_app->waiters.begin(), &waiter);
    add(waiter, now);
}

void WaitLine::add(Waiter& waiter, Instant now)
{
    waiter.m_line = this;
    waiter.m_since = now;
    waiter.m_placeInTime = m_byTime.emplace(now + m_timeout, &waiter);
}

void WaitLine::leave(Waiter& waiter)
{
    waiter.m_line = nullptr;
    m_byTime.erase(waiter.m_placeInTime);
    waiter.m_app->waiters.erase(waiter.m_place);
    if (waiter.m_app->waiters.empty()) {
        m_index.erase(waiter.m_app->app);
        m_apps.erase(waiter.m_app);
    }
}

std::optional<Instant> WaitLine::nextDeadline() const
{
    return m_byTime.empty() ? std::nullopt : std::optional<Instant>(m_byTime.begin()->first);
}

WaitLine::Waiter* WaitLine::takeExpired(Instant now)
{
    if (m_byTime.empty() || m_byTime.begin()->first > now) {
        return nullptr;
    }
    Waiter* waiter = m_byTime.begin()->second;
    leave(*waiter);
    return waiter;
}

void WaitLine::serve(const std::function<Verdict(Waiter&)>& probe, const std::function<void(Waiter&, Verdict)>& go)
{
    if (std::exchange(m_isServing, true)) {
        m_again = true; // something became free while others were being served
        return;
    }
    do {
        m_again = false;
        for (auto app = m_apps.begin(); app != m_apps.end();) {
            Waiter& head = *app->waiters.front();
            const Verdict verdict = probe(head);
            if (verdict == Verdict::NotNow) {
                ++app;
                continue;
            }
            m_apps.splice(m_apps.end(), m_apps, app); // it has had its turn
            leave(head);
            go(head, verdict);
            app = m_apps.begin();
        }
    } while (m_again);
    m_isServing = false;
}

} // namespace weir::gateway
