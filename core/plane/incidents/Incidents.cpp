// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/incidents/Incidents.h"

#include "core/base/Sentence.h"
#include "core/journal/incidents/IncidentText.h"
#include "core/plane/StoreThread.h"
#include "core/plane/Traces.h"
#include "core/plane/incidents/IncidentInputs.h"
#include "core/plane/incidents/IncidentJson.h"
#include "core/store/StoreReader.h"
#include "core/store/Writer.h"

#include <algorithm>
#include <boost/json.hpp>
#include <memory>
#include <utility>

namespace weir::plane {
using journal::Incident;
using journal::IncidentAction;
using journal::IncidentInput;
namespace {

constexpr std::string_view kSeenMark = "incidents_seen";
constexpr std::string_view kNextMark = "incident_next";
constexpr std::size_t kPage = 5'000;
constexpr std::size_t kMostContext = 1'000;
constexpr auto kShortestSettle = std::chrono::minutes(5);

std::string numberText(std::int64_t number)
{
    return std::to_string(number);
}

std::string_view auditAction(IncidentAction::Kind kind)
{
    switch (kind) {
    case IncidentAction::Kind::Acknowledge:
        return "incident.acknowledge";
    case IncidentAction::Kind::Resolve:
        return "incident.resolve";
    case IncidentAction::Kind::Merge:
        return "incident.merge";
    case IncidentAction::Kind::Note:
        break;
    }
    return "incident.note";
}

// Of a merge there is none: the book tells of it when it is done.
std::optional<journal::Event> eventOf(const IncidentAction& action, const Actor& actor, const CommandTime& time, const Incident& after)
{
    if (action.kind == IncidentAction::Kind::Merge) {
        return std::nullopt;
    }
    const bool closes = action.kind == IncidentAction::Kind::Resolve;
    const std::string number = numberText(after.number);
    const std::string text = closes ? sentence("Incident %1 was resolved by %2: %3", {number, actor.name, action.text})
        : action.kind == IncidentAction::Kind::Note ? sentence("%2 noted on incident %1: %3", {number, actor.name, action.text})
                                                    : sentence("Incident %1 was acknowledged by %2.", {number, actor.name});
    journal::Event event = eventBy(actor, time, closes ? journal::EventKind::IncidentClosed : journal::EventKind::IncidentChanged, text);
    const char* change = closes ? "resolved" : action.kind == IncidentAction::Kind::Note ? "noted" : "acknowledged";
    event.detail = boost::json::serialize(boost::json::object{{"incident", after.number}, {"state", toText(after.state)}, {"severity", journal::severityText(after.severity)}, {"change", change}});
    return event;
}

} // namespace

Incidents::Incidents(live::LiveFleet& fleet, StoreThread& store, Settings settings)
    : m_fleet(fleet)
    , m_store(store)
    , m_settings(settings)
{
}

void Incidents::setSettings(Settings settings)
{
    const std::scoped_lock lock(m_mutex);
    m_settings = settings;
}

// Takes the fleet's lock and then ours, never both.
journal::IncidentLimits Incidents::limitsNow()
{
    const double cooldown = m_fleet.read([](const fleet::Fleet& live, Instant) { return live.healthSettings().cooldownSeconds; });
    journal::IncidentLimits limits;
    limits.settle = std::max(std::chrono::duration_cast<std::chrono::milliseconds>(fromSeconds(2 * cooldown)), std::chrono::milliseconds(kShortestSettle));
    const std::scoped_lock lock(m_mutex);
    limits.gap = m_settings.gap;
    limits.lookBack = m_settings.lookBack;
    return limits;
}

JournalEntries Incidents::restore(const store::Snapshot& snapshot, store::StoreReader& reader, WallTime wall)
{
    const journal::IncidentLimits limits = limitsNow();
    {
        const std::scoped_lock lock(m_mutex);
        m_book.setLimits(limits);
    }
    const auto seen = reader.mark(kSeenMark);
    // A journal that was written before there were incidents is not judged afterwards.
    m_seen = seen && *seen ? **seen : snapshot.lastSeq;
    if (!load(reader, wall, m_seen)) {
        return {}; // what cannot be read stays where it is; new events make new incidents
    }
    IncidentInputs inputs(m_fleet);
    bool more = true;
    while (more && m_seen < snapshot.lastSeq) {
        store::EventFilter missed;
        missed.afterSeq = m_seen;
        missed.limit = kPage;
        missed.newestFirst = false;
        const auto events = reader.events(missed);
        more = events && !events->empty();
        const std::scoped_lock lock(m_mutex);
        for (const journal::Event& event : events.value_or(std::vector<journal::Event>())) {
            m_book.take(inputs.inputOf(event, false));
            m_seen = event.seq;
        }
    }
    journal::IncidentBook::Changed changed;
    {
        const std::scoped_lock lock(m_mutex);
        changed = m_book.takeChanged();
        notePlaces(changed);
    }
    return entriesOf(std::move(changed), m_seen);
}

Result<void> Incidents::load(store::StoreReader& reader, WallTime wall, std::int64_t seen)
{
    std::vector<Incident> incidents;
    const journal::IncidentLimits limits = limitsNow();
    store::IncidentFilter open;
    open.states = {"open", "acknowledged"};
    open.limit = store::kMostRows;
    store::IncidentFilter closed;
    closed.states = {"resolved"};
    closed.limit = limits.mostKept;
    for (const store::IncidentFilter& filter : {open, closed}) {
        const auto records = reader.incidents(filter);
        if (!records) {
            return tl::unexpected(records.error());
        }
        for (const store::IncidentRecord& record : *records) {
            auto incident = incidentOf(record);
            if (!incident) {
                return tl::unexpected(incident.error());
            }
            incident->hasRows = incident->isOpen() || (incident->ended && wall - *incident->ended <= limits.reopen);
            bool more = incident->hasRows;
            std::int64_t after = 0;
            while (more) {
                const auto rows = reader.incidentRows(record.number, after, kPage);
                more = rows && rows->size() == kPage;
                for (const store::IncidentRowRecord& row : rows.value_or(std::vector<store::IncidentRowRecord>())) {
                    after = row.firstSeq;
                    if (auto read = rowOf(row)) {
                        incident->rows.emplace(row.firstSeq, std::move(*read));
                    }
                }
            }
            incidents.push_back(std::move(*incident));
        }
    }
    store::EventFilter lookBack;
    lookBack.since = wall - limits.lookBack;
    lookBack.beforeSeq = seen + 1;
    lookBack.limit = kMostContext;
    const auto before = reader.events(lookBack);
    if (!before) {
        return tl::unexpected(before.error());
    }
    IncidentInputs inputs(m_fleet);
    std::vector<IncidentInput> context;
    for (auto event = before->rbegin(); event != before->rend(); ++event) {
        IncidentInput input = inputs.inputOf(*event, false);
        if (classOf(input) == journal::EventClass::Context) {
            context.push_back(std::move(input));
        }
    }
    const auto next = reader.mark(kNextMark);
    const std::scoped_lock lock(m_mutex);
    m_book.restore(std::move(incidents), context, next && *next ? **next : 1);
    return {};
}

JournalEntries Incidents::observe(const JournalTurn& turn)
{
    const journal::IncidentLimits limits = limitsNow();
    IncidentInputs makeInput(m_fleet);
    std::vector<IncidentInput> inputs;
    for (const journal::Event& event : turn.committed) {
        if (event.seq > m_seen) {
            inputs.push_back(makeInput.inputOf(event, true));
            m_seen = event.seq;
        }
    }
    // One event at a time: a command that waits for our lock holds the fleet's.
    for (const IncidentInput& input : inputs) {
        const std::scoped_lock lock(m_mutex);
        m_book.take(input);
    }
    journal::IncidentBook::Changed changed;
    {
        const std::scoped_lock lock(m_mutex);
        m_book.setLimits(limits);
        m_book.advance(turn.wall);
        changed = m_book.takeChanged();
        notePlaces(changed);
    }
    if (inputs.empty() && changed.isEmpty()) {
        return {};
    }
    return entriesOf(std::move(changed), m_seen);
}

// Under the lock.
void Incidents::notePlaces(const journal::IncidentBook::Changed& changed)
{
    m_places.alarms.insert(m_places.alarms.end(), changed.alarms.begin(), changed.alarms.end());
    m_places.merged.insert(m_places.merged.end(), changed.merged.begin(), changed.merged.end());
}

AlarmPlaces Incidents::takeAlarmPlaces()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_places, {});
}

