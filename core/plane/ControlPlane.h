// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/config/Config.h"
#include "core/live/LiveFleet.h"
#include "core/live/OutcomeJudge.h"
#include "core/plane/AppCommands.h"
#include "core/plane/ChangeFlow.h"
#include "core/plane/ConfigCommands.h"
#include "core/plane/ConfigMerge.h"
#include "core/plane/FirstRound.h"
#include "core/plane/LicenceCommands.h"
#include "core/plane/NodeCommands.h"
#include "core/plane/NodeHistory.h"
#include "core/plane/OutcomeCommands.h"
#include "core/plane/PoolCommands.h"
#include "core/plane/ProbeCounters.h"
#include "core/plane/RefusedCalls.h"
#include "core/plane/Registrar.h"
#include "core/plane/StoreThread.h"
#include "core/plane/StoredBook.h"
#include "core/plane/TaskThread.h"
#include "core/plane/TokenBook.h"
#include "core/plane/TokenCommands.h"
#include "core/plane/incidents/Incidents.h"
#include "core/plane/alarms/AlarmBoard.h"
#include "core/plane/webhooks/Webhooks.h"
#include "core/probe/HttpPoster.h"
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
    std::string configText{};   ///< the text it was read from
    std::string configFile{};
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
    /// How the store stands; commands go through the members above.
    [[nodiscard]] StoreThread& storeThread() { return m_store; }
    [[nodiscard]] ConfigCommands& config() { return m_config; }
    [[nodiscard]] TokenCommands& tokens() { return m_tokens; }
    [[nodiscard]] const TokenBook& tokenBook() const { return m_tokenBook; }
    [[nodiscard]] Registrar& registrar() { return m_registrar; }
    [[nodiscard]] LicenceCommands& licences() { return m_licences; }
    [[nodiscard]] AlarmBoard& alarms() { return m_alarms; }
    [[nodiscard]] Webhooks& webhooks() { return m_webhooks; }
    [[nodiscard]] ChangeFlow& flow() { return m_flow; }
    [[nodiscard]] Incidents& incidents() { return m_incidents; }
    [[nodiscard]] FactsReader facts() { return FactsReader(m_fleet); }
    [[nodiscard]] NodeHistory& history() { return m_history; }
    /// Names the journal: the same over restarts, another one in another database.
    [[nodiscard]] const std::string& journalEpoch() const { return m_journalEpoch; }
    /// `seq` of the last event that the store held when it was opened.
    [[nodiscard]] std::int64_t lastSeqAtStart() const { return m_lastSeqAtStart; }
    [[nodiscard]] const StoreThread& storeThread() const { return m_store; }
    [[nodiscard]] const ProbeCounters& probeCounters() const { return m_probeCounters; }
    [[nodiscard]] const Clock& clock() const { return m_clock; }
    [[nodiscard]] const store::DataDirectory& directory() const { return m_directory; }

    /// Retention may remove what an export handed out. Any thread.
    void markAuditExported(std::int64_t upTo);
    /// A call was turned away: goes to the audit and the journal, folded.
    void noteRefusedCall(const RefusedCall& call);

    /// Takes members of the settings in camelCase over. Errors: as patched().
    void putHealthSettings(boost::json::object patch, Actor actor, Done<health::HealthSettings> done);
    [[nodiscard]] health::HealthSettings healthSettings();

    /// By the outcome rules in force, `appId` being whose request it was, where that is known: a transport error (see outcome::isTransportError), or a response in `exchange`. Error: `unknown_node`.
    [[nodiscard]] Result<OutcomeAnswer> reportOutcome(const std::string& nodeId, const routing::Exchange& exchange, std::string_view error, std::string_view appId = {});
    [[nodiscard]] Result<OutcomeAnswer> reportOutcome(const std::string& nodeId, const outcome::Outcome& outcome);
    /// The same for those who have a node at hand: the gateway, on its own thread.
    [[nodiscard]] live::OutcomeJudge& outcomeJudge() { return m_judge; }
    [[nodiscard]] OutcomeCommands& outcomes() { return m_outcomes; }

    /// Probes now and calls back on the probe thread with how it ended. Errors: `unknown_node`, `no_health_address`; `shutting_down`.
    void probeNow(const std::string& nodeId, Done<ProbeRecord> done);

    /// Reads of the journal on the reader thread, after everything that happened before the call has been written, with the alarms it
    /// raised and the incidents it belongs to: whoever was answered finds in the next answer what the call before brought about. A
    /// read of a journal that rests makes no turn and writes nothing.
    void read(std::function<void(store::StoreReader&)> task);

    /// Takes a configuration that was read again over, all or nothing (configuration.md "Reload"): what it declares, the settings of
    /// health checks, scheduler and passive statuses. Listeners, log and prober keep theirs until a restart.
    /// Gives the version, a new one unless the text is that of the version in force. Used by config().
    void reload(LoadedConfig loaded, Actor actor, Done<std::uint64_t> done);
    /// What reload() would do; nothing happens.
    void previewConfig(LoadedConfig loaded, Done<ConfigPreview> done);
    /// 0: none was loaded.
    [[nodiscard]] std::uint64_t configVersion() const { return m_configVersion.load(); }
    /// Records that a configuration was refused; the old one stays in force.
    void configRejected(const std::string& firstIssue);

    /// Reads that look at the scheduler and change nothing: previews, explanations, lists. Their only trace is this count.
    void countQuietRead() { m_quietReads.fetch_add(1, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t quietReads() const { return m_quietReads.load(std::memory_order_relaxed); }

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
    Plan planConfig(const std::shared_ptr<const LoadedConfig>& loaded, const Actor& actor, const fleet::Fleet& live, const CommandTime& time);
    [[nodiscard]] std::uint64_t storedConfigVersion() const;
    [[nodiscard]] bool isTextInForce(const std::string& text) const;
    Result<void> applyConfig();
    Result<void> makeSuperadmin();
    Result<void> nameJournal();
    void recallJournal(const store::Snapshot& snapshot);
    void whenSettled(int turns, std::function<void()> task);
    void setTarget(NodeHandle node);
    void setAllTargets();
    void everySecond(store::Store& store, bool last);
    void noteAuditHead(const store::Store& store);
    void pruneAudit();
    void writeRefused(const std::vector<RefusedFold>& folds);
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
    ProbeCounters m_probeCounters;
    probe::Prober m_prober;
    FirstRound m_firstRound{m_fleet};
    StoreThread m_store;
    Webhooks m_webhooks;
    AlarmBoard m_alarms;
    ChangeFlow m_flow;
    Incidents m_incidents;
    NodeCommands m_nodes;
    PoolCommands m_pools;
    AppCommands m_apps;
    TokenBook m_tokenBook;
    TokenCommands m_tokens;
    ConfigCommands m_config{*this};
    Registrar m_registrar;
    LicenceCommands m_licences;
    OutcomeCommands m_outcomes;
    TaskThread m_reader;
    store::StoreReader m_storeReader;
    probe::HttpPoster m_poster;
    std::vector<ConfigDifference> m_differences;
    std::atomic<bool> m_isLoaded{false};
    std::atomic<std::uint64_t> m_configVersion{0};
    std::string m_journalEpoch;
    std::int64_t m_lastSeqAtStart = 0;
    std::atomic<std::uint64_t> m_quietReads{0};
    bool m_stopped = false;

    mutable std::mutex m_differencesMutex;
    std::chrono::steady_clock::time_point m_nextAuditNote{}; // with the next one on the store thread
    std::chrono::steady_clock::time_point m_nextAuditPrune{};
    std::mutex m_refusedMutex;
    RefusedCalls m_refused;
    std::mutex m_waitingMutex; // also over m_stopped
    std::unordered_multimap<NodeHandle, Done<ProbeRecord>> m_waiting;
};

} // namespace weir::plane
