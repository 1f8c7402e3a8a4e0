// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/store/Records.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace weir::plane {

using WebhookDelivery = store::WebhookRecord;

/// What waits for one receiver, in order: one delivery is under way at a time, a failed one is tried again with growing pauses for an
/// hour, and no more than a bound waits. Knows no network and no clock; not thread-safe.
class WebhookQueue {
public:
    static constexpr Duration kGiveUpAfter = std::chrono::hours(1);
    static constexpr Duration kFirstPause = std::chrono::seconds(1);
    static constexpr Duration kLongestPause = std::chrono::minutes(1);

    explicit WebhookQueue(std::size_t bound = 10'000) : m_bound(bound) {}

    /// Adds at the end. Gives the ids that had to go: of the oldest alarm that is over, both its notices; without one the oldest notice.
    std::vector<std::uint64_t> add(WebhookDelivery delivery);

    /// The one to send now, which is under way from here on; nothing while one is, while it pauses, or when none waits. Deliveries beyond
    /// `readyUpTo` are not ready yet.
    [[nodiscard]] const WebhookDelivery* take(Instant now, std::uint64_t readyUpTo);
    /// The one under way arrived. Gives its id.
    std::uint64_t succeeded();
    /// It did not. Gives its id when it is given up, which is an hour after it was queued and never without a try.
    std::optional<std::uint64_t> failed(Instant now, WallTime wall);

    [[nodiscard]] std::size_t size() const { return m_waiting.size(); }
    [[nodiscard]] bool isBusy() const { return m_underWay; }
    /// Failures in a row.
    [[nodiscard]] int failures() const { return m_failures; }
    [[nodiscard]] const std::deque<WebhookDelivery>& waiting() const { return m_waiting; }
    /// Tries at once, for a receiver whose address has changed.
    void hurry() { m_notBefore = Instant::min(); }

private:
    std::size_t m_bound;
    std::deque<WebhookDelivery> m_waiting;
    bool m_underWay = false; ///< the first
    int m_failures = 0;
    Instant m_notBefore = Instant::min();
};

} // namespace weir::plane
