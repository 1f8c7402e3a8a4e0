// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/config/Config.h"
#include "core/live/LiveFleet.h"
#include "core/live/OutcomeJudge.h"
#include "core/plane/AppCommands.h"
#include "core/plane/ChangeFlow.h"
#include "core/plane/ConfigMerge.h"
#include "core/plane/NodeCommands.h"
#include "core/plane/NodeHistory.h"
#include "core/plane/OutcomeCommands.h"
#include "core/plane/PoolCommands.h"
#include "core/plane/StoreThread.h"
#include "core/plane/StoredBook.h"
#include "core/plane/TaskThread.h"
#include "core/probe/Prober.h"
#include "core/store/DataDirectory.h"
#include "core/store/StoreReader.h"

#include <atomic>
#include <boost/json/object.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir::plane {

struct PlaneOptions {
    config::Config config;
    bool hasConfigFile = false; ///< without one nothing is declared and nothing leaves the file
    bool configWins = false;
};

/// `POST /v1/outcomes`, answered.
struct OutcomeAnswer {
    std::string verdict; ///< `ok`, `counted`, `ejected`, `ignored`
    std::string rule;    ///< that decided or matched; `built_in` for transport errors and passive statuses
    bool inRotation = false;
    double quarantineRemainingSeconds = 0;
};

/// The whole control plane behind one object: the live fleet, the store and its thread, the journal thread, the prober, and the
/// commands of administrators. Programs and tests use it through runtime/.
///
/// Calls may come from any thread unless said otherwise. Commands answer on the store thread.
class ControlPlane final : private probe::ProbeSink {
public:
    /// Opens the store of `directory` and loads what it holds; merges the configuration. Errors: those of store::Store::open().
    [[nodiscard]] static Result<std::unique_ptr<ControlPlane>> open(Clock& clock, Log& log, store::DataDirectory directory, PlaneOptions options);
    ~ControlPlane() override;

    /// Starts probing and the flow of changes. A QCoreApplication must exist.
    void start();
    /// Stops probing, writes what waits, joins all threads. Idempotent.
    void stop();

    [[nodiscard]] live::LiveFleet& fleet() { return m_fleet; }
    [[nodiscard]] NodeCommands& nodes() { return m_nodes; }
    [[nodiscard]] PoolCommands& pools() { return m_pools; }
    [[nodiscard]] AppCommands& apps() { return m_apps; }
    [[nodiscard]] ChangeFlow& flow() { return m_flow; }
    [[nodiscard]] FactsReader facts() { return FactsReader(m_fleet); }
    [[nodiscard]] NodeHistory& history() { return m_history; }
    [[nodiscard]] const Clock& clock() const { return m_clock; }
    [[nodiscard]] const store::DataDirectory& directory() const { return m_directory; }

    /// The role of a bearer token; nothing when it is not one of ours, revoked or expired.
    [[nodiscard]] std::optional<std::string> roleOfToken(std::string_view token, std::string& name) const;

    /// Takes members of the settings in camelCase over. Errors: as patched().
    void putHealthSettings(boost::json::object patch, Actor actor, Done<health::HealthSettings> done);
    [[nodiscard]] health::HealthSettings healthSettings();

    /// By the outcome rules in force: a transport error (see outcome::isTransportError), or a response in `exchange`. Error: `unknown_node`.
    [[nodiscard]] Result<OutcomeAnswer> reportOutcome(const std::string& nodeId, const routing::Exchange& exchange, std::string_view error);
    [[nodiscard]] Result<OutcomeAnswer> reportOutcome(const std::string& nodeId, const outcome::Outcome& outcome);
    /// The same for those who have a node at hand: the gateway, on its own thread.
    [[nodiscard]] live::OutcomeJudge& outcomeJudge() { return m_judge; }
    [[nodiscard]] OutcomeCommands& outcomes() { return m_outcomes; }

    /// Probes now and calls back on the probe thread with how it ended. Errors: `unknown_node`, `no_health_address`; `shutting_down`.
    void probeNow(const std::string& nodeId, Done<ProbeRecord> done);

    /// Reads of the journal on the reader thread, after everything that happened before the call has been written.
    void read(std::function<void(store::StoreReader&)> task);

    /// Takes a configuration that was read again over, all or nothing (configuration.md "Reload"): what it declares, the settings of
    /// health checks, scheduler and passive statuses. Listeners, log and prober keep theirs until a restart.
    void reload(config::Config config, Actor actor, Done<void> done);
    /// Records that a configuration was refused; the old one stays in force.
    void configRejected(const std::string& firstIssue);

    /// The store is open and every target had one probe end.
    [[nodiscard]] bool isReady() const { return m_prober.firstRoundOver(); }
    [[nodiscard]] std::vector<ConfigDifference> configDifferences() const;

private:
    ControlPlane(Clock& clock, Log& log, store::DataDirectory directory, PlaneOptions options);

    void probeEnded(const probe::ProbeResult& result) override;
    void probeStalled(NodeHandle node, bool stalled) override;

    Result<void> load(const store::Snapshot& snapshot);
    void loadFleet(const store::Snapshot& snapshot);
    health::HealthSettings healthOver(const config::Config& config, std::vector<ConfigDifference>& differences) const;
    Plan planConfig(const std::shared_ptr<const config::Config>& config, const fleet::Fleet& live, const CommandTime& time);
    Result<void> applyConfig();
    Result<void> makeSuperadmin();
    void recallJournal(const store::Snapshot& snapshot);
    void setTarget(NodeHandle node);
    void setAllTargets();
    std::vector<Done<ProbeRecord>> takeWaiting(NodeHandle node);
    void endWaiting(NodeHandle node, const Error& error);
    Result<void> runAndWait(Command command);

    Clock& m_clock;
    Log& m_log;
    store::DataDirectory m_directory;
    PlaneOptions m_options;
    live::LiveFleet m_fleet;
    live::OutcomeJudge m_judge;
    StoredBook m_book;
    NodeHistory m_history;
    probe::Prober m_prober;
    StoreThread m_store;
    ChangeFlow m_flow;
    NodeCommands m_nodes;
    PoolCommands m_pools;
    AppCommands m_apps;
    OutcomeCommands m_outcomes;
    TaskThread m_reader;
    store::StoreReader m_storeReader;
    std::unordered_map<std::string, store::TokenRecord> m_tokens; ///< by sha256; fixed once open
    std::vector<ConfigDifference> m_differences;
    std::atomic<std::uint64_t> m_configVersion{0};
    bool m_stopped = false;

    mutable std::mutex m_differencesMutex;
    std::mutex m_waitingMutex; // also over m_stopped
    std::unordered_multimap<NodeHandle, Done<ProbeRecord>> m_waiting;
};

} // namespace weir::plane
