// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoFleet.h"

#include "core/demo/DemoCast.h"
#include "core/demo/DemoHistory.h"
#include "core/demo/DemoLife.h"
#include "core/demo/DemoWorkers.h"

#include <QDir>
#include <QFile>
#include <boost/json.hpp>

namespace weir::demo {
namespace json = boost::json;
namespace {

constexpr std::uint32_t kSeed = 7;

json::object configOf(const DemoWorkers& workers)
{
    json::array users;
    for (const std::string_view user : kDemoUsers) {
        users.emplace_back(user);
    }
    json::array nodes;
    for (std::size_t i = 0; i < demoNodes().size(); ++i) {
        const DemoNode& node = demoNodes()[i];
        json::object entry{{"node", node.id}, {"role", node.role}, {"url", workers.url(i)}, {"pool", node.pool}, {"capacity", node.capacity}};
        if (!node.owner.empty()) {
            entry["owner"] = node.owner;
        }
        nodes.emplace_back(std::move(entry));
    }
    json::array apps;
    for (const DemoApp& app : demoApps()) {
        json::object entry{{"app", app.id}};
        if (!app.owner.empty()) {
            entry["owner"] = app.owner;
        }
        apps.emplace_back(std::move(entry));
    }
    return {
        // Quicker than the defaults, so that a quarantine is lived through while somebody looks.
        {"health_check", json::object{{"interval_seconds", 2}, {"timeout_seconds", 1}, {"cooldown_seconds", 45}}},
        {"users", std::move(users)},
        {"pools", json::array{json::object{{"pool", "canary-a"}, {"canary", true}}, json::object{{"pool", "render-b"}}}},
        {"nodes", std::move(nodes)},
        {"apps", std::move(apps)},
        {"bindings", json::array{json::object{{"app", "render"}, {"pool", "render-b"}}, json::object{{"app", "app-12"}, {"pool", "pool-7"}, {"allow_fallback_to_default", true}}}},
        {"shutdown_grace_seconds", 1},
        {"log", json::object{{"level", "warning"}}},
    };
}

} // namespace

DemoFleet::DemoFleet(Log& log)
    : m_log(log)
    , m_directory(QDir::tempPath() + QStringLiteral("/weir-demo-XXXXXX"))
{
}

DemoFleet::~DemoFleet()
{
    stop();
}

Result<std::unique_ptr<DemoFleet>> DemoFleet::create(Log& log)
{
    std::unique_ptr<DemoFleet> demo(new DemoFleet(log));
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
    auto workers = DemoWorkers::start(demoNodes().size(), m_log);
    if (!workers) {
        return fail("demo_failed", workers.error().message);
    }
    m_workers = std::move(*workers);
    QFile file(m_directory.filePath(QStringLiteral("demo.json")));
    const std::string text = json::serialize(configOf(*m_workers));
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size())) {
        return fail("demo_failed", "The demo's configuration cannot be written: " + file.errorString().toStdString());
    }
    file.close();
    return writeHistory(runtimeOptions().dataDir, SystemClock().wall());
}

runtime::RuntimeOptions DemoFleet::runtimeOptions() const
{
    runtime::RuntimeOptions options;
    options.dataDir = m_directory.filePath(QStringLiteral("data")).toStdString();
    options.configFile = m_directory.filePath(QStringLiteral("demo.json")).toStdString();
    options.listenByDefault = false;
    return options;
}

void DemoFleet::start(plane::ControlPlane& plane)
{
    m_thread = std::thread([this, &plane] { run(plane); });
}

void DemoFleet::run(plane::ControlPlane& plane)
{
    DemoLife life(plane, *m_workers, kSeed);
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, DemoLife::kStep, [this] { return m_stopping; })) {
        lock.unlock();
        life.step();
        lock.lock();
    }
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
