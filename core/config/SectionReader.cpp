// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/SectionReader.h"

#include "core/base/Sentence.h"
#include "core/config/JsonReader.h"
#include "core/base/NearestName.h"
#include "core/config/Utf8.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <unordered_map>
#include <utility>

namespace weir::config {
namespace {

constexpr double kLeastSeconds = 0.05;
constexpr double kMostSeconds = 86'400;
constexpr std::size_t kMaxLabelBytes = 200;

const char* kindName(JsonKind kind)
{
    switch (kind) {
    case JsonKind::Null: return "null";
    case JsonKind::Boolean: return "true or false";
    case JsonKind::Number: return "a number";
    case JsonKind::String: return "a string";
    case JsonKind::Array: return "a list";
    case JsonKind::Object: return "an object";
    }
    return "";
}

std::string numberText(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.10g", value);
    return text;
}

} // namespace

std::string wrongKind(const char* wanted, const JsonNode& node)
{
    return std::string("must be ") + wanted + ", is " + kindName(node.kind);
}

std::string withoutFullStop(std::string message)
{
    if (message.ends_with('.')) {
        message.pop_back();
    }
    return message;
}

SectionReader::SectionReader(IssueCollector& issues, const JsonNode& node, std::string path, std::span<const KeySpec> known)
    : m_issues(issues), m_node(node), m_path(std::move(path)), m_known(known)
{
    if (node.kind == JsonKind::Object) {
        checkKeys();
    } else {
        m_issues.error(node, m_path, "wrong_type", wrongKind("an object", node));
    }
}

void SectionReader::checkKeys()
{
    std::unordered_map<std::string_view, std::size_t> first;
    for (const JsonMember& member : m_node.members) {
        const auto [place, isNew] = first.emplace(member.name, member.nameBegin);
        const KeySpec* spec = specOf(member.name);
        if (!isNew) {
            // What a section that is not served holds may be a secret.
            const std::string value = spec != nullptr && spec->served ? m_issues.valueText(member.value) : std::string();
            m_issues.errorAt(member.nameBegin, pathOf(member.name), value, "duplicate_key",
                "key given twice; first at " + m_issues.placeOf(place->second));
        } else if (spec == nullptr) {
            m_issues.errorAt(member.nameBegin, pathOf(member.name), m_issues.valueText(member.value), "unknown_key",
                m_issues.isFull() ? "unknown key" : unknownKeyMessage(member.name));
        } else if (!spec->served) {
            m_issues.errorAt(member.nameBegin, pathOf(member.name), {}, "not_served", "not served by this version yet");
        }
    }
}

std::string SectionReader::unknownKeyMessage(std::string_view key) const
{
    std::vector<std::string> names;
    std::vector<std::string> served;
    for (const KeySpec& spec : m_known) {
        names.emplace_back(spec.name);
        if (spec.served) {
            served.emplace_back(spec.name);
        }
    }
    if (const std::string nearest = nearestName(key, names); !nearest.empty()) {
        return "unknown key; did you mean \"" + nearest + "\"?";
    }
    return served.empty() ? "unknown key" : "unknown key; known here: " + listed(served);
}

const KeySpec* SectionReader::specOf(std::string_view key) const
{
    const auto found = std::find_if(m_known.begin(), m_known.end(), [&](const KeySpec& spec) { return spec.name == key; });
    return found == m_known.end() ? nullptr : &*found;
}

const JsonNode* SectionReader::find(std::string_view key) const
{
    const auto isWanted = [&](const JsonMember& member) { return member.name == key; };
    const auto found = std::find_if(m_node.members.begin(), m_node.members.end(), isWanted);
    return found == m_node.members.end() ? nullptr : &found->value;
}

std::string SectionReader::pathOf(std::string_view key) const
{
    return joinPath(m_path, key);
}

bool SectionReader::hasFailed(std::string_view key) const
{
    return std::find(m_failed.begin(), m_failed.end(), key) != m_failed.end();
}

DeclaredKeys SectionReader::declared() const
{
    DeclaredKeys declared;
    for (const JsonMember& member : m_node.members) {
        const KeySpec* spec = specOf(member.name);
        if (spec != nullptr && !declared.contains(spec->name)) {
            declared.names.push_back(spec->name);
        }
    }
    return declared;
}

void SectionReader::fail(std::string_view key, std::string code, std::string message)
{
    m_failed.emplace_back(key);
    if (const JsonNode* node = find(key)) {
        m_issues.error(*node, pathOf(key), std::move(code), std::move(message));
    } else {
        m_issues.errorAt(m_node.begin, pathOf(key), {}, std::move(code), std::move(message));
    }
}

void SectionReader::failMissing(std::string_view key, std::string message)
{
    if (m_node.kind == JsonKind::Object) { // anything else has been reported as a whole
        fail(key, "missing_key", std::move(message));
    }
}

const JsonNode* SectionReader::require(std::string_view key)
{
    const JsonNode* node = find(key);
    if (node == nullptr) {
        failMissing(key, "must be given");
    }
    return node;
}

const JsonNode* SectionReader::findKind(std::string_view key, JsonKind kind, const char* what)
{
    const JsonNode* node = find(key);
    if (node != nullptr && node->kind != kind) {
        fail(key, "wrong_type", wrongKind(what, *node));
        return nullptr;
    }
    return node;
}

const JsonNode* SectionReader::array(std::string_view key)
{
    return findKind(key, JsonKind::Array, "a list");
}

const JsonNode* SectionReader::object(std::string_view key)
{
    return findKind(key, JsonKind::Object, "an object");
}

std::optional<bool> SectionReader::flag(std::string_view key)
{
    const JsonNode* node = findKind(key, JsonKind::Boolean, "true or false");
    return node == nullptr ? std::nullopt : std::optional(node->boolean);
}

std::optional<std::string> SectionReader::text(std::string_view key)
{
    const JsonNode* node = findKind(key, JsonKind::String, "a string");
    return node == nullptr ? std::nullopt : std::optional(node->text);
}

std::optional<std::string> SectionReader::label(std::string_view key)
{
    std::optional<std::string> value = text(key);
    if (!value) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < value->size();) {
        const CodePoint point = codePointAt(*value, i);
        if (point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0)) {
            fail(key, "invalid_value", "must not hold control characters");
            return std::nullopt;
        }
        i += point.length;
    }
    if (value->size() > kMaxLabelBytes) {
        fail(key, "out_of_range", "must not be longer than 200 bytes, has " + std::to_string(value->size()));
        return std::nullopt;
    }
    return value;
}

