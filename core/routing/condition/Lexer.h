// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/routing/condition/Syntax.h"

#include <string>
#include <string_view>
#include <vector>

namespace weir::routing {

struct Token {
    enum class Kind : unsigned char {
        End,
        Name,
        Keyword, ///< a word of Go that no name may be
        String,
        Boolean,
        Integer,
        And,
        Or,
        Not,
        Open,
        Close,
        Comma,
        Semicolon,
        Broken, ///< already among the issues; after an unterminated string it stands for the rest
    };

    Kind kind = Kind::End;
    std::string_view source; ///< as written
    std::string text;        ///< of a string: without quotes, carriage returns of a raw one dropped
    Place place;
};

/// Cuts the text of a condition into tokens; the last one is `End`. Every fault is added to `issues` and cutting goes on behind
/// it, except behind a string without an end. The tokens point into `text`.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text, ConditionIssues& issues);

} // namespace weir::routing
