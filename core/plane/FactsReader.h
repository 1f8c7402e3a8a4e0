// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/live/LiveFleet.h"
#include "core/plane/Facts.h"

#include <vector>

namespace weir::plane {

/// Copies rows out of the live fleet. The lock is held for at most kSlice rows at a time.
class FactsReader {
public:
    static constexpr std::size_t kSlice = 1'000;

    explicit FactsReader(live::LiveFleet& fleet) : m_fleet(fleet) {}

    /// All nodes in the order of their ids. Each node stands once, in the pool where it was when its slice was read.
    [[nodiscard]] std::vector<NodeFacts> nodes() const;
    /// Pools in display order.
    [[nodiscard]] std::vector<PoolFacts> pools() const;
    [[nodiscard]] std::vector<AppFacts> apps() const;
    /// Rows of these handles; those that are gone are left out.
    [[nodiscard]] std::vector<NodeFacts> nodes(const std::vector<NodeHandle>& handles) const;
    [[nodiscard]] std::vector<PoolFacts> pools(const std::vector<PoolHandle>& handles) const;
    [[nodiscard]] std::vector<AppFacts> apps(const std::vector<AppHandle>& handles) const;

    // For use under the lock:
    [[nodiscard]] static NodeFacts nodeFacts(const fleet::Fleet& fleet, NodeHandle node, Instant now);
    [[nodiscard]] static PoolFacts poolFacts(const fleet::Fleet& fleet, PoolHandle pool);
    [[nodiscard]] static AppFacts appFacts(const fleet::Fleet& fleet, AppHandle app);

private:
    live::LiveFleet& m_fleet;
};

} // namespace weir::plane
