// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/ConfigIssue.h"
#include "core/config/JsonNode.h"
#include "core/config/Position.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::config {

/// Gathers what is wrong with one text, in any order, and gives it back in the order of the file. The text must outlive it.
class IssueCollector {
public:
    static constexpr std::size_t kMaxErrors = 10'000;

    explicit IssueCollector(std::string_view text) : m_text(text), m_positions(text) {}

    /// A value that breaks a rule.
    void error(const JsonNode& value, std::string path, std::string code, std::string message);
    /// Anything else: a key, a place where something is missing.
    void errorAt(std::size_t offset, std::string path, std::string value, std::string code, std::string message);
    void warning(const JsonNode& value, std::string path, std::string code, std::string message);

    [[nodiscard]] Position positionAt(std::size_t offset) const { return m_positions.at(offset); }
    /// "line 3, column 7"
    [[nodiscard]] std::string placeOf(std::size_t offset) const;
    /// The value as the file writes it, on one line, shortened, without the password that a URL may carry.
    [[nodiscard]] std::string valueText(const JsonNode& value) const;
    [[nodiscard]] bool hasErrors() const { return !m_errors.empty(); }
    /// From here on errors are only counted; their sentences need not be made.
    [[nodiscard]] bool isFull() const { return m_errors.size() + 1 >= kMaxErrors; }

    [[nodiscard]] std::vector<ConfigIssue> takeErrors();
    [[nodiscard]] std::vector<ConfigIssue> takeWarnings();

private:
    using Placed = std::pair<std::size_t, ConfigIssue>;

    [[nodiscard]] std::vector<ConfigIssue> inOrder(std::vector<Placed> placed) const;

    std::string_view m_text;
    PositionIndex m_positions;
    std::vector<Placed> m_errors;
    std::vector<Placed> m_warnings;
    std::size_t m_omitted = 0;
};

} // namespace weir::config
