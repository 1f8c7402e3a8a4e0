// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/journal/Event.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weir::journal {

/// Merged: it lives on in another one; its number stays an alias.
enum class IncidentState : std::uint8_t { Open, Acknowledged, Resolved, Merged };

/// How an event belongs to an incident. PrecededBy never means "caused by"; InWindow happened meanwhile and elsewhere.
enum class Relation : std::uint8_t { Trigger, Joined, Context, PrecededBy, InWindow };

[[nodiscard]] std::string_view toText(IncidentState state) noexcept;
[[nodiscard]] std::string_view toText(Relation relation) noexcept;
[[nodiscard]] std::optional<IncidentState> incidentStateFromText(std::string_view text) noexcept;
[[nodiscard]] std::optional<Relation> relationFromText(std::string_view text) noexcept;

/// A node, pool or app that an event is about, with where it stood at that time.
struct Subject {
    enum class Kind : std::uint8_t { Node, Pool, App };
    Kind kind = Kind::Node;
    std::string id;
    std::string pool; ///< of a node: its pool; of an app: the pool it resolved to; not part of the identity

    friend bool operator==(const Subject& a, const Subject& b) { return a.kind == b.kind && a.id == b.id; }
    friend bool operator<(const Subject& a, const Subject& b) { return a.kind != b.kind ? a.kind < b.kind : a.id < b.id; }
};

/// What the fleet looked like when an app was refused: facts for the headline.
struct RefusalEvidence {
    std::string role;
    std::string poolId;
    std::uint32_t poolNodes = 0; ///< of the role, in the pool
    std::uint32_t poolApps = 0;  ///< that resolve to the pool
    std::uint32_t unboundApps = 0; ///< of those, without a binding and without an owner
    std::string elsewherePool;   ///< where the most available nodes of the role are that no app resolves to; empty: nowhere
    std::uint32_t elsewhere = 0; ///< how many there
    std::string funnel;          ///< why nothing was chosen, as a sentence

    friend bool operator==(const RefusalEvidence&, const RefusalEvidence&) = default;
};

/// One line of the timeline: one event, or all that folded into it. Its id is the `seq` of its first event.
struct IncidentRow {
    std::int64_t firstSeq = 0;
    std::int64_t lastSeq = 0;
    WallTime firstAt{};
    WallTime lastAt{};
    EventKind kind = EventKind::NodeOffline;
    Severity severity = Severity::Info;
    Relation relation = Relation::Joined;
    std::string nodeId;
    std::string poolId;
    std::string appId;
    std::string role;
    std::string actor;
    std::uint64_t events = 1; ///< rows of the journal
    std::uint64_t facts = 1;  ///< what they stand for: a folded event counts for many
    std::uint64_t cycles = 0; ///< times the node went out; from 2 on the line is a flap run
    WallTime lastOut{};       ///< of a flap run, the latest time it went out
    std::string sentence;     ///< of the latest event
    std::string why;          ///< why it is grouped here
    std::string fold;         ///< what folds into it; empty: nothing

    friend bool operator==(const IncidentRow&, const IncidentRow&) = default;
};

struct AppImpact {
    std::uint64_t refusals = 0;
    std::uint64_t fallbacks = 0;
    WallTime first{};
    WallTime last{};
    std::string role;
    std::string poolId;

    friend bool operator==(const AppImpact&, const AppImpact&) = default;
};

struct NodeStory {
    std::uint64_t ejections = 0;  ///< by requests that failed
    std::uint64_t probeOutages = 0;
    std::uint64_t undone = 0;     ///< times it came back
    std::int64_t outMs = 0;       ///< how long it was out in all those times
    WallTime firstOut{};
    WallTime lastOut{};
    bool out = false;
    std::string outcome;          ///< of the latest time
    std::string poolId;

    friend bool operator==(const NodeStory&, const NodeStory&) = default;
};

/// The move that took a node out of a pool before the pool had nobody left; a fact with a time, not a cause.
struct MoveBefore {
    WallTime at{};
    std::string nodeId;
    std::string from;
    std::string to;
    std::string actor;

    friend bool operator==(const MoveBefore&, const MoveBefore&) = default;
};

struct IncidentNote {
    WallTime at{};      ///< what it speaks of
    WallTime written{}; ///< when it was written
    std::string author;
    std::string text;

    friend bool operator==(const IncidentNote&, const IncidentNote&) = default;
};

struct Similar {
    std::int64_t number = 0;
    std::size_t matching = 0;
    std::size_t members = 0;

    friend bool operator==(const Similar&, const Similar&) = default;
};

/// The story of one outage. Everything in it follows from the events, in their order, and from what people did.
struct Incident {
    static constexpr std::size_t kMostNames = 1'000; ///< apps, nodes; what is beyond is counted together
    static constexpr std::size_t kMostNotes = 1'000;

    std::int64_t number = 0;
    IncidentState state = IncidentState::Open;
    int severity = 3; ///< 1: apps fail closed, 2: too few healthy or probes disagree with requests, 3: single workers
    WallTime started{};
    WallTime lastEvent{};           ///< of triggers and joined events
    WallTime settled{};             ///< since when everybody may be well; what is in `bad` is not
    std::optional<WallTime> detected; ///< the first alarm
    std::optional<WallTime> ended;
    std::int64_t openedSeq = 0;
    std::int64_t lastSeq = 0; ///< the last event that is counted here
    std::string acknowledgedBy;
    std::optional<WallTime> acknowledgedAt;
    std::string resolvedBy; ///< empty: by itself
    std::string resolveReason;
    std::string frozenHeadline; ///< while it is resolved
    std::int64_t mergedInto = 0;
    std::vector<std::int64_t> aliases; ///< numbers of those merged into it
    std::uint64_t reopened = 0;
    std::optional<Similar> similar;

    std::set<Subject> triggers; ///< subjects of the trigger events: the scope is these and one hop around them
    std::set<std::string> bad;  ///< members that are not in a good state
    std::uint64_t events = 0;
    std::uint64_t triggerEvents = 0;
    std::uint64_t refusals = 0;
    std::uint64_t fallbacks = 0;
    std::uint64_t ejections = 0;
    std::map<std::string, AppImpact> apps;
    std::map<std::string, NodeStory> nodes;
    std::set<std::string> alarms; ///< kinds that fired
    std::optional<RefusalEvidence> evidence;      ///< of the first refusal
    std::optional<MoveBefore> move;
    std::vector<IncidentNote> notes;

    std::map<std::int64_t, IncidentRow> rows; ///< by id
    bool hasRows = true;                      ///< false: the rows are in the store alone

    [[nodiscard]] bool isOpen() const { return state == IncidentState::Open || state == IncidentState::Acknowledged; }
    friend bool operator==(const Incident&, const Incident&) = default;
};

/// Whether an event of this subject touches one of that subject: the same, or one hop apart on worker—pool—apps. `unassigned` is a
/// place outside and connects nobody.
[[nodiscard]] bool touches(const Subject& a, const Subject& b);

/// The scope as names: subjects of triggers and the pools one hop away.
[[nodiscard]] std::set<Subject> membersOf(const Incident& incident);

} // namespace weir::journal
