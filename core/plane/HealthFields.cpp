// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/HealthFields.h"

#include "core/http/JsonText.h"

#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <limits>
#include <optional>

namespace weir::plane {
namespace json = boost::json;
using health::HealthSettings;
namespace {

std::optional<double> number(const json::value& value)
{
    if (!value.is_number()) {
        return std::nullopt;
    }
    return value.to_number<double>();
}

std::optional<int> whole(const json::value& value)
{
    const auto read = number(value);
    if (!read || *read != std::floor(*read) || std::abs(*read) > std::numeric_limits<int>::max()) {
        return std::nullopt;
    }
    return static_cast<int>(*read);
}

// One setting: its names, how to read it out and how to take it over (false: wrong type).
struct Field {
    const char* snake;
    const char* camel;
    const char* type;
    json::value (*get)(const HealthSettings&);
    bool (*set)(HealthSettings&, const json::value&);
};

template <double HealthSettings::* Member>
constexpr Field seconds(const char* snake, const char* camel)
{
    return {snake, camel, "a number", [](const HealthSettings& s) { return json::value(s.*Member); },
        [](HealthSettings& s, const json::value& v) {
            const auto read = number(v);
            s.*Member = read.value_or(s.*Member);
            return read.has_value();
        }};
}

template <int HealthSettings::* Member>
constexpr Field count(const char* snake, const char* camel)
{
    return {snake, camel, "a whole number", [](const HealthSettings& s) { return json::value(s.*Member); },
        [](HealthSettings& s, const json::value& v) {
            const auto read = whole(v);
            s.*Member = read.value_or(s.*Member);
            return read.has_value();
        }};
}

json::value statusesOf(const HealthSettings& s)
{
    return json::array(s.expectedStatuses.begin(), s.expectedStatuses.end());
}

bool setStatuses(HealthSettings& s, const json::value& v)
{
    if (!v.is_array()) {
        return false;
    }
    std::vector<int> statuses;
    for (const json::value& item : v.get_array()) {
        const auto status = whole(item);
        if (!status) {
            return false;
        }
        statuses.push_back(*status);
    }
    s.expectedStatuses = std::move(statuses);
    return true;
}

const std::array<Field, 13> kFields{{
    {"path", "path", "a string", [](const HealthSettings& s) { return json::value(s.path); },
        [](HealthSettings& s, const json::value& v) {
            if (v.is_string()) {
                s.path = json::value_to<std::string>(v);
            }
            return v.is_string();
        }},
    seconds<&HealthSettings::intervalSeconds>("interval_seconds", "intervalSeconds"),
    seconds<&HealthSettings::timeoutSeconds>("timeout_seconds", "timeoutSeconds"),
    {"expected_statuses", "expectedStatuses", "an array of whole numbers", statusesOf, setStatuses},
    count<&HealthSettings::unhealthyThreshold>("unhealthy_threshold", "unhealthyThreshold"),
    count<&HealthSettings::healthyThreshold>("healthy_threshold", "healthyThreshold"),
    seconds<&HealthSettings::cooldownSeconds>("cooldown_seconds", "cooldownSeconds"),
    seconds<&HealthSettings::cooldownMultiplier>("cooldown_multiplier", "cooldownMultiplier"),
    seconds<&HealthSettings::maxCooldownSeconds>("max_cooldown_seconds", "maxCooldownSeconds"),
    seconds<&HealthSettings::ejectionMemorySeconds>("ejection_memory_seconds", "ejectionMemorySeconds"),
    {"max_ejection_percent", "maxEjectionPercent", "a number or null",
        [](const HealthSettings& s) { return s.maxEjectionPercent ? json::value(*s.maxEjectionPercent) : json::value(nullptr); },
        [](HealthSettings& s, const json::value& v) {
            s.maxEjectionPercent = number(v);
            return v.is_null() || v.is_number();
        }},
    count<&HealthSettings::flapTransitions>("flap_transitions", "flapTransitions"),
    seconds<&HealthSettings::flapWindowSeconds>("flap_window_seconds", "flapWindowSeconds"),
}};

std::string_view nameOf(const Field& field, KeyStyle style)
{
    return style == KeyStyle::Camel ? field.camel : field.snake;
}

} // namespace

json::object toJson(const HealthSettings& settings, KeyStyle style)
{
    json::object object;
    for (const Field& field : kFields) {
        object[nameOf(field, style)] = field.get(settings);
    }
    return object;
}

Result<HealthSettings> patched(const HealthSettings& settings, const json::object& patch, KeyStyle style)
{
    HealthSettings result = settings;
    for (const auto& [key, value] : patch) {
        const Field* found = nullptr;
        for (const Field& field : kFields) {
            found = nameOf(field, style) == std::string_view(key) ? &field : found;
        }
        if (found == nullptr) {
            return fail("unknown_field", "'" + std::string(key) + "' is not a setting of health checks.", std::string(key));
        }
        if (!found->set(result, value)) {
            return fail("wrong_type", std::string(key) + " is " + http::jsonText(value) + "; it must be " + found->type + ".", std::string(key));
        }
    }
    if (auto errors = health::validate(result); !errors.empty()) {
        Error error = errors.front();
        for (const Field& field : kFields) {
            if (style == KeyStyle::Camel && error.field == field.snake) {
                error.field = field.camel;
                error.message = std::string(field.camel) + error.message.substr(std::string_view(field.snake).size());
            }
        }
        return tl::unexpected(std::move(error));
    }
    return result;
}

json::object differences(const json::object& a, const json::object& b)
{
    json::object result;
    for (const auto& [key, value] : a) {
        const json::value* other = b.if_contains(key);
        if (other == nullptr || *other != value) {
            result[key] = value;
        }
    }
    return result;
}

} // namespace weir::plane
