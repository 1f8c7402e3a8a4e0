// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/ConditionTime.h"

#include <algorithm>
#include <chrono>

namespace weir::routing {
namespace {

constexpr std::int64_t kHour = 3600;

// Z is Greenwich, A to M without J go east, N to Y west.
std::optional<std::int64_t> zoneSeconds(char letter) noexcept
{
    const char upper = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    if (upper == 'Z') {
        return 0;
    }
    if (upper >= 'A' && upper <= 'I') {
        return (upper - 'A' + 1) * kHour;
    }
    if (upper >= 'K' && upper <= 'M') {
        return (upper - 'K' + 10) * kHour;
    }
    if (upper >= 'N' && upper <= 'Y') {
        return -(upper - 'N' + 1) * kHour;
    }
    return std::nullopt;
}

int number(std::string_view digits) noexcept
{
    int value = 0;
    for (const char c : digits) {
        value = value * 10 + (c - '0');
    }
    return value;
}

bool isDigits(std::string_view text) noexcept
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

std::optional<TimeOfDay> parseTimeOfDay(std::string_view text) noexcept
{
    if (text.size() != 7 || !isDigits(text.substr(0, 6))) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> zone = zoneSeconds(text[6]);
    const int hour = number(text.substr(0, 2));
    const int minute = number(text.substr(2, 2));
    const int second = number(text.substr(4, 2));
    if (!zone || hour > 23 || minute > 59 || second > 59) {
        return std::nullopt;
    }
    return TimeOfDay{hour * kHour + minute * 60 + second, *zone};
}

std::optional<std::int64_t> parseDateTime(std::string_view text) noexcept
{
    if (text.size() != 15 || !isDigits(text.substr(0, 8))) {
        return std::nullopt;
    }
    const std::optional<TimeOfDay> time = parseTimeOfDay(text.substr(8));
    const std::chrono::year_month_day date{std::chrono::year(number(text.substr(0, 4))),
        std::chrono::month(static_cast<unsigned>(number(text.substr(4, 2)))),
        std::chrono::day(static_cast<unsigned>(number(text.substr(6, 2))))};
    if (!time || !date.ok()) {
        return std::nullopt;
    }
    const auto midnight = std::chrono::sys_seconds(std::chrono::sys_days(date)).time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(midnight).count() + time->seconds - time->zoneSeconds;
}

} // namespace weir::routing
