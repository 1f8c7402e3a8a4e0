// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace weir::gateway {

/// Keeps what anybody on the network can cause from filling the log: one line a minute, which then stands for those in between.
class RareLine {
public:
    static constexpr Duration kPause = std::chrono::minutes(1);

    /// How many cases the line stands for, this one included; nothing: no line now.
    [[nodiscard]] std::optional<std::uint64_t> note(Instant now)
    {
        ++m_cases;
        if (m_last && now - *m_last < kPause) {
            return std::nullopt;
        }
        m_last = now;
        return std::exchange(m_cases, 0);
    }

private:
    std::optional<Instant> m_last;
    std::uint64_t m_cases = 0;
};

} // namespace weir::gateway
