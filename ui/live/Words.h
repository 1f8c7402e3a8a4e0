// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QCoreApplication>

namespace weir::ui {

/// The console's words for states and figures, in one place so that a table, a drawer and a spoken row never differ. Machine words
/// (ids, roles, codes) are not translated.
class Words {
    Q_DECLARE_TR_FUNCTIONS(Words)

public:
    [[nodiscard]] static QString role(Role role);
    /// The scheduled role that the plane's reason for a starved app is about ("0 of 3 origins: draining").
    [[nodiscard]] static std::optional<Role> roleIn(const QString& why);
    /// What the probes alone say, never Quarantined: a quarantine after failed requests does not hide a good check.
    [[nodiscard]] static ProbeState checkState(const NodeRow& row);
    [[nodiscard]] static QString check(const NodeRow& row);
    /// The three verdicts in one chip: "Quarantined 42 s" where the node is held, else check().
    [[nodiscard]] static QString probe(const NodeRow& row, qint64 nowMonoMs);
    /// Time left in quarantine, "waits for probe" when only a good probe is missing, empty without quarantine.
    [[nodiscard]] static QString quarantineLeft(const NodeRow& row, qint64 nowMonoMs);
    [[nodiscard]] static QString traffic(const NodeRow& row);
    /// The three buckets of failures; a bucket that no rule measures says so instead of 0.
    [[nodiscard]] static QString trafficSentence(const NodeRow& row);
    [[nodiscard]] static QString schedulable(const NodeRow& row);
    /// The whole sentence of a verdict that stands short in the table.
    [[nodiscard]] static QString schedulableSentence(const NodeRow& row);
    [[nodiscard]] static QString probeReason(const QString& reason, int status);
    [[nodiscard]] static QString lastProbe(const NodeRow& row, qint64 nowWallMs);
    [[nodiscard]] static QString poolVerdict(const PoolRow& row);
    /// "6 edges − 1 draining − 2 quarantined = 3" of one role.
    [[nodiscard]] static QString availability(const PoolRow& row, Role role);
    [[nodiscard]] static QString freeCapacity(const NodeRow& row);
    /// "42 s", "2 min 05 s", "3 h 04 min", "2 d 3 h".
    [[nodiscard]] static QString duration(qint64 ms);
    /// Thousands set apart by a narrow no-break space.
    [[nodiscard]] static QString number(qint64 value);
    /// "edge-05, pool-3, probe online, traffic not measured, schedulable for 5 apps": a row as it is read out.
    [[nodiscard]] static QString nodeSentence(const NodeRow& row, qint64 nowMonoMs);
    [[nodiscard]] static QString poolSentence(const PoolRow& row);
    /// Order of the Nodes page: larger is worse, 0 needs nobody.
    [[nodiscard]] static int severity(const NodeRow& row, qint64 nowMonoMs);
    /// The check is good and the requests fail.
    [[nodiscard]] static bool disagrees(const NodeRow& row);
};

} // namespace weir::ui
