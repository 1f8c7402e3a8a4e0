// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/OverviewState.h"

#include <QCoreApplication>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr qsizetype kMostEvents = 2000;
constexpr qint64 kSampleMs = 10'000; // a pixel of a sparkline is 24 s

struct MarkWord {
    const char* kind;
    ChartMarkKind mark;
    const char* word;
};

constexpr MarkWord kMarks[] = {
    {"node_moved", ChartMarkKind::Move, QT_TRANSLATE_NOOP("OverviewState", "move")},
    {"config_loaded", ChartMarkKind::Config, QT_TRANSLATE_NOOP("OverviewState", "config")},
    {"node_draining", ChartMarkKind::Drain, QT_TRANSLATE_NOOP("OverviewState", "drain")},
    {"pool_exhausted", ChartMarkKind::Exhausted, QT_TRANSLATE_NOOP("OverviewState", "exhausted")},
    {"pool_fallback", ChartMarkKind::Fallback, QT_TRANSLATE_NOOP("OverviewState", "fallback")},
    {"node_offline", ChartMarkKind::Offline, QT_TRANSLATE_NOOP("OverviewState", "offline")},
    {"node_disconnected", ChartMarkKind::Offline, QT_TRANSLATE_NOOP("OverviewState", "offline")},
    {"quarantine_started", ChartMarkKind::Quarantine, QT_TRANSLATE_NOOP("OverviewState", "quarantine")},
};

} // namespace

void OverviewState::apply(const ChangeBatch& batch)
{
    if (batch.reset) {
        m_nodes.clear();
        m_facts.snapshot = true;
    }
    for (const QString& id : batch.removedNodes) {
        m_nodes.remove(id);
    }
    for (const NodeRow& node : batch.nodes) {
        m_nodes.insert(node.id, node);
    }
    m_facts.summary = batch.summary;
    mergeEvents(batch.events);
    appendPoint({batch.atMs, batch.summary.workersHealthy, batch.summary.workersTotal, true});
    sample(batch.atMs);
    prune(batch.atMs);
}

void OverviewState::setState(ControlPlaneClient::State state, qint64 wallNowMs)
{
    const bool wasLive = isLive();
    m_facts.state = state;
    if (state == ControlPlaneClient::State::Stale && m_facts.staleSinceMs == 0) {
        m_facts.staleSinceMs = wallNowMs;
    } else if (state == ControlPlaneClient::State::Live) {
        m_facts.staleSinceMs = 0;
    }
    if (wasLive && !isLive() && !m_series.isEmpty()) {
        appendPoint({wallNowMs, 0, 0, false});
        for (QList<SparkPoint>& samples : m_samples) {
            if (!samples.isEmpty()) {
                samples.append({wallNowMs, std::nullopt});
            }
        }
    }
}

void OverviewState::appendPoint(const SeriesPoint& point)
{
    if (!m_series.isEmpty()) {
        const SeriesPoint& last = m_series.last();
        const bool same = last.known == point.known && last.healthy == point.healthy && last.total == point.total;
        if (same || point.atMs < last.atMs) {
            return;
        }
    }
    m_series.append(point);
}

void OverviewState::mergeSeries(const QList<SeriesPoint>& history)
{
    if (history.isEmpty()) {
        return;
    }
    const QList<SeriesPoint> live = std::exchange(m_series, history);
    for (const SeriesPoint& point : live) {
        if (point.atMs > history.last().atMs) {
            appendPoint(point);
        }
    }
}

void OverviewState::mergeEvents(const QList<EventRow>& events)
{
    for (const EventRow& event : events) {
        const auto at = std::lower_bound(m_events.begin(), m_events.end(), event.seq,
                                         [](const EventRow& have, qint64 seq) { return have.seq < seq; });
        if (at != m_events.end() && at->seq == event.seq) {
            *at = event;
        } else {
            m_events.insert(at, event);
        }
    }
    if (m_events.size() > kMostEvents) {
        m_events.remove(0, m_events.size() - kMostEvents);
    }
}

void OverviewState::sample(qint64 atMs)
{
    const TrafficTotals totals = traffic();
    for (std::size_t i = 0; i < kTileCount; ++i) {
        QList<SparkPoint>& samples = m_samples[i];
        const std::optional<double> value = tileValue(static_cast<TileKind>(i), m_facts.summary, totals);
        if (samples.isEmpty() ? !value.has_value() : samples.last().value == value) {
            continue;
        }
        if (!samples.isEmpty() && value && samples.last().value && atMs - samples.last().atMs < kSampleMs) {
            samples.last().value = value;
        } else {
            samples.append({atMs, value});
        }
    }
}

void OverviewState::prune(qint64 nowMs)
{
    // The last point before the hour stays: its value holds at the left edge.
    while (m_series.size() > 1 && m_series[1].atMs <= nowMs - kHourMs) {
        m_series.removeFirst();
    }
    for (QList<SparkPoint>& samples : m_samples) {
        while (samples.size() > 1 && samples[1].atMs <= nowMs - kHourMs) {
            samples.removeFirst();
        }
    }
    while (!m_events.isEmpty() && m_events.first().atMs < nowMs - kDayMs) {
        m_events.removeFirst();
    }
}

FleetFacts OverviewState::facts(qint64 nowMonoMs) const
{
    FleetFacts facts = m_facts;
    facts.clearNodes();
    for (const NodeRow& node : m_nodes) {
        facts.addNode(node, nowMonoMs);
    }
    return facts;
}

TrafficTotals OverviewState::traffic() const
{
    TrafficTotals totals;
    for (const NodeRow& node : m_nodes) {
        totals.add(node);
    }
    return totals;
}

QList<ChartMark> OverviewState::marks(qint64 sinceMs) const
{
    QList<ChartMark> marks;
    for (const EventRow& event : m_events) {
        if (event.atMs < sinceMs) {
            continue;
        }
        for (const MarkWord& mark : kMarks) {
            if (event.kind == QLatin1String(mark.kind)) {
                marks.append({event.atMs, mark.mark, QCoreApplication::translate("OverviewState", mark.word)});
            }
        }
    }
    return marks;
}

SparkData OverviewState::spark(TileKind kind, qint64 nowMs, const OverviewTargets& targets) const
{
    SparkData data;
    data.fromMs = nowMs - kHourMs;
    data.toMs = nowMs;
    data.target = tileTarget(kind, m_facts.summary, targets);
    if (kind != TileKind::WorkersHealthy) {
        data.points = m_samples[static_cast<std::size_t>(kind)];
        return data;
    }
    for (const SeriesPoint& point : m_series) {
        data.points.append({point.atMs, point.known ? std::optional<double>(point.healthy) : std::nullopt});
    }
    return data;
}

} // namespace weir::ui
