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
/// "free, b": for the message about an unknown name.
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

/// How far a scenario has come, in memory only. Without acts: free play.
struct ScenarioState {
    std::vector<ActState> acts;
    std::size_t act = 0;             ///< the one under way; acts.size(): all over
    std::uint64_t asked = 0;         ///< publishes since the second act began
    std::uint64_t refused = 0;
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
    /// Goes on without the check of the act under way.
    virtual void skipAct() {}
};

} // namespace weir::demo
