// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sim/FirstOutage.h"

#include <algorithm>
#include <string>

namespace weir::fleet {
namespace {

constexpr auto kStep = std::chrono::milliseconds(500);
constexpr auto kProbeTakes = std::chrono::milliseconds(20);
constexpr auto kRequestTakes = std::chrono::seconds(5);
constexpr std::string_view kDiskFull = "{\"code\": 50007, \"message\": \"no space left on device\"}";
constexpr std::string_view kFine = "{\"code\": 0}";

outcome::OutcomeBook bookOf(const Defences& defences)
{
    outcome::OutcomeSettings settings;
    if (defences.rule) {
        settings.rules.push_back({"disk-full", "res_code_in(\"200|400\") && res_json_in(\"code\", \"50007|50013\")", 3});
    }
    return outcome::OutcomeBook::compile(std::move(settings)).value();
}

health::HealthSettings settingsOf(const Defences& defences)
{
    health::HealthSettings settings;
    settings.cooldownSeconds = defences.cooldownSeconds;
    settings.cooldownMultiplier = defences.cooldownMultiplier;
    return settings;
}

} // namespace

FirstOutage::FirstOutage(Defences defences, std::uint64_t seed)
    : m_random(seed)
    , m_defences(std::move(defences))
    , m_health(settingsOf(m_defences))
    , m_fleet(*this, m_health, FleetSettings{})
    , m_book(bookOf(m_defences))
{
    for (int i = 1; i <= 3; ++i) {
        NodeSpec spec;
        spec.id = NodeId::trusted("gpu-" + std::to_string(i));
        spec.pool = m_fleet.defaultPool();
        spec.url = "http://127.0.0.1:900" + std::to_string(i);
        spec.capacity = 8;
        m_machines.push_back({m_fleet.addNode(std::move(spec), m_now).value(), kStep * static_cast<int>(m_random() % 16)});
    }
}

void FirstOutage::run()
{
    const Duration interval = fromSeconds(m_health.intervalSeconds);
    for (; m_now < Instant(kEnd); m_now += kStep) {
        m_fleet.advance(m_now);
        for (const Machine& machine : m_machines) {
            if ((m_now.time_since_epoch() - machine.phase) % interval == Duration::zero()) {
                probe(machine);
            }
        }
        while (!m_underWay.empty() && m_underWay.front().ends <= m_now) {
            m_fleet.release(m_underWay.front().placement, m_now);
            m_underWay.pop_front();
        }
        if (m_now >= Instant(interval) && m_now.time_since_epoch() % std::chrono::seconds(1) == Duration::zero()) { // once all are probed
            request();
        }
    }
}

void FirstOutage::probe(const Machine& machine)
{
    const bool full = machine.handle == broken() && diskFull();
    ProbeVerdict verdict;
    verdict.node = machine.handle;
    verdict.generation = m_fleet.node(machine.handle).generation;
    verdict.started = m_now - kProbeTakes;
    verdict.success = !full || !m_defences.deepHealth;
    verdict.reason = verdict.success ? "" : "status:503";
    verdict.bodyReason = verdict.success ? "" : "degraded: disk_free_below_5.0g";
    m_fleet.probeEnded(verdict, m_now);
}

void FirstOutage::request()
{
    Request request;
    request.app = "demo";
    const Decision decision = m_fleet.decide(request, m_now);
    ++m_story.requests;
    if (decision.code != Code::Ok) {
        ++m_story.refused;
        return;
    }
    m_underWay.push_back({m_now + kRequestTakes, decision.placement});
    if (decision.node == broken() && diskFull()) {
        spoil();
        return;
    }
    m_fleet.cleanOutcome(decision.node);
    if (decision.node == broken()) {
        static_cast<void>(answered(kFine, {}));
    }
}

outcome::NodeOutcomes::Step FirstOutage::answered(std::string_view body, std::string_view error)
{
    routing::ResponseView response;
    response.status = 200;
    response.body = body;
    const outcome::Judged judged = m_book.judge({nullptr, error.empty() ? &response : nullptr}, error);
    m_story.unseen += error.empty() && body == kDiskFull && judged.bucket == outcome::Bucket::None ? 1 : 0;
    return m_outcomes.add(judged, m_book, m_now);
}

void FirstOutage::spoil()
{
    ++m_story.failures;
    m_story.failuresBeforeFirstOut += m_story.firstOut ? 0 : 1;
    m_story.longestRun = std::max(m_story.longestRun, ++m_run);
    const bool isReset = m_random() % 10 == 0;
    m_story.wrapped += isReset ? 0 : 1;
    const outcome::NodeOutcomes::Step step = isReset ? answered({}, "reset") : answered(kDiskFull, {});
    if (step.isPassiveFailure) {
        m_fleet.passiveFailure(broken(), step.rule ? "rule:disk-full" : "reset", m_now);
    } else if (!m_defences.rule) {
        m_fleet.cleanOutcome(broken()); // that is what it looks like
    }
}

void FirstOutage::changed(const FleetChange& change) noexcept
{
    if (change.kind != ChangeKind::NodeOffline && change.kind != ChangeKind::NodeOnline) {
        return;
    }
    if (m_machines.empty() || change.node != broken()) {
        m_story.healthyEjected += change.kind == ChangeKind::NodeOffline ? 1 : 0;
        return;
    }
    const Instant full = Instant(kBreaks);
    if (change.kind == ChangeKind::NodeOffline) {
        m_outByOutcome = change.cause == health::Cause::Passive;
        m_run = 0;
        ++(m_outByOutcome ? m_story.ejectionsByOutcome : m_story.ejectionsByProbe);
        m_story.firstOut = m_story.firstOut.value_or(change.at - full);
        m_story.inRotation += change.at - std::max(m_lastIn, full);
        m_lastOut = change.at;
        return;
    }
    m_lastIn = change.at;
    if (diskFull()) {
        ++m_story.revivals;
        m_story.shortestAbsence = std::min(m_story.shortestAbsence, change.at - m_lastOut);
        m_story.longestAbsence = std::max(m_story.longestAbsence, change.at - m_lastOut);
    } else if (m_story.firstOut && !m_story.backAfter) {
        m_story.backAfter = change.at - Instant(kBreaks + kLasts);
    }
}

} // namespace weir::fleet
