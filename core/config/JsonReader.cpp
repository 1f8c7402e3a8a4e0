// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/JsonReader.h"

#include "core/config/Utf8.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace weir::config {
namespace {

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

constexpr bool isWordCharacter(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '+' || c == '.';
}

constexpr int hexValue(char c)
{
    if (isDigit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The length of the number by JSON's grammar that `text` begins with; 0: none.
std::size_t numberLength(std::string_view text)
{
    std::size_t i = 0;
    const auto digits = [&] {
        const std::size_t start = i;
        while (i < text.size() && isDigit(text[i])) {
            ++i;
        }
        return i - start;
    };
    if (text.starts_with('-')) {
        ++i;
    }
    if (i < text.size() && text[i] == '0') {
        ++i;
    } else if (digits() == 0) {
        return 0;
    }
    if (i < text.size() && text[i] == '.') {
        ++i;
        if (digits() == 0) {
            return 0;
        }
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        if (i < text.size() && (text[i] == '+' || text[i] == '-')) {
            ++i;
        }
        if (digits() == 0) {
            return 0;
        }
    }
    return i;
}

} // namespace

std::optional<double> parseJsonNumber(std::string_view text)
{
    if (text.empty() || numberLength(text) != text.size()) {
        return std::nullopt;
    }
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc() ? value : std::numeric_limits<double>::quiet_NaN();
}

std::string joinPath(std::string_view parent, std::string_view key)
{
    const bool plain = !key.empty() && key.size() <= 64
        && std::all_of(key.begin(), key.end(), [](char c) { return isWordCharacter(c) && c != '.' && c != '+'; });
    std::string path(parent);
    if (!plain) {
        return path + "[\"" + printable(key) + "\"]";
    }
    if (!path.empty()) {
        path += '.';
    }
    return path + std::string(key);
}

std::string joinPath(std::string_view parent, std::size_t index)
{
    return std::string(parent) + "[" + std::to_string(index) + "]";
}

tl::expected<JsonNode, JsonError> JsonReader::read()
{
    JsonNode root;
    if (m_text.size() > kMaxBytes) {
        fail(0, "the file is larger than 16 MiB", "too_large");
        return tl::unexpected(m_error);
    }
    if (const std::size_t broken = firstBrokenByte(m_text); broken != std::string_view::npos) {
        const bool utf16 = m_text.starts_with("\xFF\xFE") || m_text.starts_with("\xFE\xFF");
        fail(broken, utf16 ? "the file is UTF-16; it must be UTF-8" : "this byte is not UTF-8", "invalid_utf8");
        return tl::unexpected(m_error);
    }
    if (m_text.starts_with(kByteOrderMark)) {
        m_at = kByteOrderMark.size();
    }
    bool good = skipBlanks();
    if (good && atEnd()) {
        good = fail(m_at, "the file holds no value; an empty configuration is {}");
    }
    good = good && readValue(root, 1) && skipBlanks();
    if (good && !atEnd()) {
        good = fail(m_at, "expected the end of the file after the configuration, found " + found());
    }
    if (!good) {
        return tl::unexpected(std::move(m_error));
    }
    return root;
}

bool JsonReader::readValue(JsonNode& into, int depth)
{
    if (depth > kMaxDepth) {
        return fail(m_at, "nested deeper than 64 levels", "too_deep");
    }
    if (++m_values > kMaxValues) {
        return fail(m_at, "the file holds more than 1000000 values", "too_large");
    }
    into.begin = m_at;
    bool good = false;
    const char c = peek();
    if (c == '{') {
        good = readObject(into, depth);
    } else if (c == '[') {
        good = readArray(into, depth);
    } else if (c == '"') {
        into.kind = JsonKind::String;
        good = readString(into.text);
    } else if (isDigit(c) || c == '-') {
        good = readNumber(into);
    } else {
        good = readWord(into);
    }
    into.end = m_at;
    return good;
}

bool JsonReader::readObject(JsonNode& into, int depth)
{
    into.kind = JsonKind::Object;
    ++m_at;
    if (!skipBlanks()) {
        return false;
    }
    bool closed = peek() == '}';
    if (closed) {
        ++m_at;
    }
    while (!closed) {
        if (!readMember(into, depth) || !readSeparator('}', "member", closed)) {
            return false;
        }
    }
    return true;
}

bool JsonReader::readMember(JsonNode& object, int depth)
{
    if (peek() != '"') {
        return fail(m_at, "expected a key in double quotes, found " + found());
    }
    JsonMember& member = object.members.emplace_back();
    member.nameBegin = m_at;
    if (!readString(member.name) || !skipBlanks()) {
        return false;
    }
    if (peek() != ':') {
        return fail(m_at, "expected ':' after the key \"" + printable(member.name) + "\", found " + found());
    }
    ++m_at;
    if (skipBlanks() && readValue(member.value, depth + 1)) {
        return true;
    }
    const std::string inner = m_error.path;
    m_error.path = joinPath({}, member.name) + (inner.empty() || inner.starts_with('[') ? "" : ".") + inner;
    return false;
}

bool JsonReader::readArray(JsonNode& into, int depth)
{
    into.kind = JsonKind::Array;
    ++m_at;
    if (!skipBlanks()) {
        return false;
    }
    bool closed = peek() == ']';
    if (closed) {
        ++m_at;
    }
    while (!closed) {
        if (!readValue(into.items.emplace_back(), depth + 1)) {
            const std::string inner = m_error.path;
            m_error.path = joinPath({}, into.items.size() - 1) + (inner.empty() || inner.starts_with('[') ? "" : ".") + inner;
            return false;
        }
        if (!readSeparator(']', "value", closed)) {
            return false;
        }
    }
    return true;
}

// What stands after a member or an item: the closing bracket, or a comma and the next one.
bool JsonReader::readSeparator(char close, const char* what, bool& closed)
{
    if (!skipBlanks()) {
        return false;
    }
    closed = peek() == close;
    if (closed) {
        ++m_at;
        return true;
    }
    if (peek() != ',') {
        return fail(m_at, std::string("expected ',' or '") + close + "' after the " + what + ", found " + found());
    }
    const std::size_t comma = m_at++;
    if (!skipBlanks()) {
        return false;
    }
    if (peek() == close) {
        return fail(comma, std::string("a ',' before '") + close + "' is one too many");
    }
    return true;
}

bool JsonReader::readString(std::string& into)
{
    const std::size_t start = m_at++;
    while (!atEnd()) {
        const char c = peek();
        if (c == '"') {
            ++m_at;
            return true;
        }
        if (c == '\n' || c == '\r') {
            break;
        }
        if (static_cast<unsigned char>(c) < 0x20) {
            return fail(m_at, "a control character in a string must be written as an escape");
        }
        if (c == '\\') {
            if (!readEscape(into)) {
                return false;
            }
        } else {
            into += c;
            ++m_at;
        }
    }
    return fail(start, "the string that begins here has no closing quote on its line");
}

bool JsonReader::readEscape(std::string& into)
{
    static constexpr std::string_view kLetters = "\"\\/bfnrt";
    static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = peek(1);
    if (letter == 'u') {
        return readUnicodeEscape(into);
    }
    const std::size_t index = letter == '\0' ? std::string_view::npos : kLetters.find(letter);
    if (index == std::string_view::npos) {
        return fail(m_at, "no such escape; a backslash itself is written \\\\");
    }
    into += kMeanings[index];
    m_at += 2;
    return true;
}

bool JsonReader::readUnicodeEscape(std::string& into)
{
    const std::size_t start = m_at;
    const std::optional<std::uint32_t> first = readHex4();
    if (!first) {
        return fail(start, "\\u needs four hexadecimal digits");
    }
    std::uint32_t value = *first;
    if (value >= 0xD800 && value <= 0xDFFF) {
        const std::optional<std::uint32_t> second = value < 0xDC00 && peek() == '\\' && peek(1) == 'u' ? readHex4() : std::nullopt;
        if (!second || *second < 0xDC00 || *second > 0xDFFF) {
            return fail(start, "half a surrogate pair is not a character");
        }
        value = 0x10000 + ((value - 0xD800) << 10U) + (*second - 0xDC00);
    }
    appendUtf8(into, value);
    return true;
}

// Reads `\uXXXX`.
std::optional<std::uint32_t> JsonReader::readHex4()
{
    std::uint32_t value = 0;
    for (std::size_t i = 2; i < 6; ++i) {
        const int digit = hexValue(peek(i));
        if (digit < 0) {
            return std::nullopt;
        }
        value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    m_at += 6;
    return value;
}

bool JsonReader::readNumber(JsonNode& into)
{
    const std::size_t start = m_at;
    while (isWordCharacter(peek())) {
        ++m_at;
    }
    const std::string_view literal = m_text.substr(start, m_at - start);
    const std::optional<double> value = parseJsonNumber(literal);
    if (!value) {
        return fail(start, "'" + printable(literal) + "' is not a number as JSON writes it");
    }
    into.kind = JsonKind::Number;
    into.number = *value;
    return true;
}

bool JsonReader::readWord(JsonNode& into)
{
    const std::size_t start = m_at;
    while (isWordCharacter(peek())) {
        ++m_at;
    }
    const std::string_view word = m_text.substr(start, m_at - start);
    if (word == "null") {
        return true;
    }
    if (word == "true" || word == "false") {
        into.kind = JsonKind::Boolean;
        into.boolean = word == "true";
        return true;
    }
    if (word.empty()) {
        return fail(start, "expected a value, found " + found());
    }
    return fail(start, "expected a value, found '" + printable(word) + "'; strings are written in double quotes");
}

bool JsonReader::skipBlanks()
{
    while (!atEnd()) {
        const char c = peek();
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++m_at;
        } else if (c != '/') {
            return true;
        } else if (!skipComment()) {
            return false;
        }
    }
    return true;
}

bool JsonReader::skipComment()
{
    const std::size_t start = m_at;
    if (peek(1) == '/') {
        m_at = std::min(m_text.find_first_of("\r\n", m_at), m_text.size());
        return true;
    }
    if (peek(1) != '*') {
        return fail(start, "a comment begins with // or /*");
    }
    const std::size_t close = m_text.find("*/", m_at + 2);
    if (close == std::string_view::npos) {
        return fail(start, "the comment that begins here is not closed with */");
    }
    m_at = close + 2;
    return true;
}

bool JsonReader::fail(std::size_t offset, std::string message, std::string code)
{
    m_error = JsonError{offset, {}, std::move(code), std::move(message)};
    return false;
}

std::string JsonReader::found() const
{
    if (atEnd()) {
        return "the end of the file";
    }
    const CodePoint point = codePointAt(m_text, m_at);
    return "'" + printable(m_text.substr(m_at, point.length)) + "'";
}

} // namespace weir::config
