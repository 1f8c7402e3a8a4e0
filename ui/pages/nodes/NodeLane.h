// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"
#include "ui/widgets/StateLane.h"

namespace weir::ui {

/// States of one node in [fromMs, toMs] from its journal events (oldest first; other nodes' are ignored) and its row of now. Where the
/// journal does not reach back (`knownFromMs`) nothing is claimed: that stretch has no segment.
[[nodiscard]] QList<LaneSegment> laneSegments(const QList<EventRow>& events, const NodeRow& row, qint64 fromMs, qint64 toMs, qint64 knownFromMs, qint64 nowMonoMs);

} // namespace weir::ui
