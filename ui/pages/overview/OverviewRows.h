// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/overview/OverviewState.h"
#include "ui/pages/overview/ShortTableModel.h"

namespace weir::ui {

/// Rows of the Overview's short tables, worst or newest first.
namespace overviewrows {

/// App, pool, why, since.
[[nodiscard]] QList<ShortRow> starved(const FleetSummary& summary, const QTimeZone& zone);
/// Worker, probe, traffic, failed/all.
[[nodiscard]] QList<ShortRow> greenButFailing(const QHash<QString, NodeRow>& nodes, qint64 nowMonoMs);
/// State, node, since: nodes outside `unassigned` that fail, are out, or are not known.
[[nodiscard]] QList<ShortRow> attention(const OverviewState& state, qint64 nowMonoMs, const QTimeZone& zone);
/// Time (with a glyph) and sentence of moves, drains, bindings and settings.
[[nodiscard]] QList<ShortRow> changes(const QList<EventRow>& events, const QTimeZone& zone);

} // namespace overviewrows

} // namespace weir::ui
