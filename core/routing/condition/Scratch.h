// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace weir::routing {

/// Room for one decoded text while a condition is evaluated: on the stack, and on the heap only for a long one.
class Scratch {
public:
    Scratch() noexcept {} // NOLINT(modernize-use-equals-default): the room is not cleared

    /// Room for `bytes`; what was there before is lost.
    [[nodiscard]] char* room(std::size_t bytes)
    {
        if (bytes <= m_near.size()) {
            return m_near.data();
        }
        m_far.resize(bytes);
        return m_far.data();
    }

private:
    std::array<char, 256> m_near;
    std::string m_far;
};

} // namespace weir::routing
