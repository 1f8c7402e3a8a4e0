// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/journal/incidents/Incident.h"
#include "core/journal/incidents/IncidentInput.h"
#include "core/journal/incidents/IncidentTimeline.h"

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir::journal {

struct IncidentLimits {
    std::chrono::milliseconds gap = std::chrono::minutes(10);      ///< an event joins what it touches no later than this after its last event
    std::chrono::milliseconds lookBack = std::chrono::minutes(15); ///< context before the opening
    std::chrono::milliseconds settle = std::chrono::minutes(5);    ///< everybody well for this long: resolved
    std::chrono::milliseconds reopen = std::chrono::minutes(30);   ///< after the end
    std::size_t mostOpen = 500;   ///< beyond it triggers join the newest one
    std::size_t mostRows = 20'000; ///< of one incident; beyond it events share a line for each kind
    std::size_t mostKept = 1'000; ///< resolved ones that people can still write to
    std::size_t mostInWindow = 100; ///< events from elsewhere, of one incident
    std::size_t mostContext = 1'000;
};

/// What people do.
struct IncidentAction {
    enum class Kind : std::uint8_t { Acknowledge, Resolve, Merge, Note };
    Kind kind = Kind::Acknowledge;
    std::int64_t number = 0;
    std::string actor;
    WallTime at{};
    std::string text;       ///< reason of Resolve, text of Note
    std::int64_t into = 0;  ///< of Merge
    WallTime noteAt{};      ///< what a note speaks of
};

/// Groups events into incidents: deterministic from the events in their order and from what people did; calls of advance() between
/// them change nothing but when a resolution is noticed. Not thread-safe.
class IncidentBook {
public:
    /// What was changed since it was taken last. Rows are (incident, id); one that is not there any more was removed.
    struct Changed {
        std::vector<Event> events; ///< to be written to the journal; they belong to no incident
        std::set<std::int64_t> incidents;
        std::set<std::pair<std::int64_t, std::int64_t>> rows;
        std::vector<std::pair<std::uint64_t, std::int64_t>> alarms; ///< that fired, and the incident each belongs to; before `merged`
        std::vector<std::pair<std::int64_t, std::int64_t>> merged; ///< rows of the first are the second's now

        [[nodiscard]] bool isEmpty() const { return events.empty() && incidents.empty() && rows.empty() && alarms.empty() && merged.empty(); }
    };

    explicit IncidentBook(IncidentLimits limits = {});

    void setLimits(const IncidentLimits& limits)
    {
        m_nextDue = limits.settle == m_limits.settle ? m_nextDue : WallTime::min();
        m_limits = limits;
    }
    [[nodiscard]] const IncidentLimits& limits() const { return m_limits; }

    /// Takes over what was stored: incidents by number, with rows where they are open or were until a short time ago; and events of
    /// the look-back. `lastSeq`: events up to it are counted.
    void restore(std::vector<Incident> incidents, std::span<const IncidentInput> context, std::int64_t nextNumber);

    /// The next event. Events that an incident counts already are not counted twice.
    void take(const IncidentInput& input);

    /// Resolves what has been well for long enough at `now`.
    void advance(WallTime now);

    /// Whether the action can be done now. Errors: `unknown_incident`, `already_resolved`, `invalid_value`.
    [[nodiscard]] Result<void> check(const IncidentAction& action) const;
    /// Does it; must have been checked since the last change.
    void apply(const IncidentAction& action);
    /// The action's incident as it would be afterwards, without rows.
    [[nodiscard]] Incident preview(const IncidentAction& action) const;

    /// By number or alias; nothing when it was never here or is too old to be changed.
    [[nodiscard]] const Incident* find(std::int64_t number) const;
    [[nodiscard]] const std::map<std::int64_t, Incident>& incidents() const { return m_incidents; }
    [[nodiscard]] std::int64_t nextNumber() const { return m_nextNumber; }
    [[nodiscard]] Changed takeChanged() { return std::exchange(m_changed, {}); }

private:
    struct Open {
        std::unique_ptr<IncidentTimeline> timeline;
        std::size_t inWindow = 0;
    };

    void takeTrigger(const IncidentInput& input, const std::vector<Subject>& subjects);
    void takeJoin(const IncidentInput& input, const std::vector<Subject>& subjects);
    void takeContext(const IncidentInput& input, const std::vector<Subject>& subjects);
    void takeOwn(const IncidentInput& input);
    [[nodiscard]] std::set<std::int64_t> touched(const std::vector<Subject>& subjects, bool withinGap) const;
    void noteDue(const Incident& incident);
    [[nodiscard]] std::int64_t recentlyResolved(const std::vector<Subject>& subjects) const;
    Incident& begin(const IncidentInput& input, const std::vector<Subject>& subjects);
    void lookBack(Incident& incident);
    void reopen(Incident& incident);
    void mergeInto(std::int64_t from, std::int64_t into, const std::string& actor);
    void resolve(Incident& incident, WallTime at);
    void addRow(Incident& incident, const IncidentInput& input, Relation relation, std::string why);
    void count(Incident& incident, const IncidentInput& input, bool isTrigger);
    void noteState(Incident& incident, const IncidentInput& input, bool isTrigger);
    void noteAlarm(const IncidentInput& input, std::int64_t number);
    void raiseSeverity(Incident& incident, int severity);
    void widen(Incident& incident, const std::vector<Subject>& subjects);
    void index(const Incident& incident);
    void unindex(const Incident& incident);
    void findSimilar(Incident& incident);
    void forgetOld();
    void say(EventKind kind, const Incident& incident, std::string text, std::string_view change, const std::string& actor = {});
    static void doAction(Incident& incident, const IncidentAction& action);
    [[nodiscard]] static std::string stateKeyOf(const IncidentInput& input);
    [[nodiscard]] std::string whyTouched(const Incident& incident, const std::vector<Subject>& subjects) const;

    IncidentLimits m_limits;
    WallTime m_now = WallTime::min();
    WallTime m_nextDue = WallTime::max(); ///< no open incident resolves by itself before this
    std::int64_t m_nextNumber = 1;
    std::map<std::int64_t, Incident> m_incidents; ///< all that are kept
    std::map<std::int64_t, Open> m_open;
    std::map<std::int64_t, std::int64_t> m_aliases;
    std::map<Subject, std::set<std::int64_t>> m_bySubject;        ///< of open ones: subjects of triggers
    std::map<std::string, std::set<std::int64_t>> m_byHopPool;    ///< of open ones: pools where those stand
    std::map<std::string, std::set<std::int64_t>> m_byBad;        ///< of open ones: members that are not well
    std::deque<IncidentInput> m_context;
    Changed m_changed;
};

} // namespace weir::journal
