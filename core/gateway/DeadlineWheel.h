// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace weir::gateway {

/// Deadlines of connections, which move with every request and hardly ever come: setting one is a few stores, without a timer or
/// memory of its own. Kept in slots of 10 ms; a deadline is never early and at most two slots late. Time is an argument.
class DeadlineWheel {
public:
    /// Something with one deadline; unlinks itself when it goes.
    class Entry {
    public:
        Entry() = default;
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;

    protected:
        virtual ~Entry()
        {
            if (m_wheel != nullptr) {
                m_wheel->unlink(*this);
            }
        }

    private:
        friend class DeadlineWheel;
        virtual void deadlineCame() = 0;

        Entry* m_previous = nullptr;
        Entry* m_next = nullptr;
        DeadlineWheel* m_wheel = nullptr; ///< null: in no slot
        Instant m_at = Instant::max();
        std::uint64_t m_tick = 0; ///< of the slot it stands in; at or before m_at
    };

    DeadlineWheel() = default;
    DeadlineWheel(const DeadlineWheel&) = delete;
    DeadlineWheel& operator=(const DeadlineWheel&) = delete;
    ~DeadlineWheel();

    void set(Entry& entry, Instant at, Instant now);
    /// It stays in its slot until that one's time, which then finds nothing to do.
    static void clear(Entry& entry) { entry.m_at = Instant::max(); }

    /// When run() has something to look at; nothing while no entry is linked.
    [[nodiscard]] std::optional<Instant> next() const;
    /// Calls deadlineCame() of every entry that is due; those calls may set, clear and destroy entries.
    void run(Instant now);

private:
    static constexpr std::size_t kSlots = 8192; // 82 s; later deadlines are looked at again then
    static constexpr std::int64_t kTickNanoseconds = 10'000'000;

    [[nodiscard]] static std::uint64_t tickOf(Instant at) { return static_cast<std::uint64_t>(at.time_since_epoch().count() / kTickNanoseconds); }
    void link(Entry& entry, std::uint64_t tick);
    void unlink(Entry& entry);
    void runSlot(std::uint64_t tick, Instant now);

    std::array<Entry*, kSlots> m_slots{};
    std::array<std::uint64_t, kSlots / 64> m_occupied{};
    std::size_t m_count = 0;
    std::uint64_t m_done = 0; ///< ticks up to this one have been run
};

} // namespace weir::gateway
