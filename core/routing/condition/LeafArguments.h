// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/routing/condition/Leaf.h"
#include "core/routing/condition/Syntax.h"

#include <string_view>

namespace weir::routing {

/// Reads the arguments of a call, whose number and kinds fit `parameters` (see Primitive), into `leaf`. Faults are added to
/// `issues` with the place of the argument.
void fillLeaf(const SyntaxNode& call, std::string_view parameters, Leaf& leaf, ConditionIssues& issues);

} // namespace weir::routing
