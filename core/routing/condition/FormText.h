// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/routing/condition/PercentText.h"
#include "core/routing/condition/Scratch.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace weir::routing {

/// A part of a query decoded: '+' is a space, escapes are bytes. Nothing when an escape is broken. Points into `text` where
/// there is nothing to decode, else into `scratch`.
[[nodiscard]] inline std::optional<std::string_view> formDecoded(std::string_view text, Scratch& scratch)
{
    if (text.find_first_of("%+") == std::string_view::npos) {
        return text;
    }
    char* const begin = scratch.room(text.size());
    char* out = begin;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            *out++ = text[i] == '+' ? ' ' : text[i];
            continue;
        }
        const int byte = escapedByte(text, i);
        if (byte < 0) {
            return std::nullopt;
        }
        *out++ = static_cast<char>(byte);
        i += 2;
    }
    return std::string_view(begin, static_cast<std::size_t>(out - begin));
}

/// Calls `visit(key, value)` for each pair of a query that can be decoded, in order, until it returns true; true when it did.
/// Both stay encoded (`value` empty without '='); a pair with ';' or a broken escape is left out, as the reference does.
template <typename Visit>
bool anyQueryPair(std::string_view query, Visit visit)
{
    const auto isWhole = [](std::string_view text) {
        for (std::size_t i = text.find('%'); i != std::string_view::npos; i = text.find('%', i + 1)) {
            if (escapedByte(text, i) < 0) {
                return false;
            }
        }
        return true;
    };
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view pair = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        if (pair.empty() || pair.find(';') != std::string_view::npos || !isWhole(pair)) {
            continue;
        }
        const std::size_t equals = pair.find('=');
        if (visit(pair.substr(0, equals), equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1))) {
            return true;
        }
    }
    return false;
}

} // namespace weir::routing
