// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/Position.h"

#include "core/config/Utf8.h"

#include <algorithm>

namespace weir::config {

PositionIndex::PositionIndex(std::string_view text) : m_text(text)
{
    m_blocks.reserve(text.size() / kBlockBytes + 1);
    Position position{1, 1};
    m_blocks.push_back(position);
    for (std::size_t start = 0; start + kBlockBytes <= text.size(); start += kBlockBytes) {
        advance(position, start, start + kBlockBytes);
        m_blocks.push_back(position);
    }
}

Position PositionIndex::at(std::size_t offset) const
{
    const std::size_t wanted = std::min(offset, m_text.size());
    const std::size_t block = wanted / kBlockBytes;
    Position position = m_blocks[block];
    advance(position, block * kBlockBytes, wanted);
    return position;
}

void PositionIndex::advance(Position& position, std::size_t from, std::size_t to) const
{
    std::size_t i = from;
    if (i == 0 && m_text.starts_with(kByteOrderMark)) {
        i = std::min(kByteOrderMark.size(), to);
    }
    for (; i < to; ++i) {
        const char c = m_text[i];
        const bool beforeLf = i + 1 < m_text.size() && m_text[i + 1] == '\n';
        if (c == '\n' || (c == '\r' && !beforeLf)) {
            ++position.line;
            position.column = 1;
        } else if (!isContinuationByte(c)) {
            ++position.column;
        }
    }
}

} // namespace weir::config
