// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ProbeCounters.h"

#include <algorithm>

namespace weir::plane {

void ProbeCounters::add(const probe::ProbeResult& result)
{
    std::size_t at = 0;
    if (!result.success) {
        const auto found = std::find(kResults.begin() + 1, kResults.end(), std::string_view(result.reason));
        at = std::min(static_cast<std::size_t>(found - kResults.begin()), kResults.size() - 1);
    }
    m_counts[at].fetch_add(1, std::memory_order_relaxed);
    m_durations.observe(result.ended - result.started);
}

} // namespace weir::plane
