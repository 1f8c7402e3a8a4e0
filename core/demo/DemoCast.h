// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

struct DemoBinding {
    std::string_view app;
    std::string_view pool;
    bool allowFallback = false;
};

struct DemoPool {
    std::string_view id;
    bool canary = false;
};

/// One fleet that the demo can show.
struct DemoCast {
    std::span<const DemoNode> nodes;
    std::span<const std::string_view> users;
    std::span<const DemoPool> pools; ///< beside those of the users
    std::span<const DemoApp> apps;
    std::span<const DemoBinding> bindings;

    /// Nothing where no node is called that.
    [[nodiscard]] const DemoNode* node(std::string_view id) const;
};

/// Four pools of users and shared ones, everything reachable.
[[nodiscard]] const DemoCast& freePlayCast();
/// Six workers in default, for the built-in app that the gateway asks for without a routing table.
[[nodiscard]] const DemoCast& greenCast();
/// Every origin is in pool-1, and no app resolves there.
[[nodiscard]] const DemoCast& mismatchCast();

} // namespace weir::demo
