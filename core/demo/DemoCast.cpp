// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoCast.h"

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

} // namespace

std::span<const DemoNode> demoNodes()
{
    return kNodes;
}

std::span<const DemoApp> demoApps()
{
    return kApps;
}

} // namespace weir::demo
