// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plane/ChangeFlow.h"
#include "core/plane/NodeHistory.h"
#include "core/plane/alarms/AlarmBoard.h"
#include "core/plane/incidents/IncidentJson.h"
#include "core/plane/incidents/Incidents.h"
#include "core/store/DataDirectory.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace weir::test {

/// Counts the turns of the journal thread, so that a test can wait for one instead of for a time.
class TurnCounter final : public plane::JournalObserver {
public:
    plane::JournalEntries restore(const store::Snapshot&, store::StoreReader&, WallTime) override { return {}; }
    plane::JournalEntries observe(const plane::JournalTurn&) override
    {
        ++turns;
        return {};
    }
    std::atomic<int> turns{0};
};

/// A receiver that takes everything and writes it down.
class NoticeRecorder final : public plane::AlarmDelivery {
public:
    void restore(const store::Snapshot&, WallTime) override {}
    void turnBegins(const journal::Moment&) override {}
    std::vector<plane::RowWrite> deliver(const std::vector<journal::AlarmNotice>& notices, const journal::Moment&) override
    {
        const std::scoped_lock lock(m_mutex);
        m_notices.insert(m_notices.end(), notices.begin(), notices.end());
        return {};
    }
    void remind(const std::vector<journal::Alarm>&) override {}

    [[nodiscard]] std::size_t told(journal::AlarmKind kind, bool firing) const
    {
        const std::scoped_lock lock(m_mutex);
        return static_cast<std::size_t>(std::count_if(m_notices.begin(), m_notices.end(),
            [&](const journal::AlarmNotice& one) { return one.alarm.key.kind == kind && one.firing == firing; }));
    }
    [[nodiscard]] std::size_t all() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_notices.size();
    }

private:
    mutable std::mutex m_mutex;
    std::vector<journal::AlarmNotice> m_notices;
};

/// A board and the incidents beside it on a real fleet and store whose clock the test moves.
struct AlarmBoardWorld {
    explicit AlarmBoardWorld(const std::string& path, ManualClock& time)
        : clock(time)
        , directory(*store::DataDirectory::open(path))
        , reader(directory.databaseFile())
    {
        board.setDelivery(receiver);
        board.setPlaces([this] { return incidents.takeAlarmPlaces(); });
        flow.addObserver(incidents);
        flow.addObserver(board);
        flow.addObserver(counter);
        if (const auto snapshot = store.start(directory)) {
            flow.restoreObservers(*snapshot, reader);
            opened = true;
        }
    }
    AlarmBoardWorld(const AlarmBoardWorld&) = delete;
    AlarmBoardWorld& operator=(const AlarmBoardWorld&) = delete;
    ~AlarmBoardWorld()
    {
        flow.stop();
        reader.close();
        store.stop();
    }

    NodeHandle addNode(const std::string& id, PoolHandle pool, std::int64_t capacity = 1, UserHandle owner = {})
    {
        return fleet.with([&](fleet::Fleet& live, Instant now) {
            fleet::NodeSpec spec;
            spec.id = NodeId::trusted(id);
            spec.pool = pool;
            spec.owner = owner;
            spec.url = "http://127.0.0.1:1";
            spec.capacity = capacity;
            return *live.addNode(spec, now);
        });
    }
    void probe(NodeHandle node, bool success, bool local = false, const char* reason = "unreachable")
    {
        fleet.with([&](fleet::Fleet& live, Instant now) {
            live.probeEnded({node, live.node(node).generation, now, success, success ? "" : reason, {}}, now);
        });
        board.sources().probeEnded(node, success, local);
    }
    fleet::Decision decide(const std::string& app)
    {
        fleet::Request request;
        request.app = app;
        return fleet.decide(request);
    }
    /// Lets the board see what is now: the turn under way may have begun before.
    void seeNow() const
    {
        const int before = counter.turns;
        QTRY_VERIFY(counter.turns >= before + 2);
    }
    /// Until everything that has happened is judged, written, and part of its incident.
    void settle()
    {
        for (int turn = 0; turn < 3; ++turn) {
            std::promise<void> seen;
            flow.afterTurn([this, &seen] { store.afterWrites([&seen] { seen.set_value(); }); });
            seen.get_future().wait();
        }
    }
    /// Moves the clock in steps of a second, each judged.
    void pass(int seconds)
    {
        for (int i = 0; i < seconds; ++i) {
            clock.advance(std::chrono::seconds(1));
            settle();
        }
    }
    std::optional<journal::Alarm> alarm(journal::AlarmKind kind, const std::string& app = {}) const
    {
        std::optional<journal::Alarm> found;
        board.forEach([&](const plane::AlarmView& view) {
            if (view.alarm.key.kind == kind && view.alarm.isOpen() && (app.empty() || view.alarm.key.appId == app)) {
                found = view.alarm;
            }
            return true;
        });
        return found;
    }
    /// Open ones of any kind.
    [[nodiscard]] std::size_t openAlarms() const
    {
        std::size_t open = 0;
        board.forEach([&](const plane::AlarmView& view) {
            open += view.alarm.isOpen() ? 1 : 0;
            return true;
        });
        return open;
    }
    /// As the store has it.
    std::optional<journal::Incident> incident(std::int64_t number)
    {
        const auto record = reader.incident(number);
        const auto read = record && *record ? plane::incidentOf(**record) : Result<journal::Incident>(tl::unexpected(Error{}));
        return read ? std::optional(*read) : std::nullopt;
    }

    ManualClock& clock;
    NullLog log;
    store::DataDirectory directory;
    store::StoreReader reader;
    live::LiveFleet fleet{clock, {}, {}};
    plane::NodeHistory history;
    plane::StoreThread store{
        fleet, clock, log, [this](std::vector<journal::Event> events, bool atOnce) { flow.committed(std::move(events), atOnce); }};
    NoticeRecorder receiver;
    plane::Incidents incidents{fleet, store, {}};
    plane::AlarmBoard board{fleet, clock, store};
    TurnCounter counter;
    plane::ChangeFlow flow{fleet, clock, log, store, history,
        {[](NodeHandle) { return std::nullopt; }, [] { return true; }, [] { return std::uint64_t{1}; }, [this] { return board.counts(); }}};
    bool opened = false;
};

} // namespace weir::test
