// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/incidents/IncidentTimeline.h"

#include "core/journal/incidents/IncidentText.h"

#include <algorithm>
#include <utility>

namespace weir::journal {

IncidentTimeline::IncidentTimeline(Incident& incident, std::size_t mostRows)
    : m_incident(incident)
    , m_mostRows(mostRows)
{
    for (const auto& [id, row] : incident.rows) {
        if (!row.fold.empty()) {
            m_folds[row.fold] = id;
        }
    }
}

std::string IncidentTimeline::foldOf(const IncidentInput& input, Relation relation) const
{
    const Event& event = input.event;
    if (relation == Relation::PrecededBy || relation == Relation::InWindow) {
        return {};
    }
    switch (event.kind) {
    case EventKind::NodeOffline:
    case EventKind::QuarantineStarted:
        return "out:" + event.nodeId;
    case EventKind::NodeOnline:
    case EventKind::QuarantineOver: {
        const auto run = m_folds.find("out:" + event.nodeId);
        const bool isRun = run != m_folds.end() && m_incident.rows.at(run->second).cycles >= 2;
        return (isRun ? "out:" : "back:") + event.nodeId;
    }
    case EventKind::PoolExhausted:
    case EventKind::PoolFallback:
        return std::string(toText(event.kind)) + ":" + event.role + ":" + event.poolId + ":" + event.appId;
    case EventKind::AlarmFired:
    case EventKind::AlarmChanged:
    case EventKind::AlarmResolved:
        return alarmKeyOf(input);
    case EventKind::NodeConnected:
    case EventKind::NodeDisconnected:
        return "connection:" + event.nodeId;
    case EventKind::EjectionCapped:
        return "capped:" + event.nodeId;
    default:
        return {};
    }
}

void IncidentTimeline::extend(IncidentRow& row, const IncidentInput& input, Relation relation)
{
    const Event& event = input.event;
    row.lastSeq = event.seq;
    row.lastAt = std::max(row.lastAt, event.at);
    row.severity = std::max(row.severity, event.severity);
    row.relation = std::min(row.relation, relation);
    ++row.events;
    row.facts += input.facts;
    if (event.kind != EventKind::QuarantineStarted && event.kind != EventKind::QuarantineOver) {
        row.sentence = event.sentence; // the quarantine tells of the same moment, and less
    }
}

// The node went out again: its return stops being a line of its own.
void IncidentTimeline::foldReturn(IncidentRow& run, const std::string& node, std::set<std::int64_t>& changed)
{
    const auto back = m_folds.find("back:" + node);
    if (back == m_folds.end()) {
        return;
    }
    const IncidentRow& row = m_incident.rows.at(back->second);
    run.events += row.events;
    run.facts += row.facts;
    changed.insert(row.firstSeq);
    m_incident.rows.erase(back->second);
    m_folds.erase(back);
}

void IncidentTimeline::add(const IncidentInput& input, Relation relation, std::string why, std::set<std::int64_t>& changed)
{
    const Event& event = input.event;
    std::string fold = foldOf(input, relation);
    if (m_incident.rows.size() >= m_mostRows && (fold.empty() || !m_folds.contains(fold))) {
        fold = "more:" + std::string(toText(event.kind));
    }
    const auto known = fold.empty() ? m_folds.end() : m_folds.find(fold);
    if (known != m_folds.end()) {
        IncidentRow& row = m_incident.rows.at(known->second);
        if (event.seq <= row.lastSeq) {
            return;
        }
        extend(row, input, relation);
        if (event.kind == EventKind::NodeOffline) {
            ++row.cycles;
            row.lastOut = event.at;
            foldReturn(row, event.nodeId, changed);
        }
        changed.insert(row.firstSeq);
        return;
    }
    if (m_incident.rows.contains(event.seq)) {
        return;
    }
    IncidentRow row{event.seq, event.seq, event.at, event.at, event.kind, event.severity, relation, event.nodeId, event.poolId, event.appId, event.role, event.actor, 1, input.facts,
        event.kind == EventKind::NodeOffline ? 1U : 0U, event.at, event.sentence, std::move(why), fold};
    changed.insert(event.seq);
    m_incident.rows.emplace(event.seq, std::move(row));
    if (!fold.empty()) {
        m_folds.emplace(std::move(fold), event.seq);
    }
}

void IncidentTimeline::absorb(Incident& other)
{
    for (auto& [id, row] : other.rows) {
        if (!row.fold.empty() && m_folds.contains(row.fold)) {
            row.fold.clear(); // both went on by themselves; the survivor's goes on
        }
        if (!row.fold.empty()) {
            m_folds.emplace(row.fold, id);
        }
    }
    m_incident.rows.merge(other.rows);
    other.rows.clear();
}

std::string rowText(const IncidentRow& row)
{
    const std::string span = clockText(row.firstAt) + " → " + clockText(row.lastAt) + " UTC";
    if (row.cycles >= 2) {
        const auto period = std::max<std::int64_t>((row.lastOut - row.firstAt).count() / static_cast<std::int64_t>(row.cycles - 1), 1);
        return row.nodeId + ": ejected ↔ revived ×" + groupedNumber(row.cycles) + ", every ≈ " + durationText(std::chrono::milliseconds(period)) + ", " + span;
    }
    const bool isShared = row.fold.starts_with("more:");
    if (row.facts > 1 && (row.kind == EventKind::PoolExhausted || row.kind == EventKind::PoolFallback || isShared)) {
        return "×" + groupedNumber(row.facts) + ", " + span + ": " + row.sentence;
    }
    return row.sentence;
}

bool isKeyMoment(const IncidentRow& row)
{
    return row.relation == Relation::Trigger || row.relation == Relation::Context || row.relation == Relation::PrecededBy || !row.actor.empty() || row.cycles >= 2
        || row.kind == EventKind::AlarmFired;
}

} // namespace weir::journal
