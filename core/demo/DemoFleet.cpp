// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoFleet.h"

#include "core/demo/DemoCast.h"
#include "core/demo/DemoHistory.h"
#include "core/demo/DemoLife.h"
#include "core/demo/DemoWorkers.h"
#include "core/demo/ScenarioA.h"
#include "core/demo/ScenarioB.h"

#include <QDir>
#include <QFile>
#include <algorithm>
#include <boost/json.hpp>
#include <utility>

namespace weir::demo {
namespace json = boost::json;
namespace {

constexpr std::uint32_t kSeed = 7;

constexpr double kProbeInterval = 2; ///< quicker than the default, so that a quarantine is lived through while somebody looks
constexpr double kProbeTimeout = 1;

json::array nodesOf(const DemoCast& cast, const DemoWorkers& workers)
{
    json::array nodes;
    for (std::size_t i = 0; i < cast.nodes.size(); ++i) {
        const DemoNode& node = cast.nodes[i];
        json::object entry{{"node", node.id}, {"role", node.role}, {"url", workers.url(i)}, {"pool", node.pool}, {"capacity", node.capacity}};
        if (!node.owner.empty()) {
            entry["owner"] = node.owner;
        }
        nodes.emplace_back(std::move(entry));
    }
    return nodes;
}

const DemoCast& castOf(const std::string& scenario)
{
    return scenario == "a" ? greenCast() : scenario == "b" ? mismatchCast() : freePlayCast();
}

json::object configOf(const DemoCast& cast, const DemoWorkers& workers, int speed, double cooldownSeconds)
{
    json::array users;
    for (const std::string_view user : cast.users) {
        users.emplace_back(user);
    }
    json::array pools;
    for (const DemoPool& pool : cast.pools) {
        pools.emplace_back(json::object{{"pool", pool.id}, {"canary", pool.canary}});
    }
    json::array apps;
    for (const DemoApp& app : cast.apps) {
        json::object entry{{"app", app.id}};
        if (!app.owner.empty()) {
            entry["owner"] = app.owner;
        }
        apps.emplace_back(std::move(entry));
    }
    json::array bindings;
    for (const DemoBinding& binding : cast.bindings) {
        bindings.emplace_back(json::object{{"app", binding.app}, {"pool", binding.pool}, {"allow_fallback_to_default", binding.allowFallback}});
    }
    return {
        {"health_check", json::object{{"interval_seconds", kProbeInterval / speed}, {"timeout_seconds", std::min(kProbeTimeout, kProbeInterval / speed)},
                             {"cooldown_seconds", cooldownSeconds / speed}}},
        {"users", std::move(users)},
        {"pools", std::move(pools)},
        {"nodes", nodesOf(cast, workers)},
        {"apps", std::move(apps)},
        {"bindings", std::move(bindings)},
        {"shutdown_grace_seconds", 1},
        {"log", json::object{{"level", "warning"}}},
    };
}

void scaleProbes(plane::ControlPlane& plane, int speed, double cooldownSeconds)
{
    plane.putHealthSettings({{"intervalSeconds", kProbeInterval / speed}, {"timeoutSeconds", std::min(kProbeTimeout, kProbeInterval / speed)},
                                {"cooldownSeconds", cooldownSeconds / speed}},
        plane::Actor{"demo", {}, {}, "demo"}, [](const Result<health::HealthSettings>&) {});
}

} // namespace

DemoFleet::DemoFleet(Log& log, DemoOptions options)
    : m_log(log)
    , m_options(std::move(options))
    , m_cast(castOf(m_options.scenario))
    , m_directory(QDir::tempPath() + QStringLiteral("/weir-demo-XXXXXX"))
{
    m_status.scenario = m_options.scenario;
    m_status.speed = m_options.speed;
}

DemoFleet::~DemoFleet()
{
    stop();
}

Result<std::unique_ptr<DemoFleet>> DemoFleet::create(Log& log, DemoOptions options)
{
    if (!isScenario(options.scenario)) {
        return fail("demo_failed", "There is no scenario '" + options.scenario + "'; there are: " + scenarioNames() + ".");
    }
    std::unique_ptr<DemoFleet> demo(new DemoFleet(log, std::move(options)));
    if (auto prepared = demo->prepare(); !prepared) {
        return tl::unexpected(prepared.error());
    }
    return demo;
}

Result<void> DemoFleet::prepare()
{
    if (!m_directory.isValid()) {
        return fail("demo_failed", "No temporary directory can be made: " + m_directory.errorString().toStdString());
    }
    auto workers = DemoWorkers::start(m_cast.nodes.size(), m_log);
    if (!workers) {
        return fail("demo_failed", workers.error().message);
    }
    m_workers = std::move(*workers);
    QFile file(m_directory.filePath(QStringLiteral("demo.json")));
    const std::string text = json::serialize(configOf(m_cast, *m_workers, m_options.speed, m_options.scenario == "a" ? 0 : Scenario::kCooldownSeconds));
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size())) {
        return fail("demo_failed", "The demo's configuration cannot be written: " + file.errorString().toStdString());
    }
    file.close();
    return writeHistory(runtimeOptions().dataDir, m_cast, SystemClock().wall());
}

