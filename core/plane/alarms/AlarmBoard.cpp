// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/alarms/AlarmBoard.h"

#include "core/base/Roles.h"
#include "core/base/Sentence.h"
#include "core/plane/Traces.h"
#include "core/store/Store.h"

#include <boost/json.hpp>
#include <memory>

namespace weir::plane {
namespace json = boost::json;
using journal::Alarm;
using journal::AlarmKind;
namespace {

constexpr std::size_t kSilenceIdLength = 12;

RowWrite writeOf(const Alarm& alarm)
{
    return {"alarm:" + std::to_string(alarm.id), [alarm](store::Writer& writer) { return writer.put(alarm); }};
}

bool covers(const store::SilenceRecord& silence, const journal::AlarmKey& key)
{
    const auto fits = [](const std::string& wanted, std::string_view is) { return wanted.empty() || wanted == is; };
    return fits(silence.kind, journal::toText(key.kind)) && fits(silence.role, key.role) && fits(silence.pool, key.poolId) && fits(silence.app, key.appId)
        && fits(silence.node, key.nodeId);
}

json::object toJson(const store::SilenceRecord& silence)
{
    return {{"kind", silence.kind}, {"role", silence.role}, {"poolId", silence.pool}, {"appId", silence.app}, {"nodeId", silence.node}, {"until", toRfc3339(silence.until)}};
}

Result<void> check(const SilenceRequest& request, WallTime now)
{
    if (request.kind.empty() && request.role.empty() && request.pool.empty() && request.app.empty() && request.node.empty()) {
        return fail("missing_field", "A silence needs at least one of kind, role, poolId, appId and nodeId; one without would cover every alarm.", "kind");
    }
    if (!request.kind.empty() && !journal::alarmKindFromText(request.kind)) {
        return fail("invalid_value", "kind is '" + request.kind + "', which is no kind of alarm.", "kind");
    }
    if (!request.role.empty() && !roleFromText(request.role)) {
        return fail("invalid_value", "role is '" + request.role + "', which is no role.", "role");
    }
    if (request.until <= now) {
        return fail("invalid_value", "until is " + toRfc3339(request.until) + ", which is over; it must be ahead.", "until");
    }
    return {};
}

} // namespace

AlarmBoard::AlarmBoard(live::LiveFleet& fleet, const Clock& clock, StoreThread& store)
    : m_fleet(fleet)
    , m_clock(clock)
    , m_store(store)
    , m_sources(fleet, clock, [&store] { return AlarmSources::StoreState{store.isBehind(), store.lostEvents()}; })
{
}

JournalEntries AlarmBoard::restore(const store::Snapshot& snapshot, store::StoreReader&, WallTime wall)
{
    const journal::Moment at{m_clock.now(), wall};
    std::map<std::uint64_t, store::AcknowledgementRecord> acknowledged;
    for (const store::AcknowledgementRecord& record : snapshot.acknowledgements) {
        acknowledged.emplace(record.alarmId, record);
    }
    std::vector<bool> declared;
    m_fleet.with([&](fleet::Fleet& live, Instant) {
        for (const Alarm& alarm : snapshot.alarms) {
            declared.push_back(alarm.key.appId.empty() || live.findApp(alarm.key.appId).has_value());
            if (const auto role = roleFromText(alarm.key.role); role && alarm.isOpen() && alarm.key.kind == AlarmKind::PoolExhausted && isScheduled(*role)) {
                live.watchPlacement(*role, alarm.key.appId);
            }
        }
    });
    if (m_delivery != nullptr) {
        m_delivery->restore(snapshot, wall);
    }
    const std::scoped_lock lock(m_mutex);
    for (std::size_t i = 0; i < snapshot.alarms.size(); ++i) {
        Alarm alarm = snapshot.alarms[i];
        if (const auto found = acknowledged.find(alarm.id); found != acknowledged.end()) {
            alarm.acknowledgedBy = found->second.actor;
            alarm.acknowledgedAt = found->second.at;
            alarm.state = alarm.isOpen() ? journal::AlarmState::Acknowledged : alarm.state;
        }
        m_engine.book().restore(std::move(alarm), at, declared[i]);
    }
    for (const store::SilenceRecord& silence : snapshot.silences) {
        m_silences.emplace(silence.id, silence);
    }
    JournalEntries entries;
    takePlaces();
    keep(m_engine.book().takeChanged(), false, at.now, entries.rows);
    return entries;
}

// Alarms and incidents are written in one transaction of the turn, so that a crash leaves both or neither.
void AlarmBoard::takePlaces()
{
    const AlarmPlaces places = m_takePlaces ? m_takePlaces() : AlarmPlaces();
    for (const auto& [alarm, incident] : places.alarms) {
        m_engine.book().setIncident(alarm, incident);
    }
    for (const auto& [from, into] : places.merged) {
        m_engine.book().moveIncident(from, into);
    }
}

JournalEntries AlarmBoard::observe(const JournalTurn& turn)
{
    if (m_delivery != nullptr) {
        m_delivery->turnBegins({turn.now, turn.wall});
    }
    std::set<std::string> disagreeing;
    bool isolated = false;
    {
        const std::scoped_lock lock(m_mutex);
        for (const journal::AlarmKey& key : m_engine.book().openOf(AlarmKind::HealthDisagrees)) {
            disagreeing.insert(key.nodeId);
        }
        isolated = m_engine.book().isOpen({AlarmKind::ControlPlaneIsolated, {}, {}, {}, {}, {}});
    }
    const journal::AlarmInput input = m_sources.gather(turn, disagreeing, isolated);
    JournalEntries entries;
    const std::scoped_lock lock(m_mutex);
    dropOldSilences(turn.wall, entries.rows);
    takePlaces();
    m_engine.turn(input);
    entries.events = m_engine.book().takeEvents();
    auto notices = m_engine.book().takeNotices([&](const Alarm& alarm) { return !silencedBy(alarm, turn.wall).empty(); });
    if (m_delivery != nullptr && !notices.empty()) {
        for (RowWrite& row : m_delivery->deliver(notices, input.at)) {
            entries.rows.push_back(std::move(row));
        }
    }
    if (m_delivery != nullptr && turn.now >= m_remindDue) {
        m_remindDue = turn.now + kRemindEvery;
        m_delivery->remind(toldAndFiring(turn.wall));
    }
    m_counts = countOpen(turn.wall);
    keep(m_engine.book().takeChanged(), turn.last, turn.now, entries.rows);
    return entries;
}

std::vector<Alarm> AlarmBoard::toldAndFiring(WallTime now) const
{
    std::vector<Alarm> firing;
    m_engine.book().forEachOpen([&](const Alarm& alarm) {
        if (alarm.delivery == journal::AlarmDelivery::Firing && silencedBy(alarm, now).empty()) {
            firing.push_back(alarm);
        }
    });
    return firing;
}

// What a storm of refusals changes is the count; that is written every ten seconds, everything else at once.
void AlarmBoard::keep(const journal::AlarmBook::Changed& changed, bool last, Instant now, std::vector<RowWrite>& rows)
{
    m_repeated.insert(changed.repeated.begin(), changed.repeated.end());
    std::set<std::uint64_t> due = changed.changed;
    if (last || now >= m_repeatsDue) {
        m_repeatsDue = now + kRepeatsEvery;
        due.merge(m_repeated);
        m_repeated.clear();
    }
    for (const std::uint64_t id : due) {
        m_repeated.erase(id);
        if (const Alarm* alarm = m_engine.book().find(id)) {
            rows.push_back(writeOf(*alarm));
        }
    }
    for (const std::uint64_t id : changed.removed) {
        m_repeated.erase(id);
        rows.push_back({"alarm:" + std::to_string(id), [id](store::Writer& writer) { return writer.removeAlarm(id); }});
    }
}

void AlarmBoard::dropOldSilences(WallTime now, std::vector<RowWrite>& rows)
{
    for (auto at = m_silences.begin(); at != m_silences.end();) {
        if (at->second.until > now) {
            ++at;
            continue;
        }
        rows.push_back({"silence:" + at->first, [id = at->first](store::Writer& writer) { return writer.removeSilence(id); }});
        at = m_silences.erase(at);
    }
}

std::string AlarmBoard::silencedBy(const Alarm& alarm, WallTime now) const
{
    for (const auto& [id, silence] : m_silences) {
        if (silence.until > now && covers(silence, alarm.key)) {
            return id;
        }
    }
    return {};
}

void AlarmBoard::forEach(const std::function<bool(const AlarmView&)>& visit) const
{
    const WallTime now = m_clock.wall();
    const std::scoped_lock lock(m_mutex);
    const auto& all = m_engine.book().all();
    for (auto at = all.rbegin(); at != all.rend(); ++at) {
        if (!visit({at->second, silencedBy(at->second, now)})) {
            return;
        }
    }
}

std::optional<AlarmView> AlarmBoard::find(std::uint64_t id) const
{
    const WallTime now = m_clock.wall();
    const std::scoped_lock lock(m_mutex);
    const Alarm* alarm = m_engine.book().find(id);
    return alarm == nullptr ? std::nullopt : std::optional(AlarmView{*alarm, silencedBy(*alarm, now)});
}

AlarmCounts AlarmBoard::counts() const
{
    const std::scoped_lock lock(m_mutex);
    return m_counts;
}

AlarmCounts AlarmBoard::countOpen(WallTime now) const
{
    AlarmCounts counts;
    m_engine.book().forEachOpen([&](const Alarm& alarm) {
        ++counts.open;
        if (alarm.state == journal::AlarmState::Firing && alarm.countedIn == 0 && silencedBy(alarm, now).empty()) {
            ++(alarm.severity == journal::Severity::Critical ? counts.critical : counts.warning);
        }
    });
    return counts;
}

std::vector<store::SilenceRecord> AlarmBoard::silences() const
{
    const WallTime now = m_clock.wall();
    std::vector<store::SilenceRecord> all;
    const std::scoped_lock lock(m_mutex);
    for (const auto& [id, silence] : m_silences) {
        if (silence.until > now) {
            all.push_back(silence);
        }
    }
    return all;
}

Result<Plan> AlarmBoard::planAcknowledgement(std::uint64_t id, const std::string& reason, const Actor& actor, const CommandTime& time)
{
    const auto view = find(id);
    if (!view) {
        return fail("unknown_alarm", "There is no alarm '" + std::to_string(id) + "'.", "id");
    }
    if (!view->alarm.isOpen()) {
        return fail("alarm_resolved", "Alarm " + std::to_string(id) + " is resolved; there is nothing left to acknowledge.", "id");
    }
    Plan plan;
    if (view->alarm.state == journal::AlarmState::Acknowledged) {
        return plan;
    }
    const std::string kind(journal::toText(view->alarm.key.kind));
    const store::AcknowledgementRecord record{id, actor.name, time.wall};
    plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
    plan.after.push_back([this, record, at = journal::Moment{time.now, time.wall}] {
        const std::scoped_lock lock(m_mutex);
        static_cast<void>(m_engine.book().acknowledge(record.alarmId, record.actor, at));
    });
    plan.audit.push_back(auditRow(actor, time, "alarm.acknowledge", std::to_string(id), {{"state", "firing"}}, {{"state", "acknowledged"}, {"kind", kind}}, reason));
    journal::Event event = eventBy(actor, time, journal::EventKind::AlarmChanged, sentence("%1 was acknowledged by %2.", {kind, actor.name}));
    event.nodeId = view->alarm.key.nodeId;
    event.poolId = view->alarm.key.poolId;
    event.appId = view->alarm.key.appId;
    event.role = view->alarm.key.role;
    event.detail = json::serialize(json::object{{"alarm", std::to_string(id)}, {"kind", kind}, {"acknowledged", true}, {"reason", reason}});
    plan.events.push_back(std::move(event));
    return plan;
}

void AlarmBoard::acknowledge(std::uint64_t id, std::string reason, Actor actor, Done<AlarmView> done)
{
    Command command;
    command.touches = {{"alarm:" + std::to_string(id), true}};
    command.plan = [this, id, reason = std::move(reason), actor = std::move(actor)](const fleet::Fleet&, const CommandTime& time) { return planAcknowledgement(id, reason, actor, time); };
    command.done = [this, id, done = std::move(done)](const Result<void>& result) {
        if (!result) {
            done(tl::unexpected(result.error()));
            return;
        }
        done(find(id).value_or(AlarmView{}));
    };
    m_store.submit(std::move(command));
}

void AlarmBoard::silence(SilenceRequest request, Actor actor, Done<store::SilenceRecord> done)
{
    auto made = std::make_shared<store::SilenceRecord>();
    Command command;
    command.touches = {{"silences", true}};
    command.plan = [this, request = std::move(request), actor = std::move(actor), made](const fleet::Fleet&, const CommandTime& time) -> Result<Plan> {
        if (auto checked = check(request, time.wall); !checked) {
            return tl::unexpected(checked.error());
        }
        {
            const std::scoped_lock lock(m_mutex);
            if (m_silences.size() >= kMostSilences) {
                return fail("too_many_silences", "There are 1000 silences already; remove one first.", {});
            }
        }
        *made = {randomSecret({}).substr(0, kSilenceIdLength), request.kind, request.role, request.pool, request.app, request.node, request.until, request.reason, actor.name, time.wall};
        Plan plan;
        plan.writes.push_back([record = *made](store::Writer& writer) { return writer.put(record); });
        plan.after.push_back([this, record = *made] {
            const std::scoped_lock lock(m_mutex);
            m_silences.insert_or_assign(record.id, record);
        });
        plan.audit.push_back(auditRow(actor, time, "silence.create", made->id, nullptr, toJson(*made), request.reason));
        return plan;
    };
    command.done = [made, done = std::move(done)](Result<void> result) { done(result.map([&] { return *made; })); };
    m_store.submit(std::move(command));
}

void AlarmBoard::unsilence(std::string id, Actor actor, Done<void> done)
{
    Command command;
    command.touches = {{"silences", true}};
    command.plan = [this, id = std::move(id), actor = std::move(actor)](const fleet::Fleet&, const CommandTime& time) -> Result<Plan> {
        Plan plan;
        const std::scoped_lock lock(m_mutex);
        const auto found = m_silences.find(id);
        if (found == m_silences.end() || found->second.until <= time.wall) {
            return fail("unknown_silence", "There is no silence '" + id + "'.", "id");
        }
        plan.writes.push_back([id](store::Writer& writer) { return writer.removeSilence(id); });
        plan.after.push_back([this, id] {
            const std::scoped_lock after(m_mutex);
            m_silences.erase(id);
        });
        plan.audit.push_back(auditRow(actor, time, "silence.delete", id, toJson(found->second), nullptr));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

} // namespace weir::plane
