// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/RefusedCalls.h"

#include <algorithm>

namespace weir::plane {
namespace {

constexpr char kManyAddresses[] = "many addresses";

} // namespace

bool RefusedCalls::takeRow(Instant now)
{
    if (m_hourFrom == Instant::min() || now - m_hourFrom >= std::chrono::hours(1)) {
        m_hourFrom = now;
        m_rowsThisHour = 0;
    }
    return ++m_rowsThisHour <= kRowsAnHour;
}

std::optional<RefusedFold> RefusedCalls::note(const RefusedCall& call, Instant now)
{
    RefusedCall noted = call;
    auto found = m_entries.find({noted.from, noted.token, noted.code});
    if (found == m_entries.end() && (m_entries.size() >= kMostKeys || !takeRow(now))) {
        // Codes are few, so these keys are too.
        noted.from = kManyAddresses;
        noted.token.clear();
        found = m_entries.find({noted.from, noted.token, noted.code});
    }
    if (found == m_entries.end()) {
        const bool isShared = noted.from == kManyAddresses;
        m_entries.emplace(Key{noted.from, noted.token, noted.code}, Entry{{noted, 0, noted.at}, now + kFirstWindow, kFirstWindow, isShared});
        return RefusedFold{noted, 1, noted.at};
    }
    RefusedFold& waiting = found->second.waiting;
    if (waiting.count == 0) {
        waiting.first = noted;
    }
    ++waiting.count;
    waiting.last = noted.at;
    return std::nullopt;
}

std::vector<RefusedFold> RefusedCalls::takeDue(Instant now, bool everything)
{
    std::vector<RefusedFold> due;
    for (auto at = m_entries.begin(); at != m_entries.end();) {
        Entry& entry = at->second;
        if (!everything && now < entry.until) {
            ++at;
            continue;
        }
        if (entry.waiting.count == 0) {
            at = m_entries.erase(at); // quiet again: the next one is a first one
            continue;
        }
        if (everything || entry.isShared || takeRow(now)) {
            due.push_back(entry.waiting);
            entry.waiting.count = 0;
        }
        entry.window = std::min(entry.window * 2, kLastWindow);
        entry.until = now + entry.window;
        ++at;
    }
    return due;
}

} // namespace weir::plane
