// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/journal/EventFolder.h"
#include "core/journal/HealthySeries.h"
#include "core/live/LiveFleet.h"
#include "core/plane/Facts.h"
#include "core/plane/FactsReader.h"
#include "core/plane/HourCounter.h"
#include "core/plane/JournalObserver.h"
#include "core/plane/NodeHistory.h"
#include "core/plane/StoreThread.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace weir::plane {

/// The journal thread: it takes what the live fleet says out of its ring, writes the log lines of operations, folds events, keeps
/// the healthy-worker series and the figures of the last hour, and makes a ChangeBatch at most ten times a second.
class ChangeFlow {
public:
    using Subscriber = std::function<void(const ChangeBatch&)>;

    /// What only the rest of the plane knows about a row or the whole.
    struct Outside {
        std::function<std::optional<Instant>(NodeHandle)> nextProbe;
        std::function<bool()> firstRoundOver;
        std::function<std::uint64_t()> configVersion;
        std::function<AlarmCounts()> alarmCounts; ///< may be empty
        std::function<void(NodeFacts&)> addTraffic;                ///< may be empty
        std::function<void(std::vector<NodeHandle>&)> takeTraffic; ///< appends the nodes whose traffic has changed; may be empty
    };

    ChangeFlow(live::LiveFleet& fleet, const Clock& clock, Log& log, StoreThread& store, NodeHistory& history, Outside outside);
    ChangeFlow(const ChangeFlow&) = delete;
    ChangeFlow& operator=(const ChangeFlow&) = delete;
    ~ChangeFlow() { stop(); }

    /// Before start(): what the store held. The time between `lastAlive` and now is unknown in every series.
    void restore(const std::vector<journal::SeriesChange>& latest, std::optional<WallTime> lastAlive);
    /// Before start(): events of the last hour, for the figures that count over it.
    void recount(const std::vector<journal::Event>& lastHour);

    /// Before start(): lets `observer`, which must outlive this object, follow the journal from the first turn on. They are asked in
    /// the order in which they were added.
    void addObserver(JournalObserver& observer) { m_observers.push_back(&observer); }
    /// Before start(), on the thread that `reader` belongs to.
    void restoreObservers(const store::Snapshot& snapshot, store::StoreReader& reader);

    void start();
    /// Takes what is left, hands it to the store thread, joins. Idempotent.
    void stop();

    /// Any thread. The subscriber is called on the journal thread with every batch from now on, never after unsubscribe()
    /// returned. `wantsRows`, asked before each batch: whether it is to hold rows and the summary; empty: always. A batch holds them
    /// when one subscriber wants them.
    int subscribe(Subscriber subscriber, std::function<bool()> wantsRows = {});
    void unsubscribe(int id);

    /// Events that the store thread committed; they go out with the next batch, which comes at once when a command's changes came
    /// with them: whoever moved a node waits for it to be seen.
    void committed(std::vector<journal::Event> events, bool atOnce);

    /// Any thread: an event that may come often and belongs to no command; it is folded and written with the next turn. Beyond 10,000
    /// that wait, they are only counted as lost.
    void note(journal::Event event);

    /// Any thread: whether nothing has happened that a turn has not seen yet, as it is nearly always.
    [[nodiscard]] bool isQuiet();
    /// Any thread: runs `task` on the journal thread after a turn that began after this call and saw everything that happened before
    /// it; here and now when no turn will follow. Such a turn comes at once, writes what it finds as every turn does, and leaves rows
    /// and subscribers to the next regular one, so that readers make no more batches. `task` must be short.
    void afterTurn(std::function<void()> task);

    /// Any thread: rows as they are now, with everything the plane keeps beside the fleet; a batch that holds all.
    [[nodiscard]] ChangeBatch snapshot();
    [[nodiscard]] std::vector<NodeFacts> nodeFacts();
    [[nodiscard]] std::vector<NodeFacts> nodeFacts(const std::vector<NodeHandle>& handles);
    [[nodiscard]] Summary summary();
    /// Nodes taken out of rotation since the start, by cause.
    [[nodiscard]] std::uint64_t ejections(health::Cause cause) const { return m_ejectionsByCause[static_cast<std::size_t>(cause)].load(std::memory_order_relaxed); }

private:
    struct PoolTrace {
        HourCounter exhausted;
        WallTime lastChangeAt{};
        std::string lastChange;
    };

