// SPDX-License-Identifier: GPL-3.0-or-later
// `redirect`: sends clients elsewhere.
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"
#include "core/gateway/modules/Template.h"

#include <algorithm>
#include <array>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::FoundProduct};
constexpr std::array<std::string_view, 5> kStatuses{"301", "302", "303", "307", "308"};

struct Rule {
    routing::Condition when;
    Template to;
    unsigned status = 302;
};

class RedirectModule final : public Module {
public:
    std::vector<Rule> rules;

    std::string_view name() const override { return "redirect"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point, Turn& turn) override
    {
        for (const Rule& rule : rules) {
            if (rule.when.matches(turn.exchange())) {
                m_redirected.add();
                return Verdict::redirect(rule.status, rule.to.fill(turn));
            }
        }
        return Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override { return {{"redirected", m_redirected.value()}}; }

private:
    Count m_redirected;
};

constexpr config::KeySpec kRuleKeys[] = {{"when"}, {"to"}, {"status"}};

void readRule(config::SectionReader& section, std::vector<Rule>& rules)
{
    auto when = readCondition(section);
    const auto to = section.text("to");
    if (section.find("to") == nullptr) {
        section.failMissing("to", "where to must be said, such as \"https://${host}${target}\"");
    }
    const auto status = section.wholeWithin("status", 301, 308);
    if (status && std::find(kStatuses.begin(), kStatuses.end(), std::to_string(*status)) == kStatuses.end()) {
        section.fail("status", "invalid_value", "must be 301, 302, 303, 307 or 308");
    }
    if (!when || !to) {
        return;
    }
    std::string fault;
    auto target = Template::parse(*to, fault);
    if (!target || !isHeaderValue(*to) || to->empty()) {
        section.fail("to", "invalid_value", target ? "must be a URL without control characters" : fault);
        return;
    }
    rules.push_back({std::move(*when), std::move(*target), static_cast<unsigned>(status.value_or(302))});
}

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<RedirectModule>();
    readRules(section, "rules", kRuleKeys, [&](config::SectionReader& rule) { readRule(rule, module->rules); });
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"rules"}};

} // namespace

const ModuleKind kRedirectKind{"redirect", kKeys, make};

} // namespace weir::gateway
