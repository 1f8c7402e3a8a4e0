// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/TimerQueue.h"
#include "core/journal/Event.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::journal {

/// Folds the events that can happen thousands of times a second, so that the journal stays readable and small:
/// `pool_exhausted` and `pool_fallback` are equal by (kind, role, pool, app), `reservation_expired` and `pool_claim_ignored` also by node,
/// `registration_refused` by node and address. The first
/// of its kind passes at once; after it at most one every ten seconds stands for all that came meanwhile, with `count`,
/// `first` and `last` in its detail. An event without `count` stands for itself, so the counts add up exactly.
///
/// Names that callers invent do not fill the memory: apps that nobody declared share one key (app kOtherApps) once
/// `undeclaredApps` of them have a key, and so does everything beyond `maxKeys`.
/// Not thread-safe; time is an argument.
class EventFolder {
public:
    static constexpr Duration kWindow = std::chrono::seconds(10);
    /// The app of a shared key; no app can have this id.
    static constexpr std::string_view kOtherApps = "*";

    struct Limits {
        std::size_t undeclaredApps = 100;
        std::size_t maxKeys = 10'000; ///< keys of one app each; the shared ones are bounded by roles × pools
    };

    /// `isDeclared` says whether an app is known by declaration; asked once when a key begins.
    explicit EventFolder(std::function<bool(std::string_view appId)> isDeclared);
    EventFolder(std::function<bool(std::string_view appId)> isDeclared, Limits limits);

    /// The event to write now, if any: every event that is not folded comes back as it is.
    [[nodiscard]] std::optional<Event> add(Event event, Instant now);

    /// The folds that are due at `now`, in the order in which they fell due.
    [[nodiscard]] std::vector<Event> flush(Instant now);

    /// All that is held back, due or not; for an orderly stop.
    [[nodiscard]] std::vector<Event> drain(Instant now);

    /// When flush() has something to do; early at times, never late. Nothing: no key is open.
    [[nodiscard]] std::optional<Instant> nextDue() const { return m_timers.next(); }

    [[nodiscard]] std::size_t keyCount() const { return m_folds.size(); }

private:
    struct Key {
        EventKind kind{};
        std::string role;
        std::string poolId;
        std::string appId;
        std::string nodeId;
        std::string actor;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    struct Fold {
        Instant due;
        bool undeclared = false;
        std::uint64_t count = 0; ///< held back since the last one that was let through
        WallTime first{};
        Severity worst = Severity::Info;
        Instant lastAt;
        Event last;
    };

    [[nodiscard]] Key keyOf(const Event& event, bool& undeclared) const;
    static void hold(Fold& fold, Event event, Instant now);
    [[nodiscard]] static Event release(Fold& fold, const Key& key, Instant now);
    void forget(std::map<Key, Fold>::iterator position);

    std::function<bool(std::string_view)> m_isDeclared;
    Limits m_limits;
    std::map<Key, Fold> m_folds;
    std::map<std::string, std::size_t, std::less<>> m_undeclared; ///< undeclared app → its open keys
    std::size_t m_sharedKeys = 0;
    TimerQueue<Key> m_timers;
};

} // namespace weir::journal
