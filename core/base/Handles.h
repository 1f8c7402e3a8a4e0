// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace weir {

/// A dense 32-bit index with a type of its own, so that a node cannot be passed for a pool.
template <typename Tag>
class Handle {
public:
    static constexpr std::uint32_t kNone = 0xFFFF'FFFFU;

    constexpr Handle() noexcept = default;
    constexpr explicit Handle(std::uint32_t value) noexcept : m_value(value) {}

    [[nodiscard]] constexpr std::uint32_t value() const noexcept { return m_value; }
    [[nodiscard]] constexpr bool isValid() const noexcept { return m_value != kNone; }

    friend constexpr auto operator<=>(const Handle&, const Handle&) = default;

private:
    std::uint32_t m_value = kNone;
};

using NodeHandle = Handle<struct NodeTag>;
using PoolHandle = Handle<struct PoolTag>;
using AppHandle = Handle<struct AppTag>;
using UserHandle = Handle<struct UserTag>;

} // namespace weir

template <typename Tag>
struct std::hash<weir::Handle<Tag>> {
    std::size_t operator()(const weir::Handle<Tag>& handle) const noexcept { return handle.value(); }
};
