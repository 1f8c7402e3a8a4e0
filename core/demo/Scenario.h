// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::demo {

/// A scenario as the list shows it; the key is the name on the command line. Texts are source texts of the context "Demo".
struct ScenarioInfo {
    const char* key;
    const char* title;
};

[[nodiscard]] std::span<const ScenarioInfo> scenarios();
/// "free, a, b": for the message about an unknown name.
[[nodiscard]] std::string scenarioNames();
[[nodiscard]] bool isScenario(std::string_view key);

/// One act: what happens, what the viewer is asked to do, and, once its check holds, the lesson. Source texts of the context "Demo".
struct ActState {
    const char* title = "";
    const char* prompt = "";
    const char* lesson = "";
    bool done = false;

    friend bool operator==(const ActState&, const ActState&) = default;
};

/// Something the viewer may switch. Texts are source texts of the context "Demo".
struct SwitchState {
    const char* key = "";
    const char* label = "";
    const char* hint = "";
    bool on = false;

    friend bool operator==(const SwitchState&, const SwitchState&) = default;
};

/// How far a scenario has come, in memory only. Without acts: free play.
struct ScenarioState {
    std::vector<ActState> acts;
    std::vector<SwitchState> switches;
    std::size_t act = 0;             ///< the one under way; acts.size(): all over
    std::uint64_t asked = 0;         ///< publishes since the second act began, or requests of callers
    std::uint64_t refused = 0;       ///< of those: not served
    std::uint64_t hidden = 0;        ///< of those: with an error inside an HTTP 200
    std::uint64_t ejections = 0;     ///< of the worker that the scenario is about
    std::uint64_t revivals = 0;
    std::size_t nodes = 0;
    std::size_t nodesGreen = 0;      ///< checked and in rotation
    std::size_t apps = 0;
    std::size_t appsServed = 0;      ///< whose last publish got an origin
    std::string sentence;            ///< of the last refusal, by the scheduler

    friend bool operator==(const ScenarioState&, const ScenarioState&) = default;
};

/// What happens in a demo, step by step, from outside the plane as callers and operators would. One thread drives it.
class Scenario {
public:
    /// Between two steps at speed 1.
    static constexpr auto kStep = std::chrono::milliseconds(250);
    static constexpr std::uint64_t kStepsPerSecond = 4;
    static constexpr double kCooldownSeconds = 45;

    Scenario() = default;
    Scenario(const Scenario&) = delete;
    Scenario& operator=(const Scenario&) = delete;
    virtual ~Scenario() = default;

    virtual void step() = 0;
    /// Brings the fleet back to where it began and forgets the progress.
    virtual void restart() = 0;
    [[nodiscard]] virtual ScenarioState state() const = 0;
    /// Somebody opened "Why (not) chosen?".
    virtual void whyAsked() {}
    /// Somebody saved or copied the report of an incident.
    virtual void reportTaken() {}
    /// Goes on without the check of the act under way.
    virtual void skipAct() {}
    /// A key of ScenarioState::switches; another one is ignored.
    virtual void setSwitch(std::string_view key, bool on)
    {
        static_cast<void>(key);
        static_cast<void>(on);
    }
    /// The quarantine that holds now, at speed 1.
    [[nodiscard]] virtual double cooldownSeconds() const { return kCooldownSeconds; }
};

} // namespace weir::demo
