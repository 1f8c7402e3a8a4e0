// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/FirstRound.h"

namespace weir::plane {

void FirstRound::await(std::string_view nodeId)
{
    const std::scoped_lock lock(m_mutex);
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        if (const auto node = live.findNode(nodeId); node && !live.node(*node).spec.isStatic) {
            m_awaited.push_back({*node, live.node(*node).birth});
            m_isOver = false;
        }
    });
}

void FirstRound::start()
{
    const std::scoped_lock lock(m_mutex);
    m_started = m_fleet.read([](const fleet::Fleet&, Instant now) { return now; });
}

bool FirstRound::isOver()
{
    if (m_isOver.load(std::memory_order_acquire)) {
        return true;
    }
    const std::scoped_lock lock(m_mutex);
    m_fleet.read([&](const fleet::Fleet& live, Instant now) {
        const bool outOfTime = m_started != Instant::min() && now - m_started >= fromSeconds(live.settings().heartbeatTimeoutSeconds);
        std::erase_if(m_awaited, [&](const Awaited& awaited) {
            return outOfTime || !live.isAlive(awaited.node) || live.node(awaited.node).birth != awaited.birth
                || live.core(awaited.node).connected;
        });
    });
    if (!m_awaited.empty()) {
        return false;
    }
    m_isOver.store(true, std::memory_order_release);
    return true;
}

} // namespace weir::plane
