// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/WrongTokens.h"

#include <algorithm>

namespace weir::api {

Duration WrongTokens::note(std::string_view address, Instant now)
{
    const std::string key(address);
    auto found = m_addresses.find(key);
    if (found == m_addresses.end()) {
        makeRoom(now);
        found = m_addresses.emplace(key, Count{now, 0}).first;
    }
    Count& count = found->second;
    if (now - count.from >= kWindow) {
        count = Count{now, 0};
    }
    if (count.wrong >= kMost) {
        return kWindow - (now - count.from);
    }
    ++count.wrong;
    return Duration::zero();
}

// The oldest window goes: whoever sends from thousands of addresses is not stopped by counting addresses anyhow.
void WrongTokens::makeRoom(Instant now)
{
    if (m_addresses.size() < m_mostAddresses) {
        return;
    }
    std::erase_if(m_addresses, [now](const auto& entry) { return now - entry.second.from >= kWindow; });
    if (m_addresses.size() >= m_mostAddresses) {
        m_addresses.erase(std::min_element(m_addresses.begin(), m_addresses.end(), [](const auto& a, const auto& b) { return a.second.from < b.second.from; }));
    }
}

} // namespace weir::api
