// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/client/RowConversion.h"

#include <algorithm>
#include <boost/json.hpp>

namespace weir::ui {
namespace {

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QStringList texts(const std::vector<std::string>& values)
{
    QStringList list;
    for (const std::string& value : values) {
        list.append(text(value));
    }
    return list;
}

Role roleOf(weir::Role role)
{
    return static_cast<Role>(static_cast<int>(role)); // both follow the order of the specification
}
static_assert(static_cast<int>(Role::Standalone) == static_cast<int>(weir::Role::Standalone));

LastProbe toLastProbe(const plane::ProbeRecord& record)
{
    LastProbe probe;
    probe.atMs = toMs(record.at);
    probe.durationMs = record.durationMs;
    probe.status = record.status;
    probe.success = record.success;
    probe.reason = text(record.reason);
    return probe;
}

Schedulable schedulableOf(const plane::NodeFacts& facts, bool admitsUnknownApps)
{
    if (!weir::isScheduled(facts.spec.role)) {
        return Schedulable::NoEffect;
    }
    if (facts.pool == kUnassignedPool) {
        return Schedulable::OutOfScheduling;
    }
    if (facts.reason != fleet::Reason::None) {
        return Schedulable::Blocked;
    }
    if (facts.poolApps > 0) {
        return Schedulable::ForApps;
    }
    return admitsUnknownApps && facts.pool == kDefaultPool ? Schedulable::ForUnknownApps : Schedulable::NoAppResolves;
}

// Worst first: a role that apps use and that nobody serves, then one that hangs by a single node.
void judge(const plane::PoolFacts& facts, bool admitsUnknownApps, PoolRow& row)
{
    if (facts.kind == fleet::PoolKind::Unassigned) {
        row.verdict = PoolVerdict::OutOfScheduling;
        return;
    }
    // Apps that nobody declared resolve to `default`; a pool without nodes is no trouble before one of them has asked.
    const bool forUnknown = admitsUnknownApps && facts.kind == fleet::PoolKind::Default && (facts.nodes > 0 || facts.exhausted1h > 0);
    if (facts.apps == 0 && !forUnknown) {
        row.verdict = PoolVerdict::Unused;
        return;
    }
    const bool anyUsed = std::find(facts.rolesUsed.begin(), facts.rolesUsed.end(), true) != facts.rolesUsed.end();
    bool served = false;
    std::uint32_t least = 0;
    for (const weir::Role role : kScheduledRoles) {
        const plane::RoleFacts& group = facts.roles[weir::indexOf(role)];
        const bool used = anyUsed ? facts.rolesUsed[weir::indexOf(role)] : group.nodes > 0;
        if (!used) {
            continue;
        }
        if (group.candidates == 0) {
            row.verdict = PoolVerdict::Exhausted;
            row.verdictRole = text(toText(role));
            return;
        }
        if (!served || group.candidates < least) {
            least = group.candidates;
            row.verdictRole = text(toText(role));
        }
        served = true;
    }
    const std::uint32_t wanted = static_cast<std::uint32_t>(std::max(1, facts.spec.minAvailable - 1));
    if (!served) {
        row.verdict = PoolVerdict::Exhausted;
    } else if (least <= wanted) {
        row.verdict = PoolVerdict::AtRisk;
        row.atRiskAvailable = static_cast<int>(least);
    } else {
        row.verdict = PoolVerdict::Ok;
    }
}

ExplainedNode toNode(const fleet::ExplainedNode& node)
{
    ExplainedNode row;
    row.id = text(node.id);
    row.pool = text(node.pool);
    row.reason = text(fleet::toText(node.reason));
    for (const fleet::Reason reason : node.also) {
        row.also.append(text(fleet::toText(reason)));
    }
    row.detail = text(node.detail);
    row.free = node.free;
    row.pending = node.pending;
    row.capacity = node.capacity;
    return row;
}

int countIn(const std::string& detail)
{
    boost::system::error_code error;
    const boost::json::value value = boost::json::parse(detail.empty() ? "{}" : detail, error);
    const boost::json::value* count = !error && value.is_object() ? value.get_object().if_contains("count") : nullptr;
    return count != nullptr && count->is_int64() ? static_cast<int>(count->get_int64()) : 1;
}

void addTraffic(NodeRow& row, const outcome::TrafficCounts& counts, const ConversionContext& context)
{
    row.trafficOk = static_cast<int>(counts.ok);
    row.trafficTransport = static_cast<int>(counts.transport);
    row.trafficStatus = static_cast<int>(counts.status);
    // What was counted by a rule that is gone is still shown.
    row.trafficSemantic = context.semanticMeasured || counts.semantic > 0 ? static_cast<int>(counts.semantic) : -1;
    if (counts.total() == 0) {
        row.traffic = context.trafficSeen ? Traffic::Idle : Traffic::NotMeasured;
    } else if (std::uint64_t{counts.failed()} * 2 > counts.total()) {
        row.traffic = Traffic::Failing;
    } else {
        // One failure among hundreds is no verdict.
        row.traffic = std::uint64_t{counts.failed()} * 100 >= counts.total() ? Traffic::Degraded : Traffic::Ok;
    }
}

} // namespace

qint64 toMs(WallTime at)
{
    return at.time_since_epoch().count();
}

qint64 toMonoMs(Instant at)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
}

