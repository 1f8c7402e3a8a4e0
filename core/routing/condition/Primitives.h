// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/routing/condition/Leaf.h"
#include "core/routing/condition/Syntax.h"

#include <optional>
#include <span>
#include <string_view>

namespace weir::routing {

/// One primitive of routing.md: its name, its parameters, and what it looks at.
struct Primitive {
    std::string_view name;
    /// One letter a parameter. `k` key, `p` patterns split at '|', `t` one text, `r` regular expression, `b` whether to ignore
    /// case, `h` hash sections, `a` address (of two: a range), `v` addresses split at '|', `d` date and time, `c` time of day,
    /// `e` an empty text.
    std::string_view parameters;
    Source source = Source::Nothing;
    Match match = Match::Holds;
    bool ignoreCase = false; ///< always, whatever the arguments
};

/// All of them, sorted by name.
[[nodiscard]] std::span<const Primitive> primitives() noexcept;

[[nodiscard]] const Primitive* findPrimitive(std::string_view name) noexcept;

/// Checks a call against the primitive of its name and makes it ready. Faults are added to `issues`, and then there is no leaf.
[[nodiscard]] std::optional<Leaf> makeLeaf(const SyntaxNode& call, ConditionIssues& issues);

} // namespace weir::routing
