// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Lexer.h"

#include "core/routing/condition/PercentText.h"
#include "core/routing/condition/Utf8Text.h"

#include <algorithm>
#include <array>

namespace weir::routing {
namespace {

// Reserved in the language that the reference implementation's scanner was made for.
constexpr std::array<std::string_view, 25> kKeywords{"break", "case", "chan", "const", "continue", "default", "defer", "else",
    "fallthrough", "for", "func", "go", "goto", "if", "import", "interface", "map", "package", "range", "return", "select", "struct",
    "switch", "type", "var"};

bool isDigit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

// Everything beyond ASCII may be in a name: no such name is known, and the message then shows it whole.
bool isNameCharacter(char c) noexcept
{
    const char lower = static_cast<char>(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || c == '_' || c == '-' || isDigit(c) || static_cast<unsigned char>(c) >= 0x80;
}

class Lexer {
public:
    Lexer(std::string_view text, ConditionIssues& issues)
        : m_text(text)
        , m_issues(issues)
    {
    }

    std::vector<Token> run();

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] char here() const { return m_text[m_at]; }
    [[nodiscard]] bool follows(std::string_view text) const { return m_text.substr(m_at).starts_with(text); }

    void advance(std::size_t bytes);
    void skipBlanksAndComments();
    void issue(const char* code, Place place, std::string message);
    void add(Token::Kind kind, std::size_t begin, Place place, std::string text = {});

    void takeToken();
    bool takeOperator();
    void takeName();
    void takeNumber();
    void takeString();
    void takeRawString();
    void takeEscape();
    void takeCodeEscape(std::size_t digits, unsigned base, std::uint32_t limit, Place place);

    std::string_view m_text;
    ConditionIssues& m_issues;
    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    Place m_place;
    bool m_stopped = false; ///< behind a string without an end nothing can be told
};

void Lexer::issue(const char* code, Place place, std::string message)
{
    m_issues.push_back({code, place, std::move(message)});
}

void Lexer::add(Token::Kind kind, std::size_t begin, Place place, std::string text)
{
    m_tokens.push_back({kind, m_text.substr(begin, m_at - begin), std::move(text), place});
}

void Lexer::advance(std::size_t bytes)
{
    for (const std::size_t end = m_at + bytes; m_at < end; ++m_at) {
        if (here() == '\n') {
            ++m_place.line;
            m_place.column = 1;
        } else if ((static_cast<unsigned char>(here()) & 0xC0U) != 0x80U) {
            ++m_place.column;
        }
    }
}

void Lexer::skipBlanksAndComments()
{
    while (!atEnd()) {
        if (here() == ' ' || here() == '\t' || here() == '\r' || here() == '\n') {
            advance(1);
        } else if (follows("//")) {
            advance(std::min(m_text.find('\n', m_at), m_text.size()) - m_at);
        } else {
            return;
        }
    }
}

std::vector<Token> Lexer::run()
{
    if (follows("\xEF\xBB\xBF")) {
        m_at += 3; // a byte order mark takes no column
    }
    skipBlanksAndComments();
    while (!atEnd() && !m_stopped && m_issues.size() < kMaxConditionIssues) {
        takeToken();
        skipBlanksAndComments();
    }
    add(Token::Kind::End, m_at, m_place);
    return std::move(m_tokens);
}

void Lexer::takeToken()
{
    if (takeOperator()) {
        return;
    }
    if (here() == '"') {
        takeString();
    } else if (here() == '`') {
        takeRawString();
    } else if (isDigit(here())) {
        takeNumber();
    } else if (isNameCharacter(here())) {
        takeName();
    } else {
        const std::size_t begin = m_at;
        const Place place = m_place;
        std::string hint;
        if (here() == '&' || here() == '|') {
            hint = std::string("; write ") + here() + here();
        } else if (here() == '\'') {
            hint = "; strings are written in double quotes or backquotes";
        }
        advance(1);
        add(Token::Kind::Broken, begin, place);
        issue("token", place, quoted(m_tokens.back().source) + " means nothing here" + hint);
    }
}

bool Lexer::takeOperator()
{
    struct Operator {
        std::string_view text;
        Token::Kind kind;
    };
    static constexpr std::array<Operator, 7> kOperators{{{"&&", Token::Kind::And}, {"||", Token::Kind::Or}, {"!", Token::Kind::Not},
        {"(", Token::Kind::Open}, {")", Token::Kind::Close}, {",", Token::Kind::Comma}, {";", Token::Kind::Semicolon}}};
    for (const Operator& candidate : kOperators) {
        if (follows(candidate.text)) {
            const std::size_t begin = m_at;
            const Place place = m_place;
            advance(candidate.text.size());
            add(candidate.kind, begin, place);
            return true;
        }
    }
    return false;
}

void Lexer::takeName()
{
    const std::size_t begin = m_at;
    const Place place = m_place;
    std::size_t end = m_at;
    while (end < m_text.size() && isNameCharacter(m_text[end])) {
        ++end;
    }
    advance(end - m_at);
    const std::string_view name = m_text.substr(begin, end - begin);
    if (name == "true" || name == "false") {
        add(Token::Kind::Boolean, begin, place, std::string(name));
    } else if (std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end()) {
        add(Token::Kind::Keyword, begin, place);
        issue("keyword", place, quoted(name) + " is a reserved word and no name of a condition");
    } else {
        add(Token::Kind::Name, begin, place, std::string(name));
    }
}

void Lexer::takeNumber()
{
    const std::size_t begin = m_at;
    const Place place = m_place;
    std::size_t end = m_at + 1;
    const bool isHex = here() == '0' && end < m_text.size() && (m_text[end] == 'x' || m_text[end] == 'X');
    if (isHex) {
        ++end;
    }
    while (end < m_text.size() && (isHex ? hexDigitValue(m_text[end]) >= 0 : isDigit(m_text[end]))) {
        ++end;
    }
    advance(end - m_at);
    add(Token::Kind::Integer, begin, place, std::string(m_text.substr(begin, end - begin)));
}

void Lexer::takeString()
{
    const std::size_t begin = m_at;
    const Place place = m_place;
    advance(1);
    while (!atEnd() && here() != '"' && here() != '\n') {
        if (here() == '\\') {
            takeEscape();
        } else {
            advance(1);
        }
    }
    if (atEnd() || here() == '\n') {
        m_stopped = true;
        add(Token::Kind::Broken, begin, place);
        issue("unterminated", place, "the string has no closing \" on its line; a text over several lines is written in backquotes");
        return;
    }
    const std::size_t first = begin + 1;
    std::string text(m_text.substr(first, m_at - first));
    advance(1);
    add(Token::Kind::String, begin, place, std::move(text));
}

void Lexer::takeRawString()
{
    const std::size_t begin = m_at;
    const Place place = m_place;
    const std::size_t end = m_text.find('`', m_at + 1);
    if (end == std::string_view::npos) {
        m_stopped = true;
        add(Token::Kind::Broken, begin, place);
        issue("unterminated", place, "the string has no closing backquote");
        return;
    }
    std::string text(m_text.substr(begin + 1, end - begin - 1));
    std::erase(text, '\r');
    advance(end + 1 - m_at);
    add(Token::Kind::String, begin, place, std::move(text));
}

// Checked, but kept as written: see routing.md "Strings". Stands at the backslash.
void Lexer::takeEscape()
{
    static constexpr std::string_view kSimple = "abfnrtv\\.\"";
    const Place place = m_place;
    advance(1);
    if (atEnd() || here() == '\n') {
        return; // the string has no end, and that is said
    }
    const char c = here();
    if (kSimple.find(c) != std::string_view::npos) {
        advance(1);
    } else if (c >= '0' && c <= '7') {
        takeCodeEscape(3, 8, 0xff, place);
    } else if (c == 'x' || c == 'u' || c == 'U') {
        advance(1);
        takeCodeEscape(c == 'x' ? 2 : c == 'u' ? 4 : 8, 16, c == 'x' ? 0xff : 0x10ffff, place);
    } else {
        issue("escape", place,
            "the escape \\" + std::string(codePointAt(m_text, m_at).text)
                + " is unknown; write the text in backquotes to keep its backslashes");
        advance(1);
    }
}

void Lexer::takeCodeEscape(std::size_t digits, unsigned base, std::uint32_t limit, Place place)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
        const int digit = atEnd() ? -1 : hexDigitValue(here());
        if (digit < 0 || static_cast<unsigned>(digit) >= base) {
            issue("escape", place, "the escape needs " + std::to_string(digits) + (base == 8 ? " octal digits" : " hexadecimal digits"));
            return;
        }
        value = value * base + static_cast<unsigned>(digit);
        advance(1);
    }
    if (value > limit || (value >= 0xd800 && value < 0xe000)) {
        issue("escape", place, "the escape stands for no character");
    }
}

} // namespace

std::vector<Token> tokenize(std::string_view text, ConditionIssues& issues)
{
    return Lexer(text, issues).run();
}

} // namespace weir::routing
