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

} // namespace weir
