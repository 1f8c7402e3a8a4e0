// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/Facts.h"

namespace weir::plane {

std::string_view stateWord(const NodeFacts& node)
{
    if (!node.checked) {
        return "nodata";
    }
    if (!node.connected) {
        return "offline";
    }
    if (!node.inRotation) {
        return node.quarantineRemaining > Duration::zero() ? "quarantined" : "offline";
    }
    if (node.spec.draining) {
        return "draining";
    }
    return node.consecutiveFailures > 0 ? "failing" : "online";
}

std::string healthReason(const NodeFacts& node)
{
    if (!node.bodyReason.empty() && (!node.probeReason.empty() || !node.inRotation)) {
        return node.bodyReason;
    }
    if (!node.probeReason.empty()) {
        return node.probeReason;
    }
    return node.cause == health::Cause::Passive ? node.passiveOutcome : std::string();
}

} // namespace weir::plane
