// SPDX-License-Identifier: GPL-3.0-or-later
// passive_statuses and outcome_rules.
#include "core/config/SettingSections.h"

#include "core/config/JsonReader.h"
#include "core/outcome/OutcomeBook.h"

#include <utility>
#include <vector>

namespace weir::config {
namespace {

// The members of one rule; what cannot be read is reported and left as it is by default.
outcome::RuleSettings readRule(SectionReader& section)
{
    outcome::RuleSettings rule;
    rule.name = section.label("name").value_or(std::string());
    if (section.find("name") == nullptr) {
        section.failMissing("name", "a rule needs a name, which events and figures show");
    }
    rule.when = section.text("when").value_or(std::string());
    if (section.find("when") == nullptr) {
        section.failMissing("when", "a rule needs a condition");
    }
    rule.after = section.whole("after").value_or(rule.after);
    return rule;
}

std::string messageOf(const outcome::RuleFault& fault)
{
    if (!fault.place) {
        return fault.message;
    }
    return "line " + std::to_string(fault.place->line) + ", column " + std::to_string(fault.place->column) + " of the condition: " + fault.message;
}

} // namespace

void readPassiveStatuses(SectionReader& root, Config& config)
{
    const JsonNode* list = root.array("passive_statuses");
    if (list == nullptr) {
        return;
    }
    config.declaresPassiveStatuses = true;
    config.passiveStatuses.clear();
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const JsonNode& item = list->items[i];
        const std::string path = joinPath(root.pathOf("passive_statuses"), i);
        const auto range = outcome::parsePassiveStatus(item.text);
        if (item.kind != JsonKind::String) {
            root.issues().error(item, path, "wrong_type", wrongKind("a string (\"401\", \"5xx\")", item));
        } else if (!range) {
            root.issues().error(item, path, "invalid_value", "must be a status from 300 to 599 (\"401\") or a class (\"5xx\")");
        } else {
            config.passiveStatuses.push_back({range->first, range->second});
        }
    }
}

void readOutcomeRules(SectionReader& root, Config& config)
{
    const JsonNode* list = root.array("outcome_rules");
    if (list == nullptr) {
        return;
    }
    config.declaresOutcomeRules = true;
    const std::string path = root.pathOf("outcome_rules");
    outcome::OutcomeSettings settings;
    std::vector<SectionReader> sections;
    sections.reserve(list->items.size());
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        sections.emplace_back(root.issues(), list->items[i], joinPath(path, i), keys::outcomeRule());
        settings.rules.push_back(readRule(sections.back()));
    }
    const auto book = outcome::OutcomeBook::compile(settings);
    if (book) {
        config.outcomeRules = std::move(settings.rules);
        return;
    }
    for (const outcome::RuleFault& fault : book.error()) {
        if (fault.member.empty()) {
            root.issues().error(*list, path, fault.code, fault.message);
        } else if (list->items[fault.rule].kind == JsonKind::Object && !sections[fault.rule].hasFailed(fault.member)) {
            // One condition may have several faults: each is said once, at the value.
            root.issues().error(*sections[fault.rule].find(fault.member), sections[fault.rule].pathOf(fault.member), fault.code, messageOf(fault));
        }
    }
}

} // namespace weir::config
