// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/ModuleReader.h"

#include "core/config/JsonReader.h"

#include <algorithm>

namespace weir::gateway {
namespace {

constexpr std::size_t kMostRules = 1000;

void texts(
    config::SectionReader& section, std::string_view key, const std::function<void(const config::JsonNode&, const std::string& path)>& take)
{
    const config::JsonNode* list = section.array(key);
    if (list == nullptr) {
        return;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const config::JsonNode& item = list->items[i];
        const std::string path = config::joinPath(section.pathOf(key), i);
        if (item.kind != config::JsonKind::String) {
            section.issues().error(item, path, "wrong_type", config::wrongKind("a string", item));
        } else {
            take(item, path);
        }
    }
}

} // namespace

std::optional<routing::Condition> readCondition(config::SectionReader& section, std::string_view key)
{
    const std::optional<std::string> text = section.find(key) == nullptr ? "default_t()" : section.text(key);
    if (!text) {
        return std::nullopt;
    }
    auto condition = routing::Condition::compile(*text);
    if (condition) {
        return std::move(*condition);
    }
    for (const routing::ConditionIssue& issue : condition.error()) {
        section.fail(key, issue.code,
            "line " + std::to_string(issue.place.line) + ", column " + std::to_string(issue.place.column)
                + " of the condition: " + issue.message);
    }
    return std::nullopt;
}

std::vector<std::string> readTexts(config::SectionReader& section, std::string_view key)
{
    std::vector<std::string> found;
    texts(section, key, [&](const config::JsonNode& item, const std::string&) { found.push_back(item.text); });
    return found;
}

std::vector<IpNetwork> readNetworks(config::SectionReader& section, std::string_view key)
{
    std::vector<IpNetwork> networks;
    texts(section, key, [&](const config::JsonNode& item, const std::string& path) {
        if (const auto network = IpNetwork::parse(item.text)) {
            networks.push_back(*network);
        } else {
            section.issues().error(item, path, "invalid_value", "must be an address or a network such as 10.0.0.0/8");
        }
    });
    return networks;
}

bool isHeaderName(std::string_view name)
{
    static constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        const char lower = static_cast<char>(c | 0x20);
        return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || kOthers.find(c) != std::string_view::npos;
    });
}

bool isHeaderValue(std::string_view value)
{
    return std::all_of(value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
}

std::vector<std::pair<std::string, std::string>> readHeaders(config::SectionReader& section, std::string_view key)
{
    std::vector<std::pair<std::string, std::string>> headers;
    const config::JsonNode* object = section.object(key);
    if (object == nullptr) {
        return headers;
    }
    for (const config::JsonMember& member : object->members) {
        const std::string path = config::joinPath(section.pathOf(key), member.name);
        if (member.value.kind != config::JsonKind::String) {
            section.issues().error(member.value, path, "wrong_type", config::wrongKind("a string", member.value));
        } else if (!isHeaderName(member.name)) {
            section.issues().errorAt(member.nameBegin, path, {}, "invalid_value", "is no name of a header");
        } else if (!isHeaderValue(member.value.text)) {
            section.issues().error(member.value, path, "invalid_value", "a header's value holds no control characters");
        } else {
            headers.emplace_back(member.name, member.value.text);
        }
    }
    return headers;
}

std::vector<std::string> readHeaderNames(config::SectionReader& section, std::string_view key)
{
    std::vector<std::string> names;
    texts(section, key, [&](const config::JsonNode& item, const std::string& path) {
        if (isHeaderName(item.text)) {
            names.push_back(item.text);
        } else {
            section.issues().error(item, path, "invalid_value", "is no name of a header");
        }
    });
    return names;
}

void readRules(config::SectionReader& section, std::string_view key, std::span<const config::KeySpec> keys,
    const std::function<void(config::SectionReader&)>& read)
{
    const config::JsonNode* list = section.array(key);
    if (list == nullptr) {
        if (section.find(key) == nullptr) {
            section.failMissing(key, "a list of rules is needed");
        }
        return;
    }
    if (list->items.size() > kMostRules) {
        section.fail(key, "too_many", "at most " + std::to_string(kMostRules) + " rules are possible");
        return;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        config::SectionReader rule(section.issues(), list->items[i], config::joinPath(section.pathOf(key), i), keys);
        if (list->items[i].kind == config::JsonKind::Object) {
            read(rule);
        }
    }
}

} // namespace weir::gateway
