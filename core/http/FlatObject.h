// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/Message.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::http {

/// The usual small body of a call that comes thousands of times a second, read without memory of its own: one object of at most eight
/// members, each a text of plain ASCII without escapes or a whole number from 0 to 15 digits. Anything else is nothing: then JsonBody
/// reads it, and says what is wrong with it, if something is. Views are of the request's body.
class FlatObject {
public:
    static constexpr std::size_t kMost = 8;

    [[nodiscard]] static std::optional<FlatObject> read(const Request& request);

    [[nodiscard]] std::size_t size() const { return m_count; }
    [[nodiscard]] std::optional<std::string_view> text(std::string_view key) const;
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const;

private:
    struct Member {
        std::string_view key;
        std::string_view text;
        std::int64_t number = -1; ///< −1: a text
    };

    [[nodiscard]] const Member* find(std::string_view key) const;
    [[nodiscard]] bool readMembers(std::string_view body);

    std::array<Member, kMost> m_members{};
    std::size_t m_count = 0;
};

} // namespace weir::http