NodeRow toRow(const plane::NodeFacts& facts, const ConversionContext& context)
{
    const fleet::NodeSpec& spec = facts.spec;
    NodeRow row;
    row.id = text(spec.id.text());
    row.role = roleOf(spec.role);
    row.pool = text(facts.pool);
    row.owner = text(facts.owner);
    row.region = text(spec.region);
    row.version = text(spec.version);
    row.url = text(spec.url);
    row.healthUrl = text(spec.healthUrl.empty() ? spec.url : spec.healthUrl);
    row.isStatic = spec.isStatic;
    row.connected = facts.connected;
    row.checked = facts.checked;
    row.inRotation = facts.inRotation;
    row.cause = text(health::toText(facts.cause));
    row.causeDetail = text(facts.cause == health::Cause::Passive ? facts.passiveOutcome : facts.probeReason);
    row.healthReason = text(plane::healthReason(facts));
    if (facts.quarantinedUntil) {
        row.quarantinedUntilMonoMs = toMonoMs(*facts.quarantinedUntil);
        row.quarantinedUntilMs = context.nowMs + row.quarantinedUntilMonoMs - context.nowMonoMs;
        row.quarantineLengthMs = std::chrono::duration_cast<std::chrono::milliseconds>(facts.quarantineLength).count();
    }
    row.draining = spec.draining;
    row.drainReason = text(spec.drainReason);
    row.drainedBy = text(spec.drainedBy);
    row.consecutiveFailures = facts.consecutiveFailures;
    row.consecutiveSuccesses = facts.consecutiveSuccesses;
    row.unhealthyThreshold = context.health.unhealthyThreshold;
    row.healthyThreshold = context.health.healthyThreshold;
    row.capacity = facts.capacity;
    row.used = facts.used;
    row.reserved = facts.reserved;
    row.inFlight = facts.inFlight;
    row.free = facts.free;
    if (facts.lastProbe) {
        row.lastProbe = toLastProbe(*facts.lastProbe);
    }
    row.nextProbeMonoMs = facts.nextProbe ? toMonoMs(*facts.nextProbe) : 0;
    row.flaps1h = facts.flaps1h;
    row.ejections1h = facts.ejections1h;
    row.lastEjectionMs = facts.lastEjection == WallTime{} ? 0 : toMs(facts.lastEjection);
    addTraffic(row, facts.traffic, context);
    if (!weir::isScheduled(spec.role)) {
        row.traffic = Traffic::NoEffect;
    }
    row.schedulable = schedulableOf(facts, context.admitsUnknownApps);
    row.appCount = static_cast<int>(facts.poolApps);
    row.blockedBy = text(fleet::toText(facts.reason));
    row.inPoolSinceMs = spec.poolSince == WallTime{} ? 0 : toMs(spec.poolSince);
    row.movedBy = text(spec.movedBy);
    row.revision = facts.revision;
    return row;
}

