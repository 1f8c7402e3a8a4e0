// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fleet/ReferenceFleet.h"

#include <algorithm>
#include <cmath>

namespace weir::fleet {

void ReferenceFleet::passTime(std::int64_t milliseconds)
{
    now += milliseconds;
    std::erase_if(reservations, [this](const auto& entry) { return now - entry.second.at >= settings.ttl; });
}

void ReferenceFleet::changeRotation(Node& node, bool in)
{
    node.inRotation = in;
    node.lastChange = now;
    if (in) {
        node.clean = false;
        node.passive = false;
        node.quarantinedUntil.reset();
    }
}

void ReferenceFleet::judge(Node& node, bool success)
{
    node.checked = true;
    if (success) {
        node.failures = 0;
        ++node.successes;
        if (!node.inRotation && node.successes >= settings.healthyThreshold && !inQuarantine(node)) {
            changeRotation(node, true);
        }
        return;
    }
    node.successes = 0;
    ++node.failures;
    if (node.inRotation && node.failures >= settings.unhealthyThreshold) {
        changeRotation(node, false);
    }
}

void ReferenceFleet::probe(const std::string& id, bool success, std::int64_t started)
{
    Node& node = nodes.at(id);
    if (node.lastChange && started < *node.lastChange) {
        return;
    }
    judge(node, success);
}

int ReferenceFleet::passiveFailure(const std::string& id)
{
    Node& node = nodes.at(id);
    if (!node.inRotation) {
        return 1;
    }
    if (settings.cap) {
        int all = 0;
        int out = 1;
        for (const auto& [otherId, other] : nodes) {
            if (other.pool == node.pool && other.role == node.role) {
                ++all;
                out += !other.inRotation && other.passive ? 1 : 0;
            }
        }
        if (100.0 * out / all > *settings.cap) {
            return 2;
        }
    }
    const bool forgotten = node.clean && now - *node.lastChange >= settings.memory;
    node.ejections = forgotten ? 1 : node.ejections + 1;
    ++node.failures;
    changeRotation(node, false);
    node.passive = true;
    node.quarantinedUntil.reset();
    if (settings.cooldown > 0) {
        const double grown = static_cast<double>(settings.cooldown) * std::pow(settings.multiplier, node.ejections - 1);
        node.quarantinedUntil = now + static_cast<std::int64_t>(std::min(grown, static_cast<double>(settings.maxCooldown)));
    }
    return 0;
}

bool ReferenceFleet::heartbeat(const std::string& id, const std::string& boot, std::uint64_t seq, std::int64_t capacity, std::int64_t used,
    std::optional<std::uint64_t> seen)
{
    Node& node = nodes.at(id);
    const bool newBoot = node.boot != boot;
    if (newBoot ? node.oldBoots.contains(boot) : seq <= node.seq) {
        return false;
    }
    if (newBoot && !node.boot.empty()) {
        node.oldBoots.insert(node.boot);
    }
    node.boot = boot;
    node.seq = seq;
    node.lastBeat = now;
    node.hungUp = false;
    std::erase_if(reservations, [&](const auto& entry) {
        if (entry.second.node != id) {
            return false;
        }
        return newBoot || (seen ? entry.first <= *seen : now - entry.second.at > settings.settle);
    });
    node.capacity = capacity;
    node.used = used;
    if (!node.hasAddress) {
        judge(node, true);
    }
    return true;
}

void ReferenceFleet::remove(const std::string& id)
{
    nodes.erase(id);
    std::erase_if(reservations, [&](const auto& entry) { return entry.second.node == id; });
}

void ReferenceFleet::changeAddress(const std::string& id)
{
    Node& node = nodes.at(id);
    node.checked = false;
    node.inRotation = false;
    node.passive = false;
    node.failures = 0;
    node.successes = 0;
    node.ejections = 0;
    node.clean = false;
    node.quarantinedUntil.reset();
    node.lastChange.reset();
}

void ReferenceFleet::setCooldown(std::int64_t cooldown)
{
    if (cooldown == 0 && settings.cooldown != 0) {
        for (auto& [id, node] : nodes) {
            node.quarantinedUntil.reset();
        }
    }
    settings.cooldown = cooldown;
}

std::string ReferenceFleet::poolOf(const std::string& app) const
{
    const auto at = apps.find(app);
    if (at == apps.end()) {
        return "default";
    }
    if (at->second.boundTo) {
        return *at->second.boundTo;
    }
    return at->second.owner.empty() ? "default" : "pool-" + at->second.owner;
}

bool ReferenceFleet::mayFallBack(const std::string& app) const
{
    const auto at = apps.find(app);
    if (at == apps.end() || poolOf(app) == "default") {
        return false;
    }
    if (at->second.boundTo) {
        return at->second.bindingAllowsFallback;
    }
    return std::none_of(nodes.begin(), nodes.end(),
        [&](const auto& entry) { return entry.second.owner == at->second.owner && entry.second.role <= Role::Worker; });
}

bool ReferenceFleet::isConnected(const Node& node) const
{
    return node.isStatic || (node.lastBeat && !node.hungUp && now - *node.lastBeat < settings.silence);
}

bool ReferenceFleet::inQuarantine(const Node& node) const
{
    return !node.inRotation && node.quarantinedUntil && now < *node.quarantinedUntil;
}

std::int64_t ReferenceFleet::free(const std::string& id) const
{
    const Node& node = nodes.at(id);
    std::int64_t reserved = 0;
    for (const auto& [placement, reservation] : reservations) {
        reserved += reservation.node == id ? reservation.need : 0;
    }
    return std::max<std::int64_t>(0, node.capacity - std::max(node.used, node.inFlight) - reserved);
}

Reason ReferenceFleet::reason(const std::string& id, std::int64_t need, Endpoint endpoint) const
{
    const Node& node = nodes.at(id);
    if (node.draining) {
        return Reason::Draining;
    }
    if (!isConnected(node)) {
        return Reason::Disconnected;
    }
    if (!node.checked) {
        return Reason::Unchecked;
    }
    if (inQuarantine(node)) {
        return Reason::Quarantined;
    }
    if (!node.inRotation) {
        return Reason::Unhealthy;
    }
    if ((endpoint == Endpoint::Whip && !node.whip) || (endpoint == Endpoint::Srt && !node.srt)) {
        return Reason::MissingEndpoint;
    }
    return free(id) < need ? Reason::NoCapacity : Reason::None;
}

std::string ReferenceFleet::bestOf(const std::string& pool, Role role, std::int64_t need, Endpoint endpoint) const
{
    std::string best;
    for (const auto& [id, node] : nodes) { // in byte order of the ids, so that the first of equals stays
        if (node.pool == pool && node.role == role && reason(id, need, endpoint) == Reason::None && (best.empty() || free(id) > free(best))) {
            best = id;
        }
    }
    return best;
}

ReferenceFleet::Answer ReferenceFleet::preview(const std::string& app, Role role, std::int64_t need, Endpoint endpoint) const
{
    Answer answer;
    answer.primary = poolOf(app);
    answer.node = bestOf(answer.primary, role, need, endpoint);
    if (answer.node.empty() && mayFallBack(app)) {
        answer.node = bestOf("default", role, need, endpoint);
        answer.fallback = !answer.node.empty();
    }
    return answer;
}

ReferenceFleet::Answer ReferenceFleet::decide(const std::string& app, Role role, std::int64_t need, Endpoint endpoint)
{
    Answer answer = preview(app, role, need, endpoint);
    if (!answer.node.empty()) {
        reservations[++lastPlacement] = Reservation{answer.node, need, now};
    }
    return answer;
}

bool ReferenceFleet::release(std::uint64_t placement)
{
    return reservations.erase(placement) > 0;
}

ReferenceFleet::Totals ReferenceFleet::totals(const std::string& pool, Role role, Endpoint endpoint) const
{
    Totals totals;
    for (const auto& [id, node] : nodes) {
        if (node.pool != pool || node.role != role) {
            continue;
        }
        const Reason why = reason(id, 1, endpoint);
        ++totals.nodes;
        ++totals.reasons[why];
        totals.healthy += node.inRotation && isConnected(node) ? 1 : 0;
        totals.ejected += !node.inRotation && node.passive ? 1 : 0;
        totals.free += free(id);
        totals.candidateFree += reason(id, 1, Endpoint::Any) == Reason::None ? free(id) : 0;
        totals.capacity += node.capacity;
        totals.used += node.used;
        for (const auto& [placement, reservation] : reservations) {
            totals.pending += reservation.node == id ? reservation.need : 0;
        }
    }
    return totals;
}

} // namespace weir::fleet
