// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Parser.h"

#include "core/routing/condition/Lexer.h"
#include "core/routing/condition/Utf8Text.h"

#include <algorithm>
#include <utility>

namespace weir::routing {
namespace {

using Kind = Token::Kind;

// A reading in a message: whole unless the condition is very long.
std::string shown(const SyntaxNode& node)
{
    constexpr std::size_t kMost = 2000;
    std::string text = render(node);
    if (text.size() > kMost) {
        std::size_t end = kMost;
        while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            --end;
        }
        text.resize(end);
        text += "…";
    }
    return text;
}

// What stands between the same two brackets: operands, and the operators between them.
struct Run {
    std::vector<SyntaxNode> operands;
    std::vector<Token> operators;
};

SyntaxNode groupOf(SyntaxNode::Kind kind, std::vector<SyntaxNode> children)
{
    if (children.size() == 1) {
        return std::move(children.front());
    }
    SyntaxNode node;
    node.kind = kind;
    node.place = children.front().place;
    node.children = std::move(children);
    return node;
}

// Operands joined by `tight` first, then those groups by the other operator.
SyntaxNode grouped(std::vector<SyntaxNode> operands, const std::vector<Token>& operators, Kind tight)
{
    const bool orIsTight = tight == Kind::Or;
    std::vector<SyntaxNode> groups;
    std::vector<SyntaxNode> group;
    group.push_back(std::move(operands.front()));
    for (std::size_t i = 0; i < operators.size(); ++i) {
        if (operators[i].kind != tight) {
            groups.push_back(groupOf(orIsTight ? SyntaxNode::Kind::Or : SyntaxNode::Kind::And, std::move(group)));
            group.clear();
        }
        group.push_back(std::move(operands[i + 1]));
    }
    groups.push_back(groupOf(orIsTight ? SyntaxNode::Kind::Or : SyntaxNode::Kind::And, std::move(group)));
    return groupOf(orIsTight ? SyntaxNode::Kind::And : SyntaxNode::Kind::Or, std::move(groups));
}

class Parser {
public:
    Parser(std::vector<Token> tokens, Dialect dialect, ParsedCondition& result)
        : m_tokens(std::move(tokens))
        , m_dialect(dialect)
        , m_result(result)
    {
    }

    void run();

private:
    [[nodiscard]] const Token& here() const { return m_tokens[m_at]; }
    void next()
    {
        if (here().kind != Kind::End) {
            ++m_at;
        }
    }

    SyntaxNode takeExpression(std::size_t depth);
    SyntaxNode takeOperand(std::size_t depth);
    SyntaxNode takePrimary(std::size_t depth);
    SyntaxNode takeCall(const Token& name);
    bool takeArguments(SyntaxNode& call);
    SyntaxNode joined(Run run);

    void syntaxError(const std::string& expected);
    void skipToOperator();

