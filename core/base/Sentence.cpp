// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/Sentence.h"

#include <cmath>

namespace weir {

std::string sentence(std::string_view pattern, std::initializer_list<std::string> arguments)
{
    std::string text;
    text.reserve(pattern.size() + 32);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%' || i + 1 == pattern.size()) {
            text += pattern[i];
            continue;
        }
        const char next = pattern[i + 1];
        if (next == '%') {
            text += '%';
            ++i;
        } else if (next >= '1' && next <= '9' && static_cast<std::size_t>(next - '1') < arguments.size()) {
            text += *(arguments.begin() + (next - '1'));
            ++i;
        } else {
            text += '%';
        }
    }
    return text;
}

std::string counted(std::size_t count, std::string_view singular, std::string_view plural)
{
    std::string text = std::to_string(count) + " ";
    if (count == 1) {
        text += singular;
    } else if (!plural.empty()) {
        text += plural;
    } else {
        text += singular;
        text += 's';
    }
    return text;
}

std::string listed(std::span<const std::string> names, std::size_t limit)
{
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < limit; ++i) {
        text += i == 0 ? "" : ", ";
        text += names[i];
    }
    if (names.size() > limit) {
        text += " and " + std::to_string(names.size() - limit) + " more";
    }
    return text;
}

long wholeSecondsUp(double seconds)
{
    return seconds <= 0 ? 0 : static_cast<long>(std::ceil(seconds - 1e-9));
}

} // namespace weir
