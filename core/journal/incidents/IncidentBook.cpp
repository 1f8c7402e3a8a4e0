// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/incidents/IncidentBook.h"

#include "core/base/Ids.h"
#include "core/base/Sentence.h"
#include "core/journal/incidents/IncidentText.h"

#include <algorithm>
#include <utility>

namespace weir::journal {
namespace {

bool isOwn(EventKind kind)
{
    return kind == EventKind::IncidentOpened || kind == EventKind::IncidentChanged || kind == EventKind::IncidentClosed;
}

using Numbers = std::set<std::int64_t>;

void indexSubject(std::map<Subject, Numbers>& bySubject, std::map<std::string, Numbers>& byHopPool, std::int64_t number, const Subject& subject)
{
    bySubject[subject].insert(number);
    if (subject.kind != Subject::Kind::Pool && !subject.pool.empty() && subject.pool != kUnassignedPool) {
        byHopPool[subject.pool].insert(number);
    }
}

std::string nameOf(const Subject& subject)
{
    return subject.kind == Subject::Kind::App ? "app " + subject.id : subject.kind == Subject::Kind::Pool ? "pool " + subject.id : subject.id;
}

} // namespace

IncidentBook::IncidentBook(IncidentLimits limits)
    : m_limits(limits)
{
}

void IncidentBook::restore(std::vector<Incident> incidents, std::span<const IncidentInput> context, std::int64_t nextNumber)
{
    for (Incident& incident : incidents) {
        const std::int64_t number = incident.number;
        m_nextNumber = std::max(m_nextNumber, number + 1);
        for (const std::int64_t alias : incident.aliases) {
            m_aliases[alias] = number;
        }
        if (incident.isOpen()) {
            m_now = std::max(m_now, incident.lastEvent);
        }
        Incident& kept = m_incidents.insert_or_assign(number, std::move(incident)).first->second;
        if (kept.isOpen()) {
            m_open[number].timeline = std::make_unique<IncidentTimeline>(kept, m_limits.mostRows);
            index(kept);
            noteDue(kept);
        }
    }
    m_nextNumber = std::max(m_nextNumber, nextNumber);
    m_context.assign(context.begin(), context.end());
}

void IncidentBook::take(const IncidentInput& input)
{
    advance(input.event.at);
    if (isOwn(input.event.kind)) {
        takeOwn(input);
        return;
    }
    const std::vector<Subject> subjects = subjectsOf(input);
    switch (classOf(input)) {
    case EventClass::Trigger:
        takeTrigger(input, subjects);
        break;
    case EventClass::Join:
        takeJoin(input, subjects);
        break;
    case EventClass::Context:
        takeContext(input, subjects);
        break;
    case EventClass::None:
        break;
    }
}

void IncidentBook::takeTrigger(const IncidentInput& input, const std::vector<Subject>& subjects)
{
    std::set<std::int64_t> open = touched(subjects, true);
    // A start after a crash reads some events again: those that an incident counts already belong to it.
    const bool known = std::any_of(open.begin(), open.end(), [&](std::int64_t number) { return input.event.seq != 0 && input.event.seq <= m_incidents.at(number).lastSeq; });
    if (open.empty()) {
        const std::int64_t old = recentlyResolved(subjects);
        if (old != 0) {
            if (input.event.seq != 0 && input.event.seq <= m_incidents.at(old).lastSeq) {
                noteAlarm(input, old);
                return;
            }
            reopen(m_incidents.at(old));
            open.insert(old);
        } else if (m_open.size() >= m_limits.mostOpen) {
            open.insert(m_open.rbegin()->first);
        }
    }
    if (open.empty()) {
        Incident& incident = begin(input, subjects);
        noteAlarm(input, incident.number);
        addRow(incident, input, Relation::Trigger, "Opened this incident.");
        lookBack(incident);
        say(EventKind::IncidentOpened, incident, headlineOf(incident, m_now), "opened");
        return;
    }
    const std::int64_t survivor = *open.begin();
    for (auto other = std::next(open.begin()); other != open.end() && !known; ++other) {
        mergeInto(*other, survivor, {});
    }
    Incident& incident = m_incidents.at(survivor);
    noteAlarm(input, survivor);
    std::string why = whyTouched(incident, subjects);
    widen(incident, subjects);
    addRow(incident, input, Relation::Trigger, std::move(why));
}

void IncidentBook::noteAlarm(const IncidentInput& input, std::int64_t number)
{
    if (input.event.kind == EventKind::AlarmFired && input.alarmId != 0 && number != 0) {
        m_changed.alarms.emplace_back(input.alarmId, number);
    }
}

void IncidentBook::takeJoin(const IncidentInput& input, const std::vector<Subject>& subjects)
{
    // What ends a bad state belongs to the story however long ago the last event was.
    std::set<std::int64_t> into;
    if (const auto waiting = m_byBad.find(stateKeyOf(input)); waiting != m_byBad.end()) {
        into = waiting->second;
    }
    std::int64_t best = 0;
    for (const std::int64_t number : touched(subjects, true)) {
        if (best == 0 || m_incidents.at(number).triggers.size() <= m_incidents.at(best).triggers.size()) {
            best = number; // the more specific one, then the newer
        }
    }
    noteAlarm(input, best != 0 || into.empty() ? best : *into.rbegin());
    if (best != 0) {
        into.insert(best);
    }
    for (const std::int64_t number : into) {
        Incident& incident = m_incidents.at(number);
        addRow(incident, input, Relation::Joined, whyTouched(incident, subjects));
    }
}

void IncidentBook::takeContext(const IncidentInput& input, const std::vector<Subject>& subjects)
{
    const std::set<std::int64_t> into = touched(subjects, false);
    for (auto& [number, open] : m_open) {
        Incident& incident = m_incidents.at(number);
        if (into.contains(number)) {
            addRow(incident, input, Relation::Context, whyTouched(incident, subjects));
        } else if (open.inWindow < m_limits.mostInWindow) {
            ++open.inWindow;
            addRow(incident, input, Relation::InWindow, "Happened meanwhile; it does not touch the scope.");
        }
    }
    m_context.push_back(input);
    while (!m_context.empty() && (m_context.size() > m_limits.mostContext || m_now - m_context.front().event.at > m_limits.lookBack)) {
        m_context.pop_front();
    }
}

// What people did to an incident is part of its story; the rest of its own events is not.
void IncidentBook::takeOwn(const IncidentInput& input)
{
    const Incident* known = find(input.incident);
    if (known == nullptr || input.event.actor.empty() || !known->hasRows) {
        return;
    }
    Incident& incident = m_incidents.at(known->number);
    std::set<std::int64_t> rows;
    IncidentTimeline(incident, m_limits.mostRows).add(input, Relation::Context, "Done to this incident by a person.", rows);
    for (const std::int64_t row : rows) {
        m_changed.rows.emplace(incident.number, row);
    }
}

std::set<std::int64_t> IncidentBook::touched(const std::vector<Subject>& subjects, bool withinGap) const
{
    std::set<std::int64_t> numbers;
    const auto addAll = [&](const auto& index, const auto& key) {
        if (const auto found = index.find(key); found != index.end()) {
            numbers.insert(found->second.begin(), found->second.end());
        }
    };
    for (const Subject& subject : subjects) {
        addAll(m_bySubject, subject);
        if (subject.kind == Subject::Kind::Pool) {
            addAll(m_byHopPool, subject.id);
        } else if (!subject.pool.empty() && subject.pool != kUnassignedPool) {
            addAll(m_bySubject, Subject{Subject::Kind::Pool, subject.pool, {}});
        }
    }
    std::erase_if(numbers, [&](std::int64_t number) { return withinGap && m_now - m_incidents.at(number).lastEvent > m_limits.gap; });
    return numbers;
}

std::int64_t IncidentBook::recentlyResolved(const std::vector<Subject>& subjects) const
{
    for (auto at = m_incidents.rbegin(); at != m_incidents.rend(); ++at) {
        const Incident& incident = at->second;
        if (incident.state != IncidentState::Resolved || !incident.hasRows || !incident.ended || m_now - *incident.ended > m_limits.reopen) {
            continue;
        }
        if (std::any_of(subjects.begin(), subjects.end(), [&](const Subject& subject) { return incident.triggers.contains(subject); })) {
            return incident.number;
        }
    }
    return 0;
}

Incident& IncidentBook::begin(const IncidentInput& input, const std::vector<Subject>& subjects)
{
    Incident incident;
    incident.number = m_nextNumber++;
    incident.started = input.event.at;
    incident.lastEvent = input.event.at;
    incident.settled = input.event.at;
    incident.openedSeq = input.event.seq;
    const std::int64_t number = incident.number;
    Incident& kept = m_incidents.emplace(number, std::move(incident)).first->second;
    m_open[number].timeline = std::make_unique<IncidentTimeline>(kept, m_limits.mostRows);
    noteDue(kept);
    widen(kept, subjects);
    forgetOld();
    return kept;
}

void IncidentBook::lookBack(Incident& incident)
{
    for (const IncidentInput& before : m_context) {
        if (before.event.seq >= incident.openedSeq || incident.started - before.event.at > m_limits.lookBack) {
            continue;
        }
        const std::vector<Subject> subjects = subjectsOf(before);
        const bool near = std::any_of(subjects.begin(), subjects.end(), [&](const Subject& subject) {
            return std::any_of(incident.triggers.begin(), incident.triggers.end(), [&](const Subject& trigger) { return touches(subject, trigger); });
        });
        if (!near && !subjects.empty()) {
            continue;
        }
        const std::string when = durationText(incident.started - before.event.at) + " before the first event";
        addRow(incident, before, Relation::PrecededBy, near ? "Preceded by: " + when + ", and it touches the scope." : "Preceded by: " + when + ", and it concerns everybody.");
        if (before.event.kind == EventKind::NodeMoved && membersOf(incident).contains({Subject::Kind::Pool, before.fromPool, {}})) {
            incident.move = MoveBefore{before.event.at, before.event.nodeId, before.fromPool, before.event.poolId, before.event.actor};
        }
    }
}

void IncidentBook::reopen(Incident& incident)
{
    noteDue(incident);
    incident.state = IncidentState::Open;
    incident.ended.reset();
    incident.frozenHeadline.clear();
    incident.acknowledgedBy.clear();
    incident.acknowledgedAt.reset();
    incident.resolvedBy.clear();
    incident.resolveReason.clear();
    ++incident.reopened;
    m_open[incident.number].timeline = std::make_unique<IncidentTimeline>(incident, m_limits.mostRows);
    index(incident);
    say(EventKind::IncidentChanged, incident, sentence("Incident %1 is open again: the same scope has a new trigger.", {std::to_string(incident.number)}), "reopened");
}

void IncidentBook::mergeInto(std::int64_t from, std::int64_t into, const std::string& actor)
{
    Incident& old = m_incidents.at(from);
    Incident& incident = m_incidents.at(into);
    unindex(old);
    unindex(incident);
    const auto timeline = m_open.find(into);
    if (timeline != m_open.end()) {
        timeline->second.timeline->absorb(old);
    } else {
        IncidentTimeline(incident, m_limits.mostRows).absorb(old);
    }
    m_open.erase(from);
    incident.started = std::min(incident.started, old.started);
    incident.openedSeq = std::min(incident.openedSeq, old.openedSeq);
    incident.lastEvent = std::max(incident.lastEvent, old.lastEvent);
    incident.settled = std::max(incident.settled, old.settled);
    noteDue(incident);
    incident.lastSeq = std::max(incident.lastSeq, old.lastSeq);
    incident.detected = incident.detected && old.detected ? std::min(incident.detected, old.detected) : incident.detected ? incident.detected : old.detected;
    incident.events += old.events;
    incident.triggerEvents += old.triggerEvents;
    incident.refusals += old.refusals;
    incident.fallbacks += old.fallbacks;
    incident.ejections += old.ejections;
    incident.reopened += old.reopened;
    incident.triggers.insert(old.triggers.begin(), old.triggers.end());
    incident.bad.insert(old.bad.begin(), old.bad.end());
    for (const auto& [id, impact] : old.apps) {
        AppImpact& app = incident.apps[id];
        const AppImpact before = app;
        app = before.last >= impact.last ? before : impact;
        app.refusals = before.refusals + impact.refusals;
        app.fallbacks = before.fallbacks + impact.fallbacks;
        app.first = before.refusals + before.fallbacks == 0 ? impact.first : std::min(before.first, impact.first);
    }
    incident.nodes.insert(old.nodes.begin(), old.nodes.end());
    incident.alarms.insert(old.alarms.begin(), old.alarms.end());
    incident.notes.insert(incident.notes.end(), old.notes.begin(), old.notes.end());
    incident.evidence = incident.evidence ? incident.evidence : old.evidence;
    incident.move = incident.move ? incident.move : old.move;
    incident.aliases.push_back(from);
    incident.aliases.insert(incident.aliases.end(), old.aliases.begin(), old.aliases.end());
    for (const std::int64_t alias : incident.aliases) {
        m_aliases[alias] = into;
    }
    old.frozenHeadline = headlineOf(old, m_now);
    old.state = IncidentState::Merged;
    old.mergedInto = into;
    old.ended = m_now;
    old.bad.clear();
    if (incident.isOpen()) {
        index(incident);
    }
    m_changed.incidents.insert(from);
    m_changed.incidents.insert(into);
    m_changed.merged.emplace_back(from, into);
    raiseSeverity(incident, old.severity);
    say(EventKind::IncidentChanged, incident, sentence("Incident %1 was merged into incident %2.", {std::to_string(from), std::to_string(into)}), "merged", actor);
}

void IncidentBook::advance(WallTime now)
{
    m_now = std::max(m_now, now);
    if (m_now < m_nextDue) {
        return; // asked for every event: not each time through all that are open
    }
    m_nextDue = WallTime::max();
    std::vector<std::pair<WallTime, std::int64_t>> due;
    for (const auto& [number, open] : m_open) {
        const Incident& incident = m_incidents.at(number);
        if (incident.bad.empty() && m_now - incident.settled >= m_limits.settle) {
            due.emplace_back(incident.settled + m_limits.settle, number);
        } else if (incident.bad.empty()) {
            noteDue(incident);
        }
    }
    std::sort(due.begin(), due.end());
    for (const auto& [at, number] : due) {
        resolve(m_incidents.at(number), at);
    }
}

// After every change of `settled`: what becomes well later on is noted then.
void IncidentBook::noteDue(const Incident& incident)
{
    m_nextDue = std::min(m_nextDue, incident.settled + m_limits.settle);
}

void IncidentBook::resolve(Incident& incident, WallTime at)
{
    incident.state = IncidentState::Resolved;
    incident.ended = at;
    incident.frozenHeadline = headlineOf(incident, at);
    unindex(incident);
    m_open.erase(incident.number);
    say(EventKind::IncidentClosed, incident, sentence("Incident %1 is resolved: everybody in its scope has been well for %2.", {std::to_string(incident.number), durationText(m_limits.settle)}),
        "resolved");
    m_changed.events.back().at = at; // whenever it is noticed
}

void IncidentBook::addRow(Incident& incident, const IncidentInput& input, Relation relation, std::string why)
{
    if (relation == Relation::Trigger || relation == Relation::Joined) {
        count(incident, input, relation == Relation::Trigger);
    } else if (input.event.seq > incident.lastSeq) {
        ++incident.events;
        if (relation == Relation::Context) {
            noteState(incident, input, false);
        }
        incident.lastSeq = input.event.seq;
    } else if (relation == Relation::PrecededBy) {
        ++incident.events;
    }
    std::set<std::int64_t> rows;
    const auto open = m_open.find(incident.number);
    if (open != m_open.end()) {
        open->second.timeline->add(input, relation, std::move(why), rows);
    }
    for (const std::int64_t row : rows) {
        m_changed.rows.emplace(incident.number, row);
    }
    m_changed.incidents.insert(incident.number);
}

void IncidentBook::widen(Incident& incident, const std::vector<Subject>& subjects)
{
    bool isWider = false;
    for (const Subject& subject : subjects) {
        if (incident.triggers.size() < 4 * Incident::kMostNames && incident.triggers.insert(subject).second) {
            indexSubject(m_bySubject, m_byHopPool, incident.number, subject);
            isWider = true;
        }
    }
    if (isWider) {
        findSimilar(incident);
    }
}

void IncidentBook::index(const Incident& incident)
{
    for (const Subject& subject : incident.triggers) {
        indexSubject(m_bySubject, m_byHopPool, incident.number, subject);
    }
    for (const std::string& key : incident.bad) {
        m_byBad[key].insert(incident.number);
    }
}

void IncidentBook::unindex(const Incident& incident)
{
    const auto drop = [&](auto& index, const auto& key) {
        if (const auto found = index.find(key); found != index.end()) {
            found->second.erase(incident.number);
            if (found->second.empty()) {
                index.erase(found);
            }
        }
    };
    for (const Subject& subject : incident.triggers) {
        drop(m_bySubject, subject);
        if (subject.kind != Subject::Kind::Pool) {
            drop(m_byHopPool, subject.pool);
        }
    }
    for (const std::string& key : incident.bad) {
        drop(m_byBad, key);
    }
}

std::string IncidentBook::whyTouched(const Incident& incident, const std::vector<Subject>& subjects) const
{
    const std::string after = ", " + durationText(m_now - incident.lastEvent) + " after the event before (at most " + durationText(m_limits.gap) + ").";
    for (const Subject& subject : subjects) {
        if (incident.triggers.contains(subject)) {
            return "About " + nameOf(subject) + ", which is in the scope" + after;
        }
    }
    for (const Subject& subject : subjects) {
        const Subject place{Subject::Kind::Pool, subject.pool, {}};
        if (subject.kind != Subject::Kind::Pool && touches(subject, place) && incident.triggers.contains(place)) {
            return nameOf(subject) + (subject.kind == Subject::Kind::App ? " resolves to " : " is in ") + nameOf(place) + ", one hop from it" + after;
        }
        const auto there = [&](const Subject& trigger) { return subject.kind == Subject::Kind::Pool && touches(subject, trigger); };
        if (const auto trigger = std::find_if(incident.triggers.begin(), incident.triggers.end(), there); trigger != incident.triggers.end()) {
            return "The pool of " + nameOf(*trigger) + ", one hop from it" + after;
        }
    }
    return "More than " + std::to_string(m_limits.mostOpen) + " incidents are open; this one takes what comes then.";
}

const Incident* IncidentBook::find(std::int64_t number) const
{
    const auto alias = m_aliases.find(number);
    const auto found = m_incidents.find(alias == m_aliases.end() ? number : alias->second);
    return found == m_incidents.end() ? nullptr : &found->second;
}

} // namespace weir::journal
