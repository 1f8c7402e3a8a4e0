// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/IssueCollector.h"
#include "core/gateway/modules/Module.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace weir::gateway {

/// The modules of `gateway.modules` in their order. Io thread only, but for counters().
class ModuleChain {
public:
    /// Reads the list; what is wrong goes to `issues`, and then the chain is not to be used.
    [[nodiscard]] static std::unique_ptr<ModuleChain> read(
        config::IssueCollector& issues, const config::JsonNode& list, const std::string& path);

    ModuleChain() = default;
    explicit ModuleChain(std::vector<std::unique_ptr<Module>> modules);

    /// Asks the modules of a point until one does not let the request go on.
    [[nodiscard]] Verdict run(Point point, Turn& turn);

    [[nodiscard]] bool isEmpty(Point point) const { return m_byPoint[static_cast<std::size_t>(point)].empty(); }
    [[nodiscard]] const std::vector<std::unique_ptr<Module>>& modules() const { return m_modules; }

private:
    std::vector<std::unique_ptr<Module>> m_modules;
    std::array<std::vector<Module*>, kPointCount> m_byPoint;
};

/// All kinds there are, in the order of their names.
[[nodiscard]] std::span<const ModuleKind* const> moduleKinds();

} // namespace weir::gateway
