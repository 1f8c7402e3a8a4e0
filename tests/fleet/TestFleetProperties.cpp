// SPDX-License-Identifier: GPL-3.0-or-later
// Random fleets and random sequences of events, against the reference implementation: same choice, same refusal, same counts.
#include "tests/fleet/FleetWorld.h"
#include "tests/fleet/ReferenceFleet.h"

#include <rapidcheck.h>

#include <array>

using namespace weir;
using namespace weir::fleet;

namespace {

using Event = std::array<std::uint8_t, 4>;

const std::vector<std::string> kIds{"w1", "w10", "w2", "W3", "edge-a", "edge-b", "o.1", "o_1", "z", "a", "a-b", "ab"};
const std::vector<std::string> kPools{"default", "unassigned", "canary", "p", "pool-u1", "pool-u2"};
const std::vector<std::string> kApps{"app1", "app2", "app3", "app4", "stranger", "default"};
const std::vector<std::string> kUsers{"", "u1", "u2"};
constexpr std::array kTestRoles{Role::Origin, Role::Edge, Role::Recorder};
constexpr std::array<std::int64_t, 10> kSteps{0, 1, 500, 1'999, 2'000, 2'001, 8'000, 29'999, 30'000, 60'000};

/// Hands every event to the fleet and to the reference, and compares the two after each.
class Duel {
public:
    explicit Duel(const Event& setup)
        : m_world(settingsFrom(setup), FleetSettings{})
    {
        m_reference.settings.unhealthyThreshold = 1 + setup[0] % 3;
        m_reference.settings.healthyThreshold = 1 + setup[1] % 3;
        m_reference.settings.multiplier = setup[2] % 2 == 0 ? 1 : 2;
        if (setup[3] % 3 == 0) {
            m_reference.settings.cap = 50;
        }
        for (const std::string& pool : kPools) {
            m_world.pool(pool);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            const std::string owner = kUsers[i % 3];
            m_world.app(kApps[i], owner);
            m_reference.apps[kApps[i]].owner = owner;
        }
    }

    void play(const Event& event)
    {
        const auto [kind, a, b, c] = event;
        switch (kind % 24) {
        case 0:
        case 1:
            addNode(a, b, c);
            break;
        case 2:
            time(kSteps[a % kSteps.size()]);
            break;
        case 3:
        case 4:
        case 5:
            decide(a, b, c);
            break;
        case 6:
            administer(b, a, c);
            break;
        case 7:
            apps(a, b, c);
            break;
        case 8:
            release(a);
            break;
        case 9:
            switchCooldown(a);
            break;
        default:
            happen(kind, a, b, c);
            break;
        }
    }

    void compare() const
    {
        compareNodes();
        comparePools();
        const std::uint64_t revision = m_world.fleet.revision();
        const std::size_t facts = m_world.sink.changes.size();
        for (const std::string& app : kApps) {
            for (const Role role : {Role::Origin, Role::Edge}) {
                for (const std::uint32_t need : {1U, 3U}) {
                    const auto endpoint = static_cast<Endpoint>((need + app.size()) % kEndpointCount);
                    const auto expected = m_reference.preview(app, role, need, endpoint);
                    const Decision decision = m_world.fleet.preview(Request{role, app, need, endpoint}, m_world.now());
                    RC_ASSERT(same(decision, expected));
                }
            }
        }
        const Explanation record = m_world.explain(kApps[facts % kApps.size()]);
        RC_ASSERT(whatDoesNotAddUp(record) == "");
        const auto expected = m_reference.preview(record.app, Role::Origin, 1, Endpoint::Any);
        RC_ASSERT(record.chosen == expected.node);
        RC_ASSERT(m_world.fleet.reachability().apps == 4U);
        RC_ASSERT(m_world.fleet.revision() == revision);
        RC_ASSERT(m_world.sink.changes.size() == facts);
    }

private:
    static health::HealthSettings settingsFrom(const Event& setup)
    {
        health::HealthSettings settings;
        settings.unhealthyThreshold = 1 + setup[0] % 3;
        settings.healthyThreshold = 1 + setup[1] % 3;
        settings.cooldownMultiplier = setup[2] % 2 == 0 ? 1 : 2;
        if (setup[3] % 3 == 0) {
            settings.maxEjectionPercent = 50;
        }
        return settings;
    }

    [[nodiscard]] bool same(const Decision& decision, const ReferenceFleet::Answer& expected) const
    {
        if (m_world.fleet.pool(decision.primary).spec.id.text() != expected.primary || (decision.code == Code::Ok) == expected.node.empty()) {
            return false;
        }
        return expected.node.empty() ? decision.code == Code::NoCandidate
                                     : m_world.name(decision) == expected.node && decision.fallback == expected.fallback;
    }

    void addNode(std::uint8_t a, std::uint8_t b, std::uint8_t c)
    {
        const std::string& id = kIds[a % kIds.size()];
        if (m_reference.nodes.contains(id)) {
            return;
        }
        ReferenceFleet::Node node;
        node.role = kTestRoles[b % 7 == 0 ? 2 : b % 2];
        node.pool = kPools[b / 2 % kPools.size()];
        node.owner = kUsers[c % 3];
        node.isStatic = c / 4 % 3 != 0;
        node.hasAddress = node.isStatic || c / 16 % 2 == 0;
        node.whip = c / 32 % 2 == 0;
        node.srt = c / 64 % 2 == 0;
        node.capacity = a / 16 % 6;
        m_world.node(id, node.pool,
            {.capacity = node.capacity, .role = node.role, .isStatic = node.isStatic, .owner = node.owner, .probed = false, .webrtc = node.whip ? "http://w" : "",
                .publish = node.srt ? "srt://s:1" : "", .url = node.hasAddress ? "http://n" : ""});
        m_reference.nodes[id] = node;
    }

    void time(std::int64_t milliseconds)
    {
        m_reference.passTime(milliseconds);
        m_world.at(static_cast<double>(m_reference.now) / 1000.0);
    }

    void decide(std::uint8_t a, std::uint8_t b, std::uint8_t c)
    {
        const std::string& app = kApps[a % kApps.size()];
        const Role role = b % 2 == 0 ? Role::Origin : Role::Edge;
        const std::uint32_t need = 1 + c % 3;
        const auto endpoint = static_cast<Endpoint>(c / 4 % kEndpointCount);
        const Fleet::Counters before = m_world.fleet.counters();
        const auto expected = m_reference.decide(app, role, need, endpoint);
        const Decision decision = m_world.decide(app, role, need, endpoint);
        RC_ASSERT(same(decision, expected));
        const std::size_t index = weir::indexOf(role);
        const bool refused = expected.node.empty();
        RC_ASSERT(m_world.fleet.counters().refused[index] - before.refused[index] == (refused ? 1U : 0U));
        RC_ASSERT(m_world.fleet.counters().chosen[index] - before.chosen[index] == (refused ? 0U : 1U));
        RC_ASSERT(m_world.fleet.counters().fallback[index] - before.fallback[index] == (expected.fallback ? 1U : 0U));
        if (!refused) {
            RC_ASSERT(decision.placement == m_reference.lastPlacement);
        } else {
            RC_ASSERT(!m_world.fleet.refusalSentence(decision).empty());
        }
    }

    void release(std::uint8_t a)
    {
        const std::uint64_t placement = m_reference.lastPlacement < a % 16U ? 0 : m_reference.lastPlacement - a % 16U;
        RC_ASSERT(m_world.fleet.release(placement, m_world.now()) == m_reference.release(placement));
    }

    void switchCooldown(std::uint8_t a)
    {
        health::HealthSettings settings = m_world.fleet.healthSettings();
        const std::int64_t seconds = a % 3 == 0 ? 0 : a % 3 == 1 ? 60 : 7;
        settings.cooldownSeconds = static_cast<double>(seconds);
        m_world.fleet.setHealthSettings(settings, m_world.now());
        m_reference.setCooldown(seconds * 1000);
    }

    void apps(std::uint8_t a, std::uint8_t b, std::uint8_t c)
    {
        const std::string& id = kApps[a % 4];
        const AppHandle app = m_world.fleet.findApp(id).value();
        ReferenceFleet::App& reference = m_reference.apps.at(id);
        switch (b % 3) {
        case 0: {
            const std::string& pool = kPools[c / 2 % kPools.size()];
            const bool allowed = m_world.fleet.canBind(m_world.pool(pool)).has_value();
            RC_ASSERT(allowed == (pool != "unassigned"));
            if (allowed) {
                m_world.fleet.bind(app, Binding{m_world.pool(pool), c % 2 == 0});
                reference.boundTo = pool;
                reference.bindingAllowsFallback = c % 2 == 0;
            }
            break;
        }
        case 1:
            m_world.fleet.unbind(app);
            reference.boundTo.reset();
            break;
        default:
            m_world.fleet.setAppOwner(app, kUsers[c % 3].empty() ? UserHandle() : m_world.user(kUsers[c % 3]));
            reference.owner = kUsers[c % 3];
            break;
        }
    }

    void administer(std::uint8_t what, std::uint8_t a, std::uint8_t c)
    {
        const std::string& id = kIds[a % kIds.size()];
        const auto at = m_reference.nodes.find(id);
        if (at == m_reference.nodes.end()) {
            return;
        }
        NodeSpec spec = m_world.nodeAt(id).spec;
        switch (what % 6) {
        case 0:
            m_world.move(id, kPools[c % kPools.size()]);
            at->second.pool = kPools[c % kPools.size()];
            break;
        case 1:
            at->second.draining = !at->second.draining;
            m_world.drain(id, at->second.draining);
            break;
        case 2:
            if (c % 2 == 0) {
                m_world.fleet.removeNode(m_world.handle(id), m_world.now());
                m_reference.remove(id);
            }
            break;
        case 3:
            if (at->second.hasAddress) {
                spec.healthUrl = "http://other/" + std::to_string(++m_addresses);
                m_world.fleet.changeNode(m_world.handle(id), spec, m_world.now());
                m_reference.changeAddress(id);
            }
            break;
        case 4:
            spec.webrtcBaseUrl = c % 2 == 0 ? "http://w" : "";
            spec.capacity = c % 5;
            m_world.fleet.changeNode(m_world.handle(id), spec, m_world.now());
            at->second.whip = c % 2 == 0;
            at->second.capacity = at->second.isStatic || !at->second.lastBeat ? c % 5 : at->second.capacity; // what it reports, once it does
            break;
        default:
            takeDirty();
            break;
        }
    }

    void happen(std::uint8_t kind, std::uint8_t a, std::uint8_t b, std::uint8_t c)
    {
        const std::string& id = kIds[a % kIds.size()];
        const auto at = m_reference.nodes.find(id);
        if (at == m_reference.nodes.end()) {
            return;
        }
        ReferenceFleet::Node& node = at->second;
        const NodeHandle handle = m_world.handle(id);
        switch (kind % 24) {
        case 10:
        case 11:
        case 12:
        case 13:
        case 14:
        case 15: {
            const bool success = kind % 24 < 13 || b % 4 == 0;
            const std::int64_t started = std::max<std::int64_t>(0, m_reference.now - (c % 4 == 0 ? 3'000 : 0));
            m_world.fleet.probeEnded(ProbeVerdict{handle, m_world.fleet.node(handle).generation, Instant(std::chrono::milliseconds(started)), success,
                                         success ? "" : "timeout", {}},
                m_world.now());
            m_reference.probe(id, success, started);
            break;
        }
        case 16:
        case 17:
            RC_ASSERT(static_cast<int>(m_world.eject(id)) == m_reference.passiveFailure(id));
            break;
        case 18:
        case 19:
        case 20:
            if (!node.isStatic) {
                const std::string boot = c % 8 == 0 ? "boot-" + std::to_string(b % 5) : node.boot.empty() ? "boot-0" : node.boot;
                const std::uint64_t seq = node.seq + b % 3;
                const std::optional<std::uint64_t> seen
                    = c % 3 == 0 ? std::nullopt : std::optional(m_reference.lastPlacement - std::min<std::uint64_t>(m_reference.lastPlacement, c % 4));
                const bool taken = m_world.beat(id, boot, seq, 2 + c % 5, b % 3, seen);
                RC_ASSERT(taken == m_reference.heartbeat(id, boot, seq, 2 + c % 5, b % 3, seen));
            }
            break;
        case 21:
            if (!node.isStatic) {
                m_world.fleet.disconnect(handle, m_world.now());
                node.hungUp = true;
            }
            break;
        case 22:
            m_world.fleet.cleanOutcome(handle);
            node.clean = true;
            m_world.fleet.setInFlight(handle, b % 4, m_world.now());
            node.inFlight = b % 4;
            break;
        default:
            m_world.fleet.revive(handle, m_world.now());
            node.quarantinedUntil.reset();
            break;
        }
    }

    // Every change since the last call must be among the handles, each once.
    void takeDirty()
    {
        Fleet::Dirty dirty;
        m_world.fleet.takeDirty(dirty, 1'000);
        std::sort(dirty.nodes.begin(), dirty.nodes.end());
        RC_ASSERT(std::adjacent_find(dirty.nodes.begin(), dirty.nodes.end()) == dirty.nodes.end());
        for (const NodeHandle node : m_world.fleet.nodesInOrder()) {
            if (m_world.fleet.core(node).revision > m_takenAt) {
                RC_ASSERT(std::binary_search(dirty.nodes.begin(), dirty.nodes.end(), node));
            }
        }
        m_takenAt = m_world.fleet.revision();
    }

    void compareNodes() const
    {
        RC_ASSERT(m_world.fleet.nodeCount() == m_reference.nodes.size());
        for (const auto& [id, node] : m_reference.nodes) {
            const NodeCore& core = m_world.coreAt(id);
            RC_ASSERT(core.free == m_reference.free(id));
            RC_ASSERT(core.connected == m_reference.isConnected(node));
            RC_ASSERT(m_world.online(id) == node.inRotation);
            const health::HealthState& health = m_world.nodeAt(id).health;
            RC_ASSERT(health.inQuarantine(m_world.now()) == m_reference.inQuarantine(node));
            RC_ASSERT(health.consecutiveFailures() == node.failures);
            RC_ASSERT(health.consecutiveSuccesses() == node.successes);
        }
    }

    void comparePools() const
    {
        for (const std::string& pool : kPools) {
            for (const Role role : kTestRoles) {
                const Group& group = m_world.group(pool, role);
                for (std::size_t endpoint = 0; endpoint < kEndpointCount; ++endpoint) {
                    const auto totals = m_reference.totals(pool, role, static_cast<Endpoint>(endpoint));
                    RC_ASSERT(group.nodes == totals.nodes);
                    RC_ASSERT(group.healthy == totals.healthy);
                    RC_ASSERT(group.ejected == totals.ejected);
                    RC_ASSERT(group.free == totals.free);
                    RC_ASSERT(group.candidateFree == totals.candidateFree);
                    RC_ASSERT(group.pending == totals.pending);
                    RC_ASSERT(group.capacity == totals.capacity);
                    RC_ASSERT(group.used == totals.used);
                    for (std::size_t i = 0; i < kReasonCount; ++i) {
                        const auto at = totals.reasons.find(static_cast<Reason>(i));
                        RC_ASSERT(group.reasons[endpoint][i] == (at == totals.reasons.end() ? 0 : at->second));
                    }
                }
            }
        }
    }

    FleetWorld m_world;
    ReferenceFleet m_reference;
    std::uint64_t m_takenAt = 0;
    int m_addresses = 0;
};

} // namespace

class TestFleetProperties : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheReference();
};

void TestFleetProperties::agreesWithTheReference()
{
    const bool holds = rc::check("fleet and reference agree after every event", [] {
        const auto setup = *rc::gen::arbitrary<Event>();
        // Sequences grow with the size; a few hundred events reach the states that need a history.
        const auto events = *rc::gen::scale(4.0, rc::gen::container<std::vector<Event>>(rc::gen::resize(100, rc::gen::arbitrary<Event>())));
        Duel duel(setup);
        for (const Event& event : events) {
            duel.play(event);
            duel.compare();
        }
    });
    QVERIFY(holds);
}

QTEST_GUILESS_MAIN(TestFleetProperties)
#include "TestFleetProperties.moc"
