// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/alarms/AlarmSources.h"

#include "core/base/Sentence.h"
#include "core/plane/ExplanationJson.h"

#include <algorithm>
#include <boost/json.hpp>
#include <tuple>

namespace weir::plane {
namespace json = boost::json;
using fleet::ChangeKind;
namespace {

constexpr auto kSecond = std::chrono::seconds(1);
constexpr std::size_t kTimesKept = 10;       ///< of refusals in one turn; the rule needs no more
constexpr std::size_t kRecordsPerTurn = 5;   ///< full records; the rest of a storm gets its sentence
constexpr std::size_t kNodesInRecord = 50;
constexpr std::size_t kDescribedKept = 10'000;

journal::RotationCause causeOf(health::Cause cause)
{
    return cause == health::Cause::Passive ? journal::RotationCause::Passive : cause == health::Cause::Probe ? journal::RotationCause::Probe : journal::RotationCause::None;
}

// Refusals that a clone or a wrong secret explains; an expired licence or a forbidden address is no attack.
bool isSuspicious(std::string_view code)
{
    return code.empty() || code == "bad_credential" || code == "disk_serial_mismatch" || code == "session_replaced";
}

json::object detailOf(const journal::Event& event)
{
    boost::system::error_code error;
    json::value value = json::parse(event.detail.empty() ? "{}" : event.detail, error);
    return !error && value.is_object() ? std::move(value.get_object()) : json::object();
}

std::string textIn(const json::object& object, std::string_view key)
{
    const json::value* value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

} // namespace

AlarmSources::AlarmSources(live::LiveFleet& fleet, const Clock& clock, std::function<StoreState()> storeState)
    : m_fleet(fleet)
    , m_clock(clock)
    , m_storeState(std::move(storeState))
{
}

void AlarmSources::probeEnded(NodeHandle node, bool success, bool localError)
{
    const std::scoped_lock lock(m_mutex);
    if (node.value() >= m_probes.size()) {
        m_probes.resize(node.value() + 1);
    }
    LatestProbe& latest = m_probes[node.value()];
    m_localErrors -= latest.localError ? 1 : 0;
    m_localErrors += localError ? 1 : 0;
    latest = {m_clock.now(), success, localError};
}

void AlarmSources::probeStalled(NodeHandle node, bool stalled)
{
    const std::scoped_lock lock(m_mutex);
    if (stalled) {
        m_stalled.insert(node);
    } else {
        m_stalled.erase(node);
    }
}

void AlarmSources::requestEnded(NodeHandle node, outcome::Bucket bucket)
{
    const std::scoped_lock lock(m_mutex);
    Counts& counts = m_counts[node.value()];
    ++counts.requests;
    counts.transport += bucket == outcome::Bucket::Transport ? 1 : 0;
    counts.status += bucket == outcome::Bucket::Status ? 1 : 0;
    counts.semantic += bucket == outcome::Bucket::Semantic ? 1 : 0;
}

journal::AlarmInput AlarmSources::gather(const JournalTurn& turn, const std::set<std::string>& disagreeing, bool isolated)
{
    journal::AlarmInput input;
    input.at = {turn.now, turn.wall};
    input.firstRoundOver = turn.firstRoundOver;
    const StoreState store = m_storeState();
    input.storeBehind = store.behind;
    input.lostEvents = store.lostEvents;
    const bool second = turn.now >= m_nextSecond;
    if (second) {
        m_nextSecond = turn.now + kSecond;
    }
    std::uint64_t revision = 0;
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        const health::HealthSettings& health = live.healthSettings();
        input.settings = {fromSeconds(health.intervalSeconds), health.unhealthyThreshold, health.cooldownSeconds, health.flapTransitions, fromSeconds(health.flapWindowSeconds), health.timeoutSeconds};
        revision = live.revision();
        if (second) {
            const fleet::Reachability reach = live.reachability();
            std::string text = reach.sentence;
            if (text.empty() && !reach.starved.empty()) {
                text = sentence("%1 in %2: %3.", {reach.starved.front().app, reach.starved.front().pool, reach.starved.front().why});
            }
            input.unreachable = journal::Unreachability{reach.starvedApps, reach.strandedNodes, std::move(text)};
        }
    });
    m_recordsMade = 0;
    takeChanges(turn, input);
    takeEvents(turn, input);
    if (second || revision != m_revision) {
        m_revision = revision;
        takeGroups(input, second);
    }
    takeStalled(input);
    if (second) {
        takeProbes(input, isolated);
    }
    if (turn.now >= m_nextInterval) {
        m_nextInterval = turn.now + input.settings.probeInterval;
        takeOutcomes(input, disagreeing);
    }
    return input;
}

