// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"
#include "ui/widgets/Tile.h"

#include <array>

namespace weir::ui {

/// What the tiles are judged by.
struct OverviewTargets {
    double requestSuccessPercent = 99.5; ///< at least
    int exhaustedPerHour = 0;            ///< at most
    double fallbackPercent = 1.0;        ///< at most
    int ejectionsPerHour = 8;            ///< at most
};

enum class TileKind { SchedulableApps, WorkersHealthy, RequestSuccess, PoolExhausted, FallbackShare, Ejections };
inline constexpr std::size_t kTileCount = 6;

/// Requests of the last 5 minutes over all nodes, as the rows tell.
struct TrafficTotals {
    qint64 ok = 0;
    qint64 failed = 0;
    bool measured = false; ///< some node has been measured

    void add(const NodeRow& node);
    [[nodiscard]] qint64 all() const { return ok + failed; }
};

/// The number behind a tile, for its course over time; nothing where there is no data.
[[nodiscard]] std::optional<double> tileValue(TileKind kind, const FleetSummary& summary, const TrafficTotals& traffic);

/// Words of a tile; the sparkline is left empty. Absent data is said, never shown as zero or as all well.
[[nodiscard]] TileFigures tileFigures(TileKind kind, const FleetSummary& summary, const TrafficTotals& traffic,
                                      const OverviewTargets& targets);

/// The line a sparkline is compared with.
[[nodiscard]] std::optional<double> tileTarget(TileKind kind, const FleetSummary& summary, const OverviewTargets& targets);

/// Figures of a tile before the first batch.
[[nodiscard]] TileFigures unknownFigures();

} // namespace weir::ui
