// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/demo/DemoWorkers.h"
#include "core/demo/Scenario.h"
#include "core/plane/ControlPlane.h"

#include <cstdint>
#include <deque>
#include <random>
#include <string>

namespace weir::demo {

/// Free play: callers that ask for placements and give them back, and mishaps. Same seed, same sequence of decisions.
class DemoLife final : public Scenario {
public:
    DemoLife(plane::ControlPlane& plane, DemoWorkers& workers, std::uint32_t seed);

    void step() override;
    void restart() override;
    [[nodiscard]] ScenarioState state() const override { return {}; }

private:
    struct Held {
        std::uint64_t placement;
        std::uint64_t untilStep;
    };

    void callers();
    void opening();
    void mishap();
    void eject(std::string_view node);
    void drain(const std::string& node, bool draining, const char* reason);
    void healAfter(std::size_t worker, std::uint64_t steps);
    int within(int low, int high);

    plane::ControlPlane& m_plane;
    DemoWorkers& m_workers;
    std::uint32_t m_seed;
    std::mt19937 m_random;
    std::uint64_t m_step = 0;
    std::deque<Held> m_held;
    std::vector<std::pair<std::uint64_t, std::size_t>> m_healing; ///< step, worker
    std::vector<std::pair<std::uint64_t, std::string>> m_undrain;
};

} // namespace weir::demo
