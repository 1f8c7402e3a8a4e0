// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/NearestName.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace weir {
namespace {

constexpr std::size_t kMaxBytes = 64;

std::string reduced(std::string_view name)
{
    std::string letters;
    for (const char c : name) {
        if (c != '_' && c != '-') {
            letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return letters;
}

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b)
{
    using Row = std::array<std::size_t, kMaxBytes + 1>;
    Row beforeLast{};
    Row last{};
    Row row{};
    for (std::size_t j = 0; j <= b.size(); ++j) {
        last[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
            }
        }
        beforeLast = last;
        last = row;
    }
    return last[b.size()];
}

} // namespace

std::string nearestName(std::string_view name, std::span<const std::string> names)
{
    if (name.empty() || name.size() > kMaxBytes) {
        return {};
    }
    const std::string wanted = reduced(name);
    // A third of the letters may be wrong: further away a suggestion misleads more often than it helps.
    std::size_t best = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    const std::string* nearest = nullptr;
    for (const std::string& candidate : names) {
        if (candidate.size() > kMaxBytes) {
            continue;
        }
        const std::string letters = reduced(candidate);
        const std::size_t longer = std::max(wanted.size(), letters.size());
        if (longer - std::min(wanted.size(), letters.size()) >= best) {
            continue;
        }
        const std::size_t apart = distance(wanted, letters);
        // Nothing in common is no likeness, however short both are ("a" and "b").
        if (apart < best && apart < longer) {
            best = apart;
            nearest = &candidate;
        }
    }
    return nearest == nullptr ? std::string() : *nearest;
}

} // namespace weir
