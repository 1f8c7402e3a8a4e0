// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/nodes/NodeLane.h"

namespace weir::ui {

namespace {

/// The facts that events turn on and off; the state is read from them.
struct Facts {
    bool known = true;
    bool inRotation = true;
    bool quarantined = false;
    bool draining = false;

    [[nodiscard]] ProbeState state() const
    {
        if (!known) {
            return ProbeState::NoData;
        }
        if (!inRotation) {
            return quarantined ? ProbeState::Quarantined : ProbeState::Offline;
        }
        return draining ? ProbeState::Draining : ProbeState::Online;
    }

    /// False where the kind says nothing about the state.
    bool apply(const QString& kind)
    {
        if (kind == QLatin1String("node_online")) {
            *this = {true, true, false, draining};
        } else if (kind == QLatin1String("node_offline") || kind == QLatin1String("node_disconnected")) {
            *this = {true, false, quarantined, draining};
        } else if (kind == QLatin1String("quarantine_started")) {
            *this = {true, false, true, draining};
        } else if (kind == QLatin1String("quarantine_over") || kind == QLatin1String("quarantine_dropped_by_restart")) {
            quarantined = false;
        } else if (kind == QLatin1String("node_draining")) {
            draining = true;
        } else if (kind == QLatin1String("node_undrained")) {
            draining = false;
        } else if (kind == QLatin1String("node_created") || kind == QLatin1String("node_registered") || kind == QLatin1String("events_lost")) {
            known = false;
        } else {
            return false;
        }
        return true;
    }
};

/// What must have been true before the first event, for it to be a change.
Facts before(const QString& kind)
{
    Facts facts;
    facts.known = kind != QLatin1String("node_created") && kind != QLatin1String("node_registered");
    facts.inRotation = kind != QLatin1String("node_online") && !kind.startsWith(QLatin1String("quarantine_over"))
        && kind != QLatin1String("quarantine_dropped_by_restart");
    facts.quarantined = kind == QLatin1String("quarantine_over") || kind == QLatin1String("quarantine_dropped_by_restart");
    facts.draining = kind == QLatin1String("node_undrained");
    return facts;
}

void append(QList<LaneSegment>& segments, qint64 fromMs, qint64 toMs, ProbeState state)
{
    if (toMs <= fromMs) {
        return;
    }
    if (!segments.isEmpty() && segments.last().state == state && segments.last().toMs == fromMs) {
        segments.last().toMs = toMs;
    } else {
        segments.append({fromMs, toMs, state});
    }
}

} // namespace

QList<LaneSegment> laneSegments(const QList<EventRow>& events, const NodeRow& row, qint64 fromMs, qint64 toMs, qint64 knownFromMs, qint64 nowMonoMs)
{
    QList<LaneSegment> segments;
    const ProbeState now = row.probeState(nowMonoMs);
    qint64 at = qMax(fromMs, knownFromMs);
    bool first = true;
    Facts facts;
    for (const EventRow& event : events) {
        if (event.nodeId != row.id && event.kind != QLatin1String("events_lost")) {
            continue;
        }
        Facts probe = facts;
        if (!probe.apply(event.kind)) {
            continue;
        }
        if (first) {
            facts = before(event.kind);
            first = false;
        }
        const qint64 when = qBound(at, event.atMs, toMs);
        append(segments, at, when, facts.state());
        at = when;
        facts.apply(event.kind);
    }
    if (first) {
        append(segments, at, toMs, now);
        return segments;
    }
    // Failed probes are no events; the row knows of them, and since when at the earliest: its last probe.
    const bool differs = facts.state() != now;
    const qint64 turn = differs ? qBound(at, row.lastProbe.atMs, toMs) : toMs;
    append(segments, at, turn, facts.state());
    append(segments, turn, toMs, now);
    return segments;
}

} // namespace weir::ui