    std::vector<Token> m_tokens;
    Dialect m_dialect;
    ParsedCondition& m_result;
    std::size_t m_at = 0;
    bool m_tooDeep = false;
};

std::string nameOf(const Token& token)
{
    if (token.kind == Kind::End) {
        return "the end";
    }
    const bool isWrongCase =
        token.kind == Kind::Name && token.source.size() <= 5 && (token.source.front() == 'T' || token.source.front() == 'F');
    return quoted(token.source) + (isWrongCase ? " (true and false are written in lower case)" : "");
}

// What the lexer found fault with is not complained of twice.
void Parser::syntaxError(const std::string& expected)
{
    if (here().kind != Kind::Broken && here().kind != Kind::Keyword) {
        m_result.errors.push_back({"syntax", here().place, "expected " + expected + ", found " + nameOf(here())});
    }
}

void Parser::skipToOperator()
{
    std::size_t open = 0;
    for (;; next()) {
        const Kind kind = here().kind;
        if (kind == Kind::End || (open == 0 && (kind == Kind::And || kind == Kind::Or || kind == Kind::Close))) {
            return;
        }
        if (kind == Kind::Open) {
            ++open;
        } else if (kind == Kind::Close) {
            --open;
        }
    }
}

void Parser::run()
{
    m_result.root = takeExpression(0);
    while (here().kind != Kind::End && m_result.errors.size() < kMaxConditionIssues) {
        syntaxError("&&, || or the end");
        if (here().kind == Kind::Close) {
            next();
        }
        skipToOperator();
        if (here().kind == Kind::And || here().kind == Kind::Or) {
            next();
            // Behind the fault: read for its own faults, not for the tree.
            m_result.root.children.push_back(takeExpression(0));
        }
    }
}

SyntaxNode Parser::takeExpression(std::size_t depth)
{
    Run run;
    run.operands.push_back(takeOperand(depth));
    for (;;) {
        if (here().kind == Kind::Broken || here().kind == Kind::Keyword) {
            skipToOperator();
        }
        if (here().kind != Kind::And && here().kind != Kind::Or) {
            return joined(std::move(run));
        }
        run.operators.push_back(here());
        next();
        run.operands.push_back(takeOperand(depth));
    }
}

SyntaxNode Parser::joined(Run run)
{
    if (run.operators.empty()) {
        return std::move(run.operands.front());
    }
    const Kind first = run.operators.front().kind;
    const auto other =
        std::find_if(run.operators.begin(), run.operators.end(), [first](const Token& token) { return token.kind != first; });
    if (other == run.operators.end()) {
        return groupOf(first == Kind::And ? SyntaxNode::Kind::And : SyntaxNode::Kind::Or, std::move(run.operands));
    }
    SyntaxNode imported = grouped(run.operands, run.operators, Kind::Or);
    if (m_dialect == Dialect::Imported) {
        m_result.warnings.push_back(
            {"precedence", other->place, "|| binds tighter than && in this file, so it is read as " + shown(imported)});
        return imported;
    }
    SyntaxNode usual = grouped(std::move(run.operands), run.operators, Kind::And);
    m_result.errors.push_back(
        {"precedence", other->place, "&& and || are mixed without parentheses; write " + shown(usual) + " or " + shown(imported)});
    return usual;
}

SyntaxNode Parser::takeOperand(std::size_t depth)
{
    const Place place = here().place;
    std::size_t negations = 0;
    for (; here().kind == Kind::Not; next()) {
        ++negations;
    }
    SyntaxNode node = takePrimary(depth + negations);
    for (; negations > 0 && !m_tooDeep; --negations) {
        SyntaxNode outer;
        outer.kind = SyntaxNode::Kind::Not;
        outer.place = place;
        outer.children.push_back(std::move(node));
        node = std::move(outer);
    }
    return node;
}

SyntaxNode Parser::takePrimary(std::size_t depth)
{
    if (depth > kMaxConditionDepth) {
        if (!m_tooDeep) {
            m_result.errors.push_back(
                {"limit", here().place, "more than " + std::to_string(kMaxConditionDepth) + " parentheses and ! inside each other"});
        }
        m_tooDeep = true;
        m_at = m_tokens.size() - 1;
        return {};
    }
    const Token token = here();
    if (token.kind == Kind::Open) {
        next();
        SyntaxNode node = takeExpression(depth + 1);
        if (here().kind == Kind::Close) {
            next();
        } else if (!m_tooDeep) {
            syntaxError("&&, || or )");
            skipToOperator();
            if (here().kind == Kind::Close) {
                next();
            }
        }
        return node;
    }
    if (token.kind == Kind::Name || token.kind == Kind::Keyword) {
        next();
        return takeCall(token);
    }
    syntaxError("a condition such as default_t()");
    if (token.kind != Kind::And && token.kind != Kind::Or) {
        skipToOperator();
    }
    return {};
}

SyntaxNode Parser::takeCall(const Token& name)
{
    SyntaxNode node;
    node.place = name.place;
    node.name = std::string(name.source);
    const SyntaxNode::Kind whole = name.kind == Kind::Keyword ? SyntaxNode::Kind::Broken : SyntaxNode::Kind::Call;
    if (here().kind != Kind::Open) {
        node.kind = name.kind == Kind::Keyword ? SyntaxNode::Kind::Broken : SyntaxNode::Kind::Name;
        return node;
    }
    next();
    node.kind = takeArguments(node) ? whole : SyntaxNode::Kind::Broken;
    return node;
}

bool Parser::takeArguments(SyntaxNode& call)
{
    if (here().kind == Kind::Close) {
        next();
        return true;
    }
    for (;;) {
        const Token token = here();
        if (token.kind != Kind::String && token.kind != Kind::Boolean && token.kind != Kind::Integer) {
            syntaxError("a string, true, false or a whole number");
            break;
        }
        const auto kind = token.kind == Kind::String ? Literal::Kind::String
            : token.kind == Kind::Boolean            ? Literal::Kind::Boolean
                                                     : Literal::Kind::Integer;
        call.arguments.push_back({kind, token.text, std::string(token.source), token.place});
        next();
        if (here().kind == Kind::Close) {
            next();
            return true;
        }
        if (here().kind != Kind::Comma) {
            syntaxError(", or )");
            break;
        }
        next();
    }
    skipToOperator();
    if (here().kind == Kind::Close) {
        next();
    }
    return false;
}

void checkEncoding(std::string_view text, ConditionIssues& issues)
{
    Place place;
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint point = codePointAt(text, i);
        if (point.text.empty() || point.value == 0) {
            issues.push_back({"encoding", place, point.text.empty() ? "the text is not UTF-8 from here on" : "the text holds a NUL"});
            return;
        }
        i += point.text.size();
        place.column = point.value == '\n' ? 1 : place.column + (point.value == 0xFEFF && i == 3 ? 0 : 1);
        place.line += point.value == '\n' ? 1 : 0;
    }
}

} // namespace

ParsedCondition parseCondition(std::string_view text, Dialect dialect)
{
    ParsedCondition result;
    if (text.size() > kMaxConditionBytes) {
        result.errors.push_back({"limit", {}, "a condition has at most " + std::to_string(kMaxConditionBytes) + " bytes"});
        return result;
    }
    checkEncoding(text, result.errors);
    if (!result.errors.empty()) {
        return result;
    }
    Parser(tokenize(text, result.errors), dialect, result).run();
    const auto before = [](const ConditionIssue& a, const ConditionIssue& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    };
    std::stable_sort(result.errors.begin(), result.errors.end(), before);
    return result;
}

} // namespace weir::routing