std::optional<double> SectionReader::number(std::string_view key)
{
    const JsonNode* node = findKind(key, JsonKind::Number, "a number");
    if (node == nullptr) {
        return std::nullopt;
    }
    if (std::isnan(node->number)) {
        fail(key, "out_of_range", "no such number can be held");
        return std::nullopt;
    }
    return node->number;
}

std::optional<double> SectionReader::numberWithin(std::string_view key, double least, double most)
{
    const std::optional<double> value = number(key);
    if (value && !(*value >= least && *value <= most)) {
        fail(key, "out_of_range", "must be between " + numberText(least) + " and " + numberText(most));
        return std::nullopt;
    }
    return value;
}

std::optional<int> SectionReader::whole(std::string_view key)
{
    const std::optional<double> value = number(key);
    if (!value) {
        return std::nullopt;
    }
    if (*value != std::floor(*value)) {
        fail(key, "wrong_type", "must be a whole number");
        return std::nullopt;
    }
    constexpr double kLeast = std::numeric_limits<int>::min();
    constexpr double kMost = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(*value, kLeast, kMost));
}

std::optional<std::int64_t> SectionReader::wholeWithin(std::string_view key, std::int64_t least, std::int64_t most)
{
    const std::optional<int> value = whole(key);
    if (value && (*value < least || *value > most)) {
        fail(key, "out_of_range", "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        return std::nullopt;
    }
    return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

std::optional<double> SectionReader::seconds(std::string_view key, bool zeroAllowed)
{
    const std::optional<double> value = number(key);
    if (!value || (*value >= kLeastSeconds && *value <= kMostSeconds) || (zeroAllowed && *value == 0)) {
        return value;
    }
    fail(key, "out_of_range", zeroAllowed ? "must be 0 or between 0.05 and 86400 seconds" : "must be between 0.05 and 86400 seconds");
    return std::nullopt;
}

std::optional<std::size_t> SectionReader::choice(std::string_view key, std::span<const std::string_view> words)
{
    const std::optional<std::string> value = text(key);
    if (!value) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (*value == words[i]) {
            return i;
        }
        names.push_back("\"" + std::string(words[i]) + "\"");
    }
    fail(key, "invalid_value", "must be one of " + listed(names));
    return std::nullopt;
}

std::optional<std::vector<int>> SectionReader::statuses(std::string_view key)
{
    const JsonNode* list = array(key);
    if (list == nullptr) {
        return std::nullopt;
    }
    if (list->items.empty()) {
        fail(key, "out_of_range", "must list at least one status");
        return std::nullopt;
    }
    std::vector<int> statuses;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const JsonNode& item = list->items[i];
        const double status = item.number;
        if (item.kind != JsonKind::Number) {
            m_issues.error(item, joinPath(pathOf(key), i), "wrong_type", wrongKind("a number", item));
        } else if (!(status >= 100 && status <= 599) || (status >= 300 && status < 400) || status != std::floor(status)) {
            m_issues.error(item, joinPath(pathOf(key), i), "out_of_range",
                "must be a whole number from 100 to 599 that is not a redirect (3xx)");
        } else {
            statuses.push_back(static_cast<int>(status));
        }
    }
    if (statuses.size() != list->items.size()) {
        m_failed.emplace_back(key);
        return std::nullopt;
    }
    return statuses;
}

} // namespace weir::config
