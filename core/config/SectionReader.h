// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/Config.h"
#include "core/config/ConfigKeys.h"
#include "core/config/IssueCollector.h"
#include "core/config/JsonNode.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::config {

/// One object of the file, read key by key. Constructing it reports keys that are unknown, given twice or not served yet;
/// each reading call reports a value that breaks its rule and then gives nothing, as for a key that is missing.
class SectionReader {
public:
    SectionReader(IssueCollector& issues, const JsonNode& node, std::string path, std::span<const KeySpec> known);

    [[nodiscard]] const JsonNode* find(std::string_view key) const;
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::string pathOf(std::string_view key) const;
    [[nodiscard]] IssueCollector& issues() { return m_issues; }
    /// True when an issue about this key has been reported.
    [[nodiscard]] bool hasFailed(std::string_view key) const;
    [[nodiscard]] DeclaredKeys declared() const;
    [[nodiscard]] Position at() const { return m_issues.positionAt(m_node.begin); }

    /// Reports that this key's value breaks a rule; a missing key is reported at the object's beginning.
    void fail(std::string_view key, std::string code, std::string message);
    void failMissing(std::string_view key, std::string message);

    [[nodiscard]] const JsonNode* require(std::string_view key);
    [[nodiscard]] const JsonNode* array(std::string_view key);
    [[nodiscard]] const JsonNode* object(std::string_view key);
    [[nodiscard]] std::optional<bool> flag(std::string_view key);
    /// Any text.
    [[nodiscard]] std::optional<std::string> text(std::string_view key);
    /// Text for people: at most 200 bytes, no control characters.
    [[nodiscard]] std::optional<std::string> label(std::string_view key);
    /// Any number that a double holds.
    [[nodiscard]] std::optional<double> number(std::string_view key);
    [[nodiscard]] std::optional<double> numberWithin(std::string_view key, double least, double most);
    /// A whole number, cut to the range of int: whoever checks its range refuses the ends.
    [[nodiscard]] std::optional<int> whole(std::string_view key);
    [[nodiscard]] std::optional<std::int64_t> wholeWithin(std::string_view key, std::int64_t least, std::int64_t most);
    /// 0.05 to 86,400 s; 0 too where it means something.
    [[nodiscard]] std::optional<double> seconds(std::string_view key, bool zeroAllowed);
    /// One of `words`: its index.
    [[nodiscard]] std::optional<std::size_t> choice(std::string_view key, std::span<const std::string_view> words);
    /// A list of statuses that can mean success: 100 to 599 without redirects, not empty.
    [[nodiscard]] std::optional<std::vector<int>> statuses(std::string_view key);

private:
    void checkKeys();
    [[nodiscard]] const KeySpec* specOf(std::string_view key) const;
    [[nodiscard]] const JsonNode* findKind(std::string_view key, JsonKind kind, const char* what);
    [[nodiscard]] std::string unknownKeyMessage(std::string_view key) const;

    IssueCollector& m_issues;
    const JsonNode& m_node;
    std::string m_path;
    std::span<const KeySpec> m_known;
    std::vector<std::string> m_failed;
};

/// "must be an object, is a string"
[[nodiscard]] std::string wrongKind(const char* wanted, const JsonNode& node);

/// Messages of other folders are sentences; those of an issue end a line without a full stop.
[[nodiscard]] std::string withoutFullStop(std::string message);

} // namespace weir::config
