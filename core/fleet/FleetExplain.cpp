// SPDX-License-Identifier: GPL-3.0-or-later
// Why a node was or was not chosen (fleet.md "Explaining"). Everything here is quiet.
#include "core/fleet/Fleet.h"

#include "core/base/Sentence.h"

#include <algorithm>
#include <array>
#include <string>

namespace weir::fleet {
namespace {

constexpr std::size_t kRanking = 5;
constexpr std::size_t kElsewherePools = 10;
constexpr std::size_t kBindSteps = 3;

// What can come back by itself first, what belongs to another role last.
constexpr std::array<Reason, 8> kSentenceOrder{Reason::Quarantined, Reason::Draining, Reason::NoCapacity, Reason::Unhealthy, Reason::Unchecked,
    Reason::Disconnected, Reason::MissingEndpoint, Reason::WrongRole};

std::string reasonWord(Reason reason, Endpoint endpoint)
{
    switch (reason) {
    case Reason::NoCapacity:
        return "full";
    case Reason::MissingEndpoint:
        return "without " + std::string(toText(endpoint));
    case Reason::WrongRole:
        return "of another role";
    case Reason::Unchecked:
        return "not probed yet";
    default:
        return std::string(toText(reason));
    }
}

std::string seconds(double value)
{
    return std::to_string(wholeSecondsUp(value));
}

std::string roleWord(Role role, std::size_t count)
{
    return std::string(toText(role)) + (count == 1 ? "" : "s");
}

std::string areOrIs(std::size_t count)
{
    return count == 1 ? "is" : "are";
}

} // namespace

ExplainedNode Fleet::explainNode(NodeHandle handle, const Request& request, Instant now) const
{
    const Node& node = m_nodes[handle.value()];
    const NodeCore& core = m_cores[handle.value()];
    ExplainedNode row;
    row.id = node.spec.id.text();
    row.pool = m_pools[core.pool.value()].spec.id.text();
    row.free = core.free;
    row.capacity = core.capacity;
    row.pending = core.reserved;
    std::vector<Reason> reasons = allReasonsOf(handle, request, now);
    if (!reasons.empty()) {
        row.reason = reasons.front();
        row.also.assign(reasons.begin() + 1, reasons.end());
    }
    if (!node.spec.isStatic && node.lastHeartbeat != Instant::min()) {
        row.heartbeatAgeSeconds = toSeconds(now - node.lastHeartbeat);
    }
    switch (row.reason) {
    case Reason::None:
        row.detail = "free " + std::to_string(core.free) + " of " + std::to_string(core.capacity);
        break;
    case Reason::WrongRole:
        row.detail = "is " + std::string(toText(core.role));
        break;
    case Reason::Draining:
        row.cause = node.spec.drainReason;
        row.detail = node.spec.drainedBy.empty() ? "draining" : "by " + node.spec.drainedBy;
        row.detail += node.spec.drainReason.empty() ? "" : " (" + node.spec.drainReason + ")";
        break;
    case Reason::Disconnected:
        row.detail = row.heartbeatAgeSeconds ? "last heartbeat " + seconds(*row.heartbeatAgeSeconds) + " s ago" : "never connected";
        break;
    case Reason::Unchecked:
        row.detail = "no probe has ended yet";
        break;
    case Reason::Quarantined: {
        const double left = toSeconds(node.health.quarantineRemaining(now));
        row.cause = node.trouble.passiveOutcome;
        row.remainingSeconds = left;
        row.earliestReturnSeconds = left;
        row.detail = "back in " + seconds(left) + "-" + seconds(left + m_health.intervalSeconds) + " s";
        row.detail += row.cause.empty() ? "" : ", " + row.cause;
        break;
    }
    case Reason::Unhealthy: {
        row.cause = node.trouble.bodyReason.empty() ? node.trouble.probeReason : node.trouble.bodyReason;
        const bool waits = node.health.cause() == health::Cause::Passive && node.trouble.probeReason.empty();
        row.detail = waits ? "quarantine is over, awaiting probe" : counted(static_cast<std::size_t>(node.health.consecutiveFailures()), "failed probe");
        row.detail += row.cause.empty() ? "" : ", " + row.cause;
        break;
    }
    case Reason::MissingEndpoint:
        row.detail = "offers no " + std::string(toText(request.endpoint));
        break;
    case Reason::NoCapacity:
        row.detail = "needs " + std::to_string(request.need) + ", has " + std::to_string(core.free);
        row.detail += core.reserved > 0 ? " (" + counted(static_cast<std::size_t>(core.reserved), "slot") + " pending)" : "";
        break;
    }
    return row;
}

// One pool's part of the sentence from the counters of its groups alone.
std::string Fleet::poolSentence(PoolHandle handle, const Request& request) const
{
    const Pool& pool = m_pools[handle.value()];
    if (pool.nodes.empty()) {
        return pool.spec.id.text() + " has 0 nodes";
    }
    const Group& group = pool.groups[weir::indexOf(request.role)];
    const std::size_t candidates = group.candidates(request.endpoint);
    std::string parts;
    for (const Reason reason : kSentenceOrder) {
        std::size_t count = reason == Reason::WrongRole ? pool.nodes.size() - group.nodes : group.count(reason, request.endpoint);
        if (reason == Reason::NoCapacity) {
            count += candidates; // nobody was chosen, so whoever is left has less than what was asked for
        }
        if (count > 0) {
            parts += (parts.empty() ? "" : ", ") + std::to_string(count) + " " + reasonWord(reason, request.endpoint);
        }
    }
    return sentence("%1: 0 of %2 usable: %3", {pool.spec.id.text(), std::to_string(pool.nodes.size()), parts});
}

std::string Fleet::refusalSentence(const Decision& decision) const
{
    switch (decision.code) {
    case Code::Ok:
        return {};
    case Code::UnknownApp:
        return "App '" + decision.appText.str() + "' is not declared, and unknown apps are not admitted.";
    case Code::RoleNotScheduled:
        return "No pool schedules the role " + std::string(toText(decision.role)) + ".";
    case Code::TooManyStreams:
        return "There are " + std::to_string(Streams::kMost) + " streams already, and no room for another.";
    case Code::NoCandidate:
        break;
    }
    const Request request{decision.role, decision.appText.view(), decision.need, decision.endpoint};
    std::string text = poolSentence(decision.primary, request) + ".";
    if (decision.fallbackTried) {
        text += " Fallback: " + poolSentence(defaultPool(), request) + ".";
    } else if (decision.primary != defaultPool()) {
        text += " Fallback to default is off.";
    }
    return text;
}

void Fleet::explainPool(Explanation& record, PoolHandle handle, const Request& request, Instant now) const
{
    const Pool& pool = m_pools[handle.value()];
    ExplainedStage stage;
    stage.pool = pool.spec.id.text();
    stage.considered = pool.nodes.size();
    std::array<std::size_t, kReasonCount> counts{};
    std::vector<ExplainedNode> candidates;
    std::vector<NodeHandle> nodes = pool.nodes;
    std::sort(nodes.begin(), nodes.end(), [this](NodeHandle a, NodeHandle b) { return m_cores[a.value()].order > m_cores[b.value()].order; });
    for (const NodeHandle node : nodes) {
        ExplainedNode row = explainNode(node, request, now);
        ++counts[fleet::indexOf(row.reason)];
        (row.reason == Reason::None ? candidates : record.nodes).push_back(std::move(row));
    }
    stage.candidates = counts[0];
    for (std::size_t reason = 1; reason < kReasonCount; ++reason) {
        if (counts[reason] > 0) {
            stage.excluded.emplace_back(static_cast<Reason>(reason), counts[reason]);
        }
    }
    record.stages.push_back(std::move(stage));
    // Nodes came in byte order of their ids, so a stable sort by free capacity is the scheduler's own ranking.
    std::stable_sort(candidates.begin(), candidates.end(), [](const ExplainedNode& a, const ExplainedNode& b) { return a.free > b.free; });
    candidates.resize(std::min(candidates.size(), kRanking));
    record.ranking.insert(record.ranking.end(), candidates.begin(), candidates.end());
}

void Fleet::addElsewhere(Explanation& record, const Request& request, const Resolved& resolved) const
{
    for (const PoolHandle pool : poolsInOrder()) {
        const std::size_t healthy = m_pools[pool.value()].groups[weir::indexOf(request.role)].healthy;
        const bool tried = pool == resolved.pool || (pool == defaultPool() && record.stages.size() > 1);
        if (healthy > 0 && !tried && record.elsewhere.size() < kElsewherePools) {
            record.elsewhere.emplace_back(m_pools[pool.value()].spec.id.text(), healthy);
        }
    }
}

void Fleet::addNextSteps(Explanation& record, const Request& request, const Resolved& resolved) const
{
    const std::string app(request.app);
    const auto firstOf = [&](PoolHandle pool) {
        const CandidateHeap::Entry* top = best(pool, request);
        return top == nullptr ? std::string() : sentence(" (%1 first, free %2)", {m_nodes[top->node].spec.id.text(), std::to_string(top->free)});
    };
    const auto gain = [&](PoolHandle pool) {
        const Group& group = m_pools[pool.value()].groups[weir::indexOf(request.role)];
        std::size_t count = 0;
        for (const CandidateHeap::Entry& entry : group.heaps[weir::indexOf(request.endpoint)].entries()) {
            count += entry.free >= request.need ? 1 : 0;
        }
        return count;
    };
    if (resolved.pool != defaultPool() && !resolved.allowFallback) {
        if (const std::size_t gained = gain(defaultPool()); gained > 0) {
            record.nextSteps.push_back({"allow_fallback",
                sentence("If fallback to default were allowed: %1%2.", {counted(gained, "candidate"), firstOf(defaultPool())}), gained});
        }
    }
    std::size_t undrained = 0;
    for (const ExplainedNode& node : record.nodes) {
        undrained += node.reason == Reason::Draining && node.also.empty() ? 1 : 0;
    }
    if (undrained > 0) {
        record.nextSteps.push_back({"undrain", sentence("If the draining were lifted: %1.", {counted(undrained, "candidate")}), undrained});
    }
    std::vector<NextStep> elsewhere;
    for (const PoolHandle pool : poolsInOrder()) {
        const std::size_t gained = pool == resolved.pool || pool == unassignedPool() ? 0 : gain(pool);
        if (gained > 0) {
            elsewhere.push_back({"bind_elsewhere",
                sentence("If %1 resolved to %2: %3%4.", {app, m_pools[pool.value()].spec.id.text(), counted(gained, "candidate"), firstOf(pool)}), gained});
        }
    }
    const auto more = [](const NextStep& a, const NextStep& b) { return a.gained > b.gained; };
    std::stable_sort(elsewhere.begin(), elsewhere.end(), more);
    elsewhere.resize(std::min(elsewhere.size(), kBindSteps));
    record.nextSteps.insert(record.nextSteps.end(), elsewhere.begin(), elsewhere.end());
    std::stable_sort(record.nextSteps.begin(), record.nextSteps.end(), more);
}

namespace {

// "1 quarantined (back in 42-50 s)", "8 quarantined (next may return in 12 s)", "1 draining by token ops (disk swap)".
std::string detailedPart(const std::vector<const ExplainedNode*>& rows, Reason reason, Endpoint endpoint)
{
    std::string text = std::to_string(rows.size()) + " " + reasonWord(reason, endpoint);
    const ExplainedNode& first = *rows.front();
    if (reason == Reason::Quarantined) {
        double soonest = *first.remainingSeconds;
        for (const ExplainedNode* row : rows) {
            soonest = std::min(soonest, *row->remainingSeconds);
        }
        text += rows.size() == 1 ? " (" + first.detail.substr(0, first.detail.find(',')) + ")" : " (next may return in " + seconds(soonest) + " s)";
    } else if (reason == Reason::Draining && rows.size() == 1 && first.detail != "draining") {
        text += " " + first.detail;
    } else if (reason == Reason::NoCapacity) {
        std::int64_t pending = 0;
        for (const ExplainedNode* row : rows) {
            pending += row->pending;
        }
        text += pending > 0 ? " (" + counted(static_cast<std::size_t>(pending), "slot") + " pending)" : "";
    } else if (reason == Reason::Unhealthy && rows.size() == 1 && !first.cause.empty()) {
        text += " (" + first.cause + ")";
    }
    return text;
}

std::string stageSentence(const Explanation& record, const ExplainedStage& stage)
{
    if (stage.considered == 0) {
        return stage.pool + " has 0 nodes";
    }
    std::string parts;
    for (const Reason reason : kSentenceOrder) {
        std::vector<const ExplainedNode*> rows;
        for (const ExplainedNode& node : record.nodes) {
            if (node.pool == stage.pool && node.reason == reason) {
                rows.push_back(&node);
            }
        }
        if (!rows.empty()) {
            parts += (parts.empty() ? "" : ", ") + detailedPart(rows, reason, record.endpoint);
        }
    }
    return sentence("%1: %2 of %3 usable%4", {stage.pool, std::to_string(stage.candidates), std::to_string(stage.considered), parts.empty() ? "" : ": " + parts});
}

void addSentences(Explanation& record, bool triedDefaultOnly)
{
    std::string text;
    if (record.code == Code::Ok) {
        const ExplainedNode* top = nullptr;
        for (const ExplainedNode& node : record.ranking) {
            top = node.id == record.chosen ? &node : top;
        }
        text = sentence("%1 in %2 is chosen: free %3 of %4%5.", {record.chosen, record.chosenPool, std::to_string(top == nullptr ? 0 : top->free),
                                                                    std::to_string(top == nullptr ? 0 : top->capacity), record.fallback ? ", by fallback from " + record.pool : ""});
        record.sentence = text;
        record.ownSentence = text;
        return;
    }
    for (const ExplainedStage& stage : record.stages) {
        text += (text.empty() ? "" : " Fallback: ") + stageSentence(record, stage) + ".";
    }
    if (record.stages.size() == 1 && !triedDefaultOnly) {
        text += " Fallback to default is off.";
    }
    record.ownSentence = text;
    if (!record.elsewhere.empty()) {
        std::string names;
        std::size_t total = 0;
        for (const auto& [pool, count] : record.elsewhere) {
            names += (names.empty() ? "" : ", ") + (record.elsewhere.size() == 1 ? pool : std::to_string(count) + " in " + pool);
            total += count;
        }
        text += record.elsewhere.size() == 1 ? sentence(" %1 healthy %2 %3 in %4.", {std::to_string(total), roleWord(record.role, total), areOrIs(total), names})
                                             : sentence(" %1 healthy %2 are elsewhere: %3.", {std::to_string(total), roleWord(record.role, total), names});
    }
    record.sentence = text;
}

} // namespace

Explanation Fleet::explain(const Request& request, Instant now, WallTime at) const
{
    const Resolved resolved = resolveText(request.app);
    const Decision decision = choose(request, resolved, now);
    Explanation record;
    record.revision = m_revision;
    record.at = at;
    record.role = request.role;
    record.app = std::string(request.app);
    record.need = request.need;
    record.endpoint = request.endpoint;
    record.code = decision.code;
    if (decision.code == Code::RoleNotScheduled || decision.code == Code::UnknownApp) {
        record.sentence = refusalSentence(decision);
        record.ownSentence = record.sentence;
        return record;
    }
    record.pool = m_pools[resolved.pool.value()].spec.id.text();
    record.fallbackAllowed = resolved.allowFallback;
    record.fallbackWhy = resolved.allowFallback ? "the binding allows it" : "no binding allows it";
    if (resolved.app.isValid()) {
        const App& app = m_apps[resolved.app.value()];
        record.because = app.because;
        if (app.owner.isValid()) {
            const User& owner = m_users[app.owner.value()];
            record.owner = owner.id.text();
            if (app.because == Because::Owner) {
                record.fallbackWhy = app.allowFallback ? "user " + record.owner + " owns no node" : "user " + record.owner + " owns " + counted(owner.scheduledNodes, "node");
            }
        }
    }
    if (resolved.pool == defaultPool()) {
        record.fallbackWhy = "the pool is default already";
    }
    explainPool(record, resolved.pool, request, now);
    if (decision.fallbackTried) {
        explainPool(record, defaultPool(), request, now);
    }
    record.fallback = decision.fallback;
    if (decision.node.isValid()) {
        record.chosen = m_nodes[decision.node.value()].spec.id.text();
        record.chosenPool = m_pools[decision.pool.value()].spec.id.text();
    } else {
        addElsewhere(record, request, resolved);
        addNextSteps(record, request, resolved);
    }
    addSentences(record, resolved.pool == defaultPool());
    return record;
}

} // namespace weir::fleet
