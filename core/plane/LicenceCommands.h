// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plane/Command.h"
#include "core/plane/StoreThread.h"
#include "core/plane/StoredBook.h"

#include <optional>
#include <string>
#include <vector>

namespace weir::plane {

/// `POST /admin/licences`; the owner's id is checked already.
struct NewLicence {
    UserId owner;
    Role role = Role::Worker;
    std::optional<std::string> pool; ///< unset: the owner's
    int nodes = 1;
    std::optional<WallTime> expires;
};

struct LicenceCreated {
    store::LicenceRecord licence;
    std::string code; ///< shown this once
};

struct LicenceFacts {
    store::LicenceRecord licence;
    std::size_t used = 0; ///< machines registered under it
};

/// Licences, with which a user's machines make their own nodes. Errors: `unknown_owner`, `unknown_pool`, `unknown_licence`,
/// `out_of_range` (an expiry that is over), `store_failed`.
class LicenceCommands {
public:
    LicenceCommands(StoreThread& store, StoredBook& book) : m_store(store), m_book(book) {}

    void create(NewLicence licence, Actor actor, Done<LicenceCreated> done);
    /// The nodes that were made with it stay; their machines cannot register with it any more.
    void remove(const std::string& id, Actor actor, Done<void> done);
    /// In the order of their ids; on the store thread.
    void list(std::function<void(std::vector<LicenceFacts>)> done);

private:
    StoreThread& m_store;
    StoredBook& m_book;
};

} // namespace weir::plane
