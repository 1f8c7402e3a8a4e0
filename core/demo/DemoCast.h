// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string_view>

/// Who plays in the demo: nodes, users, pools and apps. Names are invented.
namespace weir::demo {

struct DemoNode {
    std::string_view id;
    std::string_view role;
    std::string_view pool;
    std::string_view owner;
    int capacity;
};

struct DemoApp {
    std::string_view id;
    std::string_view owner;
    std::string_view roles; ///< what it asks for: "origin edge", "worker"
};

[[nodiscard]] std::span<const DemoNode> demoNodes();
[[nodiscard]] std::span<const DemoApp> demoApps();
inline constexpr std::array<std::string_view, 3> kDemoUsers{"1", "3", "7"};

} // namespace weir::demo
