// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/Route.h"

#include <cstdint>

namespace weir::gateway {

/// Where a try ended that gave no answer to pass on.
enum class FailedAt : std::uint8_t {
    Connect, ///< nothing of the request left
    Request, ///< while it was written, or no proper head came back in time
    Status   ///< an answer whose status the cluster lists in `retry_status`
};

/// What a request may do after a failed try (routing.md "Tries"): 1 + retry_max in the chosen pool, then cross_retry in others, at most
/// 20 in all.
class RetryPlan {
public:
    enum class Next : std::uint8_t { InPool, Across, Stop };

    /// `canRepeat`: a GET or HEAD without a body. `others`: the cluster has other pools of weight 0 or more.
    RetryPlan(const ClusterSettings& cluster, bool canRepeat, bool others)
        : m_retryMax(cluster.retryMax)
        , m_crossRetry(others ? cluster.crossRetry : 0)
        , m_repeats(canRepeat && cluster.retryLevel >= 1)
        , m_canRepeat(canRepeat)
    {
    }

    /// After a failed try: where the next one goes.
    [[nodiscard]] Next after(FailedAt failed)
    {
        ++m_tries;
        const bool may = failed == FailedAt::Connect || (failed == FailedAt::Request ? m_repeats : m_canRepeat);
        return may ? next() : Next::Stop;
    }
    /// The pool had nobody to try: across at once, whatever is left of retry_max.
    [[nodiscard]] Next afterNoCandidate()
    {
        m_hasLeftPool = true;
        return next();
    }

private:
    static constexpr unsigned kMostTries = 20;

    Next next()
    {
        if (m_tries >= kMostTries) {
            return Next::Stop;
        }
        if (!m_hasLeftPool && m_inPool < m_retryMax) {
            ++m_inPool;
            return Next::InPool;
        }
        m_hasLeftPool = true;
        if (m_across < m_crossRetry) {
            ++m_across;
            return Next::Across;
        }
        return Next::Stop;
    }

    unsigned m_retryMax;
    unsigned m_crossRetry;
    bool m_repeats;
    bool m_canRepeat;
    bool m_hasLeftPool = false;
    unsigned m_tries = 0;  ///< that failed
    unsigned m_inPool = 0; ///< further ones granted
    unsigned m_across = 0;
};

} // namespace weir::gateway
