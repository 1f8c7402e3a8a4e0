// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/fleet/Explanation.h"
#include "core/fleet/Impact.h"
#include "core/health/HealthSettings.h"
#include "core/journal/incidents/Incident.h"
#include "core/plane/Facts.h"
#include "core/plane/alarms/AlarmBoard.h"
#include "core/journal/HealthySeries.h"
#include "ui/client/Rows.h"

/// From the plane's rows to the console's.
namespace weir::ui {

/// What a row needs to know besides itself.
struct ConversionContext {
    health::HealthSettings health;
    qint64 nowMonoMs = 0;
    qint64 nowMs = 0;
    bool trafficSeen = false;      ///< by any node, so that a node without requests is idle rather than not measured
    bool semanticMeasured = false; ///< a rule looks into answers
    bool admitsUnknownApps = false; ///< `default` serves apps that nobody declared
};

[[nodiscard]] NodeRow toRow(const plane::NodeFacts& facts, const ConversionContext& context);
[[nodiscard]] PoolRow toRow(const plane::PoolFacts& facts, bool admitsUnknownApps = false);
[[nodiscard]] AppRow toRow(const plane::AppFacts& facts);
[[nodiscard]] EventRow toRow(const journal::Event& event);
/// `silence`: the one that covers it now, where there is one.
[[nodiscard]] AlarmRow toRow(const plane::AlarmView& view, const store::SilenceRecord* silence);
[[nodiscard]] IncidentRow toRow(const journal::Incident& incident, WallTime now);
[[nodiscard]] ProbeEntry toRow(const plane::ProbeRecord& record);
[[nodiscard]] SeriesPoint toRow(const journal::SeriesPoint& point);
[[nodiscard]] ExplanationView toView(const fleet::Explanation& record);
[[nodiscard]] MoveImpact toImpact(const fleet::Impact& impact);
[[nodiscard]] StandingView toView(const fleet::Standing& standing);
[[nodiscard]] ChangeBatch toBatch(const plane::ChangeBatch& batch, const ConversionContext& context);

[[nodiscard]] qint64 toMs(WallTime at);
[[nodiscard]] qint64 toMonoMs(Instant at);

} // namespace weir::ui
