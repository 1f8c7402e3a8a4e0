// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/modules/ModuleChain.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace weir::gateway {

/// What all modules that a gateway has had have counted (api.md "/metrics"): modules of one kind add up, and those of a chain that is no
/// longer in force count on, so that no figure falls when the modules change. From any thread.
class ModuleTotals {
public:
    /// By the name of the module and that of what it counted.
    using Figures = std::map<std::pair<std::string, std::string>, std::uint64_t>;

    /// Before `chain` is used; null, which is no modules, is fine.
    void add(std::shared_ptr<const ModuleChain> chain);
    [[nodiscard]] Figures figures() const;

private:
    void foldUnused() const;

    mutable std::mutex m_mutex;
    mutable Figures m_past;                                           ///< of chains that are gone
    mutable std::vector<std::shared_ptr<const ModuleChain>> m_chains; ///< in force, or still asked by requests under way
};

} // namespace weir::gateway
