// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/routing/condition/Exchange.h"
#include "core/routing/condition/Syntax.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace weir::routing {

/// How a condition came to its value, for the tracer: a node a step, in the order of the text.
struct ConditionTrace {
    enum class Value : unsigned char { False, True, Skipped }; ///< skipped: what stood left of it had decided

    std::string text; ///< as written
    Value value = Value::Skipped;
    std::optional<std::string> fetched; ///< of a primitive that looks at one text: what that was
    std::vector<ConditionTrace> parts;
};

/// A condition of routing.md, compiled. Immutable and cheap to copy; any number of threads may evaluate it.
class Condition {
public:
    /// All faults of the text, in its order; or the condition, with `warnings` filled where a reader may be surprised.
    /// Never throws, whatever the text.
    [[nodiscard]] static tl::expected<Condition, ConditionIssues> compile(
        std::string_view text, Dialect dialect = Dialect::Native, ConditionIssues* warnings = nullptr);

    /// Allocates nothing, except for values over 256 bytes that have to be decoded or folded to another case.
    [[nodiscard]] bool matches(const Exchange& exchange) const;

    [[nodiscard]] ConditionTrace trace(const Exchange& exchange) const;

    /// As it was given.
    [[nodiscard]] const std::string& text() const noexcept;

private:
    struct Tree;

    explicit Condition(std::shared_ptr<const Tree> tree)
        : m_tree(std::move(tree))
    {
    }

    std::shared_ptr<const Tree> m_tree;
};

} // namespace weir::routing
