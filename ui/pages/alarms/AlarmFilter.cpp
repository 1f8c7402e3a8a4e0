// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alarms/AlarmFilter.h"

#include "ui/live/AlarmWords.h"
#include "ui/live/NodeFilter.h"

#include <algorithm>

namespace weir::ui {

void AlarmFilter::setText(const QString& text)
{
    words = NodeFilter::folded(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

bool AlarmFilter::accepts(const AlarmRow& row) const
{
    if (firingOnly && !row.needsSomebody()) {
        return false;
    }
    const auto lets = [](const QSet<QString>& chosen, const QString& value) { return chosen.isEmpty() || chosen.contains(value); };
    if (!lets(standings, AlarmWords::standingKey(row.standing)) || !lets(severities, severityKey(row.severity)) || !lets(kinds, row.kind)
        || !lets(pools, row.pool)) {
        return false;
    }
    if (words.isEmpty()) {
        return true;
    }
    const QStringList said{row.kind, AlarmWords::kind(row.kind), AlarmWords::standing(row.standing), AlarmWords::severity(row.severity),
        row.role, row.pool, row.app, row.node, row.address, row.firstSentence, row.latestSentence};
    const QString text = NodeFilter::folded(said.join(QLatin1Char('\n')));
    return std::all_of(words.begin(), words.end(), [&text](const QString& word) { return text.contains(word); });
}

QString AlarmFilter::severityKey(Severity severity)
{
    return severity == Severity::Critical ? QStringLiteral("critical")
        : severity == Severity::Warning   ? QStringLiteral("warning")
                                          : QStringLiteral("info");
}

} // namespace weir::ui