void AlarmSources::takeChanges(const JournalTurn& turn, journal::AlarmInput& input)
{
    std::map<std::tuple<Role, PoolHandle, std::string>, std::size_t> known;
    std::vector<fleet::Decision> decisions;
    for (const fleet::FleetChange& change : turn.changes) {
        if (change.kind == ChangeKind::PoolExhausted) {
            const auto [at, isNew] = known.emplace(std::tuple(change.role, change.pool, change.app.str()), input.refusals.size());
            if (isNew) {
                input.refusals.push_back({std::string(toText(change.role)), {}, change.app.str(), true, {}, 0, {}, {}});
                decisions.emplace_back();
            }
            journal::Refusals& refusals = input.refusals[at->second];
            ++refusals.times;
            if (refusals.at.size() < kTimesKept) {
                refusals.at.push_back(change.at);
            }
            fleet::Decision& decision = decisions[at->second];
            decision.role = change.role;
            decision.primary = change.pool;
            decision.appText = change.app;
            decision.fallbackTried = !change.text.isEmpty();
        } else if (change.kind == ChangeKind::PoolFallback || change.kind == ChangeKind::PlacedAgain) {
            const bool declared = m_fleet.read([&](const fleet::Fleet& live, Instant) { return live.findApp(change.app.view()).has_value(); });
            input.placements.push_back({std::string(toText(change.role)), change.app.str(), declared, change.kind == ChangeKind::PlacedAgain});
        } else if (change.kind == ChangeKind::NodeOnline || change.kind == ChangeKind::NodeOffline) {
            journal::RotationChange rotation;
            rotation.at = change.at;
            rotation.role = toText(change.role);
            rotation.online = change.kind == ChangeKind::NodeOnline;
            rotation.cause = causeOf(change.cause);
            rotation.outcome = change.text.str();
            rotation.app = change.app.str();
            m_fleet.read([&](const fleet::Fleet& live, Instant) {
                rotation.node = live.isAlive(change.node) ? live.node(change.node).spec.id.text() : std::string();
                rotation.pool = live.pool(change.pool).spec.id.text();
                rotation.appDeclared = rotation.app.empty() || live.findApp(rotation.app).has_value();
            });
            if (!rotation.node.empty()) {
                input.rotations.push_back(std::move(rotation));
            }
        }
    }
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        describe(input.refusals[i], decisions[i], input.at);
    }
}

// The sentence comes from counters; the full record is made at most once a second for each key, and for few keys in a turn.
void AlarmSources::describe(journal::Refusals& refusals, const fleet::Decision& decision, const journal::Moment& at)
{
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        refusals.pool = live.pool(decision.primary).spec.id.text();
        refusals.appDeclared = live.findApp(refusals.app).has_value();
        refusals.sentence = sentence("No %1 for app %2: %3", {refusals.role, refusals.app, live.refusalSentence(decision)});
    });
    if (m_describedAt.size() > kDescribedKept) {
        m_describedAt.clear();
    }
    Instant& describedAt = m_describedAt[refusals.role + "/" + refusals.pool + "/" + refusals.app];
    const bool isRecent = describedAt != Instant{} && at.now - describedAt < kSecond;
    if (isRecent || m_recordsMade >= kRecordsPerTurn) {
        return;
    }
    ++m_recordsMade;
    describedAt = at.now;
    fleet::Request request;
    request.role = decision.role;
    request.app = decision.appText.view();
    fleet::Explanation record = m_fleet.read([&](const fleet::Fleet& live, Instant now) { return live.explain(request, now, at.wall); });
    record.nodes.resize(std::min(record.nodes.size(), kNodesInRecord));
    refusals.detail = json::serialize(explanationJson(record, true));
}

void AlarmSources::takeEvents(const JournalTurn& turn, journal::AlarmInput& input)
{
    for (const journal::Event& event : turn.committed) {
        if (event.kind == journal::EventKind::NodeMoved) {
            const json::object detail = detailOf(event);
            input.departures.push_back({event.nodeId, textIn(detail, "from"), textIn(detail, "to"), event.role, event.actor});
        } else if (event.kind == journal::EventKind::RegistrationRefused) {
            const json::object detail = detailOf(event);
            const std::string code = textIn(detail, "code");
            if (!isSuspicious(code)) {
                continue;
            }
            const json::value* count = detail.if_contains("count");
            const auto times = count != nullptr && count->is_int64() ? static_cast<std::uint64_t>(std::max<std::int64_t>(count->get_int64(), 1)) : 1;
            const std::string address = textIn(detail, "address");
            input.registrations.push_back({event.nodeId, address.empty() ? event.actor : address, code, event.sentence, times});
        }
    }
}

