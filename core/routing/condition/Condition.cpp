// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Condition.h"

#include "core/routing/condition/Leaf.h"
#include "core/routing/condition/Parser.h"
#include "core/routing/condition/Primitives.h"

#include <algorithm>
#include <cstdint>

namespace weir::routing {
namespace {

struct Node {
    SyntaxNode::Kind kind = SyntaxNode::Kind::Call;
    std::uint32_t first = 0; ///< of `children`; of a call: index of its leaf
    std::uint32_t count = 0;
};

} // namespace

// Children of a node lie side by side, so that a run of && is a walk over neighbours.
struct Condition::Tree {
    std::string text;
    std::vector<Node> nodes; ///< the root is the first
    std::vector<Leaf> leaves;

    void build(const SyntaxNode& syntax, std::size_t at, ConditionIssues& issues);
    [[nodiscard]] bool evaluate(const Node& node, const Exchange& exchange) const;
    [[nodiscard]] ConditionTrace trace(const Node& node, const Exchange* exchange) const;
};

// Fills the place `at` and, behind all that is there, the children.
void Condition::Tree::build(const SyntaxNode& syntax, std::size_t at, ConditionIssues& issues)
{
    if (syntax.kind == SyntaxNode::Kind::Name) {
        issues.push_back({"unresolved_variable", syntax.place,
            "a name alone is no condition: " + quoted(syntax.name)
                + (findPrimitive(syntax.name) != nullptr ? "; its arguments in parentheses are missing" : "; there are no variables")});
        return;
    }
    if (syntax.kind == SyntaxNode::Kind::Call) {
        if (std::optional<Leaf> leaf = makeLeaf(syntax, issues)) {
            nodes[at] = {syntax.kind, static_cast<std::uint32_t>(leaves.size()), 0};
            leaves.push_back(std::move(*leaf));
        }
    }
    // A broken node has children too when reading went on behind the fault.
    const std::size_t first = nodes.size();
    if (!syntax.children.empty()) {
        nodes.resize(first + syntax.children.size());
        if (syntax.kind != SyntaxNode::Kind::Call) {
            nodes[at] = {syntax.kind, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(syntax.children.size())};
        }
    }
    for (std::size_t i = 0; i < syntax.children.size() && issues.size() < kMaxConditionIssues; ++i) {
        build(syntax.children[i], first + i, issues);
    }
}

bool Condition::Tree::evaluate(const Node& node, const Exchange& exchange) const
{
    const auto* const begin = nodes.data() + node.first;
    const auto* const end = begin + node.count;
    const auto holds = [&](const Node& child) { return evaluate(child, exchange); };
    switch (node.kind) {
    case SyntaxNode::Kind::And:
        return std::all_of(begin, end, holds);
    case SyntaxNode::Kind::Or:
        return std::any_of(begin, end, holds);
    case SyntaxNode::Kind::Not:
        return !evaluate(*begin, exchange);
    default:
        return leaves[node.first].matches(exchange);
    }
}

// Without an exchange: of what is not evaluated.
ConditionTrace Condition::Tree::trace(const Node& node, const Exchange* exchange) const
{
    using Value = ConditionTrace::Value;
    ConditionTrace result;
    if (node.kind == SyntaxNode::Kind::Call) {
        const Leaf& leaf = leaves[node.first];
        result.text = leaf.text;
        if (exchange != nullptr) {
            result.fetched = leaf.fetchedText(*exchange);
            result.value = leaf.matches(*exchange) ? Value::True : Value::False;
        }
        return result;
    }
    result.text = node.kind == SyntaxNode::Kind::And ? "&&" : node.kind == SyntaxNode::Kind::Or ? "||" : "!";
    const Value decisive = node.kind == SyntaxNode::Kind::Or ? Value::True : Value::False;
    const Exchange* left = exchange;
    for (std::uint32_t i = 0; i < node.count; ++i) {
        result.parts.push_back(trace(nodes[node.first + i], left));
        if (result.parts.back().value == decisive && node.kind != SyntaxNode::Kind::Not) {
            left = nullptr;
        }
    }
    if (exchange != nullptr) {
        result.value = evaluate(node, *exchange) ? Value::True : Value::False;
    }
    return result;
}

tl::expected<Condition, ConditionIssues> Condition::compile(std::string_view text, Dialect dialect, ConditionIssues* warnings)
{
    ParsedCondition parsed = parseCondition(text, dialect);
    auto tree = std::make_shared<Tree>();
    tree->nodes.resize(1);
    tree->build(parsed.root, 0, parsed.errors);
    if (!parsed.errors.empty()) {
        std::stable_sort(parsed.errors.begin(), parsed.errors.end(), [](const ConditionIssue& a, const ConditionIssue& b) {
            return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
        });
        return tl::unexpected(std::move(parsed.errors));
    }
    tree->text = text;
    if (warnings != nullptr) {
        *warnings = std::move(parsed.warnings);
    }
    return Condition(std::move(tree));
}

bool Condition::matches(const Exchange& exchange) const
{
    return m_tree->evaluate(m_tree->nodes.front(), exchange);
}

ConditionTrace Condition::trace(const Exchange& exchange) const
{
    return m_tree->trace(m_tree->nodes.front(), &exchange);
}

const std::string& Condition::text() const noexcept
{
    return m_tree->text;
}

} // namespace weir::routing
