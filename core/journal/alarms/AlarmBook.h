// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/alarms/Alarm.h"

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weir::journal {

/// The same moment on both time lines.
struct Moment {
    Instant now{};
    WallTime wall{};
};

/// Something a rule found.
struct Occurrence {
    AlarmKey key;
    std::string sentence;
    std::string detail;
    std::uint64_t times = 1;
    bool appDeclared = true;
    std::optional<Severity> severity; ///< nothing: the first one of the kind
};

/// What receivers should hear.
struct AlarmNotice {
    bool firing = true; ///< false: resolved
    Alarm alarm;        ///< as it is now
};

/// The alarms there are, open and lately resolved: episodes, counts, what stands for what, and what was told to whom. It decides
/// nothing; rules say what they find, and the book keeps the promises of journal.md: one open alarm a key, repeats raise the count, an
/// old episode is reopened within five minutes, nothing is told twice, and memory is bounded.
/// Not thread-safe; time is an argument.
class AlarmBook {
public:
    struct Limits {
        std::size_t open = 10'000;     ///< beyond it a kind has one shared key
        std::size_t resolved = 10'000; ///< kept for their history; the oldest go first
        std::size_t undeclaredApps = 100;
        Duration reopen = std::chrono::minutes(5);
        Duration sharedQuiet = std::chrono::minutes(5); ///< a shared key resolves after this long without an occurrence
    };

    AlarmBook() : AlarmBook(Limits{}) {}
    explicit AlarmBook(Limits limits) : m_limits(limits) {}

    /// Before anything else: an alarm of the run before. Ages count from `at` on.
    void restore(Alarm alarm, const Moment& at, bool appDeclared = true);

    /// Opens, reopens or repeats. Gives the alarm's id.
    std::uint64_t raise(const Occurrence& occurrence, const Moment& at);
    /// For conditions that are looked at again and again: opens or reopens, but an open one is left as it is.
    void ensure(const Occurrence& occurrence, const Moment& at);
    /// Counts as an occurrence for ages, not in the count.
    void keepAlive(const AlarmKey& key, const Moment& at);
    /// A change of severity is an event and tells nobody anything again.
    void setSeverity(const AlarmKey& key, Severity severity, const Moment& at);
    /// Nothing happens when no such alarm is open.
    void resolve(const AlarmKey& key, const Moment& at, std::string_view why);
    /// The incident that the alarm's fired event belongs to; nothing happens when it is that already, or there is no such alarm.
    void setIncident(std::uint64_t id, std::int64_t incident);
    /// What belonged to the first belongs to the second now.
    void moveIncident(std::int64_t from, std::int64_t into);
    /// False when it is not firing.
    bool acknowledge(std::uint64_t id, const std::string& actor, const Moment& at);

    /// Once a turn, after the rules: shared keys that went quiet, alarms whose stand-in is gone. `settle` is how long those wait before
    /// they are told, since they may be about to resolve as well.
    void tick(const Moment& at, Duration settle);

    [[nodiscard]] bool isOpen(const AlarmKey& key) const { return m_open.contains(key); }
    [[nodiscard]] const Alarm* open(const AlarmKey& key) const;
    [[nodiscard]] const Alarm* find(std::uint64_t id) const;
    /// Since the last occurrence; nothing when it is not open.
    [[nodiscard]] std::optional<Duration> quietFor(const AlarmKey& key, Instant now) const;
    /// Keys of the open alarms of one kind.
    [[nodiscard]] std::vector<AlarmKey> openOf(AlarmKind kind) const;
    /// The key under which this app's alarms stand: its own or the shared one.
    [[nodiscard]] AlarmKey keyFor(AlarmKey key, bool appDeclared) const;
    void forEachOpen(const std::function<void(const Alarm&)>& visit) const;
    [[nodiscard]] std::size_t openCount() const { return m_open.size(); }
    [[nodiscard]] const std::map<std::uint64_t, Alarm>& all() const { return m_alarms; }

    /// What should be told now and has not been: firing alarms that are neither counted elsewhere nor `silenced`, and the end of those that
    /// were told. They count as told from here on.
    [[nodiscard]] std::vector<AlarmNotice> takeNotices(const std::function<bool(const Alarm&)>& silenced);
    /// Events since the last call.
    [[nodiscard]] std::vector<Event> takeEvents();
    /// Ids of alarms that changed in more than their count since the last call, of those that only repeated, and of those dropped.
    struct Changed {
        std::set<std::uint64_t> changed;
        std::set<std::uint64_t> repeated;
        std::set<std::uint64_t> removed;
    };
    [[nodiscard]] Changed takeChanged();

private:
    struct Live {
        std::uint64_t id = 0;
        Instant lastAt{};
        bool undeclared = false;
        Instant untoldUntil = Instant::min(); ///< its stand-in resolved; it waits to be told
    };
    using Open = std::map<AlarmKey, Live>;

    [[nodiscard]] bool isShared(const AlarmKey& key) const;
    [[nodiscard]] std::uint64_t standInFor(const AlarmKey& key) const;
    std::uint64_t begin(const AlarmKey& key, const Occurrence& occurrence, const Moment& at);
    void reopen(Alarm& alarm, const Occurrence& occurrence, const Moment& at);
    void count(Alarm& alarm, const Occurrence& occurrence, const Moment& at, bool shared);
    void say(EventKind kind, const Alarm& alarm, WallTime at, std::string_view sentence, std::string_view more = {});
    void addLive(const Alarm& alarm, Instant now, bool undeclared);
    void dropOldest();

    Limits m_limits;
    std::map<std::uint64_t, Alarm> m_alarms;
    Open m_open;
    std::map<AlarmKey, std::uint64_t> m_latest; ///< last resolved episode of a key
    std::deque<std::uint64_t> m_resolved;       ///< oldest first
    std::map<std::string, std::size_t, std::less<>> m_undeclared;
    std::set<std::uint64_t> m_toTell;           ///< may differ from what was told
    std::vector<Event> m_events;
    Changed m_changed;
    std::uint64_t m_nextId = 1;
};

} // namespace weir::journal
