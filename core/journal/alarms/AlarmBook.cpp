// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/alarms/AlarmBook.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <utility>

namespace weir::journal {
namespace {

// Alarms about one node or pool; those about Weir itself are told whatever else is open.
bool isAboutFleet(AlarmKind kind)
{
    return kind != AlarmKind::ControlPlaneIsolated && kind != AlarmKind::ProbeStalled && kind != AlarmKind::RegistrationRefused && kind != AlarmKind::StoreBehind;
}

AlarmKey sharedKey(const AlarmKey& key)
{
    const auto many = [](const std::string& name) { return name.empty() ? std::string() : std::string(kManyNames); };
    return {key.kind, key.role, many(key.poolId), many(key.appId), many(key.nodeId), many(key.address)};
}

} // namespace

void AlarmBook::restore(Alarm alarm, const Moment& at, bool appDeclared)
{
    m_nextId = std::max(m_nextId, alarm.id + 1);
    const std::uint64_t id = alarm.id;
    if (alarm.isOpen() && !m_open.contains(alarm.key)) {
        addLive(alarm, at.now, !appDeclared && alarm.key.appId != kManyNames);
    } else {
        alarm.state = AlarmState::Resolved;
        m_latest[alarm.key] = id;
        m_resolved.push_back(id);
    }
    m_toTell.insert(id);
    m_alarms.insert_or_assign(id, std::move(alarm));
    dropOldest();
}

void AlarmBook::addLive(const Alarm& alarm, Instant now, bool undeclared)
{
    m_open.emplace(alarm.key, Live{alarm.id, now, undeclared, Instant::min()});
    if (undeclared) {
        ++m_undeclared[alarm.key.appId];
    }
}

bool AlarmBook::isShared(const AlarmKey& key) const
{
    return key.poolId == kManyNames || key.appId == kManyNames || key.nodeId == kManyNames || key.address == kManyNames;
}

AlarmKey AlarmBook::keyFor(AlarmKey key, bool appDeclared) const
{
    if (m_open.contains(key)) {
        return key;
    }
    if (!appDeclared && !key.appId.empty() && !m_undeclared.contains(key.appId) && m_undeclared.size() >= m_limits.undeclaredApps) {
        key.appId = kManyNames;
    }
    if (!m_open.contains(key) && m_open.size() >= m_limits.open) {
        key = sharedKey(key);
    }
    return key;
}

// While Weir itself is cut off nothing it says about the fleet is news; a flapping node's other alarms follow from its flapping.
std::uint64_t AlarmBook::standInFor(const AlarmKey& key) const
{
    if (!isAboutFleet(key.kind)) {
        return 0;
    }
    if (const Alarm* isolated = open({AlarmKind::ControlPlaneIsolated, {}, {}, {}, {}, {}})) {
        return isolated->id;
    }
    const Alarm* flapping = key.nodeId.empty() || key.kind == AlarmKind::NodeFlapping ? nullptr : open({AlarmKind::NodeFlapping, {}, {}, {}, key.nodeId, {}});
    return flapping == nullptr ? 0 : flapping->id;
}

std::uint64_t AlarmBook::raise(const Occurrence& occurrence, const Moment& at)
{
    const AlarmKey key = keyFor(occurrence.key, occurrence.appDeclared);
    if (const auto live = m_open.find(key); live != m_open.end()) {
        live->second.lastAt = at.now;
        count(m_alarms.at(live->second.id), occurrence, at, key != occurrence.key);
        m_changed.repeated.insert(live->second.id);
        return live->second.id;
    }
    return begin(key, occurrence, at);
}

void AlarmBook::ensure(const Occurrence& occurrence, const Moment& at)
{
    const AlarmKey key = keyFor(occurrence.key, occurrence.appDeclared);
    if (const auto live = m_open.find(key); live != m_open.end()) {
        live->second.lastAt = at.now;
        return;
    }
    begin(key, occurrence, at);
}

std::uint64_t AlarmBook::begin(const AlarmKey& key, const Occurrence& occurrence, const Moment& at)
{
    const auto latest = m_latest.find(key);
    if (latest != m_latest.end()) {
        Alarm& old = m_alarms.at(latest->second);
        if (at.wall - old.resolvedAt < m_limits.reopen) {
            m_resolved.erase(std::find(m_resolved.begin(), m_resolved.end(), old.id));
            m_latest.erase(latest);
            addLive(old, at.now, !occurrence.appDeclared && key.appId != kManyNames);
            reopen(old, occurrence, at);
            return old.id;
        }
    }
    Alarm alarm;
    alarm.id = m_nextId++;
    alarm.key = key;
    alarm.severity = occurrence.severity.value_or(firstSeverity(key.kind));
    alarm.first = at.wall;
    alarm.firingSince = at.wall;
    alarm.previous = latest == m_latest.end() ? 0 : latest->second;
    alarm.firstExplanation = {at.wall, occurrence.sentence, occurrence.detail};
    count(alarm, occurrence, at, key != occurrence.key);
    alarm.countedIn = standInFor(key);
    if (const auto standIn = m_alarms.find(alarm.countedIn); standIn != m_alarms.end()) {
        ++standIn->second.stoodFor;
        m_changed.changed.insert(standIn->first);
    }
    addLive(alarm, at.now, !occurrence.appDeclared && key.appId != kManyNames);
    const std::uint64_t id = alarm.id;
    const Alarm& kept = m_alarms.emplace(id, std::move(alarm)).first->second;
    m_changed.changed.insert(id);
    m_toTell.insert(id);
    say(EventKind::AlarmFired, kept, at.wall, kept.latestExplanation.sentence);
    return id;
}

// The same episode goes on: its count, its first time and an acknowledgement stay.
void AlarmBook::reopen(Alarm& alarm, const Occurrence& occurrence, const Moment& at)
{
    alarm.state = alarm.acknowledgedBy.empty() ? AlarmState::Firing : AlarmState::Acknowledged;
    alarm.resolvedAt = {};
    alarm.firingSince = at.wall;
    alarm.severity = occurrence.severity.value_or(firstSeverity(alarm.key.kind));
    count(alarm, occurrence, at, false);
    alarm.countedIn = standInFor(alarm.key);
    m_changed.changed.insert(alarm.id);
    m_toTell.insert(alarm.id);
    say(EventKind::AlarmFired, alarm, at.wall, alarm.latestExplanation.sentence, "\"reopened\":true");
}

void AlarmBook::count(Alarm& alarm, const Occurrence& occurrence, const Moment& at, bool shared)
{
    alarm.count += occurrence.times;
    alarm.folded += shared ? occurrence.times : 0;
    alarm.last = at.wall;
    alarm.latestExplanation = {at.wall, occurrence.sentence, occurrence.detail};
}

void AlarmBook::keepAlive(const AlarmKey& key, const Moment& at)
{
    if (const auto live = m_open.find(key); live != m_open.end()) {
        live->second.lastAt = at.now;
    }
}

void AlarmBook::setSeverity(const AlarmKey& key, Severity severity, const Moment& at)
{
    const auto live = m_open.find(key);
    if (live == m_open.end()) {
        return;
    }
    Alarm& alarm = m_alarms.at(live->second.id);
    if (alarm.severity == severity) {
        return;
    }
    const std::string text = sentence("now %1: %2", {std::string(toText(severity)), alarm.latestExplanation.sentence});
    alarm.severity = severity;
    m_changed.changed.insert(alarm.id);
    say(EventKind::AlarmChanged, alarm, at.wall, text);
}

void AlarmBook::resolve(const AlarmKey& key, const Moment& at, std::string_view why)
{
    const auto live = m_open.find(key);
    if (live == m_open.end()) {
        return;
    }
    Alarm& alarm = m_alarms.at(live->second.id);
    if (live->second.undeclared) {
        const auto names = m_undeclared.find(key.appId);
        if (names != m_undeclared.end() && --names->second == 0) {
            m_undeclared.erase(names);
        }
    }
    m_open.erase(live);
    alarm.state = AlarmState::Resolved;
    alarm.resolvedAt = at.wall;
    m_latest[key] = alarm.id;
    m_resolved.push_back(alarm.id);
    m_changed.changed.insert(alarm.id);
    m_toTell.insert(alarm.id);
    say(EventKind::AlarmResolved, alarm, at.wall, why);
    dropOldest();
}

void AlarmBook::setIncident(std::uint64_t id, std::int64_t incident)
{
    const auto found = m_alarms.find(id);
    if (found != m_alarms.end() && found->second.incident != incident) {
        found->second.incident = incident;
        m_changed.changed.insert(id);
    }
}

void AlarmBook::moveIncident(std::int64_t from, std::int64_t into)
{
    for (auto& [id, alarm] : m_alarms) {
        if (alarm.incident == from) {
            alarm.incident = into;
            m_changed.changed.insert(id);
        }
    }
}

bool AlarmBook::acknowledge(std::uint64_t id, const std::string& actor, const Moment& at)
{
    const auto found = m_alarms.find(id);
    if (found == m_alarms.end() || found->second.state != AlarmState::Firing) {
        return false;
    }
    found->second.state = AlarmState::Acknowledged;
    found->second.acknowledgedBy = actor;
    found->second.acknowledgedAt = at.wall;
    m_changed.changed.insert(id);
    return true;
}

void AlarmBook::tick(const Moment& at, Duration settle)
{
    std::vector<AlarmKey> quiet;
    for (auto& [key, live] : m_open) {
        if (isShared(key) && at.now - live.lastAt >= m_limits.sharedQuiet) {
            quiet.push_back(key);
        }
        Alarm& alarm = m_alarms.at(live.id);
        const Alarm* standIn = alarm.countedIn == 0 ? nullptr : find(alarm.countedIn);
        if (alarm.countedIn == 0 || (standIn != nullptr && standIn->isOpen())) {
            live.untoldUntil = Instant::min();
        } else if (live.untoldUntil == Instant::min()) {
            live.untoldUntil = at.now + settle;
        } else if (at.now >= live.untoldUntil) {
            alarm.countedIn = standInFor(key);
            live.untoldUntil = Instant::min();
            m_changed.changed.insert(alarm.id);
            m_toTell.insert(alarm.id);
        }
    }
    for (const AlarmKey& key : quiet) {
        resolve(key, at, "None of the many names it stands for had one for five minutes.");
    }
}

const Alarm* AlarmBook::open(const AlarmKey& key) const
{
    const auto live = m_open.find(key);
    return live == m_open.end() ? nullptr : &m_alarms.at(live->second.id);
}

const Alarm* AlarmBook::find(std::uint64_t id) const
{
    const auto found = m_alarms.find(id);
    return found == m_alarms.end() ? nullptr : &found->second;
}

std::optional<Duration> AlarmBook::quietFor(const AlarmKey& key, Instant now) const
{
    const auto live = m_open.find(key);
    return live == m_open.end() ? std::nullopt : std::optional<Duration>(now - live->second.lastAt);
}

std::vector<AlarmKey> AlarmBook::openOf(AlarmKind kind) const
{
    std::vector<AlarmKey> keys;
    for (auto at = m_open.lower_bound({kind, {}, {}, {}, {}, {}}); at != m_open.end() && at->first.kind == kind; ++at) {
        keys.push_back(at->first);
    }
    return keys;
}

void AlarmBook::forEachOpen(const std::function<void(const Alarm&)>& visit) const
{
    for (const auto& [key, live] : m_open) {
        visit(m_alarms.at(live.id));
    }
}

std::vector<AlarmNotice> AlarmBook::takeNotices(const std::function<bool(const Alarm&)>& silenced)
{
    std::vector<AlarmNotice> notices;
    for (auto at = m_toTell.begin(); at != m_toTell.end();) {
        const auto found = m_alarms.find(*at);
        if (found == m_alarms.end()) {
            at = m_toTell.erase(at);
            continue;
        }
        Alarm& alarm = found->second;
        const bool wantsFiring = alarm.isOpen() && alarm.delivery != AlarmDelivery::Firing;
        const bool wantsResolved = !alarm.isOpen() && alarm.delivery == AlarmDelivery::Firing;
        if (!wantsFiring && !wantsResolved) {
            at = m_toTell.erase(at);
            continue;
        }
        if ((wantsFiring && alarm.countedIn != 0) || silenced(alarm)) {
            ++at; // until its stand-in or the silence ends
            continue;
        }
        alarm.delivery = wantsFiring ? AlarmDelivery::Firing : AlarmDelivery::Resolved;
        m_changed.changed.insert(alarm.id);
        notices.push_back({wantsFiring, alarm});
        at = m_toTell.erase(at);
    }
    return notices;
}

std::vector<Event> AlarmBook::takeEvents()
{
    return std::exchange(m_events, {});
}

AlarmBook::Changed AlarmBook::takeChanged()
{
    return std::exchange(m_changed, {});
}

void AlarmBook::say(EventKind kind, const Alarm& alarm, WallTime at, std::string_view text, std::string_view more)
{
    Event event;
    event.at = at;
    event.kind = kind;
    event.severity = kind == EventKind::AlarmResolved ? Severity::Info : alarm.severity;
    event.nodeId = alarm.key.nodeId;
    event.poolId = alarm.key.poolId;
    event.appId = alarm.key.appId;
    event.role = alarm.key.role;
    event.sentence = sentence(kind == EventKind::AlarmResolved ? "%1 is over: %2" : "%1: %2", {std::string(toText(alarm.key.kind)), std::string(text)});
    // Numbers and the names of kinds need no escaping.
    event.detail = "{\"alarm\":\"" + std::to_string(alarm.id) + "\",\"kind\":\"" + std::string(toText(alarm.key.kind)) + "\",\"count\":" + std::to_string(alarm.count);
    if (alarm.previous != 0) {
        event.detail += ",\"previous\":\"" + std::to_string(alarm.previous) + "\"";
    }
    if (alarm.countedIn != 0) {
        event.detail += ",\"countedIn\":\"" + std::to_string(alarm.countedIn) + "\"";
    }
    event.detail += (more.empty() ? "" : ",") + std::string(more) + "}";
    m_events.push_back(std::move(event));
}

void AlarmBook::dropOldest()
{
    while (m_resolved.size() > m_limits.resolved) {
        const std::uint64_t id = m_resolved.front();
        m_resolved.pop_front();
        const auto latest = m_latest.find(m_alarms.at(id).key);
        if (latest != m_latest.end() && latest->second == id) {
            m_latest.erase(latest);
        }
        m_alarms.erase(id);
        m_toTell.erase(id);
        m_changed.changed.erase(id);
        m_changed.repeated.erase(id);
        m_changed.removed.insert(id);
    }
}

} // namespace weir::journal
