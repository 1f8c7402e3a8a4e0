// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

/// An IPv4 or IPv6 address without zone and port. Kept as sixteen bytes, an IPv4 one as v4-mapped (::ffff:a.b.c.d), so that
/// addresses of both families compare and hash in one way and a v4-mapped text is the same address as the plain one.
class IpAddress {
public:
    using Bytes = std::array<std::uint8_t, 16>;

    IpAddress() = default;
    explicit IpAddress(const Bytes& bytes) noexcept
        : m_bytes(bytes)
    {
    }

    /// The usual spellings and nothing else: four decimal numbers without leading zeros, or an IPv6 text without brackets and
    /// without a zone. Nothing for any other text.
    [[nodiscard]] static std::optional<IpAddress> parse(std::string_view text) noexcept;

    [[nodiscard]] static IpAddress v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) noexcept;

    [[nodiscard]] bool isV4() const noexcept;
    [[nodiscard]] const Bytes& bytes() const noexcept { return m_bytes; }

    /// Where text() writes without allocating: the longest text has 39 characters.
    using Buffer = std::array<char, 40>;

    /// The text of RFC 5952 (lower case, the longest run of zeros cut); a v4-mapped address in dotted form. The view points
    /// into `buffer`.
    [[nodiscard]] std::string_view text(Buffer& buffer) const noexcept;
    [[nodiscard]] std::string text() const;

    friend auto operator<=>(const IpAddress&, const IpAddress&) = default;

private:
    Bytes m_bytes{};
};

} // namespace weir
