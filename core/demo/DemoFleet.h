// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Log.h"
#include "core/base/Result.h"
#include "core/demo/DemoCast.h"
#include "core/demo/Scenario.h"
#include "core/runtime/Runtime.h"

#include <QTemporaryDir>
#include <array>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace weir::demo {

class DemoWorkers;

struct DemoOptions {
    std::string scenario = "free"; ///< a key of scenarios()
    int speed = 1;                 ///< one of kDemoSpeeds
};

inline constexpr std::array kDemoSpeeds{1, 2, 5, 10};

/// What a panel shows of the demo.
struct DemoStatus {
    std::string scenario;
    bool paused = false;
    int speed = 1;
    ScenarioState state;

    friend bool operator==(const DemoStatus&, const DemoStatus&) = default;
};

/// The local demo: real HTTP workers on loopback inside this process, a configuration that names them, temporary data, and a
/// thread that plays a scenario. It drives a Runtime from outside, as an operator's scripts would.
///
/// Commands and status may be used from any thread; commands take effect with the next step.
class DemoFleet {
public:
    /// Starts the workers and writes the configuration. Error: `demo_failed`, when loopback gives no ports or no temporary
    /// directory can be made, or the scenario is unknown.
    [[nodiscard]] static Result<std::unique_ptr<DemoFleet>> create(Log& log, DemoOptions options = {});
    DemoFleet(const DemoFleet&) = delete;
    DemoFleet& operator=(const DemoFleet&) = delete;
    ~DemoFleet();

    /// Data directory and configuration of the demo; listeners are up to the program.
    [[nodiscard]] runtime::RuntimeOptions runtimeOptions() const;

    /// The scenario begins. The plane must outlive stop().
    /// `gatewayUrl`: of the traffic listener, which scenario "a" needs.
    void start(plane::ControlPlane& plane, std::string gatewayUrl = {});
    void stop();

    void setPaused(bool paused);
    /// Back to the beginning, and on from there.
    void restart();
    /// Scales the steps and the probes; another number than those of kDemoSpeeds is ignored.
    void setSpeed(int speed);
    void whyAsked();
    void reportTaken();
    void skipAct();
    /// One of the scenario's switches; an unknown key is ignored.
    void setSwitch(const std::string& key, bool on);
    [[nodiscard]] DemoStatus status() const;
    /// Called on the demo's thread after each change of the status; empty: nobody listens. Returns once no call is under way.
    void setListener(std::function<void(const DemoStatus&)> listener);

    [[nodiscard]] const DemoCast& cast() const { return m_cast; }
    /// Where the temporary data lies; removed with this object.
    [[nodiscard]] std::string dataPath() const;

private:
    DemoFleet(Log& log, DemoOptions options);
    Result<void> prepare();
    void run(plane::ControlPlane& plane, const std::string& gatewayUrl);
    [[nodiscard]] std::unique_ptr<Scenario> makeScenario(plane::ControlPlane& plane, const std::string& gatewayUrl);
    void publish(const Scenario& scenario);

    Log& m_log;
    DemoOptions m_options;
    const DemoCast& m_cast;
    QTemporaryDir m_directory;
    std::unique_ptr<DemoWorkers> m_workers;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false;
    bool m_restart = false;
    bool m_whyAsked = false;
    bool m_reportTaken = false;
    bool m_skip = false;
    bool m_speedChanged = false;
    std::vector<std::pair<std::string, bool>> m_switched; ///< to be told to the scenario
    DemoStatus m_status;
    std::mutex m_listenerMutex;
    std::function<void(const DemoStatus&)> m_listener;
    std::thread m_thread;
};

} // namespace weir::demo
