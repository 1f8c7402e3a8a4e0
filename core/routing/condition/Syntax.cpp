// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Syntax.h"

#include <array>

namespace weir::routing {
namespace {

constexpr std::size_t kShownCharacters = 60;

bool isContinuation(char c) noexcept
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string renderCall(const SyntaxNode& node)
{
    std::string text = node.name + '(';
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        text += (i > 0 ? ", " : "") + node.arguments[i].source;
    }
    return text + ')';
}

std::string renderInside(const SyntaxNode& child, SyntaxNode::Kind parent)
{
    const bool isGroup = child.kind == SyntaxNode::Kind::And || child.kind == SyntaxNode::Kind::Or;
    return isGroup && child.kind != parent ? '(' + render(child) + ')' : render(child);
}

} // namespace

std::string toText(const ConditionIssues& issues)
{
    std::string text;
    for (const ConditionIssue& issue : issues) {
        text += text.empty() ? "" : "; ";
        text += "line " + std::to_string(issue.place.line) + ", column " + std::to_string(issue.place.column) + ": " + issue.message;
    }
    return text;
}

std::string render(const SyntaxNode& node)
{
    switch (node.kind) {
    case SyntaxNode::Kind::Broken:
        return "?";
    case SyntaxNode::Kind::Name:
        return node.name;
    case SyntaxNode::Kind::Call:
        return renderCall(node);
    case SyntaxNode::Kind::Not:
        return '!' + renderInside(node.children.front(), SyntaxNode::Kind::Not);
    case SyntaxNode::Kind::And:
    case SyntaxNode::Kind::Or:
        break;
    }
    std::string text;
    for (const SyntaxNode& child : node.children) {
        text += text.empty() ? "" : node.kind == SyntaxNode::Kind::And ? " && " : " || ";
        text += renderInside(child, node.kind);
    }
    return text;
}

std::string quoted(std::string_view text)
{
    static constexpr std::array<char, 17> kDigits{"0123456789abcdef"};
    std::string shown = "\"";
    std::size_t characters = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (!isContinuation(c) && ++characters > kShownCharacters) {
            shown += "…";
            break;
        }
        if (byte < 0x20 || byte == 0x7f) {
            shown += "\\x";
            shown += kDigits[byte >> 4];
            shown += kDigits[byte & 0xf];
        } else {
            shown += c;
        }
    }
    return shown + '"';
}

} // namespace weir::routing
