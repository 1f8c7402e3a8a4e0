// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::store {

/// Which nodes a block of events may speak of: a Bloom filter of fixed size. An index by node would write one page of 4 KiB
/// for nearly every event of a large fleet and halve the rate of the journal; this costs one byte an event, and lets a page of
/// one node skip nearly all blocks of the others. It is stored: neither the hash nor the size may change without a migration.
class NodeFilter {
public:
    static constexpr std::size_t kBytes = 1024; ///< 3 % of false answers at 1,024 different nodes

    NodeFilter() = default;
    /// From stored bytes; anything of another length may contain every node.
    explicit NodeFilter(std::string_view bytes)
    {
        if (bytes.size() != kBytes) {
            m_bytes.fill(0xFF);
            return;
        }
        for (std::size_t i = 0; i < kBytes; ++i) {
            m_bytes[i] = static_cast<std::uint8_t>(bytes[i]);
        }
    }

    void add(std::string_view nodeId)
    {
        for (const std::size_t bit : bitsOf(nodeId)) {
            m_bytes[bit / 8] = static_cast<std::uint8_t>(m_bytes[bit / 8] | (1U << (bit % 8)));
        }
    }

    /// False: certainly not.
    [[nodiscard]] bool mayContain(std::string_view nodeId) const
    {
        for (const std::size_t bit : bitsOf(nodeId)) {
            if ((m_bytes[bit / 8] & (1U << (bit % 8))) == 0) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] const std::array<std::uint8_t, kBytes>& bytes() const { return m_bytes; }

private:
    [[nodiscard]] static std::array<std::size_t, 3> bitsOf(std::string_view nodeId)
    {
        std::uint64_t hash = 14695981039346656037U; // FNV-1a
        for (const char byte : nodeId) {
            hash = (hash ^ static_cast<std::uint8_t>(byte)) * 1099511628211U;
        }
        hash ^= hash >> 33U; // the low bits of similar names are too much alike
        hash *= 0xFF51AFD7ED558CCDU;
        hash ^= hash >> 33U;
        constexpr std::uint64_t kMask = kBytes * 8 - 1;
        return {hash & kMask, (hash >> 20U) & kMask, (hash >> 40U) & kMask};
    }

    std::array<std::uint8_t, kBytes> m_bytes{};
};

} // namespace weir::store
