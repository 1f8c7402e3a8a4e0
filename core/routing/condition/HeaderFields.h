// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace weir::routing {

/// One header line: name as sent, value without blanks around it.
struct HeaderField {
    std::string_view name;
    std::string_view value;
};

/// ASCII only, as header names and methods are compared.
[[nodiscard]] inline bool equalsIgnoringAsciiCase(std::string_view a, std::string_view b) noexcept
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
    if (a.size() != b.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i] && lower(a[i]) != lower(b[i])) {
            return false;
        }
    }
    return true;
}

/// The header lines of a message in order, seen where they are: HeaderField, pairs of strings as core/http keeps them, or anything
/// else that lies side by side and has `name` and `value`. Copies nothing, so what it was made from must outlive it.
class HeaderFields {
public:
    HeaderFields() = default;

    template <typename Line>
    HeaderFields(std::span<const Line> lines) noexcept
        : m_lines(lines.data())
        , m_size(lines.size())
        , m_read([](const void* first, std::size_t i) noexcept {
            const Line& line = static_cast<const Line*>(first)[i];
            if constexpr (requires { line.name; }) {
                return HeaderField{line.name, line.value};
            } else {
                return HeaderField{line.first, line.second};
            }
        })
    {
    }

    template <typename Lines>
    explicit HeaderFields(const Lines& lines) noexcept requires requires
    {
        std::span(lines);
    } : HeaderFields(std::span<const typename Lines::value_type>(lines)) {}

    [[nodiscard]] std::size_t size() const noexcept { return m_size; }
    [[nodiscard]] HeaderField at(std::size_t i) const noexcept { return m_read(m_lines, i); }

    /// The value of the first line of that name whatever its case; empty when there is none.
    [[nodiscard]] std::string_view first(std::string_view name) const noexcept
    {
        for (std::size_t i = 0; i < m_size; ++i) {
            const HeaderField field = at(i);
            if (equalsIgnoringAsciiCase(field.name, name)) {
                return field.value;
            }
        }
        return {};
    }

private:
    const void* m_lines = nullptr;
    std::size_t m_size = 0;
    HeaderField (*m_read)(const void*, std::size_t) noexcept = nullptr;
};

} // namespace weir::routing
