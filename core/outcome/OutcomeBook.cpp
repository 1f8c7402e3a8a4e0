// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/outcome/OutcomeBook.h"

#include "core/base/Ids.h"

#include <algorithm>

namespace weir::outcome {
namespace {

void checkName(const std::vector<RuleSettings>& rules, std::size_t index, std::vector<RuleFault>& faults)
{
    const std::string& name = rules[index].name;
    if (const auto id = PoolId::parse(name, "name"); !id) {
        // Names go into reasons and figures, so they are spelled like ids.
        std::string message = id.error().message;
        if (message.ends_with('.')) {
            message.pop_back();
        }
        faults.push_back({index, "name", id.error().code, std::nullopt, std::move(message)});
    } else if (name == "built_in") {
        faults.push_back({index, "name", "invalid_value", std::nullopt, "is the name of the rule that is always there"});
    } else if (std::any_of(rules.begin(), rules.begin() + static_cast<std::ptrdiff_t>(index),
                   [&name](const RuleSettings& other) { return other.name == name; })) {
        faults.push_back({index, "name", "duplicate", std::nullopt, "is the name of an earlier rule too"});
    }
}

} // namespace

std::optional<std::pair<int, int>> parsePassiveStatus(std::string_view text) noexcept
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.size() != 3 || text[0] < '3' || text[0] > '5') {
        return std::nullopt;
    }
    const int hundreds = (text[0] - '0') * 100;
    if (text.substr(1) == "xx") {
        return std::pair(hundreds, hundreds + 99);
    }
    if (!isDigit(text[1]) || !isDigit(text[2])) {
        return std::nullopt;
    }
    const int status = hundreds + (text[1] - '0') * 10 + (text[2] - '0');
    return std::pair(status, status);
}

std::string passiveStatusText(const std::pair<int, int>& range)
{
    return range.first == range.second ? std::to_string(range.first) : std::to_string(range.first / 100) + "xx";
}

std::string_view toText(Bucket bucket) noexcept
{
    switch (bucket) {
    case Bucket::Transport:
        return "transport";
    case Bucket::Status:
        return "status";
    case Bucket::Semantic:
        return "semantic";
    case Bucket::None:
        break;
    }
    return "none";
}

tl::expected<OutcomeBook, std::vector<RuleFault>> OutcomeBook::compile(OutcomeSettings settings)
{
    OutcomeBook book;
    std::vector<RuleFault> faults;
    if (settings.rules.size() > kMaxRules) {
        faults.push_back({0, "", "too_many", std::nullopt,
            "has " + std::to_string(settings.rules.size()) + " rules; at most " + std::to_string(kMaxRules) + " are possible"});
        return tl::unexpected(std::move(faults));
    }
    for (std::size_t i = 0; i < settings.rules.size(); ++i) {
        const RuleSettings& rule = settings.rules[i];
        checkName(settings.rules, i, faults);
        if (rule.after < 1 || rule.after > kMaxAfter) {
            faults.push_back({i, "after", "out_of_range", std::nullopt, "must be a whole number from 1 to " + std::to_string(kMaxAfter)});
        }
        auto condition = routing::Condition::compile(rule.when);
        if (!condition) {
            for (routing::ConditionIssue& issue : condition.error()) {
                faults.push_back({i, "when", std::move(issue.code), issue.place, std::move(issue.message)});
            }
            continue;
        }
        book.m_needsBody = book.m_needsBody || rule.when.find("res_json_in") != std::string::npos;
        book.m_conditions.push_back(std::move(*condition));
    }
    if (!faults.empty()) {
        return tl::unexpected(std::move(faults));
    }
    book.m_builtIn = OutcomeRules(settings.passiveStatuses);
    book.m_settings = std::move(settings);
    return book;
}

Judged OutcomeBook::judge(const routing::Exchange& exchange, std::string_view error, const OutcomeRules* statuses) const
{
    Judged judged;
    if (!error.empty() || exchange.response == nullptr) {
        judged.classification = Classification::PassiveFailure;
        judged.bucket = Bucket::Transport;
        return judged;
    }
    judged.classification = (statuses != nullptr ? *statuses : m_builtIn).classify({exchange.response->status, std::nullopt});
    if (judged.classification == Classification::PassiveFailure) {
        judged.bucket = Bucket::Status;
        return judged;
    }
    for (std::size_t i = 0; i < m_conditions.size(); ++i) {
        judged.matched |= m_conditions[i].matches(exchange) ? std::uint32_t{1} << i : 0U;
    }
    judged.bucket = judged.matched != 0 ? Bucket::Semantic : Bucket::None;
    return judged;
}

} // namespace weir::outcome
