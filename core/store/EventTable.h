// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/journal/Event.h"
#include "core/store/NodeFilter.h"

#include <QString>

#include <cstdint>
#include <span>

class QSqlQuery;

namespace weir::store {

class Connection;

/// The writing side of the table `events`: gives numbers without holes, and keeps for each block of kBlock numbers the span of
/// its times and a filter of its nodes. With these a window of time or the events of a node are found without an index on every
/// row, and exactly even where the clock was set back.
class EventTable {
public:
    static constexpr std::int64_t kBlock = 1024;

    /// What a rolled-back transaction must give back: copied before it, assigned after.
    struct State {
        std::int64_t lastSeq = 0;
        std::int64_t block = -1; ///< the one that lastSeq lies in
        WallTime minAt{};
        WallTime maxAt{};
        NodeFilter nodes;
    };

    [[nodiscard]] Result<void> load(Connection& connection);

    /// Numbers the events and writes them.
    [[nodiscard]] Result<void> append(Connection& connection, std::span<journal::Event> events);

    /// Removes at most `limit` of the oldest events, as long as they are older than `before`; the newest event always stays,
    /// because the next number comes from it. Returns how many went.
    [[nodiscard]] Result<std::int64_t> prune(Connection& connection, WallTime before, std::int64_t limit);

    [[nodiscard]] const State& state() const { return m_state; }
    void restore(const State& state) { m_state = state; }

    /// The columns in the order in which read() takes them.
    [[nodiscard]] static QString columns();
    [[nodiscard]] static Result<journal::Event> read(const QSqlQuery& query);

private:
    [[nodiscard]] Result<void> writeBlock(Connection& connection) const;

    State m_state;
};

} // namespace weir::store
