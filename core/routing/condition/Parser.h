// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/routing/condition/Syntax.h"

#include <string_view>

namespace weir::routing {

/// What reading a condition gave. Names without a call are part of the tree here; compiling refuses them.
struct ParsedCondition {
    SyntaxNode root;
    ConditionIssues errors; ///< in the order of the text; empty: the tree is whole
    ConditionIssues warnings;
};

/// Reads the text of a condition, without knowing any primitive. Goes on behind a fault as far as the text tells where.
[[nodiscard]] ParsedCondition parseCondition(std::string_view text, Dialect dialect);

} // namespace weir::routing
