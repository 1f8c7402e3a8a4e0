// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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

/// The header lines of a message in order, seen where they are: pairs of strings as core/http keeps them, or views. Copies
/// nothing, so what it was made from must outlive it.
class HeaderFields {
public:
    using Pair = std::pair<std::string, std::string>;

    HeaderFields() = default;
    HeaderFields(std::span<const HeaderField> views) noexcept
        : m_views(views.data())
        , m_size(views.size())
    {
    }
    HeaderFields(std::span<const Pair> pairs) noexcept
        : m_pairs(pairs.data())
        , m_size(pairs.size())
    {
    }

    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

    [[nodiscard]] HeaderField at(std::size_t i) const noexcept
    {
        return m_pairs != nullptr ? HeaderField{m_pairs[i].first, m_pairs[i].second} : m_views[i];
    }

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
    const HeaderField* m_views = nullptr;
    const Pair* m_pairs = nullptr;
    std::size_t m_size = 0;
};

} // namespace weir::routing
