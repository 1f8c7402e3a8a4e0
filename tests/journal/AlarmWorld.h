// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/alarms/AlarmEngine.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace weir::journal {

/// An engine whose time is driven by the test, and everything it said.
class AlarmWorld {
public:
    AlarmWorld() = default;
    explicit AlarmWorld(AlarmBook::Limits limits) : engine(limits) {}

    /// Lets `by` pass, then runs one turn with what `fill` puts into it.
    void turn(Duration by, const std::function<void(AlarmInput&)>& fill = {})
    {
        m_at.now += by;
        m_at.wall += std::chrono::duration_cast<std::chrono::milliseconds>(by);
        AlarmInput input;
        input.at = m_at;
        input.firstRoundOver = roundOver;
        input.settings = settings;
        input.groups = groups;
        input.stalled = stalled;
        input.storeBehind = storeBehind;
        input.lostEvents = lostEvents;
        if (fill) {
            fill(input);
        }
        engine.turn(input);
        for (Event& event : engine.book().takeEvents()) {
            events.push_back(std::move(event));
        }
        for (AlarmNotice& notice : engine.book().takeNotices(silenced)) {
            notices.push_back(std::move(notice));
        }
    }
    /// A quiet turn a second for this long.
    void pass(int seconds)
    {
        for (int i = 0; i < seconds; ++i) {
            turn(std::chrono::seconds(1));
        }
    }

    void refuse(const std::string& app, int times = 1, bool declared = true)
    {
        turn(Duration::zero(), [&](AlarmInput& input) {
            Refusals refusals{"worker", "pool-7", app, declared, {}, static_cast<std::uint64_t>(times), "No worker for app " + app, {}};
            refusals.at.assign(static_cast<std::size_t>(std::min(times, 10)), input.at.now);
            input.refusals.push_back(refusals);
        });
    }
    void place(const std::string& app, bool inPrimary = true, bool declared = true)
    {
        turn(Duration::zero(), [&](AlarmInput& input) { input.placements.push_back({"worker", app, declared, inPrimary}); });
    }
    void rotate(const std::string& node, bool online, RotationCause cause = RotationCause::Probe, const std::string& app = {})
    {
        turn(Duration::zero(), [&](AlarmInput& input) { input.rotations.push_back({input.at.now, node, "pool-7", "worker", online, cause, "status:500", app, true}); });
    }
    GroupFacts& group(const std::string& pool = "pool-7")
    {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const GroupFacts& one) { return one.pool == pool; });
        if (found != groups.end()) {
            return *found;
        }
        groups.push_back({pool, "worker", true, 3, 3, 3, 0, 10, 30, 30});
        return groups.back();
    }
    void setAvailable(std::size_t count, const std::string& pool = "pool-7")
    {
        GroupFacts& facts = group(pool);
        facts.available = count;
        facts.candidates = count;
        facts.availableCapacity = static_cast<std::int64_t>(count) * 10;
        facts.candidateFree = facts.availableCapacity;
    }

    [[nodiscard]] const Alarm* open(AlarmKind kind) const
    {
        const auto keys = engine.book().openOf(kind);
        return keys.empty() ? nullptr : engine.book().open(keys.front());
    }
    [[nodiscard]] bool fires(AlarmKind kind) const { return open(kind) != nullptr; }
    [[nodiscard]] int told(AlarmKind kind, bool firing) const
    {
        return static_cast<int>(std::count_if(notices.begin(), notices.end(), [&](const AlarmNotice& notice) { return notice.alarm.key.kind == kind && notice.firing == firing; }));
    }
    [[nodiscard]] int said(EventKind kind) const
    {
        return static_cast<int>(std::count_if(events.begin(), events.end(), [&](const Event& event) { return event.kind == kind; }));
    }
    [[nodiscard]] const Moment& at() const { return m_at; }

    AlarmEngine engine;
    AlarmSettings settings;
    bool roundOver = true;
    bool storeBehind = false;
    std::uint64_t lostEvents = 0;
    std::vector<GroupFacts> groups;
    std::vector<std::string> stalled;
    std::function<bool(const Alarm&)> silenced = [](const Alarm&) { return false; };
    std::vector<Event> events;
    std::vector<AlarmNotice> notices;

private:
    Moment m_at{Instant(std::chrono::hours(1)), WallTime(std::chrono::milliseconds(1700000000000))};
};

} // namespace weir::journal
