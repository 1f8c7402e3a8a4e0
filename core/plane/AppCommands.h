// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plane/Command.h"
#include "core/plane/StoreThread.h"
#include "core/plane/StoredBook.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::plane {

/// Users, apps and bindings. A put says whether it made something new.
/// Errors: `unknown_user`, `unknown_owner`, `unknown_app`, `unknown_pool`, `unknown_binding`, `duplicate_id`, `reserved_id`,
/// `sentinel_pool`, `in_use`, `store_failed`.
class AppCommands {
public:
    AppCommands(StoreThread& store, live::LiveFleet& fleet, StoredBook& book) : m_store(store), m_fleet(fleet), m_book(book) {}

    void putUser(const UserId& id, std::optional<std::string> name, Actor actor, Done<bool> isNew);
    void removeUser(const std::string& id, Actor actor, Done<void> done);

    /// `owner` unset leaves it as it is; set and empty takes it away.
    void putApp(const AppId& id, std::optional<std::string> owner, Actor actor, Done<bool> isNew);
    void removeApp(const std::string& id, Actor actor, Done<void> done);

    void putBinding(const std::string& appId, const std::string& poolId, bool allowFallback, Actor actor, Done<bool> isNew);
    void removeBinding(const std::string& appId, Actor actor, Done<void> done);
    /// How the app would stand for each scheduled role if it were bound to `poolId` (empty: without a binding); quiet.
    [[nodiscard]] Result<std::vector<fleet::AppImpact>> previewBinding(const std::string& appId, const std::string& poolId, bool allowFallback) const;

private:
    StoreThread& m_store;
    live::LiveFleet& m_fleet;
    StoredBook& m_book;
};

} // namespace weir::plane
