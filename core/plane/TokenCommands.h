// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/plane/Command.h"
#include "core/plane/StoreThread.h"
#include "core/plane/TokenBook.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::plane {

/// What a new token is to be.
struct NewToken {
    std::string name;
    std::string role; ///< `superadmin`, `operator`, `viewer`, `gateway`, `app`
    std::vector<std::string> apps; ///< of the role `app`, at least one; empty for every other
    std::optional<WallTime> expires;
};

struct MadeToken {
    store::TokenRecord record;
    std::string secret; ///< shown once, kept nowhere
};

/// Makes and revokes tokens (api.md "Who may call"). Answers on the store thread; a revoked token is refused from before the answer on.
class TokenCommands {
public:
    static constexpr std::size_t kMostTokens = 1'000;

    TokenCommands(StoreThread& store, TokenBook& book, Log& log, std::filesystem::path dataDir)
        : m_store(store), m_book(book), m_log(log), m_dataDir(std::move(dataDir))
    {
    }

    /// Errors: `invalid_id` (name, apps), `duplicate_id` (also when only case differs), `invalid_value` (role, apps, expires),
    /// `missing_field` (apps), `too_many_tokens`, `no_randomness`, `store_failed`.
    void create(NewToken wanted, Actor actor, Done<MadeToken> done);

    /// Errors: `unknown_token`; `last_superadmin` for the last one in force that may everything; `store_failed`.
    void revoke(const std::string& name, Actor actor, Done<void> done);

    /// Takes over what `weir-server token new` left in the data directory. On the store thread; quick when there is nothing.
    void adoptPending();

private:
    void putCommand(store::TokenRecord record, const Actor& actor, std::function<void(Result<void>)> done);

    StoreThread& m_store;
    TokenBook& m_book;
    Log& m_log;
    std::filesystem::path m_dataDir;
};

/// Error: `invalid_value`, `missing_field` or `invalid_id`, with the field; see TokenCommands::create().
[[nodiscard]] Result<void> checkToken(const NewToken& wanted, WallTime now);

} // namespace weir::plane
