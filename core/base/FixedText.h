// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

/// A short text that owns no memory, for records on paths that must not allocate. Longer texts are cut.
template <std::size_t Capacity>
class FixedText {
    static_assert(Capacity < 256);

public:
    constexpr FixedText() = default;
    explicit FixedText(std::string_view text) { assign(text); }

    void assign(std::string_view text)
    {
        m_size = static_cast<std::uint8_t>(std::min(text.size(), Capacity));
        std::copy_n(text.data(), m_size, m_bytes.data());
    }

    [[nodiscard]] std::string_view view() const { return {m_bytes.data(), m_size}; }
    [[nodiscard]] std::string str() const { return std::string(view()); }
    [[nodiscard]] bool isEmpty() const { return m_size == 0; }

private:
    std::array<char, Capacity> m_bytes{};
    std::uint8_t m_size = 0;
};

} // namespace weir
