// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoLife.h"

#include "core/demo/Arrangement.h"
#include "core/demo/DemoCast.h"

#include <cmath>

namespace weir::demo {
namespace {

constexpr std::uint64_t kStepsPerSecond = 4;
constexpr double kLoadPeriodSteps = 240; ///< load goes up and down once a minute
constexpr std::size_t kMostHeld = 20'000;

std::size_t indexOf(std::string_view node)
{
    const auto nodes = freePlayCast().nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].id == node) {
            return i;
        }
    }
    return 0;
}

} // namespace

DemoLife::DemoLife(plane::ControlPlane& plane, DemoWorkers& workers, std::uint32_t seed)
    : m_plane(plane)
    , m_workers(workers)
    , m_seed(seed)
    , m_random(seed)
{
}

void DemoLife::restart()
{
    for (std::size_t worker = 0; worker < freePlayCast().nodes.size(); ++worker) {
        m_workers.setMode(worker, WorkerMode::Healthy);
    }
    arrange(m_plane, freePlayCast());
    m_healing.clear();
    m_undrain.clear();
    m_random.seed(m_seed);
    m_step = 0;
    for (Held& held : m_held) {
        held.untilStep = 0;
    }
}

int DemoLife::within(int low, int high)
{
    return std::uniform_int_distribution<int>(low, high)(m_random);
}

void DemoLife::step()
{
    if (!m_plane.isReady()) {
        return; // callers come once the fleet is there
    }
    ++m_step;
    opening();
    callers();
    if (m_step > 40 * kStepsPerSecond && m_step % (15 * kStepsPerSecond) == 0) {
        mishap();
    }
    std::erase_if(m_healing, [this](const auto& entry) {
        if (entry.first <= m_step) {
            m_workers.setMode(entry.second, WorkerMode::Healthy);
        }
        return entry.first <= m_step;
    });
    std::erase_if(m_undrain, [this](const auto& entry) {
        if (entry.first <= m_step) {
            drain(entry.second, false, "");
        }
        return entry.first <= m_step;
    });
}

// The first seconds are always the same, so that somebody who looks sees each state soon.
void DemoLife::opening()
{
    if (m_step == 1) {
        m_workers.setMode(indexOf("gpu-03"), WorkerMode::DiskFull);
        healAfter(indexOf("gpu-03"), 90 * kStepsPerSecond);
        drain("origin-32", true, "disk swap");
        m_undrain.emplace_back(120 * kStepsPerSecond, "origin-32");
    }
    if (m_step == 8) {
        eject("edge-34");
    }
    if (m_step == 14) {
        m_workers.setMode(indexOf("edge-12"), WorkerMode::Silent);
        healAfter(indexOf("edge-12"), 3 * kStepsPerSecond);
    }
}

void DemoLife::callers()
{
    const double load = 1.0 + 0.8 * std::sin(static_cast<double>(m_step) * 2 * 3.14159265 / kLoadPeriodSteps);
    const int calls = static_cast<int>(std::lround(6 * load));
    for (int i = 0; i < calls && m_held.size() < kMostHeld; ++i) {
        const DemoApp& app = freePlayCast().apps[static_cast<std::size_t>(within(0, static_cast<int>(freePlayCast().apps.size()) - 1))];
        const bool both = app.roles == "origin edge";
        if (app.roles == "worker" && within(0, 11) != 0) {
            continue; // few slots: a GPU worker takes four at once
        }
        const std::string_view role = both ? (within(0, 3) == 0 ? "origin" : "edge") : app.roles;
        fleet::Request request;
        request.role = roleFromText(role).value_or(Role::Edge);
        request.app = app.id;
        request.need = request.role == Role::Edge ? static_cast<std::uint32_t>(within(1, 8)) : request.role == Role::Origin ? static_cast<std::uint32_t>(within(1, 2)) : 1U;
        const fleet::Decision decision = m_plane.fleet().decide(request);
        if (decision.code == fleet::Code::Ok) {
            m_held.push_back({decision.placement, m_step + static_cast<std::uint64_t>(within(2, 20)) * kStepsPerSecond});
        }
    }
    // Held in the order of asking; a few seconds more or less do not matter to anybody here.
    while (!m_held.empty() && m_held.front().untilStep <= m_step) {
        m_plane.fleet().with([&](fleet::Fleet& fleet, Instant now) { static_cast<void>(fleet.release(m_held.front().placement, now)); });
        m_held.pop_front();
    }
}

void DemoLife::mishap()
{
    const auto nodes = freePlayCast().nodes;
    const auto victim = static_cast<std::size_t>(within(0, static_cast<int>(nodes.size()) - 1));
    switch (within(0, 3)) {
    case 0:
        eject(nodes[victim].id);
        break;
    case 1:
        m_workers.setMode(victim, within(0, 1) == 0 ? WorkerMode::DiskFull : WorkerMode::Dependency);
        healAfter(victim, static_cast<std::uint64_t>(within(10, 40)) * kStepsPerSecond);
        break;
    case 2:
        m_workers.setMode(victim, WorkerMode::Silent);
        healAfter(victim, static_cast<std::uint64_t>(within(2, 20)) * kStepsPerSecond);
        break;
    default:
        drain(std::string(nodes[victim].id), true, "maintenance");
        m_undrain.emplace_back(m_step + static_cast<std::uint64_t>(within(20, 60)) * kStepsPerSecond, std::string(nodes[victim].id));
        break;
    }
}

void DemoLife::eject(std::string_view node)
{
    // A node that is out already ignores it, and a node that a person removed is not there: both are fine.
    static_cast<void>(m_plane.reportOutcome(std::string(node), outcome::Outcome{500, std::nullopt}));
}

void DemoLife::drain(const std::string& node, bool draining, const char* reason)
{
    m_plane.nodes().setDraining(node, draining, reason, plane::Actor{"token:ops", {}, {}, "demo"}, [](const Result<void>&) {});
}

void DemoLife::healAfter(std::size_t worker, std::uint64_t steps)
{
    m_healing.emplace_back(m_step + steps, worker);
}

} // namespace weir::demo
