// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

using Duration = std::chrono::nanoseconds;

/// Tag clock of Instant; nothing reads it directly, only a Clock gives instants.
struct Monotonic {
    using rep = Duration::rep;
    using period = Duration::period;
    using duration = Duration;
    using time_point = std::chrono::time_point<Monotonic, Duration>;
    static constexpr bool is_steady = true;
};

/// A point on the monotonic time line; all decisions use it.
using Instant = Monotonic::time_point;

/// UTC milliseconds, for people and records only.
using WallTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/// Seconds as the settings give them, decimals included.
[[nodiscard]] constexpr Duration fromSeconds(double seconds)
{
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

[[nodiscard]] constexpr double toSeconds(Duration duration)
{
    return std::chrono::duration<double>(duration).count();
}

/// Where time comes from. Handed to everything that needs it; there is no global clock.
class Clock {
public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual Instant now() const = 0;
    [[nodiscard]] virtual WallTime wall() const = 0;
};

/// CLOCK_MONOTONIC; wall time is wall-at-start plus monotonic time, so that it never steps under a running plane.
/// Thread-safe.
class SystemClock final : public Clock {
public:
    SystemClock();

    [[nodiscard]] Instant now() const override;
    [[nodiscard]] WallTime wall() const override;

    /// Takes the system's wall time over again when it has left ours by more than `tolerance`; returns the step taken
    /// (zero: none).
    std::chrono::milliseconds rebase(std::chrono::milliseconds tolerance);

private:
    mutable std::mutex m_mutex;
    WallTime m_wallBase;
    Instant m_instantBase;
};

/// Time that stands still until it is told to move. For tests and simulations; thread-safe.
class ManualClock final : public Clock {
public:
    explicit ManualClock(WallTime wallStart = WallTime(std::chrono::milliseconds(1'700'000'000'000)));

    [[nodiscard]] Instant now() const override;
    [[nodiscard]] WallTime wall() const override;
    void advance(Duration by);

private:
    mutable std::mutex m_mutex;
    Duration m_elapsed{0};
    WallTime m_wallStart;
};

/// `2026-11-29T21:30:08.412Z`: RFC 3339, UTC, milliseconds.
[[nodiscard]] std::string toRfc3339(WallTime time);

/// Reads RFC 3339 back: any offset, up to nine decimals (what is finer than a millisecond is cut off). Nothing for anything else; a
/// leap second counts as the second after it.
[[nodiscard]] std::optional<WallTime> fromRfc3339(std::string_view text) noexcept;

} // namespace weir