PoolRow toRow(const plane::PoolFacts& facts, bool admitsUnknownApps)
{
    PoolRow row;
    row.id = text(facts.spec.id.text());
    row.name = facts.spec.name.empty() ? row.id : text(facts.spec.name);
    row.owner = text(facts.owner);
    row.canary = facts.spec.canary;
    for (std::size_t i = 0; i < weir::kRoleCount; ++i) {
        const plane::RoleFacts& from = facts.roles[i];
        RoleCounts& to = row.roles[i];
        const auto reason = [&](fleet::Reason which) { return static_cast<int>(from.reasons[fleet::indexOf(which)]); };
        to.nodes = static_cast<int>(from.nodes);
        to.healthy = static_cast<int>(from.healthy);
        to.available = static_cast<int>(from.candidates);
        to.quarantined = reason(fleet::Reason::Quarantined);
        to.draining = reason(fleet::Reason::Draining);
        to.unhealthy = reason(fleet::Reason::Unhealthy);
        to.unchecked = reason(fleet::Reason::Unchecked);
        to.disconnected = reason(fleet::Reason::Disconnected);
        to.full = reason(fleet::Reason::NoCapacity);
        to.capacity = from.capacity;
        to.free = from.free;
    }
    row.nodes = static_cast<int>(facts.nodes);
    row.apps = static_cast<int>(facts.apps);
    row.appsAllowFallback = static_cast<int>(facts.appsAllowFallback);
    row.appsFailClosed = row.apps - row.appsAllowFallback;
    row.appNames = texts(facts.appNames);
    row.exhausted1h = facts.exhausted1h;
    row.minAvailable = facts.spec.minAvailable;
    row.lastChangeMs = facts.lastChangeAt == WallTime{} ? 0 : toMs(facts.lastChangeAt);
    row.lastChange = text(facts.lastChange);
    row.revision = facts.revision;
    judge(facts, admitsUnknownApps, row);
    return row;
}

AppRow toRow(const plane::AppFacts& facts)
{
    AppRow row;
    row.id = text(facts.id);
    row.owner = text(facts.owner);
    row.resolution = facts.because == fleet::Because::Binding ? Resolution::Binding : facts.because == fleet::Because::Owner ? Resolution::Owner : Resolution::Default;
    row.pool = text(facts.pool);
    row.fallbackAllowed = facts.allowFallback;
    row.verdict = facts.verdict == fleet::Verdict::Ok ? AppVerdict::Ok : facts.verdict == fleet::Verdict::FallsBack ? AppVerdict::FallsBack : AppVerdict::FailsClosed;
    row.why = text(facts.why);
    row.revision = facts.revision;
    return row;
}

EventRow toRow(const journal::Event& event)
{
    EventRow row;
    row.seq = event.seq;
    row.atMs = toMs(event.at);
    row.kind = text(journal::toText(event.kind));
    row.severity = static_cast<Severity>(static_cast<int>(event.severity));
    row.nodeId = text(event.nodeId);
    row.poolId = text(event.poolId);
    row.appId = text(event.appId);
    row.role = text(event.role);
    row.actor = text(event.actor);
    row.sentence = text(event.sentence);
    row.count = countIn(event.detail);
    return row;
}

ProbeEntry toRow(const plane::ProbeRecord& record)
{
    ProbeEntry row;
    row.atMs = toMs(record.at);
    row.durationMs = record.durationMs;
    row.status = record.status;
    row.success = record.success;
    row.held = record.held;
    row.reason = text(record.reason);
    row.bodyStatus = text(record.bodyStatus);
    row.bodyReason = text(record.bodyReason);
    row.diskFreeGb = record.diskFreeGb;
    for (const auto& [name, fine] : record.deps) {
        row.deps.append({text(name), fine});
    }
    row.text = text(record.text).left(200);
    return row;
}

SeriesPoint toRow(const journal::SeriesPoint& point)
{
    return {toMs(point.at), point.healthy, point.total, point.known};
}

ExplanationView toView(const fleet::Explanation& record)
{
    ExplanationView view;
    view.app = text(record.app);
    view.role = text(toText(record.role));
    view.need = static_cast<int>(record.need);
    view.endpoint = text(toText(record.endpoint));
    view.pool = text(record.pool);
    view.because = text(fleet::toText(record.because));
    view.owner = text(record.owner);
    view.fallbackAllowed = record.fallbackAllowed;
    view.fallbackWhy = text(record.fallbackWhy);
    for (const fleet::ExplainedStage& stage : record.stages) {
        ExplainedStage row{text(stage.pool), static_cast<int>(stage.considered), static_cast<int>(stage.candidates), {}};
        for (const auto& [reason, count] : stage.excluded) {
            row.excluded.append({text(fleet::toText(reason)), static_cast<int>(count)});
        }
        view.stages.append(row);
    }
    for (const fleet::ExplainedNode& node : record.nodes) {
        view.nodes.append(toNode(node));
    }
    for (const fleet::ExplainedNode& node : record.ranking) {
        view.ranking.append(toNode(node));
    }
    view.chosen = text(record.chosen);
    view.code = text(fleet::toText(record.code));
    view.fallback = record.fallback;
    for (const auto& [pool, count] : record.elsewhere) {
        view.elsewhere.append({text(pool), static_cast<int>(count)});
    }
    for (const fleet::NextStep& step : record.nextSteps) {
        view.nextSteps.append({text(step.text), static_cast<int>(step.gained)});
    }
    view.sentence = text(record.sentence);
    view.atMs = toMs(record.at);
    return view;
}

