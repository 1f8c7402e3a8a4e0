// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/ProbeSchedule.h"

#include <algorithm>
#include <cmath>

namespace weir::probe {
namespace {

constexpr Duration kShortest = std::chrono::milliseconds(1);
constexpr std::size_t kLeastInFlight = 64;
constexpr int kStallIntervals = 3;

/// SplitMix64: neighbouring handles land far apart.
std::uint64_t mixed(std::uint64_t value)
{
    value += 0x9E37'79B9'7F4A'7C15U;
    value = (value ^ (value >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D0'49BB'1331'11EBU;
    return value ^ (value >> 31U);
}

} // namespace

ProbeSchedule::ProbeSchedule(std::size_t maxInFlight, std::size_t openFileCap)
    : m_fixedLimit(maxInFlight)
    , m_openFileCap(openFileCap)
{
}

std::size_t ProbeSchedule::inFlightLimit() const
{
    if (m_fixedLimit != 0) {
        return m_fixedLimit;
    }
    const double nodes = static_cast<double>(m_nodes.size());
    const double mean = nodes * std::min(1.0, toSeconds(m_timings.timeout) / toSeconds(m_timings.interval));
    const double wanted = std::min(nodes, std::ceil(mean + 4 * std::sqrt(mean)));
    return std::min(std::max(kLeastInFlight, static_cast<std::size_t>(wanted)), m_openFileCap);
}

Instant ProbeSchedule::nextOnRaster(const ProbeTarget& target, Instant after) const
{
    const std::uint64_t hash = mixed(mixed(target.node.value()) ^ target.generation);
    const auto interval = static_cast<std::uint64_t>(m_timings.interval.count());
    // The phase is a share of the interval, so that it stays spread when the interval changes.
    const double share = static_cast<double>(hash >> 11U) / 9007199254740992.0; // 2^53
    const auto phase = static_cast<Duration::rep>(share * static_cast<double>(interval));
    const Duration::rep since = after.time_since_epoch().count() - phase;
    const Duration::rep step = m_timings.interval.count();
    const Duration::rep floor = since >= 0 ? since / step : -((-since + step - 1) / step);
    return Instant(Duration((floor + 1) * step + phase));
}

void ProbeSchedule::scheduleTick(Node& node, Instant now)
{
    node.tick = nextOnRaster(node.target, now);
    node.tickToken = ++m_lastToken;
    m_ticks.add(node.tick, Entry{node.target.node, node.tickToken});
}

void ProbeSchedule::makeReady(Node& node, Instant now, bool first)
{
    node.readyToken = ++m_lastToken;
    node.readySince = now;
    const Entry entry{node.target.node, node.readyToken};
    if (first) {
        m_ready.push_front(entry);
    } else {
        m_ready.push_back(entry);
    }
}

void ProbeSchedule::drop(Node& node)
{
    if (node.ticket != 0) {
        m_dropped.push_back(node.ticket);
        node.ticket = 0;
        --m_inFlight;
    }
}

void ProbeSchedule::forget(Node& node)
{
    drop(node);
    if (!node.probed) {
        --m_unprobed;
    }
    if (node.stalled) {
        m_stallChanges.push_back({node.target.node, false});
    }
}

void ProbeSchedule::setTimings(ProbeTimings timings, Instant now)
{
    timings.interval = std::max(timings.interval, kShortest);
    timings.timeout = std::max(timings.timeout, kShortest);
    const bool newRaster = timings.interval != m_timings.interval;
    m_timings = timings;
    if (newRaster) {
        m_ticks = {};
        for (auto& [handle, node] : m_nodes) {
            scheduleTick(node, now);
        }
    }
}

void ProbeSchedule::setTarget(ProbeTarget target, Instant now)
{
    auto [at, isNew] = m_nodes.try_emplace(target.node);
    Node& node = at->second;
    if (!isNew) {
        if (node.target.generation == target.generation && node.target.url == target.url) {
            node.target.expectedStatuses = std::move(target.expectedStatuses);
            if (node.target.tls != target.tls) {
                node.target.tls = std::move(target.tls);
                probeNow(target.node, now);
            }
            return;
        }
        forget(node);
        node = Node{};
    }
    node.target = std::move(target);
    node.lastEnd = now;
    ++m_unprobed;
    makeReady(node, now, false);
    scheduleTick(node, now);
}

void ProbeSchedule::removeTarget(NodeHandle node)
{
    const auto at = m_nodes.find(node);
    if (at != m_nodes.end()) {
        forget(at->second);
        m_nodes.erase(at);
    }
}

void ProbeSchedule::probeNow(NodeHandle node, Instant now)
{
    const auto at = m_nodes.find(node);
    if (at != m_nodes.end() && at->second.ticket == 0) {
        makeReady(at->second, now, true);
    }
}

void ProbeSchedule::allDueNow(Instant now)
{
    m_ready.clear();
    m_ticks = {};
    for (auto& [handle, node] : m_nodes) {
        drop(node);
        node.lastEnd = now;
        makeReady(node, now, false);
        scheduleTick(node, now);
    }
}

void ProbeSchedule::dropAll()
{
    for (auto& [handle, node] : m_nodes) {
        drop(node);
    }
}

void ProbeSchedule::onTick(Node& node, Instant now)
{
    if (!node.stalled && now - node.lastEnd > kStallIntervals * m_timings.interval) {
        node.stalled = true;
        m_stallChanges.push_back({node.target.node, true});
        drop(node); // no transport takes this long; a lost callback must not silence the node for good
    }
    if (node.ticket == 0 && node.readyToken == 0) {
        makeReady(node, node.tick, false);
    }
    scheduleTick(node, now);
}

std::vector<ProbeSchedule::Start> ProbeSchedule::takeStarts(Instant now)
{
    while (const std::optional<Entry> due = m_ticks.takeDue(now)) {
        const auto at = m_nodes.find(due->node);
        if (at != m_nodes.end() && at->second.tickToken == due->token) {
            onTick(at->second, now);
        }
    }
    std::vector<Start> starts;
    const std::size_t limit = inFlightLimit();
    while (m_inFlight < limit && !m_ready.empty()) {
        const Entry entry = m_ready.front();
        m_ready.pop_front();
        const auto at = m_nodes.find(entry.node);
        if (at == m_nodes.end() || at->second.readyToken != entry.token) {
            continue;
        }
        Node& node = at->second;
        node.readyToken = 0;
        node.ticket = ++m_lastToken;
        ++m_inFlight;
        starts.push_back(Start{node.ticket, node.target, m_timings.timeout});
    }
    return starts;
}

std::vector<std::uint64_t> ProbeSchedule::takeDropped()
{
    return std::exchange(m_dropped, {});
}

std::vector<ProbeSchedule::StallChange> ProbeSchedule::takeStallChanges()
{
    return std::exchange(m_stallChanges, {});
}

std::optional<ProbeTarget> ProbeSchedule::finish(NodeHandle node, std::uint64_t ticket, Instant now)
{
    const auto at = m_nodes.find(node);
    if (at == m_nodes.end() || at->second.ticket != ticket) {
        return std::nullopt;
    }
    Node& ended = at->second;
    ended.ticket = 0;
    --m_inFlight;
    ended.lastEnd = now;
    if (!ended.probed) {
        ended.probed = true;
        --m_unprobed;
    }
    if (ended.stalled) {
        ended.stalled = false;
        m_stallChanges.push_back({node, false});
    }
    return ended.target;
}

std::optional<Instant> ProbeSchedule::nextProbe(NodeHandle node) const
{
    const auto at = m_nodes.find(node);
    if (at == m_nodes.end()) {
        return std::nullopt;
    }
    return at->second.readyToken != 0 ? at->second.readySince : at->second.tick;
}

} // namespace weir::probe