runtime::RuntimeOptions DemoFleet::runtimeOptions() const
{
    runtime::RuntimeOptions options;
    options.dataDir = m_directory.filePath(QStringLiteral("data")).toStdString();
    options.configFile = m_directory.filePath(QStringLiteral("demo.json")).toStdString();
    options.listenByDefault = false;
    if (m_options.scenario == "a") {
        options.gatewayListen = config::ListenAddress{"127.0.0.1", 0}; // its callers come through the gateway
    }
    return options;
}

void DemoFleet::start(plane::ControlPlane& plane, std::string gatewayUrl)
{
    m_thread = std::thread([this, &plane, gatewayUrl = std::move(gatewayUrl)] { run(plane, gatewayUrl); });
}

std::unique_ptr<Scenario> DemoFleet::makeScenario(plane::ControlPlane& plane, const std::string& gatewayUrl)
{
    if (m_options.scenario == "a") {
        return std::make_unique<ScenarioA>(plane, *m_workers, gatewayUrl);
    }
    if (m_options.scenario == "b") {
        return std::make_unique<ScenarioB>(plane);
    }
    return std::make_unique<DemoLife>(plane, *m_workers, kSeed);
}

void DemoFleet::run(plane::ControlPlane& plane, const std::string& gatewayUrl)
{
    const std::unique_ptr<Scenario> scenario = makeScenario(plane, gatewayUrl);
    double cooldown = scenario->cooldownSeconds();
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, Scenario::kStep / m_status.speed, [this] { return m_stopping; })) {
        const bool restart = std::exchange(m_restart, false);
        const bool whyAsked = std::exchange(m_whyAsked, false);
        const bool reportTaken = std::exchange(m_reportTaken, false);
        const bool skip = std::exchange(m_skip, false);
        const bool speedChanged = std::exchange(m_speedChanged, false);
        const auto switched = std::exchange(m_switched, {});
        const bool paused = m_status.paused;
        const int speed = m_status.speed;
        lock.unlock();
        if (restart) {
            scenario->restart();
        }
        for (const auto& [key, on] : switched) {
            scenario->setSwitch(key, on);
        }
        if (speedChanged || cooldown != scenario->cooldownSeconds()) {
            cooldown = scenario->cooldownSeconds();
            scaleProbes(plane, speed, cooldown);
        }
        if (whyAsked) {
            scenario->whyAsked();
        }
        if (reportTaken) {
            scenario->reportTaken();
        }
        if (skip) {
            scenario->skipAct();
        }
        if (!paused) {
            scenario->step();
        }
        publish(*scenario);
        lock.lock();
    }
}

void DemoFleet::publish(const Scenario& scenario)
{
    DemoStatus told;
    {
        const std::scoped_lock lock(m_mutex);
        const ScenarioState state = scenario.state();
        if (m_status.state == state) {
            return;
        }
        m_status.state = state;
        told = m_status;
    }
    const std::scoped_lock lock(m_listenerMutex);
    if (m_listener) {
        m_listener(told);
    }
}

void DemoFleet::setPaused(bool paused)
{
    const std::scoped_lock lock(m_mutex);
    m_status.paused = paused;
}

void DemoFleet::restart()
{
    const std::scoped_lock lock(m_mutex);
    m_restart = true;
    m_status.paused = false;
}

void DemoFleet::setSpeed(int speed)
{
    const std::scoped_lock lock(m_mutex);
    if (std::find(kDemoSpeeds.begin(), kDemoSpeeds.end(), speed) != kDemoSpeeds.end() && speed != m_status.speed) {
        m_status.speed = speed;
        m_speedChanged = true;
    }
}

void DemoFleet::whyAsked()
{
    const std::scoped_lock lock(m_mutex);
    m_whyAsked = true;
}

void DemoFleet::reportTaken()
{
    const std::scoped_lock lock(m_mutex);
    m_reportTaken = true;
}

void DemoFleet::skipAct()
{
    const std::scoped_lock lock(m_mutex);
    m_skip = true;
}

void DemoFleet::setSwitch(const std::string& key, bool on)
{
    constexpr std::size_t kMostWaiting = 32;
    const std::scoped_lock lock(m_mutex);
    if (m_switched.size() < kMostWaiting) {
        m_switched.emplace_back(key, on);
    }
}

DemoStatus DemoFleet::status() const
{
    const std::scoped_lock lock(m_mutex);
    return m_status;
}

void DemoFleet::setListener(std::function<void(const DemoStatus&)> listener)
{
    const std::scoped_lock lock(m_listenerMutex);
    m_listener = std::move(listener);
}

void DemoFleet::stop()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

std::string DemoFleet::dataPath() const
{
    return m_directory.path().toStdString();
}

} // namespace weir::demo
