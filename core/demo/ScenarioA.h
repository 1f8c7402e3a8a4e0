// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/demo/DemoCallers.h"
#include "core/demo/DemoWorkers.h"
#include "core/demo/Scenario.h"
#include "core/plane/ControlPlane.h"

#include <array>
#include <string>

namespace weir::demo {

/// "Green but broken": the disk of a worker is full, its check asks only whether the model is loaded, and most of its errors hide in an
/// HTTP 200. Requests go through the real gateway. Three defences can be switched on and off; each changes the plane or the workers as an
/// operator would.
class ScenarioA final : public Scenario {
public:
    enum class Act : std::size_t { Green, DiskFull, OutAndBack, Defences, Room, Report };
    static constexpr std::size_t kActs = 6;

    /// `gatewayUrl`: where the callers send their requests.
    ScenarioA(plane::ControlPlane& plane, DemoWorkers& workers, const std::string& gatewayUrl);

    void step() override;
    void restart() override;
    [[nodiscard]] ScenarioState state() const override;
    void skipAct() override;
    void reportTaken() override;
    void setSwitch(std::string_view key, bool on) override;
    [[nodiscard]] double cooldownSeconds() const override;

private:
    struct Switches {
        bool quarantine = false;
        bool deepCheck = false;
        bool businessErrors = false;

        [[nodiscard]] bool all() const { return quarantine && deepCheck && businessErrors; }
    };

    void look();
    void judge();
    void enter(std::size_t act);
    void finish();
    void fillDisk(bool full);
    void putRule(bool on);
    [[nodiscard]] const char* defencePrompt() const;

    plane::ControlPlane& m_plane;
    DemoWorkers& m_workers;
    DemoCallers m_callers;
    Switches m_switches;
    std::uint64_t m_step = 0;
    std::uint64_t m_actStep = 0;     ///< when the act under way began
    std::uint64_t m_spoiledStep = 0; ///< when a caller last got an error
    std::uint64_t m_spoiledSeen = 0;
    std::size_t m_act = 0;
    std::array<bool, kActs> m_done{};
    DemoCallers::Counts m_atAct; ///< what had been counted when the act began
    DemoCallers::Counts m_counts;
    std::size_t m_nodes = 0;
    std::size_t m_green = 0;
    bool m_isOut = false;
    std::uint64_t m_ejections = 0;
    std::uint64_t m_revivals = 0;
    std::uint64_t m_revivalsAtAct = 0;
    bool m_reportTaken = false;      ///< in the act that asks for it
};

} // namespace weir::demo
