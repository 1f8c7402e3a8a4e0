// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir::routing {

/// A place in the text of a condition, both from 1; columns count characters.
struct Place {
    std::size_t line = 1;
    std::size_t column = 1;

    friend bool operator==(const Place&, const Place&) = default;
};

/// Something wrong, or as a warning odd, in a condition. Codes: `limit`, `encoding`, `token`, `unterminated`, `escape`, `syntax`,
/// `keyword`, `precedence`, `unresolved_variable`, `unknown_primitive`, `arity`, `arg_type`, `regex`, `ip`, `ip_family`,
/// `range_order`, `hash_section`, `host_port`, `time`.
struct ConditionIssue {
    std::string code;
    Place place;
    std::string message; ///< without a full stop

    friend bool operator==(const ConditionIssue&, const ConditionIssue&) = default;
};

using ConditionIssues = std::vector<ConditionIssue>;

/// "line 2, column 7: message", the issues joined by "; ".
[[nodiscard]] std::string toText(const ConditionIssues& issues);

/// Whose reading of a mixture of && and || holds (routing.md "Conditions").
enum class Dialect : unsigned char {
    Native,   ///< the mixture is an error unless parentheses say what is meant
    Imported, ///< || binds tighter, and a warning shows it
};

/// What a condition's text may have at most.
inline constexpr std::size_t kMaxConditionBytes = 64 * std::size_t{1024};
inline constexpr std::size_t kMaxConditionDepth = 64;
inline constexpr std::size_t kMaxConditionIssues = 50;

struct Literal {
    enum class Kind : unsigned char { String, Boolean, Integer };

    Kind kind = Kind::String;
    std::string text;   ///< without quotes; escapes as written
    std::string source; ///< as written
    Place place;
};

/// A condition as it was read. `And` and `Or` have two or more children, `Not` one.
struct SyntaxNode {
    enum class Kind : unsigned char { Broken, And, Or, Not, Call, Name };

    Kind kind = Kind::Broken;
    Place place;
    std::string name; ///< of `Call` and `Name`
    std::vector<Literal> arguments;
    std::vector<SyntaxNode> children;
};

/// The text of a node, one line unless a raw string has more, with the parentheses that show how it was read.
[[nodiscard]] std::string render(const SyntaxNode& node);

/// For messages: in double quotes, at most sixty characters, control characters as \xHH.
[[nodiscard]] std::string quoted(std::string_view text);

} // namespace weir::routing
