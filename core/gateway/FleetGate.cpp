// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/FleetGate.h"

#include "core/gateway/NodeLinks.h"

#include <algorithm>
#include <utility>

namespace weir::gateway {
namespace {

bool hasBusy(const fleet::Fleet& fleet, PoolHandle pool, Role role)
{
    return pool.isValid() && fleet.pool(pool).groups[weir::indexOf(role)].count(fleet::Reason::NoCapacity) > 0;
}

PickResult refusalOf(const fleet::Fleet& fleet, const fleet::Decision& decision)
{
    const bool waits = decision.code == fleet::Code::NoCandidate
        && (hasBusy(fleet, decision.primary, decision.role) || (decision.fallbackTried && hasBusy(fleet, fleet.defaultPool(), decision.role)));
    return waits ? PickResult::Busy : PickResult::NoCandidate;
}

// The best candidate that the request has not failed on; the best of all when there is no other.
NodeHandle bestOf(const fleet::Fleet& fleet, const fleet::Request& request, const fleet::Decision& decision, const std::vector<NodeHandle>& avoided, Instant now)
{
    const auto isAvoided = [&](NodeHandle node) { return std::find(avoided.begin(), avoided.end(), node) != avoided.end(); };
    if (!isAvoided(decision.node)) {
        return decision.node;
    }
    const std::vector<NodeHandle> ranking = fleet.ranking(request, avoided.size() + 1, now);
    const auto other = std::find_if_not(ranking.begin(), ranking.end(), isAvoided);
    return other == ranking.end() ? decision.node : *other;
}

// They hold their node, and it them.
void dropKept(GatewayNode& node)
{
    for (const std::shared_ptr<NodeLink>& link : std::exchange(node.idle, {})) {
        link->close();
    }
}

} // namespace

FleetGate::~FleetGate()
{
    for (const std::shared_ptr<GatewayNode>& node : m_nodes) {
        if (node) {
            dropKept(*node);
        }
    }
}

const std::shared_ptr<GatewayNode>& FleetGate::entryOf(const fleet::Fleet& fleet, NodeHandle handle)
{
    if (handle.value() >= m_nodes.size()) {
        m_nodes.resize(handle.value() + 1);
    }
    std::shared_ptr<GatewayNode>& entry = m_nodes[handle.value()];
    const fleet::Node& node = fleet.node(handle);
    if (!entry || entry->birth != node.birth) {
        if (entry) {
            dropKept(*entry);
        }
        entry = std::make_shared<GatewayNode>();
        entry->handle = handle;
        entry->birth = node.birth;
        entry->id = node.spec.id.text();
    }
    if (entry->url != node.spec.url || entry->tls != node.spec.tls) {
        entry->url = node.spec.url;
        entry->tls = node.spec.tls;
        ++entry->addresses;
        entry->address = NodeAddress::parse(entry->url);
        // Connections to the old address, or to whom it was trusted to be, end with their requests; none is kept.
        dropKept(*entry);
    }
    return entry;
}

PickResult FleetGate::pick(Role role, std::string_view app, const std::vector<NodeHandle>& avoided, Pick& into)
{
    return m_fleet.with([&](fleet::Fleet& fleet, Instant now) {
        fleet::Request request;
        request.role = role;
        request.app = app;
        fleet::Decision decision = fleet.preview(request, now);
        if (decision.code != fleet::Code::Ok) {
            return refusalOf(fleet, decision);
        }
        const NodeHandle node = bestOf(fleet, request, decision, avoided, now);
        if (node == decision.node) {
            decision = fleet.decide(request, now);
            fleet.release(decision.placement, now); // in flight from here on, which is known exactly
        }
        into.node = entryOf(fleet, node);
        into.pool = decision.pool;
        into.poolId = fleet.pool(decision.pool).spec.id.text();
        into.fallback = decision.fallback;
        fleet.setInFlight(node, ++into.node->inFlight, now);
        return PickResult::Picked;
    });
}

PickResult FleetGate::look(Role role, std::string_view app)
{
    return m_fleet.with([&](const fleet::Fleet& fleet, Instant now) {
        fleet::Request request;
        request.role = role;
        request.app = app;
        const fleet::Decision decision = fleet.preview(request, now);
        return decision.code == fleet::Code::Ok ? PickResult::Picked : refusalOf(fleet, decision);
    });
}

void FleetGate::refuse(Role role, std::string_view app)
{
    m_fleet.with([&](fleet::Fleet& fleet, Instant now) {
        fleet::Request request;
        request.role = role;
        request.app = app;
        // A node that came free in this very moment stays free: only a refusal is wanted here.
        if (fleet.preview(request, now).code != fleet::Code::Ok) {
            (void)fleet.decide(request, now);
        }
    });
}

FleetGate::Judgement FleetGate::judge(const GatewayNode& node, const routing::Exchange& exchange, std::string_view error, std::string_view app)
{
    if (m_judge != nullptr) {
        live::OutcomeVerdict verdict = m_judge->judge(node.handle, node.birth, exchange, error, app);
        return {verdict.isFailure, verdict.isClean, std::move(verdict.text)};
    }
    outcome::Outcome outcome;
    if (error.empty()) {
        outcome.status = exchange.response->status;
    } else {
        outcome.error = std::string(error);
    }
    const outcome::Classification classification = m_classify(outcome);
    Judgement judgement{classification == outcome::Classification::PassiveFailure, classification == outcome::Classification::Clean, {}};
    if (judgement.isFailure) {
        judgement.text = outcome::OutcomeRules::describe(outcome);
        m_fleet.with([&](fleet::Fleet& fleet, Instant now) {
            if (fleet.isAlive(node.handle) && fleet.node(node.handle).birth == node.birth) {
                (void)fleet.passiveFailure(node.handle, judgement.text, now);
            }
        });
    }
    return judgement;
}

bool FleetGate::isPassive(int status) const
{
    const outcome::Outcome outcome{status, std::nullopt};
    return (m_judge != nullptr ? m_judge->book()->builtIn().classify(outcome) : m_classify(outcome)) == outcome::Classification::PassiveFailure;
}

void FleetGate::release(GatewayNode& node, bool clean)
{
    --node.inFlight;
    m_fleet.with([&](fleet::Fleet& fleet, Instant now) {
        if (fleet.isAlive(node.handle) && fleet.node(node.handle).birth == node.birth) {
            fleet.setInFlight(node.handle, node.inFlight, now);
            if (clean) {
                fleet.cleanOutcome(node.handle);
            }
        }
    });
}

void FleetGate::forgetGone()
{
    m_fleet.read([&](const fleet::Fleet& fleet, Instant) {
        for (std::shared_ptr<GatewayNode>& entry : m_nodes) {
            if (entry && !(fleet.isAlive(entry->handle) && fleet.node(entry->handle).birth == entry->birth)) {
                dropKept(*entry);
                entry.reset();
            }
        }
    });
}

} // namespace weir::gateway
