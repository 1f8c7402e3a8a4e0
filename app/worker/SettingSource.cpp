// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/SettingSource.h"

#include "core/config/JsonReader.h"
#include "core/base/NearestName.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::worker {
namespace {

constexpr std::string_view kVariablePrefix = "HEALTH_";
constexpr std::string_view kDepVariablePrefix = "HEALTH_DEP_";
constexpr std::string_view kDepKeyPrefix = "dep_";
constexpr std::array<std::string_view, 8> kKeys{
    "min_free_gb", "disk_path", "check_deps", "deps", "deps_cache_seconds", "dep_timeout_ms", "ready_url", "listen"};
constexpr std::size_t kMostShownBytes = 120;

bool isSetting(std::string_view key)
{
    return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

std::string upper(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return result;
}

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

std::string variableOf(std::string_view key)
{
    return std::string(kVariablePrefix) + upper(key);
}

// One line, shortened, whatever the variable holds.
std::string shown(std::string_view value)
{
    std::string text = "\"";
    for (const char c : value.substr(0, kMostShownBytes)) {
        text += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
    }
    return text + (value.size() > kMostShownBytes ? "...\"" : "\"");
}

std::vector<config::KeySpec> keysOf(const config::JsonNode& section)
{
    std::vector<config::KeySpec> keys;
    for (const std::string_view key : kKeys) {
        keys.push_back({key});
    }
    for (const config::JsonMember& member : section.members) {
        if (member.name.size() > kDepKeyPrefix.size() && member.name.starts_with(kDepKeyPrefix) && !isSetting(member.name)) {
            keys.push_back({member.name});
        }
    }
    return keys;
}

} // namespace

std::vector<std::string> settingKeys()
{
    return {kKeys.begin(), kKeys.end()};
}

FileSource::FileSource(config::IssueCollector& issues, const config::JsonNode& section)
    : m_issues(issues)
    , m_section(section)
    , m_keys(keysOf(section))
    , m_reader(issues, section, "health", m_keys)
{
}

void FileSource::addDeps(std::vector<Entry>& entries)
{
    const config::JsonNode* deps = m_reader.object("deps");
    if (deps == nullptr) {
        return;
    }
    for (const config::JsonMember& member : deps->members) {
        if (member.value.kind == config::JsonKind::String) {
            entries.push_back({"deps." + member.name, member.name, member.value.text});
        } else {
            m_issues.error(member.value, config::joinPath(m_reader.pathOf("deps"), member.name), "wrong_type", config::wrongKind("a string such as \"127.0.0.1:8188\"", member.value));
        }
    }
}

std::vector<SettingSource::Entry> FileSource::dependencies()
{
    std::vector<Entry> entries;
    for (const config::JsonMember& member : m_section.members) {
        if (member.name == "deps") {
            addDeps(entries);
        } else if (member.name.starts_with(kDepKeyPrefix) && !isSetting(member.name)) {
            if (std::optional<std::string> address = m_reader.text(member.name)) {
                entries.push_back({member.name, member.name.substr(kDepKeyPrefix.size()), std::move(*address)});
            }
        }
    }
    return entries;
}

void FileSource::fail(std::string_view key, std::string code, std::string rule)
{
    constexpr std::string_view kDeps = "deps.";
    if (!key.starts_with(kDeps)) {
        m_reader.fail(key, std::move(code), std::move(rule));
        return;
    }
    const std::string_view name = key.substr(kDeps.size());
    const config::JsonNode* deps = m_reader.find("deps");
    // The last of that name: a repeated one is reported at its repetition.
    const auto member = std::find_if(deps->members.rbegin(), deps->members.rend(), [&](const config::JsonMember& each) { return each.name == name; });
    if (member != deps->members.rend()) {
        m_issues.error(member->value, config::joinPath(m_reader.pathOf("deps"), name), std::move(code), std::move(rule));
    }
}

std::optional<std::string> EnvironmentSource::text(std::string_view key)
{
    const auto found = m_environment.find(variableOf(key));
    return found == m_environment.end() ? std::nullopt : std::optional(found->second);
}

std::optional<bool> EnvironmentSource::flag(std::string_view key)
{
    const std::optional<std::string> value = text(key);
    if (!value) {
        return std::nullopt;
    }
    if (*value == "true" || *value == "1") {
        return true;
    }
    if (*value == "false" || *value == "0") {
        return false;
    }
    fail(key, "wrong_type", "must be true, false, 1 or 0");
    return std::nullopt;
}

std::optional<double> EnvironmentSource::number(std::string_view key)
{
    const std::optional<std::string> value = text(key);
    if (!value) {
        return std::nullopt;
    }
    const std::optional<double> parsed = config::parseJsonNumber(*value);
    if (!parsed || std::isnan(*parsed)) {
        fail(key, "wrong_type", "must be a number");
        return std::nullopt;
    }
    return parsed;
}

std::vector<SettingSource::Entry> EnvironmentSource::dependencies()
{
    std::vector<Entry> entries;
    if (const std::optional<std::string> list = text("deps")) {
        std::string_view rest = *list;
        while (true) {
            const std::size_t comma = rest.find(',');
            const std::string_view part = rest.substr(0, comma);
            const std::size_t equals = part.find('=');
            if (equals == std::string_view::npos) {
                fail("deps", "invalid_value", "must be a list such as comfyui=127.0.0.1:8188,change_hair=127.0.0.1:8801");
                return {};
            }
            entries.push_back({"deps", std::string(part.substr(0, equals)), std::string(part.substr(equals + 1))});
            if (comma == std::string_view::npos) {
                break;
            }
            rest = rest.substr(comma + 1);
        }
    }
    for (const auto& [variable, value] : m_environment) {
        const std::string key = lower(variable.size() < kVariablePrefix.size() ? std::string_view() : std::string_view(variable).substr(kVariablePrefix.size()));
        if (variable.size() > kDepVariablePrefix.size() && variable.starts_with(kDepVariablePrefix) && !isSetting(key)) {
            entries.push_back({key, key.substr(kDepKeyPrefix.size()), value});
        }
    }
    return entries;
}

void EnvironmentSource::fail(std::string_view key, std::string, std::string rule)
{
    const std::string variable = variableOf(key);
    const auto found = m_environment.find(variable);
    m_errors.push_back(variable + ": " + (found == m_environment.end() ? std::string() : shown(found->second) + ": ") + rule);
}

std::vector<std::string> EnvironmentSource::strangers() const
{
    std::vector<std::string> known;
    for (const std::string_view key : kKeys) {
        known.push_back(variableOf(key));
    }
    std::vector<std::string> sentences;
    for (const auto& [variable, value] : m_environment) {
        const bool isDependency = variable.starts_with(kDepVariablePrefix) && variable.size() > kDepVariablePrefix.size();
        if (isDependency || !variable.starts_with(kVariablePrefix) || std::find(known.begin(), known.end(), variable) != known.end()) {
            continue;
        }
        const std::string nearest = nearestName(variable, known);
        sentences.push_back("The variable " + variable + " stands for no setting and is ignored" + (nearest.empty() ? "." : "; did you mean " + nearest + "?"));
    }
    return sentences;
}

} // namespace weir::worker