StandingView toView(const fleet::Standing& standing)
{
    const AppVerdict verdict = standing.verdict == fleet::Verdict::Ok ? AppVerdict::Ok
        : standing.verdict == fleet::Verdict::FallsBack              ? AppVerdict::FallsBack
                                                                     : AppVerdict::FailsClosed;
    return {static_cast<int>(standing.candidates), standing.free, verdict, static_cast<int>(standing.fallbackCandidates)};
}

MoveImpact toImpact(const fleet::Impact& impact)
{
    MoveImpact view;
    view.token = impact.token;
    view.tier = static_cast<int>(impact.tier);
    for (const fleet::AppImpact& app : impact.apps) {
        view.apps.append({text(app.app), roleOf(app.role), text(app.pool), toView(app.before), toView(app.after), app.hasTraffic});
    }
    view.moreApps = static_cast<int>(impact.moreApps);
    for (const fleet::PoolImpact& pool : impact.pools) {
        view.pools.append({text(pool.pool), roleOf(pool.role), static_cast<int>(pool.candidatesBefore), static_cast<int>(pool.candidatesAfter), pool.freeBefore, pool.freeAfter});
    }
    view.failClosed = texts(impact.failClosed);
    view.failClosedCount = static_cast<int>(impact.failClosedCount);
    view.withoutEffect = texts(impact.withoutEffect);
    view.stranded = texts(impact.stranded);
    view.strandedCount = static_cast<int>(impact.strandedCount);
    view.movedNodes = static_cast<int>(impact.movedNodes);
    view.streams = static_cast<int>(impact.streams);
    return view;
}

ChangeBatch toBatch(const plane::ChangeBatch& from, const ConversionContext& context)
{
    ChangeBatch batch;
    batch.revision = from.revision;
    batch.atMs = toMs(from.at);
    for (const plane::NodeFacts& node : from.nodes) {
        batch.nodes.append(toRow(node, context));
    }
    for (const plane::PoolFacts& pool : from.pools) {
        batch.pools.append(toRow(pool, context.admitsUnknownApps));
    }
    for (const plane::AppFacts& app : from.apps) {
        batch.apps.append(toRow(app));
    }
    for (const journal::Event& event : from.events) {
        batch.events.append(toRow(event));
    }
    batch.removedNodes = texts(from.removedNodes);
    batch.removedPools = texts(from.removedPools);
    batch.removedApps = texts(from.removedApps);
    const plane::Summary& summary = from.summary;
    batch.summary.apps = static_cast<int>(summary.apps);
    batch.summary.appsStarved = static_cast<int>(summary.appsStarved);
    batch.summary.workersTotal = static_cast<int>(summary.workersTotal);
    batch.summary.workersHealthy = static_cast<int>(summary.workersHealthy);
    batch.summary.strandedNodes = static_cast<int>(summary.strandedNodes);
    batch.summary.strandedSentence = text(summary.strandedSentence);
    batch.summary.ejections1h = summary.ejections1h;
    batch.summary.flaps1h = summary.flaps1h;
    batch.summary.exhausted1h = summary.exhausted1h;
    batch.summary.decisions1h = summary.decisions1h;
    batch.summary.fallbacks1h = summary.fallbacks1h;
    batch.summary.configVersion = summary.configVersion;
    batch.summary.storeBehind = summary.storeBehind;
    batch.summary.admitsUnknownApps = context.admitsUnknownApps;
    for (std::size_t i = 0; i < summary.starved.size(); ++i) {
        const fleet::StarvedApp& app = summary.starved[i];
        batch.summary.starved.append({text(app.app), text(app.pool), text(app.why), toMs(summary.starvedSince[i])});
    }
    return batch;
}

} // namespace weir::ui
