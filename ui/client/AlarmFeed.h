// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plane/alarms/AlarmBoard.h"
#include "ui/client/Rows.h"

#include <QHash>
#include <mutex>

namespace weir::ui {

/// Finds what differs among the plane's alarms from one batch to the next. Any thread.
class AlarmFeed {
public:
    /// Of the cleared ones, which are kept for their history alone, the console shows the newest.
    static constexpr int kMostCleared = 500;

    /// Both must outlive this.
    AlarmFeed(const plane::AlarmBoard& board, const Clock& clock)
        : m_board(board)
        , m_clock(clock)
    {
    }

    /// Adds every alarm to a snapshot. The number grows with each snapshot: changes with a smaller one were read before it.
    quint64 addAll(ChangeBatch& batch);
    /// Adds what has changed since the last call. Where there are very many alarms they are looked at less often, so that it takes no more
    /// than a twentieth of the time.
    quint64 addChanges(ChangeBatch& batch);

private:
    [[nodiscard]] QHash<QString, AlarmRow> read() const;

    const plane::AlarmBoard& m_board;
    const Clock& m_clock;
    std::mutex m_mutex;
    QHash<QString, AlarmRow> m_known;
    quint64 m_round = 0;
    Instant m_notBefore = Instant::min();
};

} // namespace weir::ui
