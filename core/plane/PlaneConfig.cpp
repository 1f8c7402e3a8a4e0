// SPDX-License-Identifier: GPL-3.0-or-later
// ControlPlane: the configuration file and the settings that administrators change on top of it.
#include "core/plane/ControlPlane.h"

#include "core/base/Sentence.h"
#include "core/http/JsonText.h"
#include "core/plane/HealthFields.h"
#include "core/plane/PlaneSettings.h"
#include "core/plane/Traces.h"
#include "core/probe/HealthUrl.h"

#include <boost/json.hpp>
#include <utility>

namespace weir::plane {
namespace json = boost::json;

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

std::vector<ConfigDifference> ControlPlane::configDifferences() const
{
    const std::scoped_lock lock(m_differencesMutex);
    return m_differences;
}

} // namespace weir::plane
