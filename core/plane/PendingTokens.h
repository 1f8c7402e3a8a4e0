// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/store/Records.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weir::plane {

/// A token that somebody who owns the data directory has made beside the server, which alone may write the store. It lies there as a
/// file with the SHA-256 of the secret until the server takes it over: within two seconds while one runs, else when it starts.
struct PendingToken {
    std::filesystem::path file;
    std::string by; ///< login
    store::TokenRecord record;
};

struct LeftToken {
    std::filesystem::path file; ///< gone once the server has taken it over
    std::string name;
    std::string secret;
};

/// Makes a superadmin's token; where `superadmin.token` is missing it is written too. Errors: `not_owner` when the directory belongs to somebody else (root may, and leaves the file to the
/// owner); `data_dir_failed`; `no_randomness`.
[[nodiscard]] Result<LeftToken> leaveToken(const std::filesystem::path& dataDir, std::string_view name, WallTime now);

/// Those that can be believed: regular files of the directory's owner that nobody else can write. At most sixteen; others are ignored.
[[nodiscard]] std::vector<PendingToken> pendingTokens(const std::filesystem::path& dataDir);

void forget(const PendingToken& token);

} // namespace weir::plane
