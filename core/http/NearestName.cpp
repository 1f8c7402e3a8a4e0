// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/NearestName.h"

#include <algorithm>

namespace weir::http {
namespace {

// What is left of a name when habits of writing are taken away: pool_id, PoolID and poolId are one.
std::string plainName(std::string_view name)
{
    std::string plain;
    for (const char c : name) {
        if (c != '_' && c != '-') {
            plain.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
        }
    }
    return plain;
}

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string nearestName(std::string_view name, const std::vector<std::string>& known)
{
    constexpr std::size_t kLongestName = 64;
    if (name.size() > kLongestName) {
        return {};
    }
    const std::string plain = plainName(name);
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(1, plain.size() / 3) + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = editDistance(plain, plainName(candidate));
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

} // namespace weir::http
