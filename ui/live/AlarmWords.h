// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"
#include "ui/widgets/Chip.h"

#include <QCoreApplication>

namespace weir::ui {

/// The console's words for alarms and incidents, in one place. Machine words (kinds, ids, roles) are not translated.
class AlarmWords {
    Q_DECLARE_TR_FUNCTIONS(AlarmWords)

public:
    /// "Pool exhausted" for `pool_exhausted`; an unknown kind as it is.
    [[nodiscard]] static QString kind(const QString& kind);
    [[nodiscard]] static QString severity(Severity severity);
    /// Stable keys of settings: "firing", "counted", "silenced", "acknowledged", "cleared".
    [[nodiscard]] static QString standingKey(AlarmStanding standing);
    [[nodiscard]] static QString standing(AlarmStanding standing);
    /// Only what fires is filled, in the tone of its severity.
    [[nodiscard]] static ChipSpec chip(const AlarmRow& row);
    /// "pool default · app news · role origin"; an alarm of the whole plane: "the control plane".
    [[nodiscard]] static QString subject(const AlarmRow& row);
    /// "Pool exhausted: pool default · app news", for notifications and lists of names.
    [[nodiscard]] static QString name(const AlarmRow& row);
    /// As the row is read out.
    [[nodiscard]] static QString sentence(const AlarmRow& row, const QString& last);
    /// "SEV1".
    [[nodiscard]] static QString incidentSeverity(int severity);
    [[nodiscard]] static QString incidentState(IncidentState state);
    /// "#3 · SEV1 · open · app-9 …"
    [[nodiscard]] static QString incident(const IncidentRow& row);
    /// The incident that the alarm belongs to, of a list with the newest first; null: it is not among them. Where the alarm does not say
    /// (older versions kept no number), the one in which its kind fired, while it lasted, within its scope.
    [[nodiscard]] static const IncidentRow* incidentOf(const AlarmRow& row, const QList<IncidentRow>& newestFirst);
};

} // namespace weir::ui
