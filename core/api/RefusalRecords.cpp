// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/RefusalRecords.h"

#include <algorithm>

namespace weir::api {

const boost::json::object& RefusalRecords::get(const Key& key, Instant now, const Make& make)
{
    const auto known = m_records.find(key);
    if (known != m_records.end()) {
        if (now - known->second.made >= kAge) {
            known->second = {now, make()};
        }
        return known->second.object;
    }
    makeRoom(now);
    return m_records.emplace(key, Record{now, make()}).first->second.object;
}

// Room for one more: what is too old to be given out goes first, else the oldest.
void RefusalRecords::makeRoom(Instant now)
{
    if (m_records.size() < m_most) {
        return;
    }
    std::erase_if(m_records, [now](const auto& entry) { return now - entry.second.made >= kAge; });
    if (m_records.size() >= m_most) {
        m_records.erase(std::min_element(m_records.begin(), m_records.end(), [](const auto& a, const auto& b) { return a.second.made < b.second.made; }));
    }
}

} // namespace weir::api
