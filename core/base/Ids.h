// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <compare>
#include <functional>
#include <string>
#include <string_view>

namespace weir {

/// Text identity of a thing, checked once when it enters and compared byte by byte ever after.
template <typename Tag>
class TextId {
public:
    TextId() = default;

    [[nodiscard]] const std::string& text() const noexcept { return m_text; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_text.empty(); }

    /// Checks `text` against the identifier rules (see `Ids.cpp`); the error names `field` and the rule and says where the
    /// first bad byte is. Never trims or folds case.
    [[nodiscard]] static Result<TextId> parse(std::string_view text, std::string_view field);

    /// For text that has been through parse() before (stored rows, literals).
    [[nodiscard]] static TextId trusted(std::string text)
    {
        TextId id;
        id.m_text = std::move(text);
        return id;
    }

    friend auto operator<=>(const TextId&, const TextId&) = default;

private:
    std::string m_text;
};

using NodeId = TextId<struct NodeTag>;
using PoolId = TextId<struct PoolTag>;
using UserId = TextId<struct UserTag>;
using AppId = TextId<struct AppTag>;

inline constexpr std::string_view kDefaultPool = "default";
inline constexpr std::string_view kUnassignedPool = "unassigned";
inline constexpr std::string_view kUserPoolPrefix = "pool-";
inline constexpr std::string_view kDefaultApp = "default";

/// `pool-<userId>`: the pool of one user.
[[nodiscard]] PoolId userPoolOf(const UserId& user);

/// True for `default`, `unassigned` and `pool-<userId>`: pools that nobody creates or removes by hand.
[[nodiscard]] bool isBuiltInPool(std::string_view poolId) noexcept;

/// Checks the id of a pool that a superadmin makes: `[a-z0-9][a-z0-9._-]{0,62}`, not beginning with `pool-`.
[[nodiscard]] Result<PoolId> parseNamedPool(std::string_view text, std::string_view field);

/// 1 to 200 bytes of UTF-8 without control characters or `/`.
[[nodiscard]] Result<std::string> parseStream(std::string_view text, std::string_view field);

/// ASCII lower case, for the rule that ids must be unique when case is ignored.
[[nodiscard]] std::string foldCase(std::string_view id);

} // namespace weir

template <typename Tag>
struct std::hash<weir::TextId<Tag>> {
    std::size_t operator()(const weir::TextId<Tag>& id) const noexcept { return std::hash<std::string>{}(id.text()); }
};
