// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plane/Command.h"
#include "core/plane/StoreThread.h"

#include <optional>
#include <string>

namespace weir::plane {

/// `PATCH /admin/node-pools/{poolId}`: what is set is changed.
struct PoolPatch {
    std::optional<std::string> name;
    std::optional<bool> canary;
    std::optional<int> minAvailable;
    std::optional<double> capacityAlarmPercent;
};

/// Named pools. Errors: `builtin_pool`, `duplicate_id`, `unknown_pool`, `in_use` (with what holds it), `store_failed`.
class PoolCommands {
public:
    explicit PoolCommands(StoreThread& store) : m_store(store) {}

    void create(fleet::PoolSpec spec, Actor actor, Done<void> done);
    void change(const std::string& poolId, PoolPatch patch, Actor actor, Done<void> done);
    void remove(const std::string& poolId, Actor actor, Done<void> done);

private:
    StoreThread& m_store;
};

} // namespace weir::plane
