// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/health/HealthSettings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace weir::health {
namespace {

constexpr double kLeastSeconds = 0.05;
constexpr double kMostSeconds = 86'400;
constexpr int kMostThreshold = 1'000;

std::string number(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.10g", value);
    return text;
}

class Checker {
public:
    std::vector<Error> errors;

    void positiveSeconds(const char* key, double value)
    {
        if (!(value >= kLeastSeconds && value <= kMostSeconds)) {
            add(key, number(value), "must be between 0.05 and 86400 seconds");
        }
    }
    void seconds(const char* key, double value)
    {
        if (!(value == 0 || (value >= kLeastSeconds && value <= kMostSeconds))) {
            add(key, number(value), "must be 0 or between 0.05 and 86400 seconds");
        }
    }
    void count(const char* key, int value)
    {
        if (value < 1 || value > kMostThreshold) {
            add(key, std::to_string(value), "must be a whole number from 1 to 1000");
        }
    }
    void add(const char* key, const std::string& value, const std::string& rule)
    {
        errors.push_back(Error{"invalid_value", std::string(key) + " is " + value + "; it " + rule + ".", key});
    }
};

} // namespace

std::vector<Error> validate(const HealthSettings& s)
{
    Checker check;
    if (s.path.empty() || s.path.front() != '/') {
        check.add("path", "'" + s.path + "'", "must begin with '/'");
    }
    check.positiveSeconds("interval_seconds", s.intervalSeconds);
    check.positiveSeconds("timeout_seconds", s.timeoutSeconds);
    if (s.timeoutSeconds > s.intervalSeconds) {
        check.errors.push_back(Error{"timeout_exceeds_interval",
            "timeout_seconds is " + number(s.timeoutSeconds) + "; it must not be longer than interval_seconds (" + number(s.intervalSeconds) + ").", "timeout_seconds"});
    }
    if (s.expectedStatuses.empty()) {
        check.add("expected_statuses", "empty", "must list at least one status");
    }
    for (const int status : s.expectedStatuses) {
        if (status < 100 || status > 599 || (status >= 300 && status < 400)) {
            check.add("expected_statuses", std::to_string(status), "must hold statuses from 100 to 599 that are not redirects");
        }
    }
    check.count("unhealthy_threshold", s.unhealthyThreshold);
    check.count("healthy_threshold", s.healthyThreshold);
    check.seconds("cooldown_seconds", s.cooldownSeconds);
    if (!(s.cooldownMultiplier >= 1 && s.cooldownMultiplier <= 100)) {
        check.add("cooldown_multiplier", number(s.cooldownMultiplier), "must be between 1 and 100");
    }
    check.positiveSeconds("max_cooldown_seconds", s.maxCooldownSeconds);
    if (s.maxCooldownSeconds < s.cooldownSeconds) {
        check.add("max_cooldown_seconds", number(s.maxCooldownSeconds), "must not be shorter than cooldown_seconds (" + number(s.cooldownSeconds) + ")");
    }
    check.positiveSeconds("ejection_memory_seconds", s.ejectionMemorySeconds);
    if (s.maxEjectionPercent && !(*s.maxEjectionPercent > 0 && *s.maxEjectionPercent <= 100)) {
        check.add("max_ejection_percent", number(*s.maxEjectionPercent), "must be over 0 and at most 100");
    }
    check.count("flap_transitions", s.flapTransitions);
    check.positiveSeconds("flap_window_seconds", s.flapWindowSeconds);
    return check.errors;
}

Duration quarantineLength(const HealthSettings& settings, int ejectionsInMemory)
{
    if (settings.cooldownSeconds <= 0) {
        return Duration::zero(); // 0 × a power that has grown to infinity is no number
    }
    const double grown = settings.cooldownSeconds * std::pow(settings.cooldownMultiplier, std::max(0, ejectionsInMemory - 1));
    return fromSeconds(std::min(grown, std::max(settings.maxCooldownSeconds, settings.cooldownSeconds)));
}

} // namespace weir::health
