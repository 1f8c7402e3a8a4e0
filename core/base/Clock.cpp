// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/Clock.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace weir {
namespace {

WallTime systemWall()
{
    return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

Instant systemInstant()
{
    return Instant(std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

} // namespace

SystemClock::SystemClock()
    : m_wallBase(systemWall())
    , m_instantBase(systemInstant())
{
}

Instant SystemClock::now() const
{
    return systemInstant();
}

WallTime SystemClock::wall() const
{
    const std::scoped_lock lock(m_mutex);
    return m_wallBase + std::chrono::duration_cast<std::chrono::milliseconds>(systemInstant() - m_instantBase);
}

std::chrono::milliseconds SystemClock::rebase(std::chrono::milliseconds tolerance)
{
    const std::scoped_lock lock(m_mutex);
    const Instant instant = systemInstant();
    const WallTime ours = m_wallBase + std::chrono::duration_cast<std::chrono::milliseconds>(instant - m_instantBase);
    const auto step = systemWall() - ours;
    if (std::chrono::abs(step) <= tolerance) {
        return std::chrono::milliseconds(0);
    }
    m_wallBase = ours + step;
    m_instantBase = instant;
    return step;
}

ManualClock::ManualClock(WallTime wallStart)
    : m_wallStart(wallStart)
{
}

Instant ManualClock::now() const
{
    const std::scoped_lock lock(m_mutex);
    return Instant(m_elapsed);
}

WallTime ManualClock::wall() const
{
    const std::scoped_lock lock(m_mutex);
    return m_wallStart + std::chrono::duration_cast<std::chrono::milliseconds>(m_elapsed);
}

void ManualClock::advance(Duration by)
{
    const std::scoped_lock lock(m_mutex);
    m_elapsed += by;
}

std::string toRfc3339(WallTime time)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    const auto millis = static_cast<int>((time - seconds).count());
    const std::time_t unixSeconds = std::chrono::system_clock::to_time_t(seconds);
    std::tm utc{};
    gmtime_r(&unixSeconds, &utc);
    std::array<char, 40> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
    std::snprintf(text.data() + length, text.size() - length, ".%03dZ", millis);
    return text.data();
}

namespace {

// Takes `digits` digits off the front of `text`; nothing when there are fewer or the number is out of range.
std::optional<int> takeNumber(std::string_view& text, std::size_t digits, int min, int max) noexcept
{
    int value = 0;
    if (text.size() < digits) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < digits; ++i) {
        if (text[i] < '0' || text[i] > '9') {
            return std::nullopt;
        }
        value = value * 10 + (text[i] - '0');
    }
    text.remove_prefix(digits);
    return value >= min && value <= max ? std::optional(value) : std::nullopt;
}

bool takeOneOf(std::string_view& text, std::string_view characters) noexcept
{
    if (text.empty() || characters.find(text.front()) == std::string_view::npos) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

// ".412345678": milliseconds; no dot is none.
std::optional<int> takeFraction(std::string_view& text) noexcept
{
    if (!takeOneOf(text, ".")) {
        return 0;
    }
    int millis = 0;
    std::size_t digits = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9' && digits < 9; ++digits) {
        millis = digits < 3 ? millis * 10 + (text.front() - '0') : millis;
        text.remove_prefix(1);
    }
    for (std::size_t i = digits; i < 3; ++i) {
        millis *= 10;
    }
    return digits > 0 ? std::optional(millis) : std::nullopt;
}

// "Z", "+02:00", "-00:30".
std::optional<std::chrono::minutes> takeOffset(std::string_view& text) noexcept
{
    if (takeOneOf(text, "Zz")) {
        return std::chrono::minutes(0);
    }
    const bool west = text.starts_with('-');
    if (!takeOneOf(text, "+-")) {
        return std::nullopt;
    }
    const auto hours = takeNumber(text, 2, 0, 23);
    const bool colon = takeOneOf(text, ":");
    const auto minutes = takeNumber(text, 2, 0, 59);
    if (!hours || !colon || !minutes) {
        return std::nullopt;
    }
    return std::chrono::minutes((*hours * 60 + *minutes) * (west ? -1 : 1));
}

} // namespace

std::optional<WallTime> fromRfc3339(std::string_view text) noexcept
{
    const auto year = takeNumber(text, 4, 1970, 9999);
    bool shaped = takeOneOf(text, "-");
    const auto month = takeNumber(text, 2, 1, 12);
    shaped = takeOneOf(text, "-") && shaped;
    const auto day = takeNumber(text, 2, 1, 31);
    shaped = takeOneOf(text, "Tt ") && shaped;
    const auto hour = takeNumber(text, 2, 0, 23);
    shaped = takeOneOf(text, ":") && shaped;
    const auto minute = takeNumber(text, 2, 0, 59);
    shaped = takeOneOf(text, ":") && shaped;
    const auto second = takeNumber(text, 2, 0, 60);
    const auto millis = takeFraction(text);
    const auto offset = takeOffset(text);
    if (!shaped || !text.empty() || !year || !month || !day || !hour || !minute || !second || !millis || !offset) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)), std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) {
        return std::nullopt;
    }
    return WallTime(std::chrono::sys_days(date)) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*second)
        + std::chrono::milliseconds(*millis) - *offset;
}

} // namespace weir
