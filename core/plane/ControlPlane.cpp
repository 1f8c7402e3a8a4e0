// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ControlPlane.h"

#include "core/base/Sentence.h"
#include "core/http/JsonText.h"
#include "core/plane/HealthFields.h"
#include "core/plane/Traces.h"
#include "core/probe/HealthUrl.h"

#include "weir_version.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <future>

namespace weir::plane {
namespace json = boost::json;
namespace {

constexpr std::string_view kHealthKey = "health_check";
constexpr std::string_view kEpochKey = "journal_epoch";
constexpr std::size_t kEpochDigits = 12;
constexpr std::string_view kVersionKey = "config_version";
constexpr std::string_view kTextKey = "config_text_sha256";
constexpr std::string_view kSuperadmin = "superadmin";
constexpr std::string_view kTokenFile = "superadmin.token";
constexpr auto kWebhookTimeout = std::chrono::seconds(10);
constexpr int kPlacementBits = 12;
constexpr std::int64_t kPlacementEpochMs = 1'577'836'800'000; // 2020

fleet::FleetSettings fleetSettings(const config::Config& config, const Clock& clock)
{
    const config::SchedulerSettings& scheduler = config.scheduler;
    fleet::FleetSettings settings;
    settings.reservations = scheduler.reservations;
    settings.reservationSettleSeconds = scheduler.reservationSettleSeconds;
    settings.reservationTtlSeconds = scheduler.reservationTtlSeconds;
    settings.admitUnknownApps = scheduler.admitUnknownApps;
    settings.heartbeatTimeoutSeconds = config.registration.heartbeatTimeoutSeconds;
    // Milliseconds in the upper bits: numbers grow over a restart, however quick, and stay under 2^53 for every JSON reader until 2089.
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(clock.wall().time_since_epoch()).count();
    settings.firstPlacement = static_cast<std::uint64_t>(std::max<std::int64_t>(now - kPlacementEpochMs, 1)) << kPlacementBits;
    return settings;
}

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

// What a file declares is in the store and in the fleet once it was taken over; only its settings are looked at again.
void forgetDeclared(config::Config& config)
{
    config.users = {};
    config.pools = {};
    config.nodes = {};
    config.apps = {};
    config.bindings = {};
    config.gateway = {};
}

Incidents::Settings incidentSettings(const config::Config& config)
{
    const auto milliseconds = [](double seconds) { return std::chrono::duration_cast<std::chrono::milliseconds>(fromSeconds(seconds)); };
    return {milliseconds(config.incidents.gapSeconds), milliseconds(config.incidents.lookBackSeconds)};
}

// "degraded: disk_free_below_5.0g (1.2 GB)".
std::string bodyReasonOf(const probe::ProbeBody& body)
{
    std::string text = body.status == "ok" && body.reason.empty() ? std::string() : body.status;
    if (!body.reason.empty()) {
        text += (text.empty() ? "" : ": ") + body.reason;
    }
    if (!text.empty() && body.diskFreeGb && body.reason.starts_with("disk")) {
        char figure[32];
        std::snprintf(figure, sizeof figure, " (%.1f GB)", *body.diskFreeGb);
        text += figure;
    }
    return text;
}

ProbeRecord recordOf(const probe::ProbeResult& result, bool held)
{
    ProbeRecord record;
    record.at = result.at;
    record.durationMs = static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(result.ended - result.started).count());
    record.status = result.status;
    record.success = result.success;
    record.held = held;
    record.reason = result.reason;
    record.bodyStatus = result.body.status;
    record.bodyReason = result.body.reason;
    record.diskFreeGb = result.body.diskFreeGb;
    record.deps = result.body.deps;
    record.text = result.body.text;
    return record;
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

// The file's settings, with what administrators changed on top.
health::HealthSettings ControlPlane::healthOver(const config::Config& config, std::vector<ConfigDifference>& found) const
{
    const auto stored = m_book.settings.find(std::string(kHealthKey));
    if (stored == m_book.settings.end()) {
        return config.healthCheck;
    }
    boost::system::error_code error;
    const json::value overrides = json::parse(stored->second.json, error);
    if (error || !overrides.is_object()) {
        return config.healthCheck;
    }
    json::object kept;
    for (const auto& [key, value] : overrides.get_object()) {
        if (!m_options.configWins || !config.declaredHealthCheck.contains(key)) {
            kept[key] = value;
        }
    }
    const auto merged = patched(config.healthCheck, kept, KeyStyle::Snake);
    if (!merged) {
        m_log.write(LogLevel::Warning, "settings_ignored", "Stored settings of health checks do not fit the file's any more and are not used: " + merged.error().message);
        return config.healthCheck;
    }
    const json::object file = toJson(config.healthCheck, KeyStyle::Snake);
    for (const auto& [key, value] : differences(kept, file)) {
        if (config.declaredHealthCheck.contains(key)) {
            found.push_back({"health_check." + std::string(key), http::jsonText(file.at(key)), http::jsonText(value)});
        }
    }
    return *merged;
}

Result<void> ControlPlane::runAndWait(Command command)
{
    std::promise<Result<void>> answered;
    command.done = [&answered](Result<void> result) { answered.set_value(std::move(result)); };
    auto answer = answered.get_future();
    m_store.submit(std::move(command));
    return answer.get();
}

std::uint64_t ControlPlane::storedConfigVersion() const
{
    const auto known = m_book.settings.find(std::string(kVersionKey));
    return known == m_book.settings.end() ? 0 : std::strtoull(known->second.json.c_str(), nullptr, 10);
}

bool ControlPlane::isTextInForce(const std::string& text) const
{
    const auto known = m_book.settings.find(std::string(kTextKey));
    return known != m_book.settings.end() && known->second.json == sha256Hex(text);
}

Plan ControlPlane::planConfig(const std::shared_ptr<const LoadedConfig>& loaded, const Actor& actor, const fleet::Fleet& live, const CommandTime& time)
{
    const config::Config& config = loaded->config;
    std::vector<ConfigDifference> found;
    Plan plan = mergeConfig(config, m_options.configWins, m_book, live, time, found);
    const health::HealthSettings settings = healthOver(config, found);
    const auto outcomes = m_outcomes.bookFor(config, m_options.configWins, found);
    const bool isNew = loaded->text.empty() || !isTextInForce(loaded->text);
    const std::uint64_t number = storedConfigVersion() + (isNew ? 1 : 0);
    if (isNew) {
        const store::SettingRecord version{std::string(kVersionKey), std::to_string(number), actor.name, time.wall};
        const store::SettingRecord text{std::string(kTextKey), sha256Hex(loaded->text), actor.name, time.wall};
        const store::ConfigVersion kept{static_cast<std::int64_t>(number), time.wall, actor.name, loaded->note, loaded->text};
        plan.writes.push_back([version, text, kept](store::Writer& writer) {
            return writer.put(version).and_then([&] { return writer.put(text); }).and_then([&] { return writer.put(kept); }).and_then([&] { return writer.keepConfigVersions(ConfigCommands::kKeptVersions); });
        });
        plan.applies.push_back([this, version, text](fleet::Fleet&, Instant) {
            m_book.settings[version.key] = version;
            m_book.settings[text.key] = text;
        });
    }
    plan.applies.push_back([this, settings, loaded, outcomes](fleet::Fleet& fleet, Instant now) {
        fleet::FleetSettings scheduler = fleetSettings(loaded->config, m_clock);
        scheduler.firstPlacement = fleet.settings().firstPlacement;
        fleet.setSettings(scheduler);
        fleet.setHealthSettings(settings, now);
        m_outcomes.use(outcomes, loaded->config);
    });
    plan.after.push_back([this, number, found, loaded] {
        m_configVersion = number;
        m_registrar.setSettings(loaded->config.registration);
        m_webhooks.configure(loaded->config.webhooks);
        const std::scoped_lock lock(m_differencesMutex);
        m_differences = found;
    });
    plan.events.push_back(eventBy(actor, time, journal::EventKind::ConfigLoaded, sentence("Configuration v%1 was loaded.", {std::to_string(number)})));
    return plan;
}

Result<void> ControlPlane::applyConfig()
{
    if (!m_options.hasConfigFile) {
        std::vector<ConfigDifference> none;
        const health::HealthSettings settings = healthOver(m_options.config, none);
        m_fleet.with([&](fleet::Fleet& live, Instant now) { live.setHealthSettings(settings, now); });
        m_outcomes.use(m_outcomes.bookFor(m_options.config, m_options.configWins, none), m_options.config);
        return {};
    }
    Command command;
    const auto loaded = std::make_shared<const LoadedConfig>(LoadedConfig{m_options.config, m_options.configText, m_options.configFile});
    command.plan = [this, loaded](const fleet::Fleet& live, const CommandTime& time) -> Result<Plan> { return planConfig(loaded, {"config", {}, {}, "config"}, live, time); };
    return runAndWait(std::move(command));
}

void ControlPlane::reload(LoadedConfig config, Actor actor, Done<std::uint64_t> done)
{
    Command command;
    command.alone = true; // it plans with whole records of every node, pool and app
    command.plan = [this, loaded = std::make_shared<const LoadedConfig>(std::move(config)), actor = std::move(actor)](
                       const fleet::Fleet& live, const CommandTime& time) -> Result<Plan> {
        Plan plan = planConfig(loaded, actor, live, time);
        plan.audit.push_back(auditRow(actor, time, "config.reload", "config", nullptr, {{"source", loaded->note}}));
        plan.after.push_back([this, loaded] {
            m_options.config = loaded->config;
            forgetDeclared(m_options.config);
            m_incidents.setSettings(incidentSettings(loaded->config));
            m_store.setRetention({std::chrono::days(loaded->config.retention.eventsDays), loaded->config.retention.eventsBytes});
            const health::HealthSettings settings = healthSettings();
            m_prober.setTimings({fromSeconds(settings.intervalSeconds), fromSeconds(settings.timeoutSeconds)});
            setAllTargets();
        });
        return plan;
    };
    command.done = [this, done = std::move(done)](const Result<void>& result) { done(result.map([this] { return m_configVersion.load(); })); };
    m_store.submit(std::move(command));
}

void ControlPlane::previewConfig(LoadedConfig config, Done<ConfigPreview> done)
{
    auto preview = std::make_shared<ConfigPreview>();
    Command command;
    command.alone = true;
    command.plan = [this, preview, loaded = std::make_shared<const LoadedConfig>(std::move(config))](const fleet::Fleet& live, const CommandTime& time) -> Result<Plan> {
        const Plan plan = planConfig(loaded, {"config", {}, {}, "config"}, live, time);
        preview->sameText = isTextInForce(loaded->text);
        preview->changes = plan.audit;
        std::vector<ConfigDifference> none;
        const json::object was = toJson(live.healthSettings(), KeyStyle::Snake);
        const json::object now = toJson(healthOver(loaded->config, none), KeyStyle::Snake);
        if (was != now) {
            preview->changes.push_back(auditRow({}, time, "settings.health_check", "health_check", differences(was, now), differences(now, was)));
        }
        return Plan(); // nothing of it happens
    };
    command.done = [preview, done = std::move(done)](const Result<void>& result) { done(result.map([&] { return *preview; })); };
    m_store.submit(std::move(command));
}

void ControlPlane::configRejected(const std::string& firstIssue)
{
    journal::Event event;
    event.at = m_clock.wall();
    event.kind = journal::EventKind::ConfigRejected;
    event.severity = journal::Severity::Warning;
    event.sentence = sentence("A configuration was refused and the old one stays in force: %1", {firstIssue});
    m_store.append({std::move(event)}, {});
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

health::HealthSettings ControlPlane::healthSettings()
{
    return m_fleet.read([](const fleet::Fleet& live, Instant) { return live.healthSettings(); });
}

void ControlPlane::putHealthSettings(json::object patch, Actor actor, Done<health::HealthSettings> done)
{
    auto result = std::make_shared<health::HealthSettings>();
    Command command;
    command.touches = {{"settings", true}};
    command.plan = [this, patch = std::move(patch), actor = std::move(actor), result](const fleet::Fleet& live, const CommandTime& time) -> Result<Plan> {
        const health::HealthSettings before = live.healthSettings();
        const auto merged = patched(before, patch, KeyStyle::Camel);
        if (!merged) {
            return tl::unexpected(merged.error());
        }
        for (const NodeHandle node : live.nodesInOrder()) {
            const fleet::NodeSpec& spec = live.node(node).spec;
            const std::string base = live.healthAddress(node);
            if (merged->path == before.path || base.empty() || !spec.healthPath.empty()) {
                continue;
            }
            if (auto address = probe::joinHealthUrl(base, merged->path); !address) {
                return fail(address.error().code, address.error().message, "path");
            }
            break; // the path is the same for all of them; bases were checked when they came in
        }
        *result = *merged;
        Plan plan;
        if (*merged == before) {
            return plan;
        }
        const json::object was = toJson(before, KeyStyle::Snake);
        const json::object now = toJson(*merged, KeyStyle::Snake);
        // What administrators changed in all, over what the file says.
        const json::object overrides = differences(now, toJson(m_options.config.healthCheck, KeyStyle::Snake));
        const store::SettingRecord record{std::string(kHealthKey), json::serialize(overrides), actor.name, time.wall};
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([this, record, settings = *merged](fleet::Fleet& fleet, Instant at) {
            m_book.settings[record.key] = record;
            fleet.setHealthSettings(settings, at);
        });
        plan.after.push_back([this, settings = *merged, path = before.path, statuses = before.expectedStatuses] {
            m_prober.setTimings({fromSeconds(settings.intervalSeconds), fromSeconds(settings.timeoutSeconds)});
            if (settings.path != path || settings.expectedStatuses != statuses) {
                setAllTargets();
            }
        });
        const json::object changedTo = differences(now, was);
        plan.audit.push_back(auditRow(actor, time, "settings.health_check", "health_check", differences(was, now), changedTo));
        journal::Event event = eventBy(actor, time, journal::EventKind::SettingsChanged, sentence("Health settings were changed by %1: %2.", {actor.name, http::jsonText(changedTo)}));
        plan.events.push_back(std::move(event));
        return plan;
    };
    command.done = [result, done = std::move(done)](Result<void> answer) { done(answer.map([&] { return *result; })); };
    m_store.submit(std::move(command));
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

void ControlPlane::probeNow(const std::string& nodeId, Done<ProbeRecord> done)
{
    bool hasAddress = false;
    const auto node = m_fleet.read([&](const fleet::Fleet& live, Instant) {
        const auto found = live.findNode(nodeId);
        hasAddress = found && !live.healthAddress(*found).empty();
        return found;
    });
    if (!node) {
        done(fail("unknown_node", "There is no node '" + nodeId + "'.", "nodeId"));
        return;
    }
    if (!hasAddress) {
        done(fail("no_health_address", "Node '" + nodeId + "' has no health address; its heartbeats are its health.", "nodeId"));
        return;
    }
    {
        const std::unique_lock lock(m_waitingMutex);
        if (!m_stopped) {
            m_waiting.emplace(*node, std::move(done));
            done = {};
        }
    }
    if (done) {
        done(fail("shutting_down", "Weir is shutting down."));
        return;
    }
    m_prober.probeNow(*node);
    // The node may have gone before it was noted that somebody waits; nobody else would tell them.
    if (!m_fleet.read([&](const fleet::Fleet& live, Instant) { return live.isAlive(*node); })) {
        endWaiting(*node, {"unknown_node", "The node was removed while its probe was under way.", "nodeId"});
    }
}

std::vector<Done<ProbeRecord>> ControlPlane::takeWaiting(NodeHandle node)
{
    std::vector<Done<ProbeRecord>> waiting;
    const std::scoped_lock lock(m_waitingMutex);
    const auto [from, to] = m_waiting.equal_range(node);
    for (auto at = from; at != to; ++at) {
        waiting.push_back(std::move(at->second));
    }
    m_waiting.erase(from, to);
    return waiting;
}

void ControlPlane::endWaiting(NodeHandle node, const Error& error)
{
    for (const auto& done : takeWaiting(node)) {
        done(tl::unexpected(error));
    }
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

std::vector<ConfigDifference> ControlPlane::configDifferences() const
{
    const std::scoped_lock lock(m_differencesMutex);
    return m_differences;
}

void ControlPlane::probeEnded(const probe::ProbeResult& result)
{
    m_probeCounters.add(result);
    const std::string bodyReason = bodyReasonOf(result.body);
    const health::Transition transition = m_fleet.with([&](fleet::Fleet& live, Instant now) {
        return live.probeEnded({result.node, result.generation, result.started, result.success, result.reason, bodyReason}, now);
    });
    if (transition != health::Transition::Dropped) {
        m_alarms.sources().probeEnded(result.node, result.success, result.localError);
    }
    const ProbeRecord record = recordOf(result, transition == health::Transition::Held);
    if (transition != health::Transition::Dropped) {
        m_history.addProbe(result.node, record);
    }
    for (const auto& done : takeWaiting(result.node)) {
        done(record);
    }
}

void ControlPlane::probeStalled(NodeHandle node, bool stalled)
{
    m_alarms.sources().probeStalled(node, stalled);
    const std::string id = m_fleet.read([&](const fleet::Fleet& live, Instant) { return live.isAlive(node) ? live.node(node).spec.id.text() : std::string(); });
    if (stalled) {
        m_log.write(LogLevel::Error, "probe_stalled", "No probe of " + id + " has ended for three intervals.", {{"node", id}});
    } else {
        m_log.write(LogLevel::Info, "probe_stalled_over", "Probes of " + id + " end again.", {{"node", id}});
    }
}

void ControlPlane::setTarget(NodeHandle node)
{
    probe::ProbeTarget target;
    std::string base;
    std::string path;
    m_fleet.read([&](const fleet::Fleet& live, Instant) {
        if (!live.isAlive(node)) {
            return;
        }
        const fleet::Node& entry = live.node(node);
        base = live.healthAddress(node);
        path = entry.spec.healthPath.empty() ? live.healthSettings().path : entry.spec.healthPath;
        target.node = node;
        target.generation = entry.generation;
        target.tls = entry.spec.tls;
        target.expectedStatuses = entry.spec.expectedStatuses.empty() ? live.healthSettings().expectedStatuses : entry.spec.expectedStatuses;
    });
    if (base.empty()) {
        m_prober.removeTarget(node);
        endWaiting(node, {"no_health_address", "The node has no health address that can be probed.", "nodeId"});
        return;
    }
    auto url = probe::joinHealthUrl(base, path);
    if (!url) {
        m_log.write(LogLevel::Error, "probe_address", "A node's health address cannot be used: " + url.error().message);
        m_prober.removeTarget(node);
        endWaiting(node, {"no_health_address", "The node has no health address that can be probed.", "nodeId"});
        return;
    }
    target.url = std::move(*url);
    m_prober.setTarget(std::move(target));
}

void ControlPlane::setAllTargets()
{
    for (const NodeHandle node : m_fleet.read([](const fleet::Fleet& live, Instant) { return live.nodesInOrder(); })) {
        setTarget(node);
    }
}

} // namespace weir::plane
