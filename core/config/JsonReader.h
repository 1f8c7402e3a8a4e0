// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/JsonNode.h"

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace weir::config {

struct JsonError {
    std::size_t offset = 0;
    std::string path;
    std::string code; ///< syntax_error, invalid_utf8, too_deep, too_large
    std::string message;
};

/// Strict JSON (RFC 8259) plus the two kinds of comment, into a tree that knows where each value stands.
///
/// Written here and not driven through Boost.JSON: that parser's handler is told no offsets. Feeding it byte by byte tells
/// where an event *ended*, but numbers end one byte late, strings come in parts, and where a value *began* would have to be
/// found again behind blanks and comments; it also stops at a code where people need a sentence. This grammar is small, and
/// the three bounds (bytes, depth, number of values) hold memory and stack whatever the input.
class JsonReader {
public:
    static constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;
    static constexpr std::size_t kMaxValues = 1'000'000;
    static constexpr int kMaxDepth = 64;

    explicit JsonReader(std::string_view text) : m_text(text) {}

    /// Reads the whole text; the first fault ends it, since nothing after it can be told for certain.
    [[nodiscard]] tl::expected<JsonNode, JsonError> read();

private:
    bool readValue(JsonNode& into, int depth);
    bool readObject(JsonNode& into, int depth);
    bool readMember(JsonNode& object, int depth);
    bool readArray(JsonNode& into, int depth);
    bool readString(std::string& into);
    bool readEscape(std::string& into);
    bool readUnicodeEscape(std::string& into);
    std::optional<std::uint32_t> readHex4();
    bool readNumber(JsonNode& into);
    bool readWord(JsonNode& into);
    bool readSeparator(char close, const char* what, bool& closed);
    bool skipBlanks();
    bool skipComment();
    bool fail(std::size_t offset, std::string message, std::string code = "syntax_error");
    [[nodiscard]] std::string found() const;
    [[nodiscard]] char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_values = 0;
    JsonError m_error;
};

/// A number by JSON's own grammar, the whole of `text`; none when it is not one. NaN: no double can hold it.
[[nodiscard]] std::optional<double> parseJsonNumber(std::string_view text);

/// `.name` or `["odd name"]`, to be put behind the path of the object; the dot is left out behind an empty path.
[[nodiscard]] std::string joinPath(std::string_view parent, std::string_view key);
[[nodiscard]] std::string joinPath(std::string_view parent, std::size_t index);

} // namespace weir::config
