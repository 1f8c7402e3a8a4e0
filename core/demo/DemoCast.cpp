// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoCast.h"

#include <algorithm>
#include <array>

namespace weir::demo {
namespace {

constexpr std::array kNodes{
    DemoNode{"origin-01", "origin", "default", "", 120},
    DemoNode{"origin-02", "origin", "default", "", 120},
    DemoNode{"edge-01", "edge", "default", "", 600},
    DemoNode{"edge-02", "edge", "default", "", 600},
    DemoNode{"edge-03", "edge", "default", "", 600},
    DemoNode{"edge-04", "edge", "default", "", 600},
    DemoNode{"gpu-01", "worker", "default", "", 4},
    DemoNode{"gpu-02", "worker", "default", "", 4},
    DemoNode{"gpu-03", "worker", "default", "", 4},
    DemoNode{"origin-11", "origin", "pool-1", "1", 120},
    DemoNode{"origin-12", "origin", "pool-1", "1", 120},
    DemoNode{"edge-11", "edge", "pool-1", "1", 600},
    DemoNode{"edge-12", "edge", "pool-1", "1", 600},
    DemoNode{"edge-13", "edge", "pool-1", "1", 600},
    DemoNode{"origin-31", "origin", "pool-3", "3", 120},
    DemoNode{"origin-32", "origin", "pool-3", "3", 120},
    DemoNode{"edge-31", "edge", "pool-3", "3", 600},
    DemoNode{"edge-32", "edge", "pool-3", "3", 600},
    DemoNode{"edge-33", "edge", "pool-3", "3", 600},
    DemoNode{"edge-34", "edge", "pool-3", "3", 600},
    DemoNode{"recorder-01", "recorder", "pool-3", "3", 50},
    DemoNode{"origin-71", "origin", "pool-7", "7", 120},
    DemoNode{"origin-72", "origin", "pool-7", "7", 120},
    DemoNode{"edge-71", "edge", "pool-7", "7", 600},
    DemoNode{"edge-72", "edge", "pool-7", "7", 600},
    DemoNode{"edge-90", "edge", "canary-a", "", 600},
    DemoNode{"edge-91", "edge", "canary-a", "", 600},
    DemoNode{"gpu-21", "worker", "render-b", "", 4},
    DemoNode{"gpu-22", "worker", "render-b", "", 4},
    DemoNode{"gpu-23", "worker", "render-b", "", 4},
    DemoNode{"edge-98", "edge", "unassigned", "", 600},
    DemoNode{"gpu-98", "worker", "unassigned", "", 4},
};

constexpr std::array kApps{
    DemoApp{"app-2", "1", "origin edge"},
    DemoApp{"app-9", "1", "origin edge"},
    DemoApp{"app-14", "1", "edge"},
    DemoApp{"app-5", "3", "origin edge"},
    DemoApp{"app-17", "3", "origin edge"},
    DemoApp{"app-23", "3", "edge"},
    DemoApp{"app-31", "3", "origin edge"},
    DemoApp{"app-7", "7", "origin edge"},
    DemoApp{"app-12", "7", "origin edge"},
    DemoApp{"live-demo", "", "origin edge"},
    DemoApp{"news", "", "origin edge"},
    DemoApp{"studio", "", "edge"},
    DemoApp{"upscale", "", "worker"},
    DemoApp{"render", "", "worker"},
};

constexpr std::array<std::string_view, 3> kUsers{"1", "3", "7"};
constexpr std::array kPools{DemoPool{"canary-a", true}, DemoPool{"render-b", false}};
constexpr std::array kBindings{DemoBinding{"render", "render-b", false}, DemoBinding{"app-12", "pool-7", true}};

constexpr std::array kMismatchNodes{
    DemoNode{"origin-11", "origin", "pool-1", "1", 120},
    DemoNode{"origin-12", "origin", "pool-1", "1", 120},
    DemoNode{"origin-13", "origin", "pool-1", "1", 120},
    DemoNode{"edge-01", "edge", "default", "", 600},
    DemoNode{"edge-02", "edge", "default", "", 600},
    DemoNode{"edge-03", "edge", "default", "", 600},
    DemoNode{"edge-04", "edge", "default", "", 600},
    DemoNode{"edge-05", "edge", "default", "", 600},
    DemoNode{"edge-06", "edge", "default", "", 600},
    DemoNode{"gpu-01", "worker", "default", "", 4},
    DemoNode{"gpu-02", "worker", "default", "", 4},
    DemoNode{"gpu-03", "worker", "default", "", 4},
    DemoNode{"edge-90", "edge", "canary-a", "", 600},
    DemoNode{"edge-91", "edge", "canary-a", "", 600},
};
constexpr std::array kMismatchApps{
    DemoApp{"app-2", "", "origin edge"},
    DemoApp{"app-5", "", "origin edge"},
    DemoApp{"app-7", "", "origin edge"},
    DemoApp{"app-9", "", "origin edge"},
    DemoApp{"app-12", "", "origin edge"},
    DemoApp{"app-14", "", "origin edge"},
    DemoApp{"app-17", "", "origin edge"},
    DemoApp{"app-21", "", "origin edge"},
    DemoApp{"app-23", "", "origin edge"},
    DemoApp{"app-27", "", "origin edge"},
    DemoApp{"app-31", "", "origin edge"},
    DemoApp{"live-demo", "", "origin edge"},
    DemoApp{"news", "", "origin edge"},
    DemoApp{"studio", "", "origin edge"},
};
constexpr std::array<std::string_view, 1> kMismatchUsers{"1"};
constexpr std::array kMismatchPools{DemoPool{"canary-a", true}};

constexpr std::array kGreenNodes{
    DemoNode{"gpu-01", "worker", "default", "", 4},
    DemoNode{"gpu-02", "worker", "default", "", 4},
    DemoNode{"gpu-03", "worker", "default", "", 4},
    DemoNode{"gpu-04", "worker", "default", "", 4},
    DemoNode{"gpu-05", "worker", "default", "", 4},
    DemoNode{"gpu-06", "worker", "default", "", 4},
};

constexpr DemoCast kGreen{kGreenNodes, {}, {}, {}, {}};
constexpr DemoCast kFreePlay{kNodes, kUsers, kPools, kApps, kBindings};
constexpr DemoCast kMismatch{kMismatchNodes, kMismatchUsers, kMismatchPools, kMismatchApps, {}};

} // namespace

const DemoNode* DemoCast::node(std::string_view id) const
{
    const auto found = std::find_if(nodes.begin(), nodes.end(), [id](const DemoNode& each) { return each.id == id; });
    return found == nodes.end() ? nullptr : &*found;
}

const DemoCast& freePlayCast()
{
    return kFreePlay;
}

const DemoCast& greenCast()
{
    return kGreen;
}

const DemoCast& mismatchCast()
{
    return kMismatch;
}

} // namespace weir::demo
