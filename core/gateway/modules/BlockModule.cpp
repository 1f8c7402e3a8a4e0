// SPDX-License-Identifier: GPL-3.0-or-later
// `block`: refuses requests by address and by condition.
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"
#include "core/gateway/modules/Replies.h"

#include <algorithm>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::Accept, Point::FoundProduct};

struct Rule {
    std::string name;
    routing::Condition when;
    unsigned status = 403; ///< 0: close without a byte
};

class BlockModule final : public Module {
public:
    std::vector<IpNetwork> networks;
    std::vector<Rule> rules;

    std::string_view name() const override { return "block"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point point, Turn& turn) override
    {
        if (point == Point::Accept) {
            // Of the socket: a blocked network gets no further, whatever its headers would say.
            return isBlocked(turn.request.peer) ? refuse(m_byAddress, 0, {}) : Verdict::goOn();
        }
        if (isBlocked(turn.request.client)) {
            return refuse(m_byAddress, 403, "Your address is blocked.");
        }
        for (const Rule& rule : rules) {
            if (rule.when.matches(turn.exchange())) {
                turn.context.set("block_rule", rule.name);
                return refuse(m_byRule, rule.status, "This request is not allowed.");
            }
        }
        return Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override
    {
        return {{"blocked_addresses", m_byAddress.value()}, {"blocked_requests", m_byRule.value()}};
    }

private:
    bool isBlocked(const std::optional<IpAddress>& address) const
    {
        return address
            && std::any_of(networks.begin(), networks.end(), [&](const IpNetwork& network) { return network.contains(*address); });
    }

    static Verdict refuse(Count& count, unsigned status, std::string_view why)
    {
        count.add();
        return status == 0 ? Verdict::close() : Verdict::respond(problemReply(status, "blocked", why));
    }

    Count m_byAddress;
    Count m_byRule;
};

constexpr config::KeySpec kRuleKeys[] = {{"name"}, {"when"}, {"action"}, {"status"}};

void readRule(config::SectionReader& section, std::vector<Rule>& rules)
{
    static constexpr std::array<std::string_view, 2> kActions{"respond", "close"};
    const std::string name = section.label("name").value_or(std::string());
    if (section.find("when") == nullptr) {
        section.failMissing("when", "a rule needs a condition; default_t() would block everybody");
    }
    auto when = readCondition(section);
    const auto action = section.choice("action", kActions);
    const auto status = section.wholeWithin("status", 400, 599);
    if (when) {
        rules.push_back({name, std::move(*when), action == std::size_t{1} ? 0U : static_cast<unsigned>(status.value_or(403))});
    }
}

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<BlockModule>();
    module->networks = readNetworks(section, "addresses");
    if (section.find("rules") != nullptr) {
        readRules(section, "rules", kRuleKeys, [&](config::SectionReader& rule) { readRule(rule, module->rules); });
    }
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"addresses"}, {"rules"}};

} // namespace

const ModuleKind kBlockKind{"block", kKeys, make};

} // namespace weir::gateway
