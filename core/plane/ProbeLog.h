// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plane/Facts.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace weir::plane {

/// The words of probe results, each kept once however many results say the same: a healthy fleet says one thing a thousand times a
/// second. Not thread-safe.
class ProbeWords {
public:
    static constexpr std::uint32_t kMost = (1U << 20U) - 1; ///< beyond it only the reason is kept

    struct Words {
        std::string reason;
        std::string bodyStatus;
        std::string bodyReason;
        std::vector<std::pair<std::string, bool>> deps;
        std::string text;

        friend bool operator==(const Words&, const Words&) = default;
    };

    /// Index of these words, counted once more. 0: none at all, which is not counted.
    std::uint32_t take(Words words);
    void release(std::uint32_t index);
    [[nodiscard]] const Words& at(std::uint32_t index) const { return m_slots[index].words; }
    /// Different ones that are kept.
    [[nodiscard]] std::size_t size() const { return m_index.size(); }

private:
    struct Slot {
        Words words;
        std::uint32_t uses = 0;
    };

    static std::size_t hashOf(const Words& words);

    std::vector<Slot> m_slots{Slot{}}; ///< the first one is empty
    std::vector<std::uint32_t> m_free;
    std::unordered_multimap<std::size_t, std::uint32_t> m_index; ///< by hash
};

/// The latest probe results of one node in 16 bytes each, apart from their words. Not thread-safe.
class ProbeLog {
public:
    static constexpr std::size_t kMost = 100;

    /// Keeps the latest kMost of them.
    void add(const ProbeRecord& record, ProbeWords& words);
    void clear(ProbeWords& words);
    [[nodiscard]] std::size_t size() const { return m_results.size(); }
    /// 0: the newest.
    [[nodiscard]] ProbeRecord at(std::size_t age, const ProbeWords& words) const;

private:
    struct Result {
        std::uint64_t at : 44; ///< ms since 1970, to the year 2527
        std::uint64_t durationMs : 20;
        std::uint64_t status : 10;
        std::uint64_t success : 1;
        std::uint64_t held : 1;
        std::uint64_t words : 20;
        std::uint64_t disk : 32; ///< bits of a float; kNoDisk: none was said
    };
    static_assert(sizeof(Result) == 16);

    [[nodiscard]] const Result& result(std::size_t age) const;

    std::vector<Result> m_results; ///< a ring once it is full
    std::uint32_t m_newest = 0;
};

} // namespace weir::plane
