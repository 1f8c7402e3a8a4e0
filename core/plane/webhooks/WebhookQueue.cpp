// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/webhooks/WebhookQueue.h"

#include <algorithm>
#include <map>

namespace weir::plane {

std::vector<std::uint64_t> WebhookQueue::add(WebhookDelivery delivery)
{
    std::vector<std::uint64_t> dropped;
    m_waiting.push_back(std::move(delivery));
    while (m_waiting.size() > m_bound) {
        // What is under way stays: its answer belongs to it.
        const std::size_t from = m_underWay ? 1 : 0;
        std::map<std::uint64_t, std::size_t> firing; // alarm → its latest notice of firing so far
        std::optional<std::pair<std::size_t, std::size_t>> pair;
        for (std::size_t i = from; i < m_waiting.size() && !pair; ++i) {
            const auto began = firing.find(m_waiting[i].alarmId);
            if (m_waiting[i].firing) {
                firing[m_waiting[i].alarmId] = i;
            } else if (began != firing.end()) {
                pair.emplace(began->second, i);
            }
        }
        const auto drop = [&](std::size_t index) {
            dropped.push_back(m_waiting[index].id);
            m_waiting.erase(m_waiting.begin() + static_cast<std::ptrdiff_t>(index));
        };
        if (pair) {
            drop(pair->second);
            drop(pair->first);
        } else {
            drop(std::min(from, m_waiting.size() - 1));
        }
    }
    return dropped;
}

const WebhookDelivery* WebhookQueue::take(Instant now, std::uint64_t readyUpTo)
{
    if (m_underWay || m_waiting.empty() || now < m_notBefore || m_waiting.front().id > readyUpTo) {
        return nullptr;
    }
    m_underWay = true;
    return &m_waiting.front();
}

std::uint64_t WebhookQueue::succeeded()
{
    const std::uint64_t id = m_waiting.front().id;
    m_waiting.pop_front();
    m_underWay = false;
    m_failures = 0;
    m_notBefore = Instant::min();
    return id;
}

std::optional<std::uint64_t> WebhookQueue::failed(Instant now, WallTime wall)
{
    m_underWay = false;
    Duration pause = kFirstPause;
    for (int i = 0; i < m_failures && pause < kLongestPause; ++i) {
        pause *= 2;
    }
    ++m_failures;
    m_notBefore = now + std::min(pause, kLongestPause);
    const WebhookDelivery& first = m_waiting.front();
    if (wall - first.queuedAt < kGiveUpAfter) {
        return std::nullopt;
    }
    const std::uint64_t id = first.id;
    m_waiting.pop_front();
    return id;
}

} // namespace weir::plane