// Rows are made when they are written, from what is known then: a row that was made earlier would undo what a command wrote meanwhile.
// The mark alone is of now: what it does not cover is read again after a crash, and nothing counts an event twice.
JournalEntries Incidents::entriesOf(journal::IncidentBook::Changed changed, std::int64_t seen)
{
    JournalEntries entries;
    entries.events = std::move(changed.events);
    // Keys are written in their order: what was merged moves before its rows are written.
    for (const auto& [from, into] : changed.merged) {
        entries.rows.push_back({"incident-merge:" + numberText(from), [from = from, into = into](store::Writer& writer) { return writer.moveIncidentRows(from, into); }});
    }
    for (const std::int64_t number : changed.incidents) {
        entries.rows.push_back({"incident:" + numberText(number), [this, number](store::Writer& writer) { return writeHeader(writer, number); }});
    }
    for (const auto& [number, row] : changed.rows) {
        entries.rows.push_back(
            {"incident:" + numberText(number) + ":" + numberText(row), [this, number = number, row = row](store::Writer& writer) { return writeRow(writer, number, row); }});
    }
    entries.rows.push_back({"incidents-seen", [seen](store::Writer& writer) { return writer.putMark(kSeenMark, seen); }});
    return entries;
}

Result<void> Incidents::writeHeader(store::Writer& writer, std::int64_t number)
{
    std::optional<store::IncidentRecord> record;
    std::int64_t next = 0;
    {
        const std::scoped_lock lock(m_mutex);
        next = m_book.nextNumber();
        if (const auto found = m_book.incidents().find(number); found != m_book.incidents().end()) {
            record = recordOf(found->second);
        }
    }
    if (!record) {
        return {};
    }
    return writer.put(*record).and_then([&] { return writer.putMark(kNextMark, next); });
}

