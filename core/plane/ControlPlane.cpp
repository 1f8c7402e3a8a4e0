// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ControlPlane.h"

#include "core/base/Sentence.h"
#include "core/plane/PlaneSettings.h"
#include "core/plane/Traces.h"
#include "core/probe/HealthUrl.h"

#include "weir_version.h"

#include <boost/json.hpp>
#include <future>

namespace weir::plane {
namespace json = boost::json;
namespace {

constexpr std::string_view kEpochKey = "journal_epoch";
constexpr std::size_t kEpochDigits = 12;
constexpr std::string_view kSuperadmin = "superadmin";
constexpr std::string_view kTokenFile = "superadmin.token";
constexpr auto kWebhookTimeout = std::chrono::seconds(10);

probe::ProberOptions proberOptions(const config::ProbeSettings& settings)
{
    probe::ProberOptions options;
    options.maxInFlight = static_cast<std::size_t>(settings.maxInFlight.value_or(0));
    switch (settings.transport) {
    case config::ProbeTransportChoice::Auto:
        options.transport = probe::TransportChoice::Auto;
        break;
    case config::ProbeTransportChoice::Qnam:
        options.transport = probe::TransportChoice::Qnam;
        break;
    case config::ProbeTransportChoice::Asio:
        options.transport = probe::TransportChoice::Asio;
        break;
    }
    return options;
}

} // namespace

ControlPlane::ControlPlane(Clock& clock, Log& log, store::DataDirectory directory, PlaneOptions options)
    : m_clock(clock)
    , m_log(log)
    , m_directory(std::move(directory))
    , m_options(std::move(options))
    , m_fleet(clock, m_options.config.healthCheck, fleetSettings(m_options.config, clock))
    , m_judge(m_fleet)
    , m_prober(clock, log, *this, proberOptions(m_options.config.probe))
    , m_store(m_fleet, clock, log, [this](std::vector<journal::Event> events, bool withCommand) { m_flow.committed(std::move(events), withCommand); })
    , m_webhooks(clock, log, m_store, [this](probe::HttpPost post, probe::HttpPoster::Done done) { m_poster.post(std::move(post), std::move(done)); })
    , m_alarms(m_fleet, clock, m_store)
    , m_flow(m_fleet, clock, log, m_store, m_history,
          {[this](NodeHandle node) { return m_prober.nextProbe(node); }, [this] { return m_prober.firstRoundOver() && m_firstRound.isOver(); }, [this] { return m_configVersion.load(); },
              [this] { return m_alarms.counts(); }, [this](NodeFacts& node) { node.traffic = m_judge.counts(node.handle); },
              [this](std::vector<NodeHandle>& nodes) { m_judge.takeChanged(nodes); }})
    , m_incidents(m_fleet, m_store, incidentSettings(m_options.config))
    , m_nodes(m_store, m_fleet, m_book,
          {[this](NodeHandle node) { setTarget(node); },
              [this](NodeHandle node) {
                  m_prober.removeTarget(node);
                  m_history.forget(node);
                  m_judge.forget(node);
                  endWaiting(node, {"unknown_node", "The node was removed while its probe was under way.", "nodeId"});
              },
              [this](NodeHandle node) { m_prober.probeNow(node); }},
          [](std::string_view base, std::string_view path) { return probe::joinHealthUrl(base, path); })
    , m_pools(m_store)
    , m_apps(m_store, m_fleet, m_book)
    , m_tokens(m_store, m_tokenBook, log, m_directory.path())
    , m_registrar(m_store, m_fleet, m_book, clock, {[this](NodeHandle node) { setTarget(node); }, {}, {}},
          [](std::string_view base, std::string_view path) { return probe::joinHealthUrl(base, path); }, [this](journal::Event event) { m_flow.note(std::move(event)); })
    , m_licences(m_store, m_book)
    , m_outcomes(m_store, m_book, m_judge, m_log)
    , m_storeReader(m_directory.databaseFile())
    , m_poster("weir/" WEIR_VERSION, kWebhookTimeout)
{
    m_store.setRoutine([this](store::Store& store, bool last) { everySecond(store, last); });
    m_flow.addObserver(m_incidents);
    m_store.setRetention({std::chrono::days(m_options.config.retention.eventsDays), m_options.config.retention.eventsBytes});
    m_alarms.setDelivery(m_webhooks);
    m_alarms.setPlaces([this] { return m_incidents.takeAlarmPlaces(); });
    m_flow.addObserver(m_alarms);
    m_judge.setObserver([this](NodeHandle node, outcome::Bucket bucket) { m_alarms.sources().requestEnded(node, bucket); });
}

ControlPlane::~ControlPlane()
{
    stop();
}

Result<std::unique_ptr<ControlPlane>> ControlPlane::open(Clock& clock, Log& log, store::DataDirectory directory, PlaneOptions options)
{
    std::unique_ptr<ControlPlane> plane(new ControlPlane(clock, log, std::move(directory), std::move(options)));
    const Result<store::Snapshot> snapshot = plane->m_store.start(plane->m_directory);
    if (!snapshot) {
        return tl::unexpected(snapshot.error());
    }
    if (auto loaded = plane->load(*snapshot); !loaded) {
        return tl::unexpected(loaded.error());
    }
    return plane;
}

Result<void> ControlPlane::load(const store::Snapshot& snapshot)
{
    loadFleet(snapshot);
    if (auto merged = applyConfig(); !merged) {
        return merged;
    }
    m_lastSeqAtStart = snapshot.lastSeq;
    if (auto named = nameJournal(); !named) {
        return named;
    }
    for (const store::TokenRecord& token : snapshot.tokens) {
        m_tokenBook.put(token);
    }
    if (snapshot.tokens.empty()) {
        if (auto made = makeSuperadmin(); !made) {
            return made;
        }
    }
    recallJournal(snapshot);
    forgetDeclared(m_options.config);
    m_options.configText = {};
    m_isLoaded = true;
    return {};
}

void ControlPlane::loadFleet(const store::Snapshot& snapshot)
{
    for (const store::NodeRecord& record : snapshot.nodes) {
        m_book.nodes.emplace(record.id, record);
        if (!record.licence.empty()) {
            m_book.machines.emplace(std::pair(record.licence, record.diskSerial), record.id);
        }
    }
    for (const store::AppRecord& record : snapshot.apps) {
        m_book.apps.emplace(record.id, record);
    }
    for (const store::BindingRecord& record : snapshot.bindings) {
        m_book.bindings.emplace(record.app, record);
    }
    for (const store::TombstoneRecord& record : snapshot.tombstones) {
        m_book.tombstones.insert(record.nodeId);
    }
    for (const store::SettingRecord& record : snapshot.settings) {
        m_book.settings.emplace(record.key, record);
    }
    for (const store::LicenceRecord& record : snapshot.licences) {
        m_book.licences.emplace(record.id, record);
    }
    m_fleet.with([&](fleet::Fleet& live, Instant now) {
        for (const store::UserRecord& record : snapshot.users) {
            static_cast<void>(live.addUser(UserId::trusted(record.id), record.name));
        }
        for (const store::PoolRecord& record : snapshot.pools) {
            static_cast<void>(live.addPool({PoolId::trusted(record.id), record.name, record.canary, record.minAvailable.value_or(0), record.capacityAlarmPercent.value_or(10)}));
        }
        for (const store::NodeRecord& record : snapshot.nodes) {
            static_cast<void>(live.addNode(specOf(live, record), now));
        }
        for (const store::AppRecord& record : snapshot.apps) {
            static_cast<void>(live.addApp(AppId::trusted(record.id), record.owner.empty() ? UserHandle() : live.findUser(record.owner).value_or(UserHandle())));
        }
        for (const store::BindingRecord& record : snapshot.bindings) {
            const auto app = live.findApp(record.app);
            const auto pool = live.findPool(record.pool);
            if (app && pool) {
                live.bind(*app, {*pool, record.allowFallback});
            }
        }
    });
    for (const store::NodeRecord& record : snapshot.nodes) {
        if (!record.isStatic && !record.disabled && record.registeredAt != WallTime{}) {
            m_firstRound.await(record.id);
        }
    }
}

Result<void> ControlPlane::runAndWait(Command command)
{
    std::promise<Result<void>> answered;
    command.done = [&answered](Result<void> result) { answered.set_value(std::move(result)); };
    auto answer = answered.get_future();
    m_store.submit(std::move(command));
    return answer.get();
}

Result<void> ControlPlane::nameJournal()
{
    if (const auto known = m_book.settings.find(std::string(kEpochKey)); known != m_book.settings.end()) {
        boost::system::error_code error;
        const json::value value = json::parse(known->second.json, error);
        m_journalEpoch = !error && value.is_string() ? std::string(value.get_string()) : std::string();
        if (!m_journalEpoch.empty()) {
            return {};
        }
    }
    const std::string secret = randomSecret("");
    if (secret.size() < kEpochDigits) {
        return fail("no_randomness", "The operating system gave no random bytes for the journal's name.");
    }
    m_journalEpoch = secret.substr(0, kEpochDigits);
    const store::SettingRecord record{std::string(kEpochKey), json::serialize(json::value(m_journalEpoch)), "config", m_clock.wall()};
    Command command;
    command.plan = [record](const fleet::Fleet&, const CommandTime&) -> Result<Plan> {
        Plan plan;
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        return plan;
    };
    return runAndWait(std::move(command));
}

Result<void> ControlPlane::makeSuperadmin()
{
    const std::string token = randomSecret("weir_");
    if (token.empty()) {
        return fail("no_randomness", "The operating system gave no random bytes for the superadmin's token.");
    }
    store::TokenRecord record;
    record.name = kSuperadmin;
    record.role = kSuperadmin;
    record.sha256 = sha256Hex(token);
    record.createdAt = m_clock.wall();
    // The file first: a token that nobody can read would lock everybody out for good.
    if (auto written = m_directory.writePrivateFile(kTokenFile, token + "\n"); !written) {
        return written;
    }
    Command command;
    command.plan = [record](const fleet::Fleet&, const CommandTime& time) -> Result<Plan> {
        Plan plan;
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        plan.audit.push_back(auditRow({"config", {}, {}, "start"}, time, "token.create", record.name, nullptr, {{"role", record.role}}));
        return plan;
    };
    m_tokenBook.put(record);
    return runAndWait(std::move(command));
}

// What the last run left: quarantines that the restart ended, the series' gap, the figures of the last hour.
void ControlPlane::recallJournal(const store::Snapshot& snapshot)
{
    m_flow.restore(snapshot.latestPoints, snapshot.lastAlive);
    std::promise<void> finished;
    m_reader.post([&] {
        const WallTime now = m_clock.wall();
        std::vector<journal::Event> dropped;
        using journal::EventKind;
        if (const auto latest = m_storeReader.latestPerNode({EventKind::QuarantineStarted, EventKind::QuarantineOver, EventKind::NodeOnline, EventKind::QuarantineDroppedByRestart},
                now - std::chrono::hours(24))) {
            for (const journal::Event& event : *latest) {
                boost::system::error_code error;
                const json::value detail = json::parse(event.detail.empty() ? "{}" : event.detail, error);
                const json::value* seconds = !error && detail.is_object() ? detail.get_object().if_contains("seconds") : nullptr;
                if (event.kind != EventKind::QuarantineStarted || seconds == nullptr || !seconds->is_number()) {
                    continue;
                }
                const auto until = event.at + std::chrono::milliseconds(static_cast<std::int64_t>(seconds->to_number<double>() * 1000));
                if (until > now) {
                    journal::Event note = event;
                    note.at = now;
                    note.kind = EventKind::QuarantineDroppedByRestart;
                    note.severity = journal::Severity::Info;
                    note.sentence = sentence("The quarantine of %1 until %2 ended with the restart; its next good probe brings it back.", {event.nodeId, toRfc3339(until)});
                    dropped.push_back(std::move(note));
                }
            }
        }
        store::EventFilter lastHour;
        lastHour.since = now - std::chrono::hours(1);
        lastHour.limit = 10'000;
        if (auto events = m_storeReader.events(lastHour)) {
            std::reverse(events->begin(), events->end());
            m_flow.recount(*events);
        }
        journal::Event started;
        started.at = now;
        started.kind = EventKind::Started;
        started.sentence = sentence("Weir started with %1.", {counted(snapshot.nodes.size(), "stored node")});
        dropped.push_back(std::move(started));
        m_store.append(std::move(dropped), {});
        m_flow.restoreObservers(snapshot, m_storeReader);
        finished.set_value();
    });
    finished.get_future().wait();
}

void ControlPlane::start()
{
    const health::HealthSettings settings = healthSettings();
    m_prober.setTimings({fromSeconds(settings.intervalSeconds), fromSeconds(settings.timeoutSeconds)});
    setAllTargets();
    const std::size_t nodes = m_fleet.read([](const fleet::Fleet& live, Instant) { return live.nodeCount(); });
    char text[160];
    std::snprintf(text, sizeof text, "Probing %zu nodes every %g s, out after %d failures, back after %d successes, quarantine %g s.", nodes, settings.intervalSeconds,
        settings.unhealthyThreshold, settings.healthyThreshold, settings.cooldownSeconds);
    m_log.write(LogLevel::Info, "health_loop_started", text,
        {{"interval_seconds", std::to_string(settings.intervalSeconds)}, {"unhealthy_threshold", std::to_string(settings.unhealthyThreshold)},
            {"healthy_threshold", std::to_string(settings.healthyThreshold)}, {"cooldown_seconds", std::to_string(settings.cooldownSeconds)}, {"nodes", std::to_string(nodes)}});
    m_poster.start();
    m_firstRound.start();
    m_flow.start();
    m_prober.start();
}

void ControlPlane::stop()
{
    std::unordered_multimap<NodeHandle, Done<ProbeRecord>> waiting;
    {
        const std::scoped_lock lock(m_waitingMutex);
        if (std::exchange(m_stopped, true)) {
            return;
        }
        waiting.swap(m_waiting);
    }
    m_prober.stop();
    for (auto& [node, done] : waiting) {
        done(fail("shutting_down", "Weir is shutting down."));
    }
    m_flow.stop();
    m_poster.stop();
    journal::Event stopped;
    stopped.at = m_clock.wall();
    stopped.kind = journal::EventKind::Stopped;
    stopped.sentence = "Weir stopped.";
    m_store.append({std::move(stopped)}, {});
    // The writing connection closes last: only so does the database take its log in, and is whole in one file.
    const auto closed = std::make_shared<std::promise<void>>();
    m_store.afterWrites([this, closed] {
        const bool posted = m_reader.post([this, closed] {
            m_storeReader.close();
            closed->set_value();
        });
        if (!posted) {
            closed->set_value();
        }
    });
    closed->get_future().wait();
    m_store.stop();
    m_reader.stop();
}

Result<OutcomeAnswer> ControlPlane::reportOutcome(const std::string& nodeId, const routing::Exchange& exchange, std::string_view error, std::string_view appId)
{
    const auto node = m_fleet.read([&](const fleet::Fleet& live, Instant) -> std::optional<std::pair<NodeHandle, std::uint64_t>> {
        const auto handle = live.findNode(nodeId);
        return handle ? std::optional(std::pair(*handle, live.node(*handle).birth)) : std::nullopt;
    });
    if (!node) {
        return fail("unknown_node", "There is no node '" + nodeId + "'.", "nodeId");
    }
    const live::OutcomeVerdict verdict = m_judge.judge(node->first, node->second, exchange, error, appId);
    return OutcomeAnswer{std::string(live::toText(verdict.word)), verdict.rule, verdict.inRotation, toSeconds(verdict.quarantineRemaining)};
}

Result<OutcomeAnswer> ControlPlane::reportOutcome(const std::string& nodeId, const outcome::Outcome& outcome)
{
    routing::ResponseView response;
    response.status = outcome.status.value_or(0);
    return reportOutcome(nodeId, {nullptr, outcome.error ? nullptr : &response}, outcome.error.value_or(std::string()));
}

void ControlPlane::read(std::function<void(store::StoreReader&)> task)
{
    // One turn writes what the fleet found and the alarms it raised; the next one, what those belong to.
    whenSettled(2, [this, task = std::move(task)] { m_reader.post([this, task] { task(m_storeReader); }); });
}

void ControlPlane::whenSettled(int turns, std::function<void()> task)
{
    m_store.afterWrites([this, turns, task = std::move(task)]() mutable {
        if (turns == 0) {
            task();
            return;
        }
        const auto afterTurn = [this, turns](std::function<void()> then) {
            m_flow.afterTurn([this, turns, then = std::move(then)]() mutable { whenSettled(turns - 1, std::move(then)); });
        };
        if (!m_flow.isQuiet()) {
            afterTurn(std::move(task));
            return;
        }
        // What a turn handed on just before it was looked at may still wait to be written, and then has to be seen: look again behind it.
        m_store.afterWrites([this, afterTurn, task = std::move(task)]() mutable {
            if (m_flow.isQuiet()) {
                task();
            } else {
                afterTurn(std::move(task));
            }
        });
    });
}

} // namespace weir::plane
