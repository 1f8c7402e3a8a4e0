// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::gateway {

/// What one read takes at most. 16 KiB cost 40 % of the rate at 64 KiB answers; more than 64 KiB gained nothing.
inline constexpr std::size_t kReadSize = 64U << 10U;
/// Room before the bytes that were read, for a chunk's size line.
inline constexpr std::size_t kFrontRoom = 32;
/// Room behind them, for a chunk's end and the trailers.
inline constexpr std::size_t kBackRoom = 10U << 10U;

struct Block {
    std::array<char, kFrontRoom + kReadSize + kBackRoom> bytes; // left as it is: only what was read is looked at
};

/// Blocks that bodies flow through. A connection holds one only while it has bytes on their way; the last one given back is the next
/// one taken, so that it is still in the cache. Io thread only; outlives the blocks it gave.
class BlockPool {
public:
    struct GiveBack {
        BlockPool* pool = nullptr;
        void operator()(Block* block) const noexcept { pool->giveBack(block); }
    };
    using Pointer = std::unique_ptr<Block, GiveBack>;

    BlockPool() { m_free.reserve(kMostFree); }
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    [[nodiscard]] Pointer take()
    {
        if (m_free.empty()) {
            return Pointer(new Block, GiveBack{this});
        }
        Pointer block(m_free.back().release(), GiveBack{this});
        m_free.pop_back();
        return block;
    }

private:
    static constexpr std::size_t kMostFree = 64;

    void giveBack(Block* block) noexcept
    {
        std::unique_ptr<Block> owned(block);
        if (m_free.size() < kMostFree) {
            m_free.push_back(std::move(owned)); // within the reserve
        }
    }

    std::vector<std::unique_ptr<Block>> m_free;
};

/// Bytes on their way in one direction.
struct Flow {
    BlockPool::Pointer block;
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] bool isEmpty() const { return begin == end; }
    [[nodiscard]] std::size_t size() const { return end - begin; }
    [[nodiscard]] char* data() { return block->bytes.data() + begin; }
    [[nodiscard]] std::string_view view() const { return block ? std::string_view(block->bytes.data() + begin, end - begin) : std::string_view(); }
    void reset()
    {
        block.reset();
        begin = 0;
        end = 0;
    }
};

} // namespace weir::gateway
