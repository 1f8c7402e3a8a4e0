// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/client/AlarmFeed.h"

#include "ui/client/RowConversion.h"

#include <map>

namespace weir::ui {

namespace {

constexpr int kShareOfTime = 20;

} // namespace

QHash<QString, AlarmRow> AlarmFeed::read() const
{
    std::map<std::string, store::SilenceRecord> silences;
    for (store::SilenceRecord& silence : m_board.silences()) {
        silences.emplace(silence.id, std::move(silence));
    }
    QHash<QString, AlarmRow> rows;
    int cleared = 0;
    m_board.forEach([&](const plane::AlarmView& view) {
        if (!view.alarm.isOpen() && ++cleared > kMostCleared) {
            return true;
        }
        const auto silence = silences.find(view.silencedBy);
        const AlarmRow row = toRow(view, silence == silences.end() ? nullptr : &silence->second);
        rows.insert(row.id, row);
        return true;
    });
    return rows;
}

quint64 AlarmFeed::addAll(ChangeBatch& batch)
{
    const std::scoped_lock lock(m_mutex);
    m_known = read();
    batch.alarms = m_known.values();
    return ++m_round;
}

quint64 AlarmFeed::addChanges(ChangeBatch& batch)
{
    const std::scoped_lock lock(m_mutex);
    const Instant begin = m_clock.now();
    if (begin < m_notBefore) {
        return m_round;
    }
    QHash<QString, AlarmRow> now = read();
    for (auto row = now.cbegin(); row != now.cend(); ++row) {
        const auto known = m_known.constFind(row.key());
        if (known == m_known.cend() || *known != *row) {
            batch.alarms.append(*row);
        }
    }
    for (auto known = m_known.cbegin(); known != m_known.cend(); ++known) {
        if (!now.contains(known.key())) {
            batch.removedAlarms.append(known.key());
        }
    }
    m_known = std::move(now);
    const Instant end = m_clock.now();
    m_notBefore = end + kShareOfTime * (end - begin);
    return m_round;
}

} // namespace weir::ui
