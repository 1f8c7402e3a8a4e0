// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/demo/DemoCast.h"
#include "core/demo/Scenario.h"
#include "core/plane/ControlPlane.h"

#include <array>
#include <deque>
#include <string>
#include <vector>

namespace weir::demo {

/// "All green, nothing chosen": three healthy origins stand in pool-1, every app resolves to default, which has none, and every
/// publish is refused while no check fails. Two remedies work; only one keeps the isolation. Which one was taken is seen in the
/// answers of the live fleet, however it was done.
class ScenarioB final : public Scenario {
public:
    enum class Act : std::size_t { Green, Refused, AskWhy, Remedy };
    static constexpr std::size_t kActs = 4;

    explicit ScenarioB(plane::ControlPlane& plane);

    void step() override;
    void restart() override;
    [[nodiscard]] ScenarioState state() const override;
    void whyAsked() override;
    void skipAct() override;

private:
    /// What the app's last publish got.
    enum class Answer { None, Refused, Shared, Own };
    struct Held {
        std::uint64_t placement;
        std::uint64_t untilStep;
    };

    void look();
    void play();
    void publish();
    void ask(Role role, std::string_view app, std::uint32_t need);
    void release();
    void judge();
    void enter(std::size_t act);
    [[nodiscard]] std::size_t count(Answer answer) const;

    plane::ControlPlane& m_plane;
    std::uint64_t m_step = 0;
    std::uint64_t m_actStep = 0; ///< when the act under way began
    std::size_t m_act = 0;
    std::array<bool, kActs> m_done{};
    std::size_t m_nextApp = 0;
    std::vector<Answer> m_answers; ///< by app of the cast
    std::uint64_t m_asked = 0;
    std::uint64_t m_refused = 0;
    std::size_t m_nodes = 0;
    std::size_t m_green = 0;
    std::size_t m_starved = 0;
    std::string m_sentence;
    std::deque<Held> m_held;
};

} // namespace weir::demo