    /// What rows of nodes and apps say about their pool.
    struct PoolSignature {
        std::size_t apps = 0;
        unsigned served = 0; ///< bit per role that has a candidate
    };

    void run();
    void cycle(bool publishes, bool last);
    void keep(JournalEntries entries);
    std::size_t takeNotes(std::vector<journal::Event>& events);
    void addDependents(fleet::Fleet::Dirty& dirty);
    void takeChange(const fleet::FleetChange& change, std::vector<journal::Event>& events);
    journal::Event eventOf(const fleet::FleetChange& change) const;
    void logChange(const fleet::FleetChange& change, const journal::Event& event);
    void count(journal::EventKind kind, const std::string& pool, Instant at, int times);
    void askObservers(const std::vector<journal::Event>& committed, bool last);
    void observeSeries(std::vector<journal::SeriesChange>& series);
    void noteEvents(const std::vector<journal::Event>& events);
    void completeNodes(std::vector<NodeFacts>& nodes);
    void completePools(std::vector<PoolFacts>& pools);
    void publish(std::vector<journal::Event> events);
    void tell(const ChangeBatch& batch);
    [[nodiscard]] bool rowsAreWanted();
    void fillRemoved(const fleet::Fleet::Dirty& dirty, ChangeBatch& batch);
    void keepIds(const fleet::Fleet::Dirty& dirty);
    WallTime wallOf(Instant at) const;

    live::LiveFleet& m_fleet;
    const Clock& m_clock;
    Log& m_log;
    StoreThread& m_store;
    NodeHistory& m_history;
    Outside m_outside;
    FactsReader m_reader;
    journal::EventFolder m_folder;
    journal::HealthySeries m_series;
    live::LiveFleet::Drained m_drained;
    std::vector<JournalObserver*> m_observers;
    std::vector<std::string> m_publishedNodes; ///< ids by handle; empty: none
    std::vector<std::string> m_publishedPools;
    std::vector<std::string> m_publishedApps;
    std::uint64_t m_identities = 0; ///< the fleet's at the last keepIds(), and at the one before
    std::uint64_t m_identitiesBefore = 0;
    std::unordered_map<std::uint32_t, PoolSignature> m_poolSignatures;
    Instant m_lastBatch = Instant::min();
    bool m_seriesKnown = false;
    std::vector<journal::Event> m_unpublished; ///< that subscribers have not had yet
    std::array<std::atomic<std::uint64_t>, 3> m_ejectionsByCause{};

    // Shared with readers of snapshots:
    std::mutex m_figuresMutex;
    HourCounter m_ejections;
    HourCounter m_flaps;
    HourCounter m_exhausted;
    HourCounter m_fallbacks;
    HourCounter m_decisions;
    std::uint64_t m_decisionsSeen = 0;
    std::unordered_map<std::string, PoolTrace> m_poolTraces;
    std::map<std::pair<std::string, Role>, WallTime> m_starvedSince;

    std::mutex m_subscriberMutex; ///< held while subscribers are called, so that unsubscribe() is final
    struct Subscription {
        Subscriber tell;
        std::function<bool()> wantsRows;
    };
    std::map<int, Subscription> m_subscribers;
    int m_nextSubscriber = 1;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::vector<journal::Event> m_committed;
    std::vector<journal::Event> m_notes;
    std::size_t m_lostNotes = 0;
    bool m_stopping = false;
    bool m_poked = false;
    bool m_isIdle = false; ///< the journal thread waits for its next turn
    bool m_isRunning = false;
    std::vector<std::function<void()>> m_waiting; ///< for the end of a turn
    std::thread m_thread;
};

} // namespace weir::plane
