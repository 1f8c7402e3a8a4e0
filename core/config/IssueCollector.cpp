// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/IssueCollector.h"

#include "core/base/Sentence.h"
#include "core/config/Utf8.h"

#include <algorithm>

namespace weir::config {
namespace {

// `http://user:password@host` → `http://***@host`: messages end up in logs and tickets.
std::string withoutUserInformation(std::string text)
{
    const std::size_t scheme = text.find("://");
    if (scheme == std::string::npos) {
        return text;
    }
    const std::size_t start = scheme + 3;
    const std::size_t authorityEnd = std::min(text.find_first_of("/?#", start), text.size());
    const std::size_t at = text.rfind('@', authorityEnd);
    if (at != std::string::npos && at >= start && at < authorityEnd) {
        text.replace(start, at - start, "***");
    }
    return text;
}

} // namespace

void IssueCollector::error(const JsonNode& value, std::string path, std::string code, std::string message)
{
    errorAt(value.begin, std::move(path), valueText(value), std::move(code), std::move(message));
}

void IssueCollector::errorAt(std::size_t offset, std::string path, std::string value, std::string code, std::string message)
{
    if (isFull()) {
        ++m_omitted;
        return;
    }
    m_errors.emplace_back(offset, ConfigIssue{0, 0, std::move(path), std::move(value), std::move(message), std::move(code)});
}

void IssueCollector::warning(const JsonNode& value, std::string path, std::string code, std::string message)
{
    m_warnings.emplace_back(value.begin, ConfigIssue{0, 0, std::move(path), valueText(value), std::move(message), std::move(code)});
}

std::string IssueCollector::placeOf(std::size_t offset) const
{
    const Position position = positionAt(offset);
    return "line " + std::to_string(position.line) + ", column " + std::to_string(position.column);
}

std::string IssueCollector::valueText(const JsonNode& value) const
{
    if (value.kind == JsonKind::Object) {
        return value.members.empty() ? "{}" : "{…}";
    }
    if (value.kind == JsonKind::Array) {
        return value.items.empty() ? "[]" : "[…]";
    }
    const std::string_view written = m_text.substr(value.begin, value.end - value.begin);
    return printable(value.kind == JsonKind::String ? withoutUserInformation(std::string(written)) : written);
}

std::vector<ConfigIssue> IssueCollector::takeErrors()
{
    std::vector<ConfigIssue> issues = inOrder(std::move(m_errors));
    if (m_omitted > 0) {
        const ConfigIssue& last = issues.back();
        issues.push_back(ConfigIssue{last.line, last.column, {}, {}, counted(m_omitted, "more error") + " not listed", "too_many_errors"});
    }
    m_errors.clear();
    m_omitted = 0;
    return issues;
}

std::vector<ConfigIssue> IssueCollector::takeWarnings()
{
    std::vector<ConfigIssue> issues = inOrder(std::move(m_warnings));
    m_warnings.clear();
    return issues;
}

std::vector<ConfigIssue> IssueCollector::inOrder(std::vector<Placed> placed) const
{
    std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.first < b.first; });
    std::vector<ConfigIssue> issues;
    issues.reserve(placed.size());
    for (auto& [offset, issue] : placed) {
        const Position position = positionAt(offset);
        issue.line = position.line;
        issue.column = position.column;
        issues.push_back(std::move(issue));
    }
    return issues;
}

} // namespace weir::config
