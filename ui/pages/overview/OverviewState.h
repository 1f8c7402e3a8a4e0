// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/overview/OverviewFigures.h"
#include "ui/widgets/FleetVerdict.h"
#include "ui/widgets/charts/LiveChart.h"

#include <QHash>

namespace weir::ui {

inline constexpr qint64 kHourMs = 3'600'000;
inline constexpr qint64 kDayMs = 24 * kHourMs;

/// What the Overview knows of the fleet: the latest rows, the last hour's course, the last day's events.
class OverviewState {
public:
    void apply(const ChangeBatch& batch);
    void setState(ControlPlaneClient::State state, qint64 wallNowMs);
    /// Puts the plane's history before what has arrived live meanwhile.
    void mergeSeries(const QList<SeriesPoint>& history);
    void mergeEvents(const QList<EventRow>& events);

    [[nodiscard]] bool hasSnapshot() const { return m_facts.snapshot; }
    [[nodiscard]] bool isLive() const { return m_facts.state == ControlPlaneClient::State::Live; }
    [[nodiscard]] const FleetSummary& summary() const { return m_facts.summary; }
    [[nodiscard]] const QHash<QString, NodeRow>& nodes() const { return m_nodes; }
    /// Oldest first.
    [[nodiscard]] const QList<EventRow>& events() const { return m_events; }
    [[nodiscard]] const QList<SeriesPoint>& series() const { return m_series; }
    [[nodiscard]] FleetFacts facts(qint64 nowMonoMs) const;
    [[nodiscard]] TrafficTotals traffic() const;
    [[nodiscard]] QList<ChartMark> marks(qint64 sinceMs) const;
    [[nodiscard]] SparkData spark(TileKind kind, qint64 nowMs, const OverviewTargets& targets) const;

private:
    void appendPoint(const SeriesPoint& point);
    void sample(qint64 atMs);
    void prune(qint64 nowMs);

    FleetFacts m_facts;
    QHash<QString, NodeRow> m_nodes;
    QList<EventRow> m_events;
    QList<SeriesPoint> m_series;
    std::array<QList<SparkPoint>, kTileCount> m_samples;
};

} // namespace weir::ui
