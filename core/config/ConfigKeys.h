// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::config {

/// A key that one kind of object may hold. Keys of the file's format that this version does not act on yet are known, so
/// that the reader can say so, and refused, so that nobody relies on them.
struct KeySpec {
    std::string_view name;
    bool served = true;
};

namespace keys {
[[nodiscard]] std::span<const KeySpec> root() noexcept;
[[nodiscard]] std::span<const KeySpec> healthCheck() noexcept;
[[nodiscard]] std::span<const KeySpec> probe() noexcept;
[[nodiscard]] std::span<const KeySpec> pool() noexcept;
[[nodiscard]] std::span<const KeySpec> node() noexcept;
[[nodiscard]] std::span<const KeySpec> nodeTls() noexcept;
[[nodiscard]] std::span<const KeySpec> app() noexcept;
[[nodiscard]] std::span<const KeySpec> binding() noexcept;
[[nodiscard]] std::span<const KeySpec> scheduler() noexcept;
[[nodiscard]] std::span<const KeySpec> registration() noexcept;
[[nodiscard]] std::span<const KeySpec> incidents() noexcept;
[[nodiscard]] std::span<const KeySpec> retention() noexcept;
[[nodiscard]] std::span<const KeySpec> outcomeRule() noexcept;
[[nodiscard]] std::span<const KeySpec> gateway() noexcept;
[[nodiscard]] std::span<const KeySpec> queue() noexcept;
[[nodiscard]] std::span<const KeySpec> admin() noexcept;
[[nodiscard]] std::span<const KeySpec> listenerTls() noexcept;
[[nodiscard]] std::span<const KeySpec> webhook() noexcept;
[[nodiscard]] std::span<const KeySpec> store() noexcept;
[[nodiscard]] std::span<const KeySpec> log() noexcept;
} // namespace keys

/// Every key of the format by its path (`health_check.path`, `nodes[].pool`), in the order of the documentation.
struct KnownKey {
    std::string path;
    bool served = true;
};
[[nodiscard]] std::vector<KnownKey> knownKeys();

} // namespace weir::config
