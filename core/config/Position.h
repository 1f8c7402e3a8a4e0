// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace weir::config {

/// A place in a text file, both counted from 1. Columns count characters (code points), as editors do; a byte order mark
/// counts for nothing. Line 0: no place in particular (the file could not be read).
struct Position {
    std::size_t line = 0;
    std::size_t column = 0;

    friend bool operator==(const Position&, const Position&) = default;
};

/// Turns byte offsets of one text into positions. LF, CR LF and a lone CR each end a line. Building is O(text); a look-up
/// is bounded by the block size whatever the length of the lines, so that a file written as one line costs no more.
/// The text must outlive the index.
class PositionIndex {
public:
    explicit PositionIndex(std::string_view text);

    /// Offsets past the end give the end.
    [[nodiscard]] Position at(std::size_t offset) const;

private:
    static constexpr std::size_t kBlockBytes = 1024;

    void advance(Position& position, std::size_t from, std::size_t to) const;

    std::string_view m_text;
    std::vector<Position> m_blocks; ///< position of every kBlockBytes-th byte
};

} // namespace weir::config
