// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/client/Rows.h"

namespace weir::ui {

ProbeState NodeRow::probeState(qint64 nowMonoMs) const
{
    if (!checked || !connected) {
        return !connected && checked ? ProbeState::Offline : ProbeState::NoData;
    }
    if (!inRotation) {
        const bool held = quarantinedUntilMonoMs != 0 && cause == QLatin1String("passive");
        return held && (quarantinedUntilMonoMs > nowMonoMs || awaitsProbe(nowMonoMs)) ? ProbeState::Quarantined : ProbeState::Offline;
    }
    if (draining) {
        return ProbeState::Draining;
    }
    return consecutiveFailures > 0 ? ProbeState::Failing : ProbeState::Online;
}

bool NodeRow::awaitsProbe(qint64 nowMonoMs) const
{
    return !inRotation && quarantinedUntilMonoMs != 0 && quarantinedUntilMonoMs <= nowMonoMs && consecutiveFailures == 0;
}

} // namespace weir::ui
