// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/store/Records.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weir::plane {

/// Whose token it is.
struct Caller {
    std::string name;
    std::string role;
    std::shared_ptr<const std::vector<std::string>> apps; ///< never null; those that a token of the role `app` names
};

/// The tokens in force (api.md "Who may call"), as SHA-256 only. Changed by the store thread alone, asked by any thread.
class TokenBook {
public:
    /// Takes the place of the token of that name.
    void put(store::TokenRecord record);
    void remove(const std::string& name);

    /// Nothing when the token is not one of ours, was revoked or has expired at `now`.
    [[nodiscard]] std::optional<Caller> callerOf(std::string_view token, WallTime now) const;
    /// The same by the token's SHA-256 in hexadecimal digits.
    [[nodiscard]] std::optional<Caller> callerOfHash(const std::string& hash, WallTime now) const;

    /// In the order of their names.
    [[nodiscard]] std::vector<store::TokenRecord> list() const;
    /// Names differ in more than case.
    [[nodiscard]] std::optional<store::TokenRecord> findIgnoringCase(std::string_view name) const;
    [[nodiscard]] std::optional<store::TokenRecord> find(const std::string& name) const;
    [[nodiscard]] std::size_t size() const;

private:
    struct Entry {
        store::TokenRecord record;
        std::shared_ptr<const std::vector<std::string>> apps;
    };

    mutable std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<const Entry>> m_byName;
    std::unordered_map<std::string, std::shared_ptr<const Entry>> m_byHash;
};

/// Whether a token can be used at `now`.
[[nodiscard]] bool isInForce(const store::TokenRecord& token, WallTime now);

} // namespace weir::plane
