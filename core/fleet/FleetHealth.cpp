// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to nodes: probes, outcomes, heartbeats, and what runs out by time alone.
#include "core/fleet/Fleet.h"

#include <algorithm>

namespace weir::fleet {
namespace {

constexpr std::size_t kReplacedBoots = 256;
/// What a node reports is not ours: beyond this its figures say no more, and sums over a fleet must not overflow.
constexpr std::int64_t kMostReported = 0xFFFF'FFFF;

// Whether the node is out by an ejection that started a quarantine, also when that was ended by hand since.
bool hadQuarantine(const health::HealthState& health)
{
    return health.cause() == health::Cause::Passive && health.quarantineLength() > Duration::zero();
}

} // namespace

void Fleet::say(ChangeKind kind, NodeHandle handle, Instant now, health::Cause cause, std::string_view text, double figure, std::string_view app)
{
    FleetChange change;
    change.kind = kind;
    change.at = now;
    change.node = handle;
    change.role = m_cores[handle.value()].role;
    change.pool = m_cores[handle.value()].pool;
    change.cause = cause;
    change.text.assign(text);
    change.app.assign(app);
    change.figure = figure;
    m_sink.changed(change);
}

void Fleet::advance(Instant now)
{
    while (const auto due = m_quarantineEnds.takeDue(now)) {
        if (isAlive(due->node) && m_nodes[due->node.value()].generation == due->generation) {
            refresh(due->node, now); // "quarantined" becomes "unhealthy": what is missing now is a good probe
        }
    }
    lapseHeartbeats(now);
    expireReservations(now);
}

// A heartbeat does not move its node's timer; the timer finds out, when it is due, how long the node may still be silent.
void Fleet::lapseHeartbeats(Instant now)
{
    while (const auto due = m_heartbeatEnds.takeDue(now)) {
        Node& node = m_nodes[due->node.value()];
        if (!isAlive(due->node) || node.birth != due->birth) {
            continue;
        }
        const Instant lapses = node.lastHeartbeat + fromSeconds(m_settings.heartbeatTimeoutSeconds);
        node.lapseArmed = m_cores[due->node.value()].connected && lapses > now;
        if (node.lapseArmed) {
            m_heartbeatEnds.add(lapses, *due);
        } else if (m_cores[due->node.value()].connected) {
            markConnected(due->node, false, now);
        }
    }
}

// After a change of the time-out: every silence is judged by the new one.
void Fleet::rearmHeartbeats()
{
    m_heartbeatEnds = {};
    m_order.forEach([this](NodeHandle handle) {
        Node& node = m_nodes[handle.value()];
        node.lapseArmed = !node.spec.isStatic && m_cores[handle.value()].connected;
        if (node.lapseArmed) {
            m_heartbeatEnds.add(node.lastHeartbeat + fromSeconds(m_settings.heartbeatTimeoutSeconds), {handle, node.birth});
        }
    });
}

void Fleet::expireReservations(Instant now)
{
    const Duration ttl = fromSeconds(m_settings.reservationTtlSeconds);
    while (const std::uint64_t oldest = m_reservations.oldest()) {
        const Reservations::Reservation* reservation = m_reservations.find(oldest);
        if (reservation == nullptr || reservation->at + ttl > now) {
            break;
        }
        const NodeHandle node = reservation->node;
        endReservation(oldest);
        ++m_counters.reservationsExpired;
        if (!m_nodes[node.value()].spec.isStatic) {
            say(ChangeKind::ReservationExpired, node, now, health::Cause::None, {}, m_settings.reservationTtlSeconds);
        }
    }
}

std::optional<Instant> Fleet::nextDeadline() const
{
    std::optional<Instant> next = m_quarantineEnds.next();
    const auto consider = [&](std::optional<Instant> other) {
        if (other && (!next || *other < *next)) {
            next = other;
        }
    };
    consider(m_heartbeatEnds.next());
    if (const auto* oldest = m_reservations.find(m_reservations.oldest())) {
        consider(oldest->at + fromSeconds(m_settings.reservationTtlSeconds));
    }
    return next;
}

void Fleet::rotationChanged(NodeHandle handle, health::Transition transition, Instant now, std::string_view text, std::string_view app)
{
    const health::HealthState& health = m_nodes[handle.value()].health;
    switch (transition) {
    case health::Transition::Online:
        say(ChangeKind::NodeOnline, handle, now, health::Cause::None, text, 0);
        break;
    case health::Transition::Offline:
        say(ChangeKind::NodeOffline, handle, now, health.cause(), text, health.consecutiveFailures(), app);
        if (health.inQuarantine(now)) {
            m_quarantineEnds.add(health.quarantinedUntil(), {handle, m_nodes[handle.value()].generation});
            say(ChangeKind::QuarantineStarted, handle, now, health.cause(), text, toSeconds(health.quarantineLength()), app);
        }
        break;
    case health::Transition::Held:
        say(ChangeKind::ProbeHeld, handle, now, health.cause(), text, toSeconds(health.quarantineRemaining(now)));
        break;
    case health::Transition::None:
    case health::Transition::Dropped:
        break;
    }
}

health::Transition Fleet::probeEnded(const ProbeVerdict& verdict, Instant now)
{
    advance(now);
    if (!isAlive(verdict.node) || m_nodes[verdict.node.value()].generation != verdict.generation) {
        return health::Transition::Dropped;
    }
    Node& node = m_nodes[verdict.node.value()];
    const bool endsQuarantine = hadQuarantine(node.health);
    const health::Transition transition = verdict.success ? node.health.probeSucceeded(m_health, verdict.started, now)
                                                          : node.health.probeFailed(m_health, verdict.started, now);
    if (transition == health::Transition::Dropped) {
        return transition;
    }
    node.trouble.probeReason = verdict.success ? std::string() : std::string(verdict.reason);
    node.trouble.bodyReason = verdict.bodyReason;
    if (transition == health::Transition::Online && endsQuarantine) {
        say(ChangeKind::QuarantineOver, verdict.node, now, health::Cause::Passive, node.trouble.passiveOutcome, 0);
    }
    rotationChanged(verdict.node, transition, now, verdict.reason);
    refresh(verdict.node, now);
    return transition;
}

bool Fleet::wouldPassCap(NodeHandle handle, double& wouldBe) const
{
    if (!m_health.maxEjectionPercent) {
        return false;
    }
    const Group& group = groupOf(m_cores[handle.value()]);
    wouldBe = 100.0 * (group.ejected + 1) / std::max<std::uint32_t>(1, group.nodes);
    return wouldBe > *m_health.maxEjectionPercent;
}

OutcomeEffect Fleet::passiveFailure(NodeHandle handle, std::string_view outcome, Instant now, std::string_view app)
{
    advance(now);
    Node& node = m_nodes[handle.value()];
    if (!node.health.inRotation()) {
        return OutcomeEffect::AlreadyOut;
    }
    double wouldBe = 0;
    if (wouldPassCap(handle, wouldBe)) {
        say(ChangeKind::EjectionCapped, handle, now, health::Cause::Passive, outcome, wouldBe, app);
        return OutcomeEffect::Capped;
    }
    node.trouble.passiveOutcome = outcome;
    rotationChanged(handle, node.health.passiveFailure(m_health, now), now, outcome, app);
    refresh(handle, now);
    return OutcomeEffect::Ejected;
}

void Fleet::cleanOutcome(NodeHandle handle)
{
    m_nodes[handle.value()].health.cleanOutcome();
}

void Fleet::revive(NodeHandle handle, Instant now)
{
    advance(now);
    m_nodes[handle.value()].health.endQuarantine();
    refresh(handle, now);
}

void Fleet::setHealthSettings(const health::HealthSettings& settings, Instant now)
{
    advance(now);
    const bool emergency = settings.cooldownSeconds == 0 && m_health.cooldownSeconds != 0;
    m_health = settings;
    if (!emergency) {
        return;
    }
    m_order.forEach([&](NodeHandle handle) {
        if (m_nodes[handle.value()].health.hasQuarantine()) {
            m_nodes[handle.value()].health.endQuarantine();
            refresh(handle, now);
        }
    });
}

void Fleet::setSettings(const FleetSettings& settings)
{
    const bool admission = settings.admitUnknownApps != m_settings.admitUnknownApps;
    const bool timeout = settings.heartbeatTimeoutSeconds != m_settings.heartbeatTimeoutSeconds;
    m_settings = settings;
    if (timeout) {
        rearmHeartbeats();
    }
    while (!m_settings.reservations && m_reservations.oldest() != 0) {
        endReservation(m_reservations.oldest());
    }
    if (admission) {
        touch(defaultPool());
    }
}

void Fleet::markConnected(NodeHandle handle, bool connected, Instant now)
{
    NodeCore& core = m_cores[handle.value()];
    if (core.connected == connected) {
        return;
    }
    core.connected = connected;
    if (Node& node = m_nodes[handle.value()]; connected && !node.lapseArmed) {
        m_heartbeatEnds.add(now + fromSeconds(m_settings.heartbeatTimeoutSeconds), {handle, node.birth});
        node.lapseArmed = true;
    }
    if (!connected && m_streams.reports(handle)) {
        m_streams.endAllOf(handle); // what it still carries it will say again
    }
    say(connected ? ChangeKind::NodeConnected : ChangeKind::NodeDisconnected, handle, now, health::Cause::None, {}, 0);
    refresh(handle, now);
}

bool Fleet::heartbeat(NodeHandle handle, const Heartbeat& beat, Instant now)
{
    advance(now);
    Node& node = m_nodes[handle.value()];
    NodeCore& core = m_cores[handle.value()];
    const bool newBoot = node.bootId != beat.bootId;
    if (newBoot) {
        if (std::find(node.replacedBoots.begin(), node.replacedBoots.end(), beat.bootId) != node.replacedBoots.end()) {
            return false;
        }
        if (!node.bootId.empty()) {
            node.replacedBoots.push_back(node.bootId);
            if (node.replacedBoots.size() > kReplacedBoots) {
                node.replacedBoots.erase(node.replacedBoots.begin());
            }
        }
        node.bootId = beat.bootId;
    } else if (beat.seq <= node.heartbeatSeq) {
        return false;
    }
    node.heartbeatSeq = beat.seq;
    node.lastHeartbeat = now;
    dropReservations(handle, beat, newBoot, now);
    Group& group = groupOf(core);
    const std::int64_t capacity = std::clamp<std::int64_t>(beat.capacity, 0, kMostReported);
    const std::int64_t used = std::clamp<std::int64_t>(beat.used, 0, kMostReported);
    if (capacity != core.capacity || used != core.used) { // most heartbeats say nothing new, and nobody has to hear of them
        group.capacity += capacity - core.capacity;
        group.used += used - core.used;
        core.capacity = capacity;
        core.used = used;
        setFree(handle);
    }
    if (!core.connected) {
        markConnected(handle, true, now);
    }
    if (beat.streams != nullptr) {
        takeStreams(handle, *beat.streams, now);
    }
    if (node.spec.healthUrl.empty() && node.spec.url.empty()) {
        judgeByHeartbeat(handle, now);
    }
    return true;
}

// A node without a health address: each accepted heartbeat counts as a good probe.
void Fleet::judgeByHeartbeat(NodeHandle handle, Instant now)
{
    Node& node = m_nodes[handle.value()];
    const bool first = !node.health.isChecked();
    const bool endsQuarantine = hadQuarantine(node.health);
    const health::Transition transition = node.health.probeSucceeded(m_health, now, now);
    if (transition == health::Transition::Online && endsQuarantine) {
        say(ChangeKind::QuarantineOver, handle, now, health::Cause::Passive, node.trouble.passiveOutcome, 0);
    }
    rotationChanged(handle, transition, now, "heartbeat");
    if (first || transition != health::Transition::None) {
        refresh(handle, now);
    }
}

void Fleet::disconnect(NodeHandle handle, Instant now)
{
    advance(now);
    m_streams.endAllOf(handle); // it said goodbye
    markConnected(handle, false, now);
}

void Fleet::setInFlight(NodeHandle handle, std::int64_t inFlight, Instant now)
{
    advance(now);
    m_cores[handle.value()].inFlight = std::clamp<std::int64_t>(inFlight, 0, kMostReported);
    setFree(handle);
}

void Fleet::dropReservations(NodeHandle handle, const Heartbeat& beat, bool newBoot, Instant now)
{
    NodeCore& core = m_cores[handle.value()];
    const Duration settle = fromSeconds(m_settings.reservationSettleSeconds);
    while (core.reservations.first != 0) {
        const std::uint64_t placement = core.reservations.first;
        const Reservations::Reservation* reservation = m_reservations.find(placement);
        const bool seen = beat.seenPlacement ? placement <= *beat.seenPlacement : reservation->at + settle < now;
        if (!newBoot && !seen) {
            break; // the chain is in the order of placement numbers, and so of time
        }
        endReservation(placement);
    }
}

void Fleet::endReservation(std::uint64_t placement)
{
    const Reservations::Reservation* reservation = m_reservations.find(placement);
    const NodeHandle node = reservation->node;
    NodeCore& core = m_cores[node.value()];
    core.reserved -= reservation->need;
    groupOf(core).pending -= reservation->need;
    m_reservations.end(placement, core.reservations);
    setFree(node);
}

} // namespace weir::fleet