void AlarmSources::takeGroups(journal::AlarmInput& input, bool withCapacity)
{
    std::vector<journal::GroupFacts> groups;
    const std::vector<PoolHandle> pools = m_fleet.read([](const fleet::Fleet& live, Instant) { return live.poolsInOrder(); });
    for (const PoolHandle handle : pools) {
        m_fleet.read([&](const fleet::Fleet& live, Instant) {
            const fleet::Pool& pool = live.pool(handle);
            if (!pool.alive || handle == live.unassignedPool()) {
                return;
            }
            std::array<std::int64_t, kScheduledRoleCount> capacity{};
            for (const NodeHandle node : withCapacity ? pool.nodes : std::vector<NodeHandle>()) {
                const fleet::NodeCore& core = live.core(node);
                const bool available = core.reasons[0] == fleet::Reason::None || core.reasons[0] == fleet::Reason::NoCapacity;
                if (available && isScheduled(core.role)) {
                    capacity[weir::indexOf(core.role)] += core.capacity;
                }
            }
            const bool resolvedTo = !pool.apps.empty() || (handle == live.defaultPool() && live.settings().admitUnknownApps);
            for (const Role role : kScheduledRoles) {
                const fleet::Group& group = pool.groups[weir::indexOf(role)];
                std::int64_t& known = m_availableCapacity[{handle.value(), weir::indexOf(role)}];
                known = withCapacity ? capacity[weir::indexOf(role)] : known;
                const std::size_t available = group.candidates() + group.count(fleet::Reason::NoCapacity);
                groups.push_back({pool.spec.id.text(), std::string(toText(role)), resolvedTo, group.nodes, available, group.candidates(), pool.spec.minAvailable,
                    pool.spec.capacityAlarmPercent, known, group.candidateFree});
            }
        });
    }
    input.groups = std::move(groups);
}

void AlarmSources::takeStalled(journal::AlarmInput& input)
{
    std::set<NodeHandle> stalled;
    {
        const std::scoped_lock lock(m_mutex);
        stalled = m_stalled;
    }
    std::vector<std::string> names;
    for (const NodeHandle node : stalled) {
        m_fleet.read([&](const fleet::Fleet& live, Instant) {
            if (live.isAlive(node)) {
                names.push_back(live.node(node).spec.id.text());
            }
        });
    }
    input.stalled = std::move(names);
}

// Without a single local error, which is how it nearly always is, there is nothing to go through the fleet for.
void AlarmSources::takeProbes(journal::AlarmInput& input, bool isolated)
{
    std::vector<LatestProbe> probes;
    {
        const std::scoped_lock lock(m_mutex);
        if (m_localErrors > 0 || isolated) {
            probes = m_probes;
        }
    }
    std::vector<journal::PoolProbes> pools;
    if (!probes.empty()) {
        for (const PoolHandle handle : m_fleet.read([](const fleet::Fleet& live, Instant) { return live.poolsInOrder(); })) {
            m_fleet.read([&](const fleet::Fleet& live, Instant now) {
                const fleet::Pool& pool = live.pool(handle);
                journal::PoolProbes counted{pool.spec.id.text(), pool.nodes.size(), 0, 0};
                for (const NodeHandle node : pool.nodes) {
                    const LatestProbe latest = node.value() < probes.size() ? probes[node.value()] : LatestProbe{};
                    counted.failedHere += latest.localError ? 1 : 0;
                    counted.failedHereLately += latest.localError && now - latest.at <= input.settings.probeInterval ? 1 : 0;
                }
                if (pool.alive && counted.nodes > 0) {
                    pools.push_back(std::move(counted));
                }
            });
        }
    }
    input.probes = std::move(pools);
}

void AlarmSources::takeOutcomes(journal::AlarmInput& input, const std::set<std::string>& disagreeing)
{
    std::unordered_map<std::uint32_t, Counts> counts;
    std::vector<LatestProbe> probes;
    {
        const std::scoped_lock lock(m_mutex);
        counts.swap(m_counts);
        if (!counts.empty() || !disagreeing.empty()) {
            probes = m_probes;
        }
    }
    std::vector<journal::OutcomeCounts> outcomes;
    const auto add = [&](const fleet::Fleet& live, NodeHandle node, const Counts& of) {
        const bool probeOk = node.value() < probes.size() ? probes[node.value()].success : live.node(node).health.inRotation();
        outcomes.push_back({live.node(node).spec.id.text(), probeOk, of.requests, of.transport, of.status, of.semantic});
    };
    for (const auto& [value, of] : counts) {
        m_fleet.read([&, node = NodeHandle(value)](const fleet::Fleet& live, Instant) {
            if (live.isAlive(node)) {
                add(live, node, of);
            }
        });
    }
    for (const std::string& id : disagreeing) {
        m_fleet.read([&](const fleet::Fleet& live, Instant) {
            const auto node = live.findNode(id);
            if (node && !counts.contains(node->value())) {
                add(live, *node, {});
            }
        });
    }
    std::sort(outcomes.begin(), outcomes.end(), [](const journal::OutcomeCounts& a, const journal::OutcomeCounts& b) { return a.node < b.node; });
    input.outcomes = std::move(outcomes);
}

} // namespace weir::plane
