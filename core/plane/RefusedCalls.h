// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace weir::plane {

/// A call that was turned away: no token, a wrong one, or one whose role may not make it.
struct RefusedCall {
    std::string from;  ///< address
    std::string token; ///< name of the token; empty when it is not ours
    std::string code;
    std::string call;  ///< method and pattern of the route: a bounded set, not what the stranger wrote
    std::string requestId;
    WallTime at{};
};

/// What is to be written of them: the first of a kind at once (`count` 1), then how many more there were.
struct RefusedFold {
    RefusedCall first; ///< of those that this fold counts
    std::uint64_t count = 1;
    WallTime last{};
};

/// Folds refused calls per address, token and code (journal.md "Audit"), so that strangers cannot grow the audit: a key gives one row at
/// once, then one with a count after a minute, two, four, … up to an hour, for as long as it goes on. Keys are bounded, and so are
/// the rows of an hour; what is beyond that is counted under one key for all addresses together. Not thread-safe.
class RefusedCalls {
public:
    static constexpr std::size_t kMostKeys = 200;
    static constexpr int kRowsAnHour = 120;
    static constexpr Duration kFirstWindow = std::chrono::minutes(1);
    static constexpr Duration kLastWindow = std::chrono::hours(1);

    /// What to write now, if anything.
    [[nodiscard]] std::optional<RefusedFold> note(const RefusedCall& call, Instant now);
    /// Counts whose window is over at `now`; all of them when `everything` is set.
    [[nodiscard]] std::vector<RefusedFold> takeDue(Instant now, bool everything);

    [[nodiscard]] std::size_t size() const { return m_entries.size(); }

private:
    using Key = std::tuple<std::string, std::string, std::string>;
    struct Entry {
        RefusedFold waiting; ///< count 0: nothing since the last row
        Instant until;
        Duration window;
        bool isShared = false; ///< the key for all addresses
    };

    [[nodiscard]] bool takeRow(Instant now);

    std::map<Key, Entry> m_entries;
    Instant m_hourFrom = Instant::min();
    int m_rowsThisHour = 0;
};

} // namespace weir::plane
