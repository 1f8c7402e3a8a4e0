// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/OutcomeCommands.h"

#include "core/base/Sentence.h"
#include "core/http/JsonText.h"
#include "core/plane/HealthFields.h"
#include "core/plane/Traces.h"
#include "core/store/Store.h"

#include <boost/json.hpp>
#include <string>
#include <utility>

namespace weir::plane {
namespace json = boost::json;
namespace {

constexpr std::string_view kStatuses = "passiveStatuses";
constexpr std::string_view kRules = "rules";
constexpr std::string_view kKey = "outcome_rules";

// The configuration's words for the two members.
std::string filePath(std::string_view member)
{
    return member == kRules ? "outcome_rules" : "passive_statuses";
}

std::string indexed(std::string_view list, std::size_t index)
{
    return std::string(list) + '[' + std::to_string(index) + ']';
}

tl::unexpected<Error> wrongType(const std::string& field, const json::value& value, const char* wanted)
{
    return fail("wrong_type", field + " is " + http::jsonText(value) + "; it must be " + wanted + ".", field);
}

Result<std::vector<std::pair<int, int>>> readStatuses(const json::value& value)
{
    if (!value.is_array()) {
        return wrongType(std::string(kStatuses), value, "an array of strings");
    }
    std::vector<std::pair<int, int>> ranges;
    for (const json::value& item : value.get_array()) {
        const std::string field = indexed(kStatuses, ranges.size());
        if (!item.is_string()) {
            return wrongType(field, item, "a string (\"401\", \"5xx\")");
        }
        const auto range = outcome::parsePassiveStatus(item.get_string());
        if (!range) {
            return fail("invalid_value", field + " is " + http::jsonText(item) + "; it must be a status from 300 to 599 (\"401\") or a class (\"5xx\").", field);
        }
        ranges.push_back(*range);
    }
    return ranges;
}

Result<outcome::RuleSettings> readRule(const json::value& value, const std::string& field)
{
    if (!value.is_object()) {
        return wrongType(field, value, "an object");
    }
    outcome::RuleSettings rule;
    bool hasName = false;
    bool hasWhen = false;
    for (const auto& [key, member] : value.get_object()) {
        const std::string path = field + '.' + std::string(key);
        if (key == "name" || key == "when") {
            if (!member.is_string()) {
                return wrongType(path, member, "a string");
            }
            (key == "name" ? rule.name : rule.when) = json::value_to<std::string>(member);
            (key == "name" ? hasName : hasWhen) = true;
        } else if (key == "after") {
            boost::system::error_code error;
            const int after = member.is_number() ? member.to_number<int>(error) : 0;
            if (!member.is_number() || error) {
                return wrongType(path, member, "a whole number");
            }
            rule.after = after;
        } else {
            return fail("unknown_field", "'" + std::string(key) + "' is not a member of an outcome rule; there are name, when and after.", path);
        }
    }
    if (!hasName || !hasWhen) {
        return fail("missing_field", field + " has no " + (hasName ? "when" : "name") + ".", field + (hasName ? ".when" : ".name"));
    }
    return rule;
}

Result<std::vector<outcome::RuleSettings>> readRules(const json::value& value)
{
    if (!value.is_array()) {
        return wrongType(std::string(kRules), value, "an array of objects");
    }
    std::vector<outcome::RuleSettings> rules;
    for (const json::value& item : value.get_array()) {
        auto rule = readRule(item, indexed(kRules, rules.size()));
        if (!rule) {
            return tl::unexpected(rule.error());
        }
        rules.push_back(std::move(*rule));
    }
    return rules;
}

Error errorOf(const outcome::RuleFault& fault)
{
    const std::string field = fault.member.empty() ? std::string(kRules) : indexed(kRules, fault.rule) + '.' + fault.member;
    const std::string place = fault.place ? ", line " + std::to_string(fault.place->line) + ", column " + std::to_string(fault.place->column) : std::string();
    const bool isOfName = fault.member == "name" && fault.code != "duplicate";
    return {isOfName ? fault.code : "invalid_value", field + place + ": " + fault.message + '.', field};
}

outcome::OutcomeSettings settingsOf(const config::Config& config)
{
    outcome::OutcomeSettings settings;
    settings.passiveStatuses.clear();
    for (const config::StatusRange& range : config.passiveStatuses) {
        settings.passiveStatuses.emplace_back(range.first, range.last);
    }
    settings.rules = config.outcomeRules;
    return settings;
}

std::shared_ptr<const outcome::OutcomeBook> compiled(const outcome::OutcomeSettings& settings)
{
    auto book = outcome::OutcomeBook::compile(settings);
    return std::make_shared<const outcome::OutcomeBook>(book ? std::move(*book) : outcome::OutcomeBook());
}

} // namespace

json::object toJson(const outcome::OutcomeSettings& settings)
{
    json::array statuses;
    for (const auto& range : settings.passiveStatuses) {
        statuses.emplace_back(outcome::passiveStatusText(range));
    }
    json::array rules;
    for (const outcome::RuleSettings& rule : settings.rules) {
        rules.emplace_back(json::object{{"name", rule.name}, {"when", rule.when}, {"after", rule.after}});
    }
    return {{kStatuses, std::move(statuses)}, {kRules, std::move(rules)}};
}

Result<std::shared_ptr<const outcome::OutcomeBook>> patched(const outcome::OutcomeSettings& settings, const json::object& patch)
{
    outcome::OutcomeSettings result = settings;
    for (const auto& [key, value] : patch) {
        if (key == kStatuses) {
            auto statuses = readStatuses(value);
            if (!statuses) {
                return tl::unexpected(statuses.error());
            }
            result.passiveStatuses = std::move(*statuses);
        } else if (key == kRules) {
            auto rules = readRules(value);
            if (!rules) {
                return tl::unexpected(rules.error());
            }
            result.rules = std::move(*rules);
        } else {
            return fail("unknown_field", "'" + std::string(key) + "' is not a setting of outcomes; there are passiveStatuses and rules.", std::string(key));
        }
    }
    auto book = outcome::OutcomeBook::compile(std::move(result));
    if (!book) {
        return tl::unexpected(errorOf(book.error().front()));
    }
    return std::make_shared<const outcome::OutcomeBook>(std::move(*book));
}

Plan OutcomeCommands::planOf(const std::shared_ptr<const outcome::OutcomeBook>& before, const std::shared_ptr<const outcome::OutcomeBook>& after, const Actor& actor, const CommandTime& time)
{
    Plan plan;
    const json::object was = toJson(before->settings());
    const json::object now = toJson(after->settings());
    if (was == now) {
        return plan;
    }
    const store::SettingRecord record{std::string(kKey), json::serialize(differences(now, toJson(m_file))), actor.name, time.wall};
    plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
    plan.applies.push_back([this, record, after](fleet::Fleet&, Instant) {
        m_book.settings[record.key] = record;
        m_judge.setBook(after);
    });
    const json::object changedTo = differences(now, was);
    plan.audit.push_back(auditRow(actor, time, "settings.outcome_rules", std::string(kKey), differences(was, now), changedTo));
    plan.events.push_back(eventBy(actor, time, journal::EventKind::SettingsChanged, sentence("Outcome rules were changed by %1: %2.", {actor.name, http::jsonText(changedTo)})));
    return plan;
}

void OutcomeCommands::put(json::object patch, Actor actor, Done<outcome::OutcomeSettings> done)
{
    // Compiled here: the planner runs under the fleet's lock, and regular expressions may take their time.
    struct Work {
        std::shared_ptr<const outcome::OutcomeBook> before;
        std::shared_ptr<const outcome::OutcomeBook> after;
    };
    auto work = std::make_shared<Work>();
    work->before = m_judge.book();
    auto after = patched(work->before->settings(), patch);
    if (!after) {
        done(tl::unexpected(after.error()));
        return;
    }
    work->after = std::move(*after);
    Command command;
    command.touches = {{"settings", true}};
    command.plan = [this, work, patch = std::move(patch), actor = std::move(actor)](const fleet::Fleet&, const CommandTime& time) -> Result<Plan> {
        if (const auto current = m_judge.book(); current != work->before) {
            auto again = patched(current->settings(), patch); // another change came first
            if (!again) {
                return tl::unexpected(again.error());
            }
            *work = {current, std::move(*again)};
        }
        return planOf(work->before, work->after, actor, time);
    };
    command.done = [work, done = std::move(done)](Result<void> answer) { done(answer.map([&] { return work->after->settings(); })); };
    m_store.submit(std::move(command));
}

std::shared_ptr<const outcome::OutcomeBook> OutcomeCommands::bookFor(const config::Config& config, bool configWins, std::vector<ConfigDifference>& found) const
{
    const outcome::OutcomeSettings file = settingsOf(config);
    const auto stored = m_book.settings.find(std::string(kKey));
    if (stored == m_book.settings.end()) {
        return compiled(file);
    }
    boost::system::error_code error;
    const json::value overrides = json::parse(stored->second.json, error);
    if (error || !overrides.is_object()) {
        return compiled(file);
    }
    const auto isDeclared = [&config](std::string_view member) { return member == kRules ? config.declaresOutcomeRules : config.declaresPassiveStatuses; };
    json::object kept;
    for (const auto& [key, value] : overrides.get_object()) {
        if (!configWins || !isDeclared(key)) {
            kept[key] = value;
        }
    }
    auto merged = patched(file, kept);
    if (!merged) {
        m_log.write(LogLevel::Warning, "settings_ignored", "Stored outcome rules do not fit any more and are not used: " + merged.error().message);
        return compiled(file);
    }
    const json::object fileJson = toJson(file);
    for (const auto& [key, value] : differences(kept, fileJson)) {
        if (isDeclared(key)) {
            found.push_back({filePath(key), http::jsonText(fileJson.at(key)), http::jsonText(value)});
        }
    }
    return *merged;
}

void OutcomeCommands::use(std::shared_ptr<const outcome::OutcomeBook> book, const config::Config& config)
{
    m_file = settingsOf(config);
    m_judge.setBook(std::move(book));
}

} // namespace weir::plane