Result<void> Incidents::writeRow(store::Writer& writer, std::int64_t number, std::int64_t row)
{
    std::optional<store::IncidentRowRecord> record;
    std::int64_t holder = 0;
    {
        const std::scoped_lock lock(m_mutex);
        const Incident* incident = m_book.find(number); // by now it may be part of another
        if (incident == nullptr || !incident->hasRows) {
            return {};
        }
        holder = incident->number;
        if (const auto found = incident->rows.find(row); found != incident->rows.end()) {
            record = recordOf(holder, found->second);
        }
    }
    return record ? writer.put(*record) : writer.removeIncidentRow(holder, row);
}

void Incidents::acknowledge(std::int64_t number, Actor actor, Done<Incident> done)
{
    run({IncidentAction::Kind::Acknowledge, number, {}, {}, {}, 0, {}}, std::move(actor), std::move(done));
}

void Incidents::resolve(std::int64_t number, std::string reason, Actor actor, Done<Incident> done)
{
    run({IncidentAction::Kind::Resolve, number, {}, {}, std::move(reason), 0, {}}, std::move(actor), std::move(done));
}

void Incidents::merge(std::int64_t number, std::int64_t into, Actor actor, Done<Incident> done)
{
    run({IncidentAction::Kind::Merge, number, {}, {}, {}, into, {}}, std::move(actor), std::move(done));
}

void Incidents::note(std::int64_t number, std::string text, std::optional<WallTime> at, Actor actor, Done<Incident> done)
{
    run({IncidentAction::Kind::Note, number, {}, {}, std::move(text), 0, at.value_or(WallTime{})}, std::move(actor), std::move(done));
}

Result<Plan> Incidents::plan(IncidentAction& action, const Actor& actor, const CommandTime& time)
{
    const std::scoped_lock lock(m_mutex);
    if (auto possible = m_book.check(action); !possible) {
        return tl::unexpected(possible.error());
    }
    action.at = time.wall;
    action.noteAt = action.noteAt == WallTime{} ? time.wall : action.noteAt;
    const Incident before = *m_book.find(action.number);
    const Incident after = m_book.preview(action);
    Plan plan;
    boost::json::object changed{{"state", toText(after.state)}};
    if (action.kind == IncidentAction::Kind::Merge) {
        changed = {{"mergedInto", m_book.find(action.into)->number}};
    } else if (action.kind == IncidentAction::Kind::Note) {
        changed = {{"note", action.text}};
    }
    const std::string reason = action.kind == IncidentAction::Kind::Resolve ? action.text : std::string();
    plan.audit.push_back(auditRow(actor, time, auditAction(action.kind), numberText(before.number), boost::json::object{{"state", toText(before.state)}}, changed, reason));
    if (auto event = eventOf(action, actor, time, after)) {
        plan.events.push_back(std::move(*event));
    }
    plan.writes.push_back([this, action](store::Writer& writer) -> Result<void> {
        store::IncidentRecord record;
        std::int64_t into = 0;
        {
            const std::scoped_lock inner(m_mutex);
            record = recordOf(m_book.preview(action));
            into = action.kind == IncidentAction::Kind::Merge ? m_book.find(action.into)->number : 0;
        }
        if (into != 0) {
            record.state = toText(journal::IncidentState::Merged);
            record.mergedInto = into;
        }
        return writer.put(record);
    });
    return plan;
}

void Incidents::run(IncidentAction action, Actor actor, Done<Incident> done)
{
    const bool needsText = action.kind == IncidentAction::Kind::Resolve || action.kind == IncidentAction::Kind::Note;
    if (needsText && action.text.empty()) {
        const std::string field = action.kind == IncidentAction::Kind::Note ? "text" : "reason";
        done(fail("missing_field", field + " is empty.", field));
        return;
    }
    action.actor = actor.name;
    auto shared = std::make_shared<IncidentAction>(std::move(action));
    Command command;
    command.touches = {{"incidents", true}};
    command.plan = [this, shared, actor = std::move(actor)](const fleet::Fleet&, const CommandTime& time) -> Result<Plan> {
        auto plan = this->plan(*shared, actor, time);
        if (plan) {
            plan->after.push_back([this, shared] {
                const std::scoped_lock lock(m_mutex);
                m_book.apply(*shared);
            });
        }
        return plan;
    };
    command.done = [this, shared, done = std::move(done)](Result<void> result) {
        if (!result) {
            done(tl::unexpected(result.error()));
            return;
        }
        Incident incident;
        {
            const std::scoped_lock lock(m_mutex);
            if (const Incident* found = m_book.find(shared->number)) {
                incident = *found;
            }
        }
        incident.rows.clear();
        done(std::move(incident));
    };
    m_store.submit(std::move(command));
}

} // namespace weir::plane
