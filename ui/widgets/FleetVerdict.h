// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/ControlPlaneClient.h"

#include <QTimeZone>

namespace weir::ui {

/// What the sentence about the whole fleet is made from.
struct FleetFacts {
    ControlPlaneClient::State state = ControlPlaneClient::State::Connecting;
    bool snapshot = false;    ///< the first batch has come
    qint64 staleSinceMs = 0;
    FleetSummary summary;
    int greenFailing = 0;     ///< the check is green, traffic fails
    int degraded = 0;
    int probeFailing = 0;     ///< failing the check, still in rotation
    int unchecked = 0;

    /// Counts a node; nodes in `unassigned` serve no app and are not counted.
    void addNode(const NodeRow& node, qint64 nowMonoMs);
    /// Sets the counts of nodes back to nothing.
    void clearNodes();
};

/// The state of the fleet as a person says it: the worst true statement first.
struct FleetVerdict {
    enum class Level { Unknown, Good, Attention, Bad };

    Level level = Level::Unknown; ///< Good is the only all-clear; it needs live data
    QString headline;
    QString detail;

    [[nodiscard]] QString sentence() const { return detail.isEmpty() ? headline : headline + QLatin1Char(' ') + detail; }
};

[[nodiscard]] FleetVerdict fleetVerdict(const FleetFacts& facts, const QTimeZone& zone);

/// Whether requests fail on a node whose check is green.
[[nodiscard]] bool isGreenButFailing(const NodeRow& node, qint64 nowMonoMs);

} // namespace weir::ui
